// Texts that come with telemetry: the service decides about them, by the policy in force.

import type { CompiledPolicy, Inference } from '@svc/engine';
import { inferenceOf } from '@svc/telemetry';
import { isLong } from '../assessments/long-texts.ts';
import { decide } from '../assessments/service.ts';
import { toAppError } from '../http/fastify-errors.ts';
import { CALLS_PER_JUDGE_MAX } from '../judges/caller.ts';
import type { LimitDecision } from '../limits/limits.ts';
import type { Live } from '../policy/shadow/run.ts';
import type { Services } from '../services.ts';
import type { ReadEvent, RejectedEvent } from './read.ts';
import type { TelemetryCall } from './service.ts';

// Other requests get their turn at least this often.
const TURN_MS = 5;

/** What the service decided about an event. */
export interface Assessed {
  readonly inference: Inference;
  readonly evaluation: Live['evaluation'];
  readonly policy: CompiledPolicy;
  readonly latencyMs: number;
}

interface AssessedTexts {
  /** By position. */
  readonly assessed: ReadonlyMap<number, Assessed>;
  readonly rejected: readonly RejectedEvent[];
}

/**
 * Assesses events, none of which is stored: each costs one assessment, and those for which nothing is left of the plan are rejected as
 * `rate_limited`. In turns, as the items of a batch are.
 */
export async function assessTexts(services: Services, call: TelemetryCall, events: readonly ReadEvent[]): Promise<AssessedTexts> {
  const { organization } = call.principal;
  const policy = services.policies.peek(organization.id) ?? (await services.policies.get(organization.id, organization.uuid));
  const { granted, rejected: refused } = await takeAssessments(services, call, events);
  const rejected: RejectedEvent[] = [...refused];
  const assessed = new Map<number, Assessed>();
  const assessOne = async (read: ReadEvent, inference: Inference) => {
    try {
      assessed.set(read.position, await assess(services, call, inference, policy));
    } catch (err) {
      rejected.push(failed(services, call, read, err));
    }
  };
  // Where judges are asked, no more at once than a judge takes calls: else their time would run out while they wait for each other.
  if (policy.judges.length > 0) await inPace(granted, (read) => assessOne(read, inferenceOf(read.event)));
  else await inTurns(granted, assessOne);
  return { assessed, rejected };
}

/** Takes one assessment for each event as long as there are any, in their order. */
async function takeAssessments(services: Services, { principal }: TelemetryCall, events: readonly ReadEvent[]) {
  const take = (count: number) =>
    services.limits.take(principal.organization, { requests: 0, assessments: count }, 'assessments');
  if (events.length === 0 || (await take(events.length)).refusedBy === null) return { granted: events, rejected: [] };
  for (let granted = 0; granted < events.length; granted++) {
    const decision = await take(1);
    if (decision.refusedBy === null) continue;
    return { granted: events.slice(0, granted), rejected: events.slice(granted).map((read) => rateLimited(read, decision)) };
  }
  return { granted: events, rejected: [] };
}

function rateLimited({ position }: ReadEvent, { refusedBy, waitSeconds, view }: LimitDecision): RejectedEvent {
  // What never fits, because the plan has no assessments at all, is not worth waiting for less than a minute.
  const seconds = Number.isFinite(waitSeconds) ? waitSeconds : view.windowSeconds;
  return {
    index: position,
    error: {
      code: 'rate_limited',
      message: `The limit of ${refusedBy} is used up. Send the event again in ${seconds} s.`,
      details: [{ pointer: '', message: `limit: ${refusedBy}, ${view.limit}` }],
      retry_after_s: seconds,
    },
  };
}

async function inTurns(events: readonly ReadEvent[], work: (read: ReadEvent, inference: Inference) => Promise<void>) {
  const all: Promise<void>[] = [];
  let turnEndsAt = performance.now() + TURN_MS;
  for (const read of events) {
    const inference = inferenceOf(read.event);
    const done = work(read, inference);
    all.push(done);
    if (isLong(inference)) await done; // it has a turn on the other thread, and the next one has it after that
    if (performance.now() < turnEndsAt) continue;
    await new Promise((resolve) => setImmediate(resolve));
    turnEndsAt = performance.now() + TURN_MS;
  }
  await Promise.all(all);
}

async function inPace(events: readonly ReadEvent[], work: (read: ReadEvent) => Promise<void>) {
  const rest = events.values();
  const worker = async () => {
    for (const read of rest) await work(read);
  };
  await Promise.all(Array.from({ length: CALLS_PER_JUDGE_MAX }, worker));
}

async function assess(services: Services, call: TelemetryCall, inference: Inference, policy: CompiledPolicy): Promise<Assessed> {
  const startedAt = performance.now();
  const { evaluation } = await decide(services, call.principal.organization, inference, policy, services.clock());
  return { inference, evaluation, policy, latencyMs: performance.now() - startedAt };
}

function failed({ log }: Services, { requestId }: TelemetryCall, { position }: ReadEvent, err: unknown): RejectedEvent {
  const error = toAppError(err);
  if (error.status >= 500) log.error({ err: error.cause ?? err, request_id: requestId }, error.code);
  return { index: position, error: { code: error.code, message: error.message, details: error.details } };
}
