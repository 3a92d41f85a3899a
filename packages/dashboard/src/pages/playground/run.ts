// One try: by the policy in force, by another one, or by both.

import type { Assessment, Inference, Policy, PolicySimulation } from '@svc/client';
import { svc } from '../../api.ts';

/** A policy that is not in force. */
export interface Candidate {
  readonly name: 'shadow' | 'edited';
  readonly policy: Policy;
}

interface Asked {
  readonly inference: Inference;
  /** Whether it is assessed by the policy in force, which records it. */
  readonly isRecorded: boolean;
  /** What the candidate is made of; `null`: the policy in force alone. */
  readonly source: Source | null;
  readonly candidate: Candidate | null;
}

type Settled<Value> = { readonly value: Value } | { readonly error: unknown };

export interface Tried extends Asked {
  /** `null`: it was not asked for. */
  readonly assessment: Settled<Assessment> | null;
  /** `null`: not asked for, or the shadow's verdict stands in the assessment. */
  readonly simulation: Settled<PolicySimulation> | null;
}

const POLL_MS = 200;
const POLL_MS_MAX = 1_000;
/** An organization's simulations run one after another: one over the whole trail may be before this one. */
const WAIT_MS_MAX = 60_000;

/** Both are asked for at once, where both are. Rejects only when it is aborted, which the service may notice too late. */
export async function run(asked: Asked, signal: AbortSignal): Promise<Tried> {
  const { inference, isRecorded, candidate } = asked;
  const assessing = isRecorded ? settle(svc.assess(inference, { signal })) : null;
  // A shadow may have decided the very assessment.
  if (candidate?.name === 'shadow' && assessing !== null) {
    const assessment = await assessing;
    const hasVerdict = 'value' in assessment && assessment.value.shadow?.error === null;
    const simulation = hasVerdict ? null : await settle(simulate(candidate.policy, inference, signal));
    signal.throwIfAborted();
    return { ...asked, assessment, simulation };
  }
  const simulating = candidate === null ? null : settle(simulate(candidate.policy, inference, signal));
  const [assessment, simulation] = await Promise.all([assessing, simulating]);
  signal.throwIfAborted();
  return { ...asked, assessment, simulation };
}

async function simulate(policy: Policy, inference: Inference, signal: AbortSignal): Promise<PolicySimulation> {
  const until = Date.now() + WAIT_MS_MAX;
  let simulation = await svc.policy.simulate({ policy, items: [inference] }, { signal });
  for (let wait = POLL_MS; isUnderWay(simulation); wait = Math.min(wait * 1.5, POLL_MS_MAX)) {
    if (Date.now() > until)
      throw new Error('The simulation has not begun: others of the organization run before it. Try again when they are over.');
    await pause(wait, signal);
    simulation = await svc.policy.getSimulation(simulation.id, { signal });
  }
  if (simulation.state === 'failed') throw new Error(simulation.error ?? 'The simulation failed.');
  return simulation;
}

function isUnderWay({ state }: PolicySimulation): boolean {
  return state === 'queued' || state === 'running';
}

async function settle<Value>(work: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** A candidate, or the text of one. */
export type Source = Candidate | { readonly name: 'edited'; readonly text: string };

/** Whether both are made of the same. */
export function isSameSource(one: Source | null, other: Source | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Throws what is wrong with its text. */
export async function candidateOf(source: Source | null): Promise<Candidate | null> {
  if (source === null || !('text' in source)) return source;
  return { name: source.name, policy: await parsePolicy(source.text) };
}

/** YAML or JSON. What reads it is loaded with the editor. */
async function parsePolicy(text: string): Promise<Policy> {
  const { read } = await import('../policy/editor/document.ts');
  const reading = read(text, 'yaml');
  if (!reading.isReadable) throw new Error(`The policy cannot be read. ${reading.marks[0]?.message ?? ''}`);
  return reading.policy;
}
