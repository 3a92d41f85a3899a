// Wire shapes of drift monitors.

import { DRIFT_SIGNALS } from '@svc/engine';
import { Type } from 'typebox';
import { Line, Nullable, PAGE_QUERY, Time } from '../http/schemas.ts';
import { EPISODES_SHOWN } from './chart.ts';

const STATES = ['learning', 'watching', 'suspect', 'sustained'] as const;

export const MonitorQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum([...STATES], { description: 'Monitors in this state.' })),
    model: Type.Optional(Line(200, 'Monitors of this model.')),
    group: Type.Optional(Line(200, 'Monitors of this group of probes; `api`: of what is assessed over the API.')),
    signal: Type.Optional(Type.Enum(Object.keys(DRIFT_SIGNALS), { description: 'Monitors of this signal.' })),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
);

const BaselineBody = Type.Object(
  {
    id: Type.String({ examples: ['bl_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    sha256: Type.String({ description: 'Of all that the baseline says, as `drift.baselined` has it.' }),
    n: Type.Integer({ description: 'Observations it was learned from.' }),
    from: Time('Its first observation.'),
    to: Time('Its last observation.'),
    value: Nullable(
      Type.Number({
        description: 'Of a rate the rate, of a mix the share of its most frequent name, of numbers the mean rank (0.5).',
      }),
    ),
  },
  { title: 'DriftBaseline' },
);

const MONITOR = {
  id: Type.String({ examples: ['mon_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
  model: Type.String({ description: '`unknown`: it was not named; `other`: beyond the 200 that are watched apart.' }),
  group: Type.String({ description: 'Of the probes that report; `api`: what is assessed over the API.' }),
  signal: Type.String({ description: `One of ${Object.keys(DRIFT_SIGNALS).join(', ')}; more may come.` }),
  kind: Type.Enum(['rate', 'numeric', 'categorical']),
  state: Type.Enum([...STATES], {
    description:
      'learning: what is usual is being learned. watching: nothing has changed. suspect: something may have, and is being confirmed. sustained: it has, and persists.',
  }),
  enabled: Type.Boolean({ description: 'False: the policy does not watch it at the moment.' }),
  since: Nullable(Time('When the drift that persists, or is suspected, began; null: there is none.')),
  learning_until: Nullable(
    Time('When a whole season will have been seen, which a baseline needs; null: it has one, or the policy names no season.'),
  ),
  acknowledged_at: Nullable(Time('When somebody said to care for the drift that persists.')),
  baseline: Nullable(BaselineBody),
  current: Nullable(
    Type.Object(
      {
        n: Type.Integer({ description: 'Observations.' }),
        value: Type.Number({ description: 'As the baseline’s.' }),
      },
      { description: 'The last observations that were looked at together.' },
    ),
  ),
  evidence: Type.Object(
    {
      log10_m: Type.Number({ description: 'How much speaks for a change.' }),
      log10_threshold: Type.Number({ description: 'How much must, for it to be suspected.' }),
    },
    { description: 'Decimal logarithms.' },
  ),
  provisional: Type.Boolean({
    description: 'True while the season is not known yet: alarms need ten times the evidence.',
  }),
  tolerance: Type.Number({ description: 'Changes up to this count as none.' }),
  season: Type.Enum(['none', 'day', 'week']),
  observations: Type.Integer({ description: 'That were counted.' }),
  late: Type.Integer({ description: 'That came too late to be counted.' }),
  observations_needed: Type.Object({
    baseline: Type.Integer({ description: 'Until anything is judged; 0: there is a baseline.' }),
    doubling: Nullable(
      Type.Integer({
        description:
          'Of a rate: after a doubling, until it is suspected; null: other kinds, or more than this baseline can show.',
      }),
    ),
  }),
  last_observed_at: Nullable(Time('Of the last observation.')),
  created_at: Time('When the first observation was counted.'),
  updated_at: Time('When it was kept last.'),
};

export const MonitorBody = Type.Object(MONITOR, { title: 'DriftMonitor' });

const EpisodeBody = Type.Object(
  {
    event_id: Type.String({ description: 'The `drift.sustained` event, which tells all about it.' }),
    summary: Type.String({ description: 'One sentence.' }),
    severity: Type.String(),
    direction: Type.Enum(['up', 'down']),
    feature: Type.String({ description: 'What changed most clearly.' }),
    label: Nullable(Type.String({ description: 'Of a mix: the name whose share changed.' })),
    onset: Time('When it began.'),
    sustained_at: Time('When it was sure.'),
    ended_at: Nullable(Time('When it ended; null: it persists.')),
    resolution: Nullable(
      Type.Enum(['recovered', 'rebaselined', 'disabled', 'superseded'], {
        description:
          'recovered: it went back. rebaselined: its level is the new baseline. disabled: the policy watches it no more. superseded: it changed further.',
      }),
    ),
    coincides_with: Type.Array(Type.String(), { description: 'What else happened when it began.' }),
    acknowledged_at: Nullable(Time('When somebody said to care for it.')),
    acknowledged_by: Nullable(Type.String()),
    note: Nullable(Type.String()),
  },
  { title: 'DriftEpisode' },
);

const PointBody = Type.Object(
  {
    from: Time('When the hour begins.'),
    n: Type.Integer({ description: 'Observations.' }),
    value: Nullable(Type.Number({ description: 'The rate, or the mean; null: it is a mix.' })),
    low: Nullable(Type.Number({ description: 'Lower bound of the 95 % interval of `value`.' })),
    high: Nullable(Type.Number({ description: 'Its upper bound.' })),
    shares: Nullable(Type.Array(Type.Number(), { description: 'Of a mix: by index of `labels`.' })),
  },
  { title: 'DriftPoint' },
);

export const MonitorDetailBody = Type.Object(
  {
    ...MONITOR,
    features: Type.Array(
      Type.Object({
        feature: Type.String(),
        label: Nullable(Type.String()),
        baseline: Type.Number(),
        low: Type.Number({ description: 'From here …' }),
        high: Type.Number({ description: '… to here it counts as unchanged.' }),
        current: Nullable(Type.Number()),
      }),
      { description: 'All that is looked at.' },
    ),
    percentiles: Nullable(
      Type.Object(
        { p10: Type.Number(), p50: Type.Number(), p90: Type.Number(), p99: Type.Number() },
        { description: 'Of the baseline, in the signal’s own unit; null: it is no number, or being learned.' },
      ),
    ),
    dependence: Type.Number({ description: 'How many observations in a row tell the same; 1: each tells something of its own.' }),
    episodes: Type.Array(EpisodeBody, { description: `The last ${EPISODES_SHOWN}, newest first.`, maxItems: EPISODES_SHOWN }),
    series: Type.Object(
      {
        interval_s: Type.Integer({ examples: [3600] }),
        labels: Type.Array(Type.String(), { description: 'Of a mix: the names; the last one is all others.' }),
        baseline: Nullable(
          Type.Object(
            { value: Type.Number(), low: Type.Number(), high: Type.Number() },
            { description: 'The band within which an hour’s value counts as unchanged, if the hour has many observations.' },
          ),
        ),
        points: Type.Array(PointBody, { description: 'Up to 90 days, oldest first; hours without observations are left out.' }),
      },
      { description: 'For a chart.' },
    ),
  },
  { title: 'DriftMonitorDetail' },
);

export const NoteBody = Type.Object(
  { note: Type.Optional(Line(500, 'Why; it stands in the trail.', { minLength: 1 })) },
  { additionalProperties: false, title: 'DriftNote' },
);
