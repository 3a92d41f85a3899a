import { telemetryProblems, type TelemetryEvent } from '@svc/telemetry';
import { describe, expect, test } from 'vitest';
import { APPLICATIONS } from './applications.ts';
import { labelsOf, type Change, type ChangeKind, type Signal } from './changes.ts';
import { simulate, type SimulatedBatch, type Simulation } from './simulate.ts';

// A Monday.
const START_MS = Date.UTC(2026, 10, 2);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const support = APPLICATIONS.filter(({ name }) => name === 'support-chat');
const WEEK = { seed: 1, startMs: START_MS, days: 7, applications: support, flushMs: HOUR_MS };

const batchesOf = (options: Partial<Simulation> = {}) => [...simulate({ ...WEEK, days: 1, ...options })];
const eventsOf = (options: Partial<Simulation> = {}) => batchesOf(options).flatMap(({ events }) => events);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shareOf = (events: readonly TelemetryEvent[], has: (event: TelemetryEvent) => boolean) =>
  events.filter(has).length / events.length;

test('a seed repeats every event, and another has others', () => {
  expect(batchesOf()).toEqual(batchesOf());
  expect(batchesOf({ seed: 2 })).not.toEqual(batchesOf());
});

test('the events are the same however often the probes send', () => {
  const byProbe = (flushMs: number) =>
    [...Map.groupBy(batchesOf({ flushMs }), ({ probe }) => probe)]
      .map(([probe, batches]) => ({ probe, events: batches.flatMap(({ events }) => events) }))
      .toSorted((a, b) => a.probe.localeCompare(b.probe));
  expect(byProbe(7_000)).toEqual(byProbe(HOUR_MS));
});

test('every event is one that the service takes', () => {
  const changes = everyChange(START_MS + 12 * HOUR_MS);
  for (const event of eventsOf({ changes })) expect(telemetryProblems(event)).toEqual([]);
});

test('batches hold 1 to 500 events by time, sent at or after the last of them, each with an id of its own', () => {
  const batches = batchesOf({ applications: APPLICATIONS, flushMs: 6 * HOUR_MS });
  for (const { events, sentAtMs } of batches) {
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThanOrEqual(500);
    const times = events.map(({ occurred_at }) => Date.parse(occurred_at));
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(times.at(-1)).toBeLessThan(sentAtMs);
  }
  const sent = batches.map(({ sentAtMs }) => sentAtMs);
  expect(sent.toSorted((a, b) => a - b)).toEqual(sent);
  const ids = batches.flatMap(({ probe, events }) => events.map(({ id }) => `${probe} ${id}`));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(batches.map(({ probe }) => probe))).toEqual(new Set(APPLICATIONS.flatMap(({ probes }) => probes)));
});

describe('over a week', () => {
  const events = eventsOf({ days: 7 });

  test('people come by day, and less at the weekend', () => {
    const perHour = (from: number) =>
      events.filter(({ occurred_at }) => {
        const ms = Date.parse(occurred_at) - START_MS;
        return ms >= from * HOUR_MS && ms < (from + 2) * HOUR_MS;
      }).length;
    expect(perHour(14)).toBeGreaterThan(3 * perHour(2));
    const [friday, saturday] = [perHour(4 * 24 + 14), perHour(5 * 24 + 14)];
    expect(saturday / friday).toBeGreaterThan(0.35);
    expect(saturday / friday).toBeLessThan(0.65);
  });

  test('as many inferences come as the application says', () => {
    const { sessionsPerDay, turns, weekendShare } = support[0]!;
    expect(events.length / (sessionsPerDay * turns * (5 + 2 * weekendShare))).toBeCloseTo(1, 1);
  });

  test('scores are a mixture of many near 0 and few near 1', () => {
    const scores = events.map(({ score }) => score!).toSorted((a, b) => a - b);
    expect(scores[Math.floor(scores.length * 0.5)]).toBeLessThan(0.05);
    expect(scores[Math.floor(scores.length * 0.99)]).toBeGreaterThan(0.5);
    expect(shareOf(events, ({ outcome }) => outcome !== 'allowed')).toBeCloseTo(0.08 * 0.5 * 0.88, 2);
  });

  test('tokens are lognormal above the template, and latency follows them', () => {
    const answered = events.filter(({ error, finish_reason }) => error === undefined && finish_reason !== 'length');
    const english = answered.filter(({ attributes }) => attributes!['language'] === 'en');
    const said = english.map(({ input_tokens }) => Math.log(input_tokens! - 620 + 0.5));
    const center = mean(said);
    expect(Math.exp(center)).toBeGreaterThan(50);
    expect(Math.exp(center)).toBeLessThan(60);
    expect(Math.sqrt(mean(said.map((value) => (value - center) ** 2)))).toBeCloseTo(0.9, 1);
    expect(correlation(answered, 'output_tokens', 'latency_ms')).toBeGreaterThan(0.9);
    for (const { time_to_first_token_ms, latency_ms } of answered) expect(latency_ms).toBeGreaterThan(time_to_first_token_ms!);
  });

  test('inferences of one conversation are alike, those of different ones are not', () => {
    const sessions = Map.groupBy(events, ({ subject }) => subject!.session!);
    const pairs = [...sessions.values()].filter((turns) => turns.length > 1).map((turns) => turns.slice(0, 2));
    const log = (event: TelemetryEvent) => Math.log(event.input_tokens! - 619);
    expect(correlationOf(pairs.map(([a, b]) => [log(a!), log(b!)]))).toBeGreaterThan(0.2);
    expect(Math.abs(correlationOf(pairs.slice(1).map(([a], i) => [log(a!), log(pairs[i]![0]!)])))).toBeLessThan(0.05);
    // A second turn is found risky far more often after a first one that was.
    const isFound = ({ outcome }: TelemetryEvent) => outcome !== 'allowed';
    const after = pairs.filter(([a]) => isFound(a!)).map(([, b]) => b!);
    expect(shareOf(after, isFound)).toBeGreaterThan(5 * shareOf(events, isFound));
  });

  test('languages and errors have their shares, some people ask much more than others', () => {
    expect(shareOf(events, ({ attributes }) => attributes!['language'] === 'de')).toBeCloseTo(0.3, 1);
    expect(shareOf(events, ({ error }) => error !== undefined)).toBeCloseTo(0.004, 2);
    const counts = [...Map.groupBy(events, ({ subject }) => subject!.user).values()].map(({ length }) => length);
    const typical = counts.toSorted((a, b) => a - b)[counts.length >> 1]!;
    expect(Math.max(...counts)).toBeGreaterThan(20 * typical);
  });
});

const SIZES: Readonly<Record<ChangeKind, number>> = {
  score_drift: 0.5,
  risk_rise: 3,
  refusal_rise: 4,
  template_growth: 200,
  category_shift: 0.5,
  provider_upgrade: 1.4,
  deploy: 0.5,
  outage: 0.6,
};

function everyChange(atMs: number): Change[] {
  return Object.entries(SIZES).map(([kind, size]) => ({
    kind: kind as ChangeKind,
    application: 'support-chat',
    atMs,
    size,
  }));
}

/** What of an event each signal is about. */
const PARTS: Readonly<Record<Signal, (event: TelemetryEvent) => unknown>> = {
  flagged_rate: ({ outcome }) => outcome === 'flagged',
  blocked_rate: ({ outcome }) => outcome === 'blocked',
  error_rate: ({ error }) => error !== undefined,
  refusal_rate: ({ findings, finish_reason }) =>
    finish_reason === 'content_filter' || findings!.some(({ category }) => category === 'quality.refusal'),
  score: ({ score }) => score,
  latency_ms: ({ latency_ms }) => latency_ms,
  time_to_first_token_ms: ({ time_to_first_token_ms }) => time_to_first_token_ms,
  input_tokens: ({ input_tokens }) => input_tokens,
  output_tokens: ({ output_tokens }) => output_tokens,
  category_mix: ({ findings }) => findings!.map(({ category }) => category).join(' '),
  finish_reason_mix: ({ finish_reason }) => finish_reason,
  model_version_mix: ({ model_version }) => model_version,
};

describe.each(everyChange(START_MS + DAY_MS))('$kind', (change) => {
  const without = eventsOf({ days: 2 });
  const events = eventsOf({ days: 2, changes: [change] });
  const isAfter = ({ occurred_at }: TelemetryEvent) => Date.parse(occurred_at) >= change.atMs;
  const labels = labelsOf([change], support);

  test('alters nothing before it', () => {
    expect(events.filter((event) => !isAfter(event))).toEqual(without.filter((event) => !isAfter(event)));
  });

  test('moves what it is about, and what is not labelled stays the same to the last digit', () => {
    const moved = Object.entries(PARTS)
      .filter(([, partOf]) => events.some((event, i) => partOf(event) !== partOf(without[i]!)))
      .map(([signal]) => signal);
    expect(labels.map(({ signal }) => signal)).toEqual(expect.arrayContaining(moved));
    expect(moved).toEqual(expect.arrayContaining(labels.filter(({ isDirect }) => isDirect).map(({ signal }) => signal)));
  });

  test('ends when it should', () => {
    const untilMs = change.atMs + 6 * HOUR_MS;
    const ended = eventsOf({ days: 2, changes: [{ ...change, untilMs }] });
    const isLate = ({ occurred_at }: TelemetryEvent) => Date.parse(occurred_at) >= untilMs;
    expect(ended.filter(isLate)).toEqual(without.filter(isLate));
    expect(labelsOf([{ ...change, untilMs }], support)[0]!.untilMs).toBe(untilMs);
  });
});

describe('a change has its size', () => {
  const after = (kind: ChangeKind): [before: TelemetryEvent[], after: TelemetryEvent[]] => {
    const change = everyChange(START_MS).find((candidate) => candidate.kind === kind)!;
    return [eventsOf({ days: 2 }), eventsOf({ days: 2, changes: [change] })];
  };
  const logit = ({ score }: TelemetryEvent) => Math.log(score! / (1 - score!));
  const isHarmless = ({ findings }: TelemetryEvent) => findings!.every(({ category }) => category === 'quality.refusal');

  test.each<[kind: ChangeKind, measure: (events: TelemetryEvent[], without: TelemetryEvent[]) => number, expected: number]>([
    [
      'score_drift',
      (events, without) => median(events.filter(isHarmless), logit) - median(without.filter(isHarmless), logit),
      0.4,
    ],
    ['risk_rise', (events, without) => shareOf(events, isFlagged) / shareOf(without, isFlagged), 3],
    ['template_growth', (events, without) => median(events, input) - median(without, input), 200],
    ['category_shift', (events) => shareOf(events.filter(isFlagged), isOfNewCategory), 0.5],
    ['provider_upgrade', (events, without) => median(events, output) / median(without, output), 1.4],
    [
      'deploy',
      (events) =>
        shareOf(
          events.filter(({ error }) => error === undefined),
          isOfNewVersion,
        ),
      0.5,
    ],
    ['outage', (events) => shareOf(events, ({ error }) => error !== undefined), 0.6],
  ])('%s', (kind, measure, expected) => {
    const [without, events] = after(kind);
    expect(Math.abs(measure(events, without) / expected - 1)).toBeLessThan(0.1);
  });

  const isFlagged = ({ outcome }: TelemetryEvent) => outcome !== 'allowed';
  const isOfNewCategory = ({ findings }: TelemetryEvent) =>
    findings!.some(({ category }) => category === 'content.medical_advice');
  const isOfNewVersion = ({ model_version }: TelemetryEvent) => model_version !== support[0]!.modelVersion;
  const input = ({ input_tokens }: TelemetryEvent) => input_tokens!;
  const output = ({ output_tokens }: TelemetryEvent) => output_tokens ?? 0;
});

test('a change of an application that is not simulated is refused', () => {
  const [change] = everyChange(START_MS);
  expect(() => [...simulate({ ...WEEK, changes: [{ ...change!, application: 'other' }] })]).toThrow(RangeError);
});

test('other applications do not notice a change', () => {
  const others = (batches: SimulatedBatch[]) => batches.filter(({ application }) => application !== 'support-chat');
  const [plain, changed] = [[], everyChange(START_MS)].map((changes) => batchesOf({ applications: APPLICATIONS, changes }));
  expect(others(changed!)).toEqual(others(plain!));
});

function median(events: readonly TelemetryEvent[], valueOf: (event: TelemetryEvent) => number): number {
  return events.map(valueOf).toSorted((a, b) => a - b)[events.length >> 1]!;
}

function correlation(events: readonly TelemetryEvent[], a: 'output_tokens', b: 'latency_ms'): number {
  return correlationOf(events.map((event) => [event[a]!, event[b]!]));
}

function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  const [meanA, meanB] = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, b]) => b))];
  const sum = (product: (a: number, b: number) => number) =>
    pairs.reduce((total, [a, b]) => total + product(a - meanA, b - meanB), 0);
  return sum((a, b) => a * b) / Math.sqrt(sum((a) => a * a) * sum((_, b) => b * b));
}
