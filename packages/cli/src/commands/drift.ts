// `svc drift`: what has changed in what models do.

import type * as types from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, tonedState, type Column, type Output } from '../output.ts';
import { ago } from '../text.ts';
import { defined } from './shared.ts';

const ID = { name: 'monitor_id' } as const;
const NOTE = { kind: 'text', meaning: 'Why; it stands in the trail', placeholder: '<text>' } as const;
const SPARKS = '▁▂▃▄▅▆▇█';
const SPARKS_MAX = 48;
const EPISODES_SHOWN = 5;

const SIGNALS = [
  'flagged_rate',
  'blocked_rate',
  'error_rate',
  'refusal_rate',
  'score',
  'latency_ms',
  'time_to_first_token_ms',
  'input_tokens',
  'output_tokens',
  'category_mix',
  'finish_reason_mix',
  'model_version_mix',
];

const COLUMNS: readonly Column<types.DriftMonitor>[] = [
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'STATE', importance: 9, cell: ({ state }) => tonedState(state) },
  { name: 'MODEL', importance: 8, widthMin: 8, cell: ({ model }) => model },
  { name: 'SIGNAL', importance: 8, cell: ({ signal }) => signal },
  { name: 'GROUP', importance: 6, widthMin: 6, cell: ({ group }) => group },
  { name: 'SINCE', importance: 7, cell: ({ since }) => ago(since) },
  { name: 'USUAL', importance: 4, isRight: true, cell: ({ baseline }) => numberText(baseline?.value ?? null) },
  { name: 'NOW', importance: 5, isRight: true, cell: ({ current }) => numberText(current?.value ?? null) },
];

export const commands: readonly Command[] = [
  {
    words: ['drift', 'list'],
    summary: 'List what is watched, and how it is',
    options: {
      state: {
        kind: 'text',
        meaning: 'Monitors in this state',
        placeholder: '<state>',
        choices: ['learning', 'watching', 'suspect', 'sustained'],
      },
      model: { kind: 'text', meaning: 'Of this model', placeholder: '<name>' },
      group: { kind: 'text', meaning: 'Of this group of probes; api: of what is assessed over the API', placeholder: '<name>' },
      signal: { kind: 'text', meaning: 'Of this signal', placeholder: '<signal>', choices: SIGNALS },
      ...LIST_OPTIONS,
    },
    examples: ['svc drift list', 'svc drift list --state sustained'],
    async run({ svc, options, output }) {
      const filter = defined({
        state: options.text('state'),
        model: options.text('model'),
        group: options.text('group'),
        signal: options.text('signal'),
      }) as types.DriftListQuery;
      const list = await readList(options, (query) => svc().drift.list({ ...filter, ...query }));
      output.list(list, COLUMNS, 'Nothing of that is watched.');
      return EXIT.done;
    },
  },
  {
    words: ['drift', 'get'],
    summary: 'Show a monitor, its last hours and what it found',
    positionals: [ID],
    examples: ['svc drift get mon_01m7zmgn5ge00bem91bab2qawn'],
    async run({ svc, positionals, output }) {
      const monitor = await svc().drift.get(positionals['monitor_id']!);
      output.answer(monitor, () => showDetail(output, monitor));
      return EXIT.done;
    },
  },
  {
    words: ['drift', 'acknowledge'],
    summary: 'Say that somebody takes care of a drift',
    positionals: [ID],
    options: { note: NOTE },
    examples: ["svc drift acknowledge mon_01m7zmgn5ge00bem91bab2qawn --note 'New release of the model, ticket 812'"],
    async run({ svc, positionals, options, output }) {
      const monitor = await svc().drift.acknowledge(positionals['monitor_id']!, defined({ note: options.text('note') }));
      output.answer(monitor, () => output.line('Acknowledged. It stays open until it recovers, or is rebaselined.'));
      return EXIT.done;
    },
  },
  {
    words: ['drift', 'rebaseline'],
    summary: 'Take the level of now for the usual one',
    description: 'Gives up the baseline and ends a drift that persists. The trail keeps who did it.',
    positionals: [ID],
    options: { note: NOTE, yes: YES },
    examples: ["svc drift rebaseline mon_01m7zmgn5ge00bem91bab2qawn --note 'The new model is wanted' --yes"],
    async run(context) {
      const { svc, positionals, options, output } = context;
      const id = positionals['monitor_id']!;
      await confirm(context, `Give up the baseline of ${id} and learn a new one? A drift that persists ends with it.`);
      const monitor = await svc().drift.rebaseline(id, defined({ note: options.text('note') }));
      output.answer(monitor, () => output.line('A new baseline is being learned: ', tonedState(monitor.state), '.'));
      return EXIT.done;
    },
  },
];

function showDetail(output: Output, monitor: types.DriftMonitorDetail): void {
  const { baseline, current, evidence, percentiles } = monitor;
  output.fields([
    ['id', monitor.id],
    ['state', [tonedState(monitor.state), monitor.enabled ? '' : ' (not watched at the moment)']],
    ['signal', `${monitor.signal} of ${monitor.model}, ${monitor.group}`],
    ['since', monitor.since === null ? null : `${monitor.since} (${ago(monitor.since)})`],
    ['learning until', monitor.learning_until],
    ['acknowledged', monitor.acknowledged_at === null ? null : ago(monitor.acknowledged_at)],
    ['usual', baseline === null ? 'being learned' : `${numberText(baseline.value)}, from ${baseline.n} observations`],
    ['now', current === null ? null : `${numberText(current.value)}, of the last ${current.n}`],
    [
      'percentiles',
      percentiles === null
        ? null
        : `p10 ${numberText(percentiles.p10)}, p50 ${numberText(percentiles.p50)}, p90 ${numberText(percentiles.p90)}, p99 ${numberText(percentiles.p99)}`,
    ],
    ['evidence', `10^${evidence.log10_m.toFixed(1)} for a change; 10^${evidence.log10_threshold.toFixed(1)} makes it suspected`],
    ['hours', sparkField(monitor.series, output.width - 16)],
    ['observations', `${monitor.observations}${monitor.late === 0 ? '' : `, and ${monitor.late} too late`}`],
  ]);
  for (const episode of monitor.episodes.slice(0, EPISODES_SHOWN)) showEpisode(output, episode);
  if (monitor.episodes.length > EPISODES_SHOWN)
    output.line(`\n${monitor.episodes.length - EPISODES_SHOWN} earlier ones: --json has all.`);
}

function showEpisode(output: Output, episode: types.DriftEpisode): void {
  output.line('\n', toned('strong', episode.summary));
  output.fields([
    ['severity', tonedState(episode.severity)],
    ['began', `${episode.onset} (${ago(episode.onset)})`],
    ['ended', episode.ended_at === null ? 'it persists' : `${episode.ended_at} (${episode.resolution})`],
    ['with it', episode.coincides_with.length === 0 ? null : episode.coincides_with.join(', ')],
    ['note', episode.note],
    ['event', episode.event_id],
  ]);
}

/** The last hours as a line, with the lowest and the highest value; `null`: a mix, or nothing yet. */
function sparkField({ points }: types.DriftMonitorDetail['series'], room: number): string | null {
  const values = points.map(({ value }) => value).filter((value) => value !== null);
  const shown = values.slice(-Math.max(8, Math.min(SPARKS_MAX, room - 24)));
  return shown.length === 0
    ? null
    : `${sparkline(shown)}  ${numberText(Math.min(...shown))} to ${numberText(Math.max(...shown))}`;
}

/** Eight heights between the lowest and the highest value. */
export function sparkline(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = (value: number) => (high === low ? 3 : Math.round(((value - low) / (high - low)) * (SPARKS.length - 1)));
  return values.map((value) => SPARKS[step(value)]).join('');
}

function numberText(value: number | null): string {
  if (value === null) return '–';
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
