// A batch of telemetry as it comes: what is valid, what is not, and what stands in it twice.

import { telemetryProblems, timeMs, type TelemetryEvent } from '@svc/telemetry';
import type { ErrorDetail } from '../http/errors.ts';
import { Turn } from '../http/turn.ts';

export interface RejectedEvent {
  readonly index: number;
  /** `rate_limited` and `unavailable`: the same event may be sent again. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: readonly ErrorDetail[];
    /** With `rate_limited`. */
    readonly retry_after_s?: number;
  };
}

/** A valid event, the first of its id in the batch. */
export interface ReadEvent {
  /** Its index in the batch. */
  readonly position: number;
  readonly event: TelemetryEvent;
  readonly occurredAtMs: number;
}

export interface ReadBatch {
  readonly events: readonly ReadEvent[];
  /** Events whose id stands in the batch before, by the position of that one: what becomes of it becomes of them. */
  readonly twins: readonly { readonly index: number; readonly of: number }[];
  readonly rejected: readonly RejectedEvent[];
}

/** A clock may be wrong by a time zone, hardly by more: what is later would stand before all that comes in drift and reports. */
const AHEAD_MS_MAX = 24 * 3_600_000;
// Of an event: five hundred times all that is wrong would be megabytes.
const DETAILS_MAX = 5;

/** Tells apart what is valid, what is not and what stands in the batch twice. Others get their turn meanwhile. */
export async function readBatch(values: readonly unknown[], nowMs: number): Promise<ReadBatch> {
  const events: ReadEvent[] = [];
  const twins: { index: number; of: number }[] = [];
  const rejected: RejectedEvent[] = [];
  const positions = new Map<string, number>();
  const turn = new Turn();
  for (let index = 0; index < values.length; index++) {
    if (turn.isOver) await turn.next();
    const details = telemetryProblems(values[index]);
    if (details.length > 0) {
      rejected.push(invalidEvent(index, details));
      continue;
    }
    const event = values[index] as TelemetryEvent;
    const occurredAtMs = timeMs(event.occurred_at);
    if (occurredAtMs > nowMs + AHEAD_MS_MAX) {
      rejected.push(invalidEvent(index, [{ pointer: '/occurred_at', message: 'must not be more than 24 hours ahead' }]));
      continue;
    }
    const first = positions.get(event.id);
    if (first === undefined) {
      positions.set(event.id, index);
      events.push({ position: index, event, occurredAtMs });
    } else twins.push({ index, of: first });
  }
  return { events, twins, rejected };
}

function invalidEvent(index: number, details: readonly ErrorDetail[]): RejectedEvent {
  const error = { code: 'invalid_request', message: 'The event is not valid.', details: details.slice(0, DETAILS_MAX) };
  return { index, error };
}
