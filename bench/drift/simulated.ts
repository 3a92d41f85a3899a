// Telemetry of a whole organization: conversations, days and weekends, with labelled changes and without any.

import { Monitor, type MonitorSettings, type SignalKind, type Transition } from '@svc/drift';
import { APPLICATIONS, labelsOf, simulate, type Change, type Label, type Signal } from '@svc/simulator';
import { percent, whole, type Report } from './report.ts';
import type { Sizes } from './sizes.ts';
import { START_MS } from './watch.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FLUSH_MS = 300_000;
/** A report belongs to a change that has ended when it comes so soon after its end. */
const BELONGS_MS = 3 * DAY_MS;

type Event = ReturnType<typeof simulate> extends Iterable<{ readonly events: readonly (infer Item)[] }> ? Item : never;

/** What each signal is made of; undefined: the event tells nothing of it. */
const SIGNALS: Readonly<Record<Signal, readonly [kind: SignalKind, valueOf: (event: Event) => number | string | undefined]>> = {
  flagged_rate: ['rate', ({ outcome }) => Number(outcome === 'flagged')],
  blocked_rate: ['rate', ({ outcome }) => Number(outcome === 'blocked')],
  error_rate: ['rate', ({ error }) => Number(error !== undefined)],
  refusal_rate: [
    'rate',
    ({ findings, finish_reason }) =>
      Number(finish_reason === 'content_filter' || findings!.some(({ category }) => category === 'quality.refusal')),
  ],
  score: ['numeric', ({ score }) => score ?? undefined],
  latency_ms: ['numeric', ({ latency_ms }) => latency_ms ?? undefined],
  time_to_first_token_ms: ['numeric', ({ time_to_first_token_ms }) => time_to_first_token_ms ?? undefined],
  input_tokens: ['numeric', ({ input_tokens }) => input_tokens ?? undefined],
  output_tokens: ['numeric', ({ output_tokens }) => output_tokens ?? undefined],
  category_mix: ['categorical', ({ findings }) => findings!.map(({ category }) => category).join('+') || 'none'],
  finish_reason_mix: ['categorical', ({ finish_reason }) => finish_reason ?? undefined],
  model_version_mix: ['categorical', ({ model_version }) => model_version ?? undefined],
};

interface Reported {
  readonly group: string;
  readonly signal: Signal;
  readonly kind: 'suspected' | 'sustained';
  readonly atMs: number;
}

export function reportSimulated(report: Report, { simulatedDays, simulatedSeeds }: Sizes): void {
  report.say('## Telemetry of a simulated organization\n');
  report.say(
    `${APPLICATIONS.length} applications over ${simulatedDays} days, ${simulatedSeeds} times; a monitor with default settings for each of ${Object.keys(SIGNALS).length} signals of each. ` +
      `With changes: ${changesFor(0, simulatedDays).length} in each organization. A report belongs to a change that has begun, and has not ended three days ago. "Directly" changed ` +
      'is what a change is about; "along" what follows from it, which may be too little to be found. Rates of so few conversations are clustered, and days and weekends differ in their load.\n',
  );
  const rows: string[][] = [];
  for (const season of ['none', 'day'] as const) {
    const counts = {
      quiet: 0,
      quietSuspects: 0,
      observations: 0,
      direct: 0,
      directFound: 0,
      along: 0,
      alongFound: 0,
      unlabelled: 0,
    };
    const delays: number[] = [];
    for (let seed = 0; seed < simulatedSeeds; seed++) {
      const quiet = observeAll(seed, simulatedDays, [], season);
      counts.observations += quiet.observations;
      counts.quiet += quiet.reported.filter(({ kind }) => kind === 'sustained').length;
      counts.quietSuspects += quiet.reported.filter(({ kind }) => kind === 'suspected').length;
      const changes = changesFor(seed, simulatedDays);
      const labels = labelsOf(changes, APPLICATIONS);
      const sustained = observeAll(seed, simulatedDays, changes, season).reported.filter(({ kind }) => kind === 'sustained');
      for (const label of labels) {
        const found = sustained.find((each) => belongs(each, label));
        if (label.isDirect) counts.direct++;
        else counts.along++;
        if (found === undefined) continue;
        if (label.isDirect) {
          counts.directFound++;
          delays.push((found.atMs - label.atMs) / HOUR_MS);
        } else counts.alongFound++;
      }
      counts.unlabelled += sustained.filter((each) => !labels.some((label) => belongs(each, label))).length;
    }
    delays.sort((a, b) => a - b);
    rows.push([
      season,
      whole(counts.observations),
      `${counts.quiet} (${counts.quietSuspects} suspected)`,
      `${counts.directFound} of ${counts.direct}`,
      `${(delays[delays.length >> 1] ?? NaN).toFixed(1)} h`,
      `${counts.alongFound} of ${counts.along}`,
      whole(counts.unlabelled),
      percent(counts.directFound / counts.direct),
    ]);
  }
  report.table(
    [
      'season',
      '>observations without changes',
      '>sustained without changes',
      '>directly changed signals found',
      '>median delay',
      '>along',
      '>sustained that belong to no change',
      '>recall',
    ],
    rows,
  );
}

function changesFor(seed: number, days: number): Change[] {
  const at = (share: number) => Math.round(START_MS + (share + 0.01 * (seed % 5)) * days * DAY_MS);
  return [
    { kind: 'template_growth', application: 'code-review', atMs: at(0.45), size: 900 },
    { kind: 'category_shift', application: 'code-review', atMs: at(0.6), size: 0.5 },
    { kind: 'provider_upgrade', application: 'support-chat', atMs: at(0.55), size: 1.35 },
    { kind: 'outage', application: 'sales-assistant', atMs: at(0.65), untilMs: at(0.65) + 4 * HOUR_MS, size: 0.4 },
    { kind: 'risk_rise', application: 'game-characters', atMs: at(0.7), size: 2 },
    { kind: 'refusal_rise', application: 'support-chat', atMs: at(0.75), size: 3 },
    { kind: 'score_drift', application: 'document-search', atMs: at(0.6), size: 0.6 },
    { kind: 'deploy', application: 'document-search', atMs: at(0.75), size: 0.2 },
  ];
}

function observeAll(seed: number, days: number, changes: readonly Change[], season: 'none' | 'day') {
  const monitors = new Map<string, Monitor>();
  const reported: Reported[] = [];
  let observations = 0;
  const settingsOf = (kind: SignalKind): MonitorSettings => ({ kind, season });
  const batches = simulate({ seed: `organization ${seed}`, startMs: START_MS, days, changes, flushMs: FLUSH_MS });
  for (const [sentAtMs, group, events] of deliveries(batches)) {
    for (const [signal, [kind, valueOf]] of Object.entries(SIGNALS) as [Signal, (typeof SIGNALS)[Signal]][]) {
      const known = events.flatMap((event) => {
        const value = valueOf(event);
        return value === undefined ? [] : [{ value, timeMs: Date.parse(event.occurred_at) }];
      });
      if (known.length === 0) continue;
      const key = `${group} ${signal}`;
      let monitor = monitors.get(key);
      if (monitor === undefined) monitors.set(key, (monitor = new Monitor(settingsOf(kind))));
      const values = known.map(({ value }) => value);
      const happened = monitor.observe({
        batch: sentAtMs / FLUSH_MS,
        values: kind === 'categorical' ? (values as string[]) : Float64Array.from(values as number[]),
        timesMs: Float64Array.from(known, ({ timeMs }) => timeMs),
      });
      observations += known.length;
      reported.push(...happened.filter(isAlarm).map(({ kind, atMs }) => ({ group, signal, kind, atMs })));
    }
  }
  return { reported, observations };
}

function isAlarm(transition: Transition): transition is Transition & { readonly kind: 'suspected' | 'sustained' } {
  return transition.kind === 'suspected' || transition.kind === 'sustained';
}

/** What the probes of a group send at the same time, by time. */
function* deliveries(batches: ReturnType<typeof simulate>): Generator<[sentAtMs: number, group: string, events: Event[]]> {
  let due = new Map<string, Event[]>();
  let dueAtMs = NaN;
  for (const { sentAtMs, group, events } of batches) {
    if (sentAtMs !== dueAtMs) {
      yield* inOrder(dueAtMs, due);
      due = new Map();
      dueAtMs = sentAtMs;
    }
    due.set(group, (due.get(group) ?? []).concat(events));
  }
  yield* inOrder(dueAtMs, due);
}

function inOrder(sentAtMs: number, due: ReadonlyMap<string, Event[]>): [number, string, Event[]][] {
  return [...due].map(([group, events]) => [
    sentAtMs,
    group,
    events.toSorted((a, b) => (a.occurred_at < b.occurred_at ? -1 : a.occurred_at > b.occurred_at ? 1 : 0)),
  ]);
}

function belongs({ group, signal, atMs }: Reported, label: Label): boolean {
  if (label.series.group !== group || label.signal !== signal) return false;
  return atMs >= label.atMs && (label.untilMs === null || atMs - label.untilMs <= BELONGS_MS);
}
