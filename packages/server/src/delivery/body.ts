// What is sent of an event. Made of the recorded event alone, so that it is the same bytes at every attempt, on every node and for every
// endpoint; a change of its form would need the old form for as long as deliveries are kept. Only where values of the event were erased in between
// are later attempts without them: nobody may keep them back for that purpose.

import { isoTime } from '../http/schemas.ts';

const BODY_BYTES_MAX = 65_536;

/** An event as it is delivered. */
export interface DeliveredEvent {
  /** `evt_…` */
  readonly id: string;
  /** `null`: of a test key. */
  readonly sequence: number | null;
  readonly kind: string;
  readonly mode: 'live' | 'test';
  readonly occurredAtMs: number;
  readonly recordedAtMs: number;
  /** `org_…` */
  readonly orgId: string;
  readonly actor: { readonly type: string; readonly id: string | null };
  /** JSON as it was recorded. */
  readonly data: string;
}

/** The body: the event less the actor's address. Above 64 KiB what a candidate policy adds and removes is left out, then findings are cut from its end; `findings_total` tells how many there were. */
export function bodyOf(event: DeliveredEvent): string {
  const head = JSON.stringify({
    id: event.id,
    sequence: event.sequence,
    kind: event.kind,
    mode: event.mode,
    occurred_at: isoTime(event.occurredAtMs),
    recorded_at: isoTime(event.recordedAtMs),
    org_id: event.orgId,
    actor: { type: event.actor.type, id: event.actor.id },
  });
  const whole = `${head.slice(0, -1)},"data":${event.data}}`;
  if (Buffer.byteLength(whole) <= BODY_BYTES_MAX) return whole;
  const left = BODY_BYTES_MAX - Buffer.byteLength(head) - ',"data":'.length;
  return `${head.slice(0, -1)},"data":${cutTo(left, event.data)}}`;
}

interface Cuttable {
  shadow?: { added?: unknown; removed?: unknown } | null;
  findings?: unknown[];
  metadata?: unknown;
}

/** The same JSON with fewer findings, in the end also without metadata, in at most `bytes`. */
function cutTo(bytes: number, data: string): string {
  const parsed = JSON.parse(data) as Cuttable;
  // What a candidate would have found is the first to go.
  const value: Cuttable =
    parsed.shadow === null || parsed.shadow === undefined
      ? parsed
      : { ...parsed, shadow: { ...parsed.shadow, added: [], removed: [] } };
  const sizes = (value.findings ?? []).map((finding) => Buffer.byteLength(JSON.stringify(finding)) + 1);
  let size = Buffer.byteLength(JSON.stringify(value));
  let kept = sizes.length;
  while (kept > 0 && size > bytes) size -= sizes[--kept]!;
  const cut = { ...value, ...(value.findings === undefined ? {} : { findings: value.findings.slice(0, kept) }) };
  return JSON.stringify(size > bytes ? { ...cut, metadata: {} } : cut);
}
