// What probes send: the rules of telemetry.

import { hasTexts, type TelemetryEvent } from '@svc/telemetry';
import { actorOf } from '../access/principal.ts';
import { insertTestAssessments } from '../assessments/store.ts';
import { queueTestEvents } from '../delivery/store.ts';
import { AppError } from '../http/errors.ts';
import { PROBE_HEADER, probeNameOf } from '../http/probe-name.ts';
import type { Call } from '../http/route.ts';
import { newUuid, uuidText } from '../ids.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { assessTexts, type Assessed } from './assess.ts';
import { dataOf, hasEvent, idAt, inferenceEvent, modelsNamed, receivedEvent, type Batch } from './outcome-events.ts';
import { readBatch, type ReadBatch, type ReadEvent, type RejectedEvent } from './read.ts';
import { keyOf, type ProbeCaller } from './registry.ts';
import { decisionOf, rowOf, type Decision, type TelemetryRow } from './rows.ts';
import { findStoredEvents, insertNewTelemetry, insertTelemetry, isStoredAlready } from './telemetry-store.ts';

/** What became of a batch of telemetry. */
export interface TelemetryAnswer {
  /** Events that are stored now and were not before. */
  readonly accepted: number;
  /** Those that were stored before, or stand in the batch twice. */
  readonly duplicates: number;
  /** Those that are stored nowhere, by their index in the batch. */
  readonly rejected: readonly RejectedEvent[];
}

/** On whose behalf telemetry is received. */
export type TelemetryCall = Pick<Call, 'principal' | 'address' | 'requestId' | 'bodyBytes'>;

/** The name of the probe that calls. Throws `invalid_request` for a header that is no name, and for a user who names none. */
export function probeIdOf({ header, principal }: Pick<Call, 'header' | 'principal'>): string {
  const named = header(PROBE_HEADER);
  const name = probeNameOf(named, principal);
  if (name !== null) return name;
  throw new AppError(
    'invalid_request',
    named === undefined
      ? 'Name the probe by the header X-Svc-Probe-Id: there is no key that could stand for it.'
      : 'The header X-Svc-Probe-Id must be one name of 1 to 128 characters of A-Z, a-z, 0-9 and . _ : -',
    { details: [{ pointer: '/header/x-svc-probe-id', message: 'is not the name of a probe' }] },
  );
}

/** Which probe calls, and on whose behalf. */
export function callerOf({ principal, address }: Pick<Call, 'principal' | 'address'>, probeId: string): ProbeCaller {
  const { organization, mode } = principal;
  return { organization, mode, probeId, actor: actorOf(principal, address) };
}

/**
 * Receives events of a probe, at most 500. Answers once what was accepted is committed. Throws `conflict` where the organization has too many
 * probes, `unavailable` when the events could not be recorded; then they may be sent again, and are recorded once.
 */
export async function receiveTelemetry(
  services: Services,
  call: TelemetryCall,
  probeId: string,
  values: readonly unknown[],
): Promise<TelemetryAnswer> {
  const caller = callerOf(call, probeId);
  const nowMs = services.clock();
  const group = await services.probes.registry.groupOf(caller);
  const read = await readBatch(values, nowMs);
  const withTexts = read.events.filter(({ event }) => hasTexts(event));
  const receive = (texts: Texts) => {
    const batch: Batch = {
      key: keyOf(caller),
      group,
      actor: caller.actor,
      id: newUuid(),
      receivedAtMs: nowMs,
      assessed: texts.assessed,
    };
    return storeBatch(services, batch, read, texts, call.bodyBytes);
  };
  const answer =
    withTexts.length === 0
      ? await receive(NO_TEXTS)
      : // Nobody else assesses what comes from this probe meanwhile: what is not stored now will not have been when these are.
        await services.probes.locks.hold(lockName(caller), holderOf(caller.organization.uuid), call.bodyBytes, async () => {
          // What could not be written is not to be paid for.
          services.probes.commits.check(holderOf(caller.organization.uuid), call.bodyBytes);
          return receive(await decideTexts(services, call, caller, withTexts));
        });
  services.probes.touches.add(keyOf(caller), nowMs, { ...answer, rejected: answer.rejected.length });
  return answer;
}

/** What became of the events that came with texts. */
interface Texts {
  /** By position. */
  readonly assessed: ReadonlyMap<number, Assessed>;
  readonly rejected: readonly RejectedEvent[];
  /** Positions of those that are stored already: they are not decided again, and cost nothing. */
  readonly stored: ReadonlySet<number>;
}

const NO_TEXTS: Texts = { assessed: new Map(), rejected: [], stored: new Set() };

/** Who has his turn to commit. */
function holderOf(orgId: Buffer): string {
  return orgId.toString('hex');
}

function lockName({ organization, mode, probeId }: ProbeCaller): string {
  return `telemetry of ${organization.id} ${mode} ${probeId}`;
}

async function decideTexts(
  services: Services,
  call: TelemetryCall,
  caller: ProbeCaller,
  withTexts: readonly ReadEvent[],
): Promise<Texts> {
  const known = await findStoredEvents(
    services.db,
    keyOf(caller),
    withTexts.map(({ event }) => event.id),
  );
  const isKnown = ({ event }: ReadEvent) => known.has(event.id);
  const texts = await assessTexts(
    services,
    call,
    withTexts.filter((read) => !isKnown(read)),
  );
  return { ...texts, stored: new Set(withTexts.filter(isKnown).map(({ position }) => position)) };
}

/** Stores what is new, and tells of it, in one commit. */
async function storeBatch(
  services: Services,
  batch: Batch,
  read: ReadBatch,
  texts: Texts,
  bodyBytes: number,
): Promise<TelemetryAnswer> {
  const refused = new Map([...read.rejected, ...texts.rejected].map((rejection) => [rejection.index, rejection]));
  const rows: TelemetryRow[] = [];
  for (const each of read.events) {
    const { position, event } = each;
    if (refused.has(position) || texts.stored.has(position)) continue;
    rows.push(rowOf(each, decisionFor(event, texts.assessed.get(position))));
  }
  let twins = 0;
  for (const { index, of } of read.twins) {
    const rejection = refused.get(of);
    if (rejection === undefined) twins++;
    else refused.set(index, { ...rejection, index });
  }
  const others = { duplicates: twins + texts.stored.size, rejected: refused.size };
  const commit = (insert: CommitOf) =>
    services.probes.commits.run(holderOf(batch.key.orgId), bodyBytes, () => commitWith(insert));
  const stored =
    batch.key.mode === 'live'
      ? await storeLive(services, batch, rows, others, commit)
      : rows.length === 0
        ? 0
        : await commit((insert) => commitTest(services, batch, rows, insert));
  return {
    accepted: stored,
    duplicates: others.duplicates + rows.length - stored,
    rejected: [...refused.values()].toSorted((a, b) => a.index - b.index),
  };
}

/** What is kept of a decision: the service's where it got the text, else the probe's. */
function decisionFor(event: TelemetryEvent, assessed: Assessed | undefined): Decision {
  if (assessed === undefined) return decisionOf(event);
  const { evaluation, policy } = assessed;
  return {
    outcome: evaluation.outcome,
    score: evaluation.score,
    categories: [...new Set(evaluation.findings.map(({ category }) => category))],
    policyVersion: policy.version,
    coverage: evaluation.coverage.status,
  };
}

type Others = { readonly duplicates: number; readonly rejected: number };

type Insert = (tx: Transaction, batch: Batch, rows: readonly TelemetryRow[]) => Promise<readonly TelemetryRow[]>;
/** Answers how many rows were stored. */
type CommitOf = (insert: Insert) => Promise<number>;

/** Commits as if all rows were new, which they nearly always are, and where they are not, once more with those that are. */
async function commitWith(commit: CommitOf): Promise<number> {
  try {
    return await commit(async (tx, batch, rows) => {
      await insertTelemetry(tx, batch, rows);
      return rows;
    });
  } catch (err) {
    if (isStoredAlready(err)) return commit(insertNewTelemetry);
    throw err;
  }
}

/** Answers how many rows were stored. Where nothing is new the trail is told at most of what was refused. */
async function storeLive(
  services: Services,
  batch: Batch,
  rows: readonly TelemetryRow[],
  { duplicates, rejected }: Others,
  commit: (insert: CommitOf) => Promise<number>,
): Promise<number> {
  const { refusals } = services.probes;
  const probe = `${holderOf(batch.key.orgId)} ${batch.key.probeId}`;
  const telling = refusals.take(probe, rejected, batch.receivedAtMs);
  const isNothing = rows.length === 0 && !telling.isDue;
  try {
    const stored = isNothing
      ? 0
      : await commit((insert) => commitLive(services, batch, rows, { duplicates, ...telling }, insert));
    if (stored === 0 && !telling.isDue) refusals.putBack(probe, telling.rejected);
    return stored;
  } catch (err) {
    // What was refused with it comes again with it.
    refusals.putBack(probe, telling.rejected - rejected);
    throw err;
  }
}

function commitLive(
  services: Services,
  batch: Batch,
  rows: readonly TelemetryRow[],
  { duplicates, rejected, isDue }: Others & { readonly isDue: boolean },
  insert: Insert,
): Promise<number> {
  return services.journal.transaction(async (tx, record) => {
    const stored = rows.length === 0 ? [] : await insert(tx, batch, rows);
    if (stored.length === 0 && !isDue) return 0;
    record(receivedEvent(batch, stored, { duplicates: duplicates + rows.length - stored.length, rejected }));
    const named = modelsNamed(stored);
    for (const row of stored) if (hasEvent(row)) record(inferenceEvent(services.vault, batch, row, named));
    return stored.length;
  });
}

/** The same for test keys, of which the trail knows nothing: what is flagged or blocked is a test assessment. */
async function commitTest(services: Services, batch: Batch, rows: readonly TelemetryRow[], insert: Insert): Promise<number> {
  let isQueued = false;
  const stored = await services.db.transaction(async (tx) => {
    const stored = await insert(tx, batch, rows);
    isQueued = await insertTests(tx, batch, stored.filter(hasEvent));
    return stored.length;
  });
  if (isQueued) services.dispatcher.wake([uuidText(batch.key.orgId)]);
  return stored;
}

/** True when there is something to send of them. */
async function insertTests(tx: Transaction, batch: Batch, rows: readonly TelemetryRow[]): Promise<boolean> {
  const { key, receivedAtMs } = batch;
  const tests = rows.map((row) => {
    const id = idAt(batch.id, row.position);
    return {
      orgId: key.orgId,
      id,
      createdAtMs: receivedAtMs,
      outcome: row.decision.outcome!,
      model: row.event.model ?? null,
      externalId: null,
      probeId: key.probeId,
      categories: row.decision.categories,
      data: dataOf(batch, row, id),
    };
  });
  await insertTestAssessments(tx, tests);
  let isQueued = false;
  for (const [outcome, same] of Map.groupBy(tests, ({ outcome }) => outcome)) {
    const ids = same.map(({ id }) => id);
    isQueued = (await queueTestEvents(tx, key.orgId, ids, `inference.${outcome}`, receivedAtMs)) || isQueued;
  }
  return isQueued;
}
