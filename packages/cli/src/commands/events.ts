// `svc events`: the trail.

import type * as types from '@svc/client';
import type { Command, Option, Options } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, tonedState, type Column, type Output, type Text } from '../output.ts';
import { ago, oneLine } from '../text.ts';
import { PROOF_OPTIONS, showProof } from './audit-proof.ts';
import { EVENT_KINDS } from './event-kinds.ts';
import { feed, requireTrail } from './feed.ts';
import { defined, timeOf } from './shared.ts';

const OUTCOMES = ['allowed', 'flagged', 'blocked'];

const KIND: Option = { kind: 'text', meaning: 'Events of this kind', placeholder: '<kind>', choices: EVENT_KINDS };
const OUTCOME: Option = { kind: 'text', meaning: 'Inferences with this outcome', placeholder: '<outcome>', choices: OUTCOMES };

const FILTERS = {
  kind: KIND,
  outcome: OUTCOME,
  category: { kind: 'text', meaning: 'With a finding of this category or family: data.pii, data', placeholder: '<category>' },
  model: { kind: 'text', meaning: 'Of this model', placeholder: '<name>' },
  actor: { kind: 'text', meaning: 'Caused by this credential', placeholder: '<id>' },
  subject: { kind: 'text', meaning: 'Of this user, session or agent', placeholder: '<id>' },
  'external-id': { kind: 'text', meaning: 'Of this id of your own', placeholder: '<id>' },
  probe: { kind: 'text', meaning: 'About this probe, or seen by it', placeholder: '<id>' },
  since: { kind: 'text', meaning: 'Recorded at or after: a time, or 24h, 7d', placeholder: '<time>' },
  until: { kind: 'text', meaning: 'Recorded before', placeholder: '<time>' },
} as const satisfies Readonly<Record<string, Option>>;

const COLUMNS: readonly Column<types.Event>[] = [
  { name: 'SEQUENCE', importance: 6, isRight: true, cell: ({ sequence }) => String(sequence) },
  { name: 'RECORDED', importance: 7, cell: ({ recorded_at }) => ago(recorded_at) },
  { name: 'KIND', importance: 9, cell: ({ kind }) => kindText(kind) },
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'WHAT', importance: 5, widthMin: 8, cell: gistOf },
];

const LIST: Omit<Command, 'words' | 'examples' | 'positionals'> = {
  summary: 'List events, newest first',
  options: { ...FILTERS, ...LIST_OPTIONS },
  async run({ svc, options, positionals, output }) {
    const q = positionals['text'];
    const filter = { ...filterOf(options), ...(q === undefined ? {} : { q }) };
    const list = await readList(options, (query) => svc().events.list({ ...filter, ...query }));
    output.list(list, COLUMNS, 'There are no such events.');
    if (list.data.length === 0 && !output.isJson) await noteTestKey(svc(), output);
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [
  {
    ...LIST,
    words: ['events', 'list'],
    examples: [
      'svc events list --kind inference.blocked --since 24h',
      'svc events list --subject ann --category data.pii --json',
    ],
  },
  {
    ...LIST,
    words: ['events', 'search'],
    summary: 'Find events by a part of a kind, category, model, subject, actor or external id',
    positionals: [{ name: 'text' }],
    examples: ['svc events search chat-1042', 'svc events search gpt --outcome blocked'],
  },
  {
    words: ['events', 'get'],
    summary: 'Show an event',
    positionals: [{ name: 'event_id' }],
    examples: ['svc events get evt_01m7zmgn63e00bq3vycshwk0hy'],
    async run({ svc, positionals, output }) {
      const event = await svc().events.get(positionals['event_id']!);
      output.answer(event, () => show(output, event));
      return EXIT.done;
    },
  },
  {
    words: ['events', 'tail'],
    summary: 'Show events as they come, until Ctrl-C',
    description: 'With --json a line of JSON each. Ctrl-C ends it, with exit code 0.',
    options: {
      kind: { ...KIND, isRepeated: true, meaning: 'Events of this kind; may be repeated' },
      outcome: OUTCOME,
      'from-sequence': { kind: 'integer', meaning: 'Begin with this event, not with the next one', placeholder: '<n>' },
    },
    examples: ['svc events tail --outcome blocked', 'svc events tail --from-sequence 1 --json'],
    async run(context) {
      const { svc, options, output, signal } = context;
      const from = options.integer('from-sequence');
      if (from !== undefined && from < 1) throw new UsageError('--from-sequence begins at 1.');
      await requireTrail(svc());
      const kinds = options.texts('kind');
      const outcome = options.text('outcome');
      const filter = defined({ kind: kinds.length === 1 ? kinds[0] : undefined, outcome });
      try {
        for await (const events of feed(context, { after: from === undefined ? undefined : from - 1, filter })) {
          for (const event of events) if (kinds.length === 0 || kinds.includes(event.kind)) tell(output, event);
        }
      } catch (err) {
        if (!signal.aborted) throw err;
      }
      return EXIT.done;
    },
  },
  {
    words: ['events', 'proof'],
    summary: 'Prove that an event is in the log',
    description: 'With --json the proof, which svc audit verify checks offline: svc events proof evt_… --json > proof.json',
    positionals: [{ name: 'event_id' }],
    options: PROOF_OPTIONS,
    examples: [
      'svc events proof evt_01m7zmgn63e00bq3vycshwk0hy',
      'svc events proof evt_01m7zmgn63e00bq3vycshwk0hy --json > proof.json',
    ],
    run: showProof,
  },
];

function filterOf(options: Options): types.EventsListQuery {
  return defined({
    kind: options.text('kind'),
    outcome: options.text('outcome'),
    category: options.text('category'),
    model: options.text('model'),
    actor: options.text('actor'),
    subject: options.text('subject'),
    external_id: options.text('external-id'),
    probe_id: options.text('probe'),
    since: timeOf(options, 'since'),
    until: timeOf(options, 'until'),
  }) as types.EventsListQuery;
}

async function noteTestKey(svc: Parameters<typeof requireTrail>[0], output: Output): Promise<void> {
  const { credential } = await svc.organization.get();
  if (credential.mode === 'test') output.note('A test key sees no trail: what it does is not recorded there.');
}

function kindText(kind: string): Text {
  const [family, word] = kind.split('.');
  if (family === 'inference') return { ...(tonedState(word!) as { tone: 'good'; text: string }), text: kind };
  return kind === 'drift.sustained' || kind === 'probe.offline' || kind === 'webhook.paused' ? toned('warn', kind) : kind;
}

/** In a few words what happened: of an inference what was found and of whom, else what was changed. */
function gistOf({ data, actor }: types.Event): string {
  const found = Array.isArray(data['findings']) ? (data['findings'] as { category?: unknown }[]) : [];
  const categories = [...new Set(found.map(({ category }) => String(category)))];
  const named = ['external_id', 'summary', 'name', 'url', 'id']
    .map((name) => data[name])
    .find((value) => typeof value === 'string');
  return [categories.join(', '), typeof named === 'string' ? named : (actor.id ?? actor.type)]
    .filter((text) => text !== '')
    .join('  ');
}

function tell(output: Output, event: types.Event): void {
  if (output.isJson) return output.jsonLine(event);
  const time = new Date(event.recorded_at).toTimeString().slice(0, 8);
  output.line(
    toned('dim', time),
    `  ${String(event.sequence).padStart(6)}  `,
    kindText(event.kind),
    `  ${event.id}  `,
    toned('dim', oneLine(gistOf(event))),
  );
}

function show(output: Output, event: types.Event): void {
  output.fields([
    ['id', event.id],
    ['sequence', String(event.sequence)],
    ['kind', kindText(event.kind)],
    ['occurred', `${event.occurred_at} (${ago(event.occurred_at)})`],
    ['recorded', event.recorded_at],
    ['actor', [event.actor.type, event.actor.id, event.actor.ip].filter((part) => part !== null).join(' ')],
    ['leaf hash', event.leaf_hash ?? 'not in the log yet'],
    ['erased', event.erased === undefined ? null : event.erased.join(', ')],
    ['data', JSON.stringify(event.data, null, 2)],
  ]);
}
