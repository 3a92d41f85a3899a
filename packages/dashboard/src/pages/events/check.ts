// Asks for an event and its proof anew, and checks both: the proof itself, and that the log goes on from what this browser has seen. Loaded when it
// is first asked for.

import { CheckpointError, CheckpointMemory, type CheckpointRule, type Event, type EventProof } from '@svc/client';
import { svc } from '../../api.ts';
import { HeldStore, readHeld } from './held.ts';
import { differingNames, verify, type Step, type Verdict } from './verify.ts';

/** Two checkpoints that do not go together, as they were signed. */
export interface Evidence {
  readonly rule: CheckpointRule;
  readonly before: string;
  readonly now: string;
}

export interface Checked extends Verdict {
  /** Both as they were checked. */
  readonly event: Event;
  readonly proof: EventProof;
  /** Members in which the page showed something else than the service says now. */
  readonly differing: readonly string[];
  /** Where the keys came from. */
  readonly trusted: 'pinned' | 'remembered' | 'service';
  readonly evidence: Evidence | null;
}

interface Asked {
  /** As the page shows it. */
  readonly shown: Event;
  readonly orgId: string;
  readonly pins: readonly string[];
}

/** Never throws for what is wrong: the verdict says so. Throws where the browser cannot check, or the service does not answer. */
export function check({ shown, orgId, pins }: Asked): Promise<Checked> {
  // One window at a time: a checkpoint that another one has overtaken meanwhile would look like a log that was cut.
  return alone(`svc.checkpoint.${orgId}`, async () => {
    const proof = await svc.audit.proveEvent(shown.id);
    // After the proof: by now the log has the event, and the event tells so.
    const event = await svc.events.get(shown.id);
    const held = readHeld(orgId);
    const remembered = held === null || held === 'unreadable' ? [] : held.keys;
    const [keys, trusted] =
      pins.length > 0
        ? ([pins, 'pinned'] as const)
        : remembered.length > 0
          ? ([remembered, 'remembered'] as const)
          : ([await keysOfService(), 'service'] as const);
    const verdict = await verify(event, proof, keys, shown.id);
    const isSigned = verdict.steps[0]!.state === 'holds';
    const { step, evidence } = isSigned ? await growth(orgId, proof.checkpoint, keys) : NOT_REACHED;
    return {
      holds: verdict.holds && step.state !== 'broken',
      steps: [...verdict.steps, step],
      event,
      proof,
      differing: differingNames(shown, event),
      trusted,
      evidence,
    };
  });
}

function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks === undefined ? work() : navigator.locks.request(name, work);
}

/** Those that sign now. */
async function keysOfService(): Promise<string[]> {
  const { keys } = await svc.audit.listKeys();
  return keys.filter(({ status }) => status !== 'retired').map(({ verifier_key: key }) => key);
}

interface Growth {
  readonly step: Step;
  readonly evidence: Evidence | null;
}

const STEP = { name: 'growth', title: 'The log goes on from what this browser has seen' } as const;
const NOT_REACHED: Growth = { step: { ...STEP, state: 'not reached', text: '' }, evidence: null };

/** Holds the checkpoint of the proof against the one that is remembered, and remembers it. */
async function growth(orgId: string, note: string, keys: readonly string[]): Promise<Growth> {
  const held = readHeld(orgId);
  const store = new HeldStore(orgId);
  const { audit } = svc;
  try {
    const { size, isFirst } = await new CheckpointMemory(store, keys).check({
      audit: {
        getCheckpoint: () => Promise.resolve(note),
        listKeys: () => audit.listKeys(),
        proveConsistency: (query) => audit.proveConsistency(query),
      },
    });
    if (!store.isKept)
      return {
        step: { ...STEP, state: 'not reached', text: 'This browser keeps nothing, so there is nothing to compare with.' },
        evidence: null,
      };
    if (isFirst || held === null || held === 'unreadable') {
      const text = `There was nothing to compare with. From now on this browser remembers the log as it is, with ${count(size)}.`;
      return { step: { ...STEP, state: 'first seen', text }, evidence: null };
    }
    const text =
      held.size === size
        ? `It is as it was: ${count(size)}, and the same root.`
        : `It is proved that its ${count(size)} begin with the ${count(held.size)} that were seen.`;
    return { step: { ...STEP, state: 'holds', text }, evidence: null };
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    const before = held === null || held === 'unreadable' ? '' : held.note;
    return { step: { ...STEP, state: 'broken', text: error.message }, evidence: { rule: error.rule, before, now: note } };
  }
}

function count(size: number): string {
  return size === 1 ? '1 event' : `${size.toLocaleString('en')} events`;
}
