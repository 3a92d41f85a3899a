// Wire shapes of reports.

import { Type } from 'typebox';
import { Nullable, Time } from '../http/schemas.ts';
import { ATTEMPTS_MAX, DELIVERIES_MAX } from './store.ts';
import { KEPT_HOURS_DAYS, POINTS_MAX, INTERVALS } from './period.ts';
import { NAMES_MAX } from './sheet.ts';
import { FRAMEWORK_IDS, STATUSES } from './frameworks/framework.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const PERIOD_QUERY = {
  since: Type.Optional(
    Time(
      'Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30 days before `until`.',
    ),
  ),
  until: Type.Optional(Time('Recorded before; the end of its day or hour. Absent: now.')),
};

export const SummaryQuery = Type.Object(
  {
    ...PERIOD_QUERY,
    interval: Type.Optional(
      Type.Enum([...INTERVALS], {
        description: `Of the points of the series, at most ${POINTS_MAX}. Hours reach back ${KEPT_HOURS_DAYS} days; weeks begin on Monday. Absent: by the length.`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const ComplianceQuery = Type.Object(
  {
    framework: Type.Enum([...FRAMEWORK_IDS], { description: 'What the report is about.' }),
    ...PERIOD_QUERY,
    format: Type.Optional(Type.Enum(['json', 'html'], { description: 'Instead of `Accept`: for a link.' })),
  },
  { additionalProperties: false },
);

export const AsOfBody = Type.Object(
  {
    tree_size: Count('The counts are of the events up to this sequence: all that the log had when they were read.'),
    checkpoint: Nullable(
      Type.Object({
        size: Count('Its tree’s size.'),
        published_at: Time('When it was signed.'),
        note: Type.String({ description: 'The signed note, as `GET /v1/audit/checkpoint` has it.' }),
      }),
    ),
  },
  { title: 'AsOf', description: 'The state of the log that the counts are tied to. `checkpoint` null: none is signed yet.' },
);

const OUTCOMES = {
  allowed: Count('Let through.'),
  flagged: Count('With findings.'),
  blocked: Count('Stopped.'),
  undecided: Count('Reported by probes that decided nothing, and without a text to assess.'),
};

const QuantilesBody = Type.Object(
  {
    count: Count('Assessments that it is of: those that the service decided and the trail has an event of.'),
    p50: Nullable(Type.Number()),
    p90: Nullable(Type.Number()),
    p95: Nullable(Type.Number()),
    p99: Nullable(Type.Number()),
  },
  { title: 'LatencyQuantiles', description: 'Milliseconds that assessments took, each quantile within 5 %.' },
);

const CoverageBody = Type.Object(
  {
    complete: Count('Everything was looked at by every detector.'),
    partial: Count('Something was not looked at, or a detector did not end.'),
    failed: Count('Nothing was.'),
  },
  {
    title: 'CoverageCounts',
    description: 'How far assessments got, of those that the service decided and the trail has an event of.',
  },
);

const NamedBody = Type.Object(
  {
    name: Nullable(Type.String({ description: 'null: none was told, or these are the others.' })),
    is_others: Type.Boolean({ description: 'True: names beyond what is counted by name, together.' }),
    total: Count('Of this name.'),
    flagged: Count('Of them.'),
    blocked: Count('Of them.'),
  },
  { title: 'NamedCounts' },
);
const Named = (description: string) =>
  Type.Array(NamedBody, {
    description: `${description} The most frequent first; of each hour beyond ${NAMES_MAX} names together.`,
  });

export const SummaryBody = Type.Object(
  {
    org_id: Type.String(),
    since: Time('The beginning of what was counted.'),
    until: Time('The end of it, exclusive.'),
    interval: Type.Enum([...INTERVALS]),
    as_of: AsOfBody,
    totals: Type.Object({
      events: Count('Events of the trail.'),
      inferences: Count('Inferences that were assessed or reported.'),
      ...OUTCOMES,
      latency_ms: QuantilesBody,
      coverage: CoverageBody,
    }),
    series: Type.Array(
      Type.Object({
        start: Time('The first and the last point may be cut by the period.'),
        end: Time('Exclusive.'),
        events: Count('Events of the trail.'),
        inferences: Count('Inferences.'),
        ...OUTCOMES,
        latency_ms: QuantilesBody,
        coverage: CoverageBody,
        drift: Type.Object({ opened: Count('`drift.sustained`.'), recovered: Count('`drift.recovered`.') }),
      }),
      { description: 'Every point, also where there was nothing. Oldest first.' },
    ),
    sources: Type.Object({
      api: Type.Object({ inferences: Count('Assessed over the API.'), ...OUTCOMES }),
      probes: Type.Object({ inferences: Count('Reported by probes.'), ...OUTCOMES }),
    }),
    categories: Named('Inferences with findings, by category. One with several counts for each.'),
    severities: Named('Inferences that the trail has an event of, by severity.'),
    models: Named('Inferences by model. `flagged` and `blocked` of a probe’s are those that have an event.'),
    probes: Named('Inferences that probes reported, by probe.'),
    policies: Type.Array(Type.Object({ version: Nullable(Type.Integer()), inferences: Count('Decided under it.') }), {
      description: 'By version of the policy, newest first. null: not told.',
    }),
    enforcement: Type.Object(
      {
        enforce: Count('Decided with the policy enforced.'),
        monitor: Count('Decided in monitor mode.'),
        suppressed: Type.Object({ redact: Count('Would have been redacted.'), block: Count('Would have been blocked.') }),
      },
      { description: 'Of assessments that the service decided and the trail has an event of.' },
    ),
    detector_faults: Type.Array(
      Type.Object({ detector: Type.String(), assessments: Count('In which it failed or ran out of time.') }),
    ),
    telemetry: Type.Object({
      batches: Count('`telemetry.received`.'),
      accepted: Count('Inferences that were stored.'),
      duplicates: Count('Known already.'),
      rejected: Count('Refused, to be sent again or not.'),
    }),
    kinds: Type.Array(
      Type.Object({
        kind: Type.String(),
        count: Count('Events.'),
        first_at: Time('When the first was recorded.'),
        last_at: Time('When the last was.'),
      }),
      { description: 'Events of the trail by kind.' },
    ),
    drift: Type.Object({
      opened: Count('Drifts that became sure in the period.'),
      recovered: Count('Drifts that recovered in it.'),
      open: Count('Drifts that persist now.'),
      unacknowledged: Count('Of them, those that nobody has acknowledged.'),
    }),
    deliveries: Type.Object(
      {
        succeeded: Count('Taken by their receiver.'),
        failed: Count('Given up after the last attempt.'),
        cancelled: Count('Their endpoint was deleted.'),
        waiting: Count('Under way, or parked with a paused endpoint.'),
        retried: Count('Those with more than one attempt.'),
        is_complete: Type.Boolean({
          description: `False: there are more, or older ones are not kept any more. The newest ${DELIVERIES_MAX} are counted, of the last 30 days.`,
        }),
        attempt_ms: Type.Object(
          { p50: Nullable(Type.Number()), p95: Nullable(Type.Number()) },
          { description: `How long attempts took, for the newest ${ATTEMPTS_MAX} deliveries.` },
        ),
        endpoints: Type.Object({ active: Count('Now.'), paused: Count('Now: without success for a day.') }),
      },
      { description: 'What became of deliveries of the period’s events.' },
    ),
    usage: Type.Object(
      {
        assessments: Count('That cost one of the plan: over the API, and texts that probes sent.'),
        allowed: Count('Of them.'),
        flagged: Count('Of them.'),
        blocked: Count('Of them.'),
      },
      { description: 'What was used of the plan.' },
    ),
  },
  { title: 'SummaryReport' },
);

const EvidenceBody = Type.Object(
  {
    id: Type.String(),
    what: Type.String({ description: 'What there is, in a sentence.' }),
    count: Count('How many.'),
    first_at: Nullable(Time('When the first was recorded.')),
    last_at: Nullable(Time('When the last was.')),
    first_sequence: Nullable(Count('Its event’s; the leaf of the log is one less.')),
    last_sequence: Nullable(Count('Of the last.')),
    checkpoint_size: Nullable(Count('The smallest checkpoint that is kept and covers them all; null: none does yet.')),
    endpoints: Type.Array(Type.String(), {
      description: 'Where to see it. Of events one for each kind, which together list as many as `count`.',
    }),
  },
  { title: 'Evidence' },
);

const GapBody = Type.Object(
  {
    id: Type.String(),
    what: Type.String({ description: 'What is missing or weak, in a sentence.' }),
    count: Nullable(Count('How many, where it can be counted.')),
    endpoints: Type.Array(Type.String(), { description: 'Where to see it.' }),
  },
  { title: 'Gap' },
);

export const ComplianceBody = Type.Object(
  {
    framework: Type.Object({
      id: Type.Enum([...FRAMEWORK_IDS]),
      title: Type.String(),
      version: Type.String({ description: 'The text that the report goes by.' }),
      url: Type.String({ description: 'Where the text is.' }),
      about: Type.String({ description: 'What this report can say about it and what not.' }),
      dates: Type.String({ description: 'Since when it applies.' }),
    }),
    org_id: Type.String(),
    org_name: Type.String(),
    software: Type.Object({ name: Type.String(), version: Type.String() }, { description: 'What made it.' }),
    generated_at: Time('When it was made.'),
    since: Time('The beginning of the period.'),
    until: Time('Its end, exclusive.'),
    as_of: AsOfBody,
    summary: Type.Record(
      Type.Enum([...STATUSES]),
      Type.Object({
        count: Count('Provisions with this status.'),
        of_a_part: Count('Of them, those of which only a part can be recorded here.'),
      }),
    ),
    provisions: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['art-12-1'] }),
          reference: Type.String({ examples: ['Article 12(1)'] }),
          title: Type.String(),
          binds: Type.Array(Type.String(), { description: 'Whom it binds.' }),
          requirement: Type.String({ description: 'A paraphrase; the text itself is what counts.' }),
          applies: Type.String({ description: 'To what it applies.' }),
          status: Type.Enum([...STATUSES], {
            description:
              'evidenced: there is evidence, no gap was found, and all that is asked for can be recorded here. partial: evidence with gaps, or of a part. none: the evidence that it takes was not found in the period. not_recorded_here: this service records nothing of it. It is no legal judgement.',
          }),
          covers: Type.Enum(['whole', 'part', 'nothing'], {
            description: 'How much of what it asks for can be recorded here. Of a part the status is `partial` at best.',
          }),
          limit: Nullable(Type.String({ description: 'What is not recorded here; null: covers the whole.' })),
          evidence: Type.Array(EvidenceBody),
          gaps: Type.Array(GapBody),
          note: Nullable(Type.String()),
        },
        { title: 'Provision' },
      ),
    ),
  },
  { title: 'ComplianceReport' },
);
