// `svc integrations`: events in the form of chat, incident and monitoring tools.

import type * as types from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, tonedState, type Column, type Output, type Text } from '../output.ts';
import { ago } from '../text.ts';
import { EVENT_KINDS } from './event-kinds.ts';
import { defined, EVENTS_OPTION, readObject } from './shared.ts';
import { showTest } from './webhooks.ts';

const ID = { name: 'integration_id' } as const;
const KINDS = ['slack', 'pagerduty', 'teams', 'datadog', 'splunk'];

const COLUMNS: readonly Column<types.Integration>[] = [
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'KIND', importance: 9, cell: ({ kind }) => kind },
  { name: 'STATE', importance: 8, cell: stateOf },
  { name: 'NAME', importance: 7, widthMin: 10, cell: ({ name }) => name },
  { name: 'EVENTS', importance: 5, widthMin: 12, cell: ({ events }) => events.join(', ') },
  { name: 'LAST SUCCESS', importance: 4, cell: ({ last_success_at }) => ago(last_success_at) },
];

export const commands: readonly Command[] = [
  {
    words: ['integrations', 'list'],
    summary: 'List integrations',
    options: LIST_OPTIONS,
    examples: ['svc integrations list'],
    async run({ svc, options, output }) {
      const list = await readList(options, (query) => svc().integrations.list(query));
      output.list(list, COLUMNS, 'There are no integrations.');
      return EXIT.done;
    },
  },
  {
    words: ['integrations', 'get'],
    summary: 'Show an integration, without its secrets',
    positionals: [ID],
    examples: ['svc integrations get int_01m7zmgn5ge00bem91bab2qawn'],
    async run({ svc, positionals, output }) {
      const integration = await svc().integrations.get(positionals['integration_id']!);
      output.answer(integration, () => show(output, integration));
      return EXIT.done;
    },
  },
  {
    words: ['integrations', 'create'],
    summary: 'Make an integration',
    description:
      'From a JSON file with kind, name, events and config, or from options. What config needs: slack and teams url; pagerduty routing_key; datadog api_key, site ' +
      'and send; splunk url and token. Config in a file keeps secrets out of the history of the shell; --file - reads stdin.',
    options: {
      file: { kind: 'text', meaning: 'A JSON file with all of it, or with what the options leave out', placeholder: '<file>' },
      kind: { kind: 'text', meaning: 'Where events go', placeholder: '<kind>', choices: KINDS },
      name: { kind: 'text', meaning: 'What it is for', placeholder: '<text>' },
      event: EVENTS_OPTION,
      config: { kind: 'text', meaning: 'A member of config; may be repeated', placeholder: '<name=value>', isRepeated: true },
    },
    examples: [
      'svc integrations create --file integration.json',
      "svc integrations create --kind slack --name 'Security' --event inference.blocked --file config.json",
    ],
    async run(context) {
      const { svc, output } = context;
      const integration = await svc().integrations.create(await bodyOf(context));
      output.answer(integration, () => show(output, integration));
      return EXIT.done;
    },
  },
  {
    words: ['integrations', 'delete'],
    summary: 'Delete an integration and cancel what is queued for it',
    positionals: [ID],
    options: { yes: YES },
    examples: ['svc integrations delete int_01m7zmgn5ge00bem91bab2qawn --yes'],
    async run(context) {
      const { svc, positionals, output } = context;
      const id = positionals['integration_id']!;
      if (!context.options.flag('yes')) {
        const { kind, name } = await svc().integrations.get(id);
        await confirm(context, `Delete the integration '${name}' with ${kind}? What is queued for it is cancelled.`);
      }
      const integration = await svc().integrations.delete(id);
      output.answer(integration, () => output.line(`Deleted ${integration.id}.`));
      return EXIT.done;
    },
  },
  {
    words: ['integrations', 'test'],
    summary: 'Send a sample event now, and show what was answered',
    description: 'One real message. Exit code 3 when it was not taken.',
    positionals: [ID],
    options: {
      event: {
        kind: 'text',
        meaning: 'The kind of the sample',
        placeholder: '<kind>',
        choices: ['webhook.test', ...EVENT_KINDS],
      },
    },
    examples: ['svc integrations test int_01m7zmgn5ge00bem91bab2qawn --event inference.blocked'],
    async run({ svc, positionals, options, output }) {
      const event = options.text('event') as NonNullable<types.TestEvent['event']> | undefined;
      output.progress('Waiting for an answer …');
      const result = await svc().integrations.test(positionals['integration_id']!, defined({ event }));
      output.answer(result, () => showTest(output, result));
      return result.delivered ? EXIT.done : EXIT.no;
    },
  },
];

/** What the file says, and over that what the options say. The service checks it. */
async function bodyOf(context: Context): Promise<types.CreateIntegration> {
  const { options } = context;
  const path = options.text('file');
  const read = path === undefined ? {} : await readObject(context, path);
  const events = options.texts('event');
  const config = { ...(read['config'] as object | undefined), ...membersOf(options.texts('config')) };
  const body = {
    ...read,
    ...defined({ kind: options.text('kind'), name: options.text('name'), events: events.length === 0 ? undefined : events }),
    config,
  } as unknown as types.CreateIntegration;
  const missing = (['kind', 'name', 'events'] as const).filter((name) => body[name] === undefined);
  if (missing.length > 0)
    throw new UsageError(
      `Missing: ${missing.map((name) => (name === 'events' ? '--event' : `--${name}`)).join(', ')}. Give options, or --file with a JSON file.`,
    );
  return body;
}

/** `send=logs` as text, `acknowledge=true` as JSON has it, `tags=["a"]` too. */
function membersOf(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined) throw new UsageError(`--config '${pair}' must be a name, = and a value.`);
      return [name, /^(true|false|\[.*\])$/s.test(value!) ? parsedOr(value!) : value];
    }),
  );
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function stateOf({ status, failing_since }: types.Integration): Text {
  return status === 'active' && failing_since !== null ? toned('warn', 'failing') : tonedState(status);
}

function show(output: Output, integration: types.Integration): void {
  output.fields([
    ['id', integration.id],
    ['kind', integration.kind],
    ['name', integration.name],
    ['events', integration.events.join(', ')],
    [
      'config',
      Object.entries(integration.config)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(', ') || null,
    ],
    ['secrets', integration.secrets.length === 0 ? null : `${integration.secrets.join(', ')} (stored, never shown)`],
    ['mode', integration.mode],
    ['state', stateOf(integration)],
    ['failing since', integration.failing_since],
    [
      'last success',
      integration.last_success_at === null ? 'never' : `${integration.last_success_at} (${ago(integration.last_success_at)})`,
    ],
    ['created', integration.created_at],
  ]);
}
