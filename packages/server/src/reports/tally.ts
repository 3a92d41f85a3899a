// Counts events for reports while the trees grow over them.

import type { Leaf } from '../audit/leaves.ts';
import { parseId } from '../ids.ts';
import { textArray, timestampArray, uuidArray } from '../journal/arrays.ts';
import type { Transaction } from '../storage/database.ts';
import { bucketOf } from './latency.ts';
import { OTHERS, Sheet, type Counts } from './sheet.ts';

export const HOUR_MS = 3_600_000;
// The last of the year 9999.
const TIME_MS_MAX = 253_402_300_799_999;
export const DAY_MS = 86_400_000;

/**
 * What one transaction counts. Whoever calls `write` extends the trees of these organizations in the same transaction, holding their rows: so each
 * event is counted once, and nobody else writes these sheets meanwhile.
 */
export class Tally {
  /** By organization, then by the hour's beginning. */
  readonly #organizations = new Map<string, Map<number, Sheet>>();

  /** Counts an event. Those of an organization come in the order of their sequence. Never throws for what an event may hold. */
  add(leaf: Leaf): void {
    const { orgId, sequence, kind, recordedAtUs, model, probeId, categories } = leaf.event;
    // Whoever writes to the database can put any time there.
    const atMs = Math.min(Math.max(Number(recordedAtUs / 1_000n), 0), TIME_MS_MAX);
    const sheet = this.#sheetOf(orgId, Math.floor(atMs / HOUR_MS) * HOUR_MS);
    sheet.see(kind, sequence, atMs);
    if (kind === 'telemetry.received') {
      countBatch(sheet, leaf.data, probeId ?? '');
      // A batch that was refused as a whole tells of none.
      if (numberOf(membersOf(leaf.data)['accepted']) > 0) sheet.markHour(atMs);
    } else if (kind.startsWith('inference.')) {
      countInference(sheet, leaf.data, outcomeOf(kind), model ?? '', probeId, categories);
      sheet.markHour(atMs);
    }
  }

  /** Adds what was counted to what is kept: two statements, however many organizations. */
  async write(tx: Transaction): Promise<void> {
    const sheets = this.#counted();
    if (sheets.length === 0) return;
    const keys = [
      uuidArray(sheets.map(({ orgId }) => orgId)),
      textArray(sheets.map(({ span }) => span)),
      timestampArray(sheets.map(({ startMs }) => startMs)),
    ];
    const { rows } = await tx.query<{ i: string; sheet: string }>({
      name: 'read_report_sheets',
      text: `SELECT k.i, r.sheet FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS k (org_id, span, start, i)
               JOIN report_sheets r ON r.org_id = k.org_id AND r.span = k.span AND r.start = k.start`,
      values: keys,
    });
    const kept = new Map(rows.map(({ i, sheet }) => [Number(i) - 1, sheet]));
    const texts = sheets.map(({ sheet }, i) => {
      const before = kept.get(i);
      if (before === undefined) return sheet.toText();
      const sum = Sheet.parse(before);
      sum.add(sheet);
      return sum.toText();
    });
    await tx.query({
      name: 'write_report_sheets',
      text: `INSERT INTO report_sheets (org_id, span, start, sheet)
             SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[])
             ON CONFLICT (org_id, span, start) DO UPDATE SET sheet = excluded.sheet`,
      values: [...keys, textArray(texts)],
    });
  }

  /** The hours, and the days that they are of. */
  #counted(): Counted[] {
    const all: Counted[] = [];
    for (const [id, hours] of this.#organizations) {
      const orgId = parseId('org', id)!;
      const days = new Map<number, Sheet>();
      for (const [startMs, sheet] of hours) {
        all.push({ orgId, span: 'hour', startMs, sheet });
        const dayMs = Math.floor(startMs / DAY_MS) * DAY_MS;
        const day = days.get(dayMs) ?? new Sheet();
        day.add(sheet);
        days.set(dayMs, day);
      }
      for (const [startMs, sheet] of days) all.push({ orgId, span: 'day', startMs, sheet });
    }
    return all;
  }

  #sheetOf(orgId: string, startMs: number): Sheet {
    let hours = this.#organizations.get(orgId);
    if (hours === undefined) this.#organizations.set(orgId, (hours = new Map<number, Sheet>()));
    let sheet = hours.get(startMs);
    if (sheet === undefined) hours.set(startMs, (sheet = new Sheet()));
    return sheet;
  }
}

interface Counted {
  readonly orgId: Buffer;
  readonly span: 'hour' | 'day';
  readonly startMs: number;
  readonly sheet: Sheet;
}

type Outcome = Exclude<keyof Counts, 'total'>;
type Members = Readonly<Record<string, unknown>>;

/** `total` for a kind that tells no outcome. */
function outcomeOf(kind: string): keyof Counts {
  const outcome = kind.slice('inference.'.length);
  return isOutcome(outcome) ? outcome : 'total';
}

function isOutcome(name: string): name is Outcome {
  return name === 'allowed' || name === 'flagged' || name === 'blocked';
}

/**
 * An assessment, or an inference that a probe reported and that was flagged or blocked. The latter is one of those that its batch counts: here it
 * adds what the batch does not tell.
 */
function countInference(
  sheet: Sheet,
  data: unknown,
  outcome: keyof Counts,
  model: string,
  probeId: string | null,
  categories: string | null,
): void {
  const assessment = membersOf(data);
  if (probeId === null) {
    sheet.count('sources', 'api', outcome);
    sheet.count('models', model, outcome);
    sheet.count('policies', nameOf(membersOf(assessment['policy'])['version']), outcome);
  } else {
    const isAmongOthers = membersOf(assessment['probe'])['model_counted_as'] === 'other';
    if (outcome !== 'total') sheet.tell('models', isAmongOthers ? OTHERS : model, outcome);
  }
  if (categories !== null)
    for (const category of categories.split(' ')) if (category !== '') sheet.count('categories', category, outcome);
  sheet.count('severities', nameOf(assessment['severity']), outcome);
  const isOfService = probeId === null || membersOf(assessment['probe'])['decided_by'] === 'service';
  if (isOfService) countDecision(sheet, assessment, outcome);
}

/** What the service itself decided, and how. */
function countDecision(sheet: Sheet, assessment: Members, outcome: keyof Counts): void {
  const { coverage, enforcement, latency_ms: latencyMs } = assessment;
  const { status, detectors } = membersOf(coverage);
  const { mode, would } = membersOf(enforcement);
  sheet.count('coverage', nameOf(status), outcome);
  sheet.count('modes', nameOf(mode), outcome);
  if (typeof would === 'string') sheet.count('suppressed', would, outcome);
  if (typeof latencyMs === 'number') sheet.count('latencies', String(bucketOf(latencyMs)), outcome);
  if (!Array.isArray(detectors)) return;
  for (const detector of detectors) {
    const { id, status: ran } = membersOf(detector);
    if (ran === 'error' || ran === 'timed_out') sheet.count('faults', nameOf(id), outcome);
  }
}

/** What a probe reported at once: see `receivedEvent` in probes/outcome-events.ts. */
function countBatch(sheet: Sheet, data: unknown, probeId: string): void {
  const { outcomes, assessed, models, policy_versions: versions, accepted, duplicates, rejected, ...rest } = membersOf(data);
  countOutcomes(sheet, 'sources', 'probe', outcomes);
  countOutcomes(sheet, 'probes', probeId, outcomes);
  countOutcomes(sheet, 'sources', 'assessed', assessed);
  let unnamed = numberOf(accepted);
  for (const [model, number] of Object.entries(membersOf(models))) {
    sheet.count('models', model, 'total', numberOf(number));
    unnamed -= numberOf(number);
  }
  const others = numberOf(rest['models_other']);
  if (others > 0) sheet.count('models', OTHERS, 'total', others);
  if (unnamed > others) sheet.count('models', '', 'total', unnamed - others);
  for (const [version, number] of Object.entries(membersOf(versions)))
    sheet.count('policies', version, 'total', numberOf(number));
  for (const [name, number] of Object.entries({ batches: 1, accepted, duplicates, rejected })) {
    if (numberOf(number) > 0) sheet.count('telemetry', name, 'total', numberOf(number));
  }
}

/** Counts by outcome; what was not decided is in the total alone. */
function countOutcomes(sheet: Sheet, group: 'sources' | 'probes', name: string, counts: unknown): void {
  for (const [outcome, number] of Object.entries(membersOf(counts))) {
    if (numberOf(number) > 0) sheet.count(group, name, isOutcome(outcome) ? outcome : 'total', numberOf(number));
  }
}

const NOTHING: Members = {};

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : NOTHING;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** '' where nothing is said. */
function nameOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
