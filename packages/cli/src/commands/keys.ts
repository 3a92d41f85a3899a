// `svc keys`: API keys of the organization.

import type { ApiKey, CreateApiKey } from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command, Context } from '../command.ts';
import { EXIT } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, type Column, type Text } from '../output.ts';
import { ago } from '../text.ts';
import { CREDENTIAL_OPTIONS, SCOPES } from '../values.ts';
import { defined, timeOf } from './shared.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: 'ID', importance: 9, cell: ({ id }) => id },
  { name: 'NAME', importance: 8, widthMin: 12, cell: ({ name }) => name },
  { name: 'TYPE', importance: 7, cell: ({ type }) => type },
  { name: 'KEY', importance: 3, cell: ({ last4 }) => `…${last4}` },
  { name: 'STATE', importance: 6, cell: stateOf },
  { name: 'USED', importance: 5, cell: ({ last_used_at }) => ago(last_used_at) },
  { name: 'CREATED', importance: 2, cell: ({ created_at }) => ago(created_at) },
];

function stateOf({ revoked_at, expires_at, rotation_due }: ApiKey): Text {
  if (revoked_at !== null) return toned('dim', 'revoked');
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return toned('dim', 'expired');
  return rotation_due ? toned('warn', 'rotate') : toned('good', 'active');
}

export function showKey({ output }: Pick<Context, 'output'>, key: ApiKey): void {
  output.fields([
    ['Key', toned('strong', key.id)],
    ['Name', key.name],
    ['Type', key.type],
    ['State', stateOf(key)],
    ['Ends with', `…${key.last4}`],
    ['Scopes', key.permissions.join(', ')],
    ['Service account', key.service_account_id],
    ['Description', key.description],
    ['Created', `${ago(key.created_at)} (${key.created_at})`],
    ['Expires', key.expires_at === null ? 'never' : `${ago(key.expires_at)} (${key.expires_at})`],
    ['Last used', ago(key.last_used_at)],
    ['Revoked', key.revoked_at === null ? null : `${ago(key.revoked_at)} (${key.revoked_at})`],
  ]);
}

/** A key that was made, once. */
export function showNewKey({ output }: Pick<Context, 'output'>, answer: { readonly key?: string }, what: string): void {
  if (answer.key === undefined) return output.line(`${what} It was made before; its key is not shown again.`);
  output.line(`${what} The key is shown only this once:`);
  output.line();
  output.line('  ', toned('strong', answer.key));
}

const list: Command = {
  words: ['keys', 'list'],
  summary: 'List API keys, newest first',
  options: LIST_OPTIONS,
  examples: ['svc keys list', "svc keys list --json | jq -r '.data[] | select(.rotation_due) | .id'"],
  async run({ svc, options, output }) {
    output.list(await readList(options, (query) => svc().apiKeys.list(query)), COLUMNS, 'There is no key.');
    return EXIT.done;
  },
};

const create: Command = {
  words: ['keys', 'create'],
  summary: 'Make an API key, which is shown only this once',
  positionals: [{ name: 'name' }],
  options: {
    type: {
      kind: 'text',
      meaning: 'What it is for; live when not given',
      choices: ['live', 'test', 'admin'],
      placeholder: '<type>',
    },
    scope: {
      kind: 'text',
      meaning: 'A scope in place of those that the type holds',
      choices: SCOPES,
      placeholder: '<scope>',
      isRepeated: true,
    },
    ...CREDENTIAL_OPTIONS,
    description: { kind: 'text', meaning: 'Anything worth knowing about it' },
  },
  examples: [
    "svc keys create 'Checkout, production'",
    'svc keys create CI --type test --expires 90d',
    'svc keys create Dashboards --scope events:read --scope reports:read',
  ],
  async run(context) {
    const { svc, options, output, positionals } = context;
    const scopes = options.texts('scope') as NonNullable<CreateApiKey['permissions']>;
    const key = await svc().apiKeys.create({
      name: positionals['name']!,
      type: (options.text('type') ?? 'live') as CreateApiKey['type'],
      ...(scopes.length === 0 ? {} : { permissions: scopes }),
      ...defined({ expires_at: timeOf(options, 'expires', 1), description: options.text('description') }),
    });
    output.answer(key, () => showNewKey(context, key, `${key.id} was made, a key of the type ${key.type}.`));
    return EXIT.done;
  },
};

const get: Command = {
  words: ['keys', 'get'],
  summary: 'Show an API key: what it may do, when it was used',
  positionals: [{ name: 'key_id' }],
  examples: ['svc keys get key_01jd4t4ve9e0fs7m4c1ywz3qkd'],
  async run(context) {
    const key = await context.svc().apiKeys.get(context.positionals['key_id']!);
    context.output.answer(key, () => showKey(context, key));
    return EXIT.done;
  },
};

const revoke: Command = {
  words: ['keys', 'revoke'],
  summary: 'Revoke an API key, for good',
  positionals: [{ name: 'key_id' }],
  options: { yes: YES },
  examples: ['svc keys revoke key_01jd4t4ve9e0fs7m4c1ywz3qkd', 'svc keys revoke key_01jd4t4ve9e0fs7m4c1ywz3qkd --yes'],
  async run(context) {
    const { svc, output, options } = context;
    const id = context.positionals['key_id']!;
    if (!options.flag('yes')) {
      const { name, last4, last_used_at } = await svc().apiKeys.get(id);
      await confirm(context, `Revoke '${name}' (…${last4}, last used ${ago(last_used_at)})? Whoever uses it is refused at once.`);
    }
    const key = await svc().apiKeys.revoke(id);
    output.answer(key, () => output.line(`${key.id} is revoked.`));
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [list, create, get, revoke];
