// The worker that sends deliveries: claims what is due, makes the attempts, records how they ended. Any number of them, on any number of nodes.

import type { Services } from '../services.ts';
import { changeEvent, type Actor } from '../journal/journal.ts';
import { formatId } from '../ids.ts';
import { batchMaxOf } from '../integrations/registry.ts';
import { attempt, type Attempt, type Sender } from './attempt.ts';
import { waitAfter } from './schedule.ts';
import {
  cancelDeliveriesOfDeleted,
  claimDeliveries,
  finishDeliveries,
  listOrganizationsDue,
  noteFailure,
  noteSuccess,
  reapDeliveries,
  type Claimed,
  type EndpointNews,
  type Finished,
  type Lane,
  type Sendable,
} from './store.ts';

type Parts = Pick<Services, 'db' | 'journal' | 'log'>;

// Attempts under way in this process. Failing endpoints have places of their own.
const PLACES: Readonly<Record<Lane, number>> = { healthy: 400, failing: 100 };
// Of one organization: the others find places however many it fills.
const PLACES_OF_ONE: Readonly<Record<Lane, number>> = { healthy: 100, failing: 25 };
const CLAIM_MAX = 100;
// After a call that could not be made because too many to the same host were under way.
const AGAIN_MS = 1_000;
// What was committed here is sent at once; the sweep finds what is due again, and what other nodes left. Failing endpoints are served by it
// alone: were they asked again whenever something ends, half of them failing at once made the others wait four times as long.
const SWEEP_INTERVAL_MS = 500;
const REAP_INTERVAL_MS = 5_000;
const SYSTEM: Actor = { type: 'system', id: null, ip: null };

export class Dispatcher {
  readonly #parts: Parts;
  readonly #sender: Sender;
  /** Organizations that may have something due, in PostgreSQL's text form of their ids. */
  readonly #due: Readonly<Record<Lane, Set<string>>> = { healthy: new Set(), failing: new Set() };
  readonly #free: Record<Lane, number> = { ...PLACES };
  /** Places that each organization holds. */
  readonly #held: Readonly<Record<Lane, Map<string, number>>> = { healthy: new Map(), failing: new Map() };
  readonly #isClaiming: Record<Lane, boolean> = { healthy: false, failing: false };
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();
  #ended: Finished[] = [];
  #isRecording = false;
  #isClosed = false;

  constructor(parts: Parts, sender: Sender) {
    this.#parts = parts;
    this.#sender = sender;
  }

  start(): void {
    this.#parts.journal.onQueued((orgIds) => this.wake(orgIds));
    this.#timers.push(
      setInterval(() => this.#track(this.sweep()), SWEEP_INTERVAL_MS),
      setInterval(() => this.#track(this.#reap()), REAP_INTERVAL_MS),
    );
    for (const timer of this.#timers) timer.unref();
  }

  /** Something is due in these organizations. */
  wake(orgIds: Iterable<string>): void {
    this.#wake('healthy', orgIds);
  }

  #wake(lane: Lane, orgIds: Iterable<string>): void {
    if (this.#isClosed) return;
    for (const orgId of orgIds) this.#due[lane].add(orgId);
    this.#claim(lane);
  }

  /** Claims no more; attempts under way are finished and recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #track(work: Promise<void>): void {
    const running = work.catch((err: unknown) => this.#parts.log.warn({ err }, 'deliveries wait for the database'));
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  /** Looks for what is due in all organizations; done by itself twice a second. */
  async sweep(): Promise<void> {
    const orgIds = await listOrganizationsDue(this.#parts.db.reader, this.#sender.clock());
    this.#wake('healthy', orgIds);
    this.#wake('failing', orgIds);
  }

  async #reap(): Promise<void> {
    const count = await reapDeliveries(this.#parts.db, this.#sender.clock());
    if (count > 0) this.#parts.log.warn({ count }, 'deliveries of a worker that died are made again');
    while ((await cancelDeliveriesOfDeleted(this.#parts.db, this.#sender.clock())) > 0 && !this.#isClosed);
  }

  #claim(lane: Lane): void {
    if (this.#isClaiming[lane] || this.#isClosed || this.#due[lane].size === 0 || this.#free[lane] === 0) return;
    this.#isClaiming[lane] = true;
    this.#track(this.#claimAll(lane).finally(() => (this.#isClaiming[lane] = false)));
  }

  async #claimAll(lane: Lane): Promise<void> {
    while (this.#due[lane].size > 0 && this.#free[lane] > 0 && !this.#isClosed) {
      // An organization that holds its share of places is looked at again when it gives one back.
      const orgIds = [...this.#due[lane]].filter((orgId) => (this.#held[lane].get(orgId) ?? 0) < PLACES_OF_ONE[lane]);
      this.#due[lane].clear(); // what becomes due from here on is added again
      if (orgIds.length === 0) return;
      const count = Math.min(this.#free[lane], CLAIM_MAX);
      const claimed = await claimDeliveries(this.#parts.db, orgIds, lane, count, this.#sender.clock()).catch((err: unknown) => {
        for (const orgId of orgIds) this.#due[lane].add(orgId);
        throw err;
      });
      this.#cancel(claimed);
      for (const group of groupsOf(claimed.filter(isSendable))) this.#track(this.#deliver(lane, group));
      // More may be due than was asked for, or than one claim locks.
      if (claimed.length > 0) for (const orgId of orgIds) this.#due[lane].add(orgId);
    }
  }

  /** What was kept for less long than it waited cannot be sent any more. */
  #cancel(claimed: readonly Claimed[]): void {
    const gone = claimed.filter((each) => !isSendable(each));
    if (gone.length === 0) return;
    const nowMs = this.#sender.clock();
    for (const each of gone) this.#ended.push(cancellationOf(each, nowMs));
    this.#track(this.#record());
  }

  async #deliver(lane: Lane, claimed: readonly Sendable[]): Promise<void> {
    const { orgId } = claimed[0]!;
    this.#hold(lane, orgId, 1);
    const made = await attempt(this.#sender, claimed);
    this.#hold(lane, orgId, -1);
    const finishedAtMs = this.#sender.clock();
    for (const [i, each] of claimed.entries()) this.#ended.push(endOf(each, made, i, finishedAtMs));
    await this.#record();
  }

  #hold(lane: Lane, orgId: string, places: 1 | -1): void {
    this.#free[lane] -= places;
    const held = (this.#held[lane].get(orgId) ?? 0) + places;
    if (held === 0) this.#held[lane].delete(orgId);
    else this.#held[lane].set(orgId, held);
  }

  /** Ends that wait together are recorded together. What cannot be recorded is tried again: the lease decides in the end. */
  async #record(): Promise<void> {
    if (this.#isRecording) return;
    this.#isRecording = true;
    try {
      while (this.#ended.length > 0) {
        const batch = this.#ended;
        this.#ended = [];
        const news = await finishDeliveries(this.#parts.db, batch).catch((err: unknown) => {
          this.#parts.log.warn({ err, deliveries: batch.length }, 'the ends of deliveries could not be recorded');
          return [];
        });
        for (const each of news) await this.#note(each);
        this.wake(new Set(batch.map(({ orgId }) => orgId)));
      }
    } finally {
      this.#isRecording = false;
    }
  }

  /** An endpoint answered outside of its deliveries: if it was paused, it is not any more. */
  async noteAnswer(orgId: string, endpointId: string): Promise<void> {
    await this.#note({ orgId, endpointId, succeededAt: new Date(this.#sender.clock()), failedAt: null });
    this.wake([orgId]);
  }

  /** What it says of the endpoint, with its event where that is paused or answers again. */
  async #note(news: EndpointNews): Promise<void> {
    const { succeededAt, failedAt } = news;
    try {
      await this.#parts.journal.transaction(async (tx, record) => {
        const paused = failedAt === null ? null : await noteFailure(tx, news);
        if (paused?.mode === 'live') record(this.#event(news, 'webhook.paused', paused.kind));
        const recovered = succeededAt === null ? null : await noteSuccess(tx, news);
        if (recovered?.mode === 'live') record(this.#event(news, 'webhook.recovered', recovered.kind));
      });
    } catch (err) {
      this.#parts.log.warn({ err }, 'the health of an endpoint could not be noted; the next attempt tells it again');
    }
  }

  #event({ orgId, endpointId }: EndpointNews, kind: string, endpointKind: string) {
    const uuid = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex');
    const data =
      endpointKind === 'webhook'
        ? { webhook_id: formatId('wh', uuid(endpointId)) }
        : { integration_id: formatId('int', uuid(endpointId)), kind: endpointKind };
    return changeEvent(uuid(orgId), kind, SYSTEM, this.#sender.clock(), data);
  }
}

/** Deliveries that go out together: those of one endpoint, as many as its kind takes in a request. */
function groupsOf(claimed: readonly Sendable[]): Sendable[][] {
  const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId);
  return [...byEndpoint.values()].flatMap((all) => {
    const size = batchMaxOf(all[0]!.endpoint.kind, all[0]!.endpoint.config);
    return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
  });
}

function isSendable(claimed: Claimed): claimed is Sendable {
  return claimed.event !== null;
}

function cancellationOf({ orgId, id, claim, trigger, failures }: Claimed, nowMs: number): Finished {
  const times = { startedAtMs: nowMs, finishedAtMs: nowMs, dueAtMs: nowMs, latencyMs: 0 };
  const error = 'The event is not kept any more.';
  return { orgId, id, claim, trigger, failures, ...times, state: 'cancelled', status: null, answer: null, error };
}

function endOf(claimed: Claimed, made: Attempt, index: number, finishedAtMs: number): Finished {
  const judgement = made.judgements[index]!;
  const { orgId, id, claim, trigger } = claimed;
  const { startedAtMs, latencyMs, status, answer } = made;
  const common = { orgId, id, claim, trigger, startedAtMs, latencyMs, status, answer, finishedAtMs };
  if (judgement.outcome === 'ok')
    return { ...common, state: 'succeeded', failures: claimed.failures, dueAtMs: finishedAtMs, error: null };
  const { error } = judgement;
  // A probe asks whether the endpoint answers again; what it was made with waits on.
  if (trigger === 'probe') return { ...common, state: 'parked', failures: claimed.failures, dueAtMs: finishedAtMs, error };
  if (!made.wasSent) return { ...common, state: 'pending', failures: claimed.failures, dueAtMs: finishedAtMs + AGAIN_MS, error };
  // A retry by hand is beside the schedule.
  if (trigger === 'manual') return { ...common, state: 'former', failures: claimed.failures, dueAtMs: finishedAtMs, error };
  const failures = claimed.failures + 1;
  const waitMs = judgement.outcome === 'permanent' ? null : waitAfter(failures);
  if (waitMs === null) return { ...common, state: 'failed', failures, dueAtMs: finishedAtMs, error };
  // The receiver may ask for more patience than the schedule has, up to twice as much.
  const askedMs = judgement.outcome === 'retry' ? (judgement.afterMs ?? 0) : 0;
  const dueAtMs = finishedAtMs + Math.max(waitMs, Math.min(askedMs, 2 * waitMs));
  return { ...common, state: 'pending', failures, dueAtMs, error };
}
