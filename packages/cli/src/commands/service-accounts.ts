// `svc service-accounts`: credentials of programs, with addresses from which they may be used.

import type { CreateServiceAccount, PatchServiceAccount, ServiceAccount } from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command, Context, Option } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, type Column } from '../output.ts';
import { ago } from '../text.ts';
import { CREDENTIAL_OPTIONS, SCOPES } from '../values.ts';
import { showNewKey } from './keys.ts';
import { defined, timeOf } from './shared.ts';

const COLUMNS: readonly Column<ServiceAccount>[] = [
  { name: 'ID', importance: 9, cell: ({ id }) => id },
  { name: 'NAME', importance: 8, widthMin: 12, cell: ({ name }) => name },
  { name: 'TYPE', importance: 6, cell: ({ type }) => type },
  { name: 'SCOPES', importance: 5, widthMin: 16, cell: ({ permissions }) => permissions.join(', ') },
  {
    name: 'FROM',
    importance: 4,
    widthMin: 12,
    cell: ({ ip_allowlist }) => (ip_allowlist.length === 0 ? 'anywhere' : ip_allowlist.join(', ')),
  },
  { name: 'CREATED', importance: 3, cell: ({ created_at }) => ago(created_at) },
];

const SCOPE: Option = { kind: 'text', meaning: 'What it may do', choices: SCOPES, placeholder: '<scope>', isRepeated: true };
const ALLOW: Option = {
  kind: 'text',
  meaning: 'Addresses from which it may be used, as CIDR; from anywhere when not given',
  placeholder: '<cidr>',
  isRepeated: true,
};
const ID = { name: 'account_id' };

function show({ output }: Pick<Context, 'output'>, account: ServiceAccount): void {
  output.fields([
    ['Account', toned('strong', account.id)],
    ['Name', account.name],
    ['Type', account.type],
    ['Scopes', account.permissions.join(', ')],
    ['From', account.ip_allowlist.length === 0 ? 'anywhere' : account.ip_allowlist.join(', ')],
    ['Created', `${ago(account.created_at)} (${account.created_at})`],
    ['Deleted', account.deleted_at === null ? null : toned('bad', `${ago(account.deleted_at)} (${account.deleted_at})`)],
  ]);
}

const list: Command = {
  words: ['service-accounts', 'list'],
  summary: 'List service accounts, newest first',
  options: LIST_OPTIONS,
  examples: ['svc service-accounts list'],
  async run({ svc, options, output }) {
    output.list(await readList(options, (query) => svc().serviceAccounts.list(query)), COLUMNS, 'There is no service account.');
    return EXIT.done;
  },
};

const create: Command = {
  words: ['service-accounts', 'create'],
  summary: 'Make a service account with its first key, which is shown only this once',
  positionals: [{ name: 'name' }],
  options: {
    scope: SCOPE,
    allow: ALLOW,
    type: { kind: 'text', meaning: 'Of its keys; live when not given', choices: ['live', 'test'], placeholder: '<type>' },
  },
  examples: ['svc service-accounts create Checkout --scope assess:create --allow 10.0.0.0/8'],
  async run(context) {
    const { svc, options, output, positionals } = context;
    const permissions = options.texts('scope') as CreateServiceAccount['permissions'];
    if (permissions.length === 0) throw new UsageError('--scope is missing. Say what the account may do: --scope assess:create');
    const account = await svc().serviceAccounts.create({
      name: positionals['name']!,
      permissions,
      ip_allowlist: [...options.texts('allow')],
      ...defined({ type: options.text('type') as CreateServiceAccount['type'] }),
    });
    output.answer(account, () => showNewKey(context, account, `${account.id} was made.`));
    return EXIT.done;
  },
};

const get: Command = {
  words: ['service-accounts', 'get'],
  summary: 'Show a service account',
  positionals: [ID],
  examples: ['svc service-accounts get sa_01jd4t4ve9e0fs7m4c1ywz3qkd'],
  async run(context) {
    const account = await context.svc().serviceAccounts.get(context.positionals['account_id']!);
    context.output.answer(account, () => show(context, account));
    return EXIT.done;
  },
};

const update: Command = {
  words: ['service-accounts', 'update'],
  summary: 'Change name, scopes or addresses; what is not given stays',
  positionals: [ID],
  options: {
    name: { kind: 'text', meaning: 'What the account is for' },
    scope: { ...SCOPE, meaning: 'What it may do, in place of what it might before' },
    allow: { ...ALLOW, meaning: 'Addresses from which it may be used, in place of those before' },
    'allow-all': { kind: 'flag', meaning: 'From anywhere' },
  },
  examples: ['svc service-accounts update sa_01jd4t4ve9e0fs7m4c1ywz3qkd --allow 10.0.0.0/8 --allow 2001:db8::/32'],
  async run(context) {
    const { svc, options, output, positionals } = context;
    const scopes = options.texts('scope') as NonNullable<PatchServiceAccount['permissions']>;
    const allowed = options.texts('allow');
    if (options.flag('allow-all') && allowed.length > 0) throw new UsageError('--allow and --allow-all contradict each other.');
    const change: PatchServiceAccount = {
      ...defined({ name: options.text('name') }),
      ...(scopes.length === 0 ? {} : { permissions: scopes }),
      ...(options.flag('allow-all') ? { ip_allowlist: [] } : allowed.length === 0 ? {} : { ip_allowlist: [...allowed] }),
    };
    if (Object.keys(change).length === 0) throw new UsageError('Say what to change: --name, --scope, --allow or --allow-all.');
    const account = await svc().serviceAccounts.update(positionals['account_id']!, change);
    output.answer(account, () => show(context, account));
    return EXIT.done;
  },
};

const remove: Command = {
  words: ['service-accounts', 'delete'],
  summary: 'Delete a service account and revoke its keys',
  positionals: [ID],
  options: { yes: YES },
  examples: ['svc service-accounts delete sa_01jd4t4ve9e0fs7m4c1ywz3qkd'],
  async run(context) {
    const { svc, output, options } = context;
    const id = context.positionals['account_id']!;
    if (!options.flag('yes')) {
      const { name } = await svc().serviceAccounts.get(id);
      await confirm(context, `Delete '${name}' and revoke all its keys? Whoever uses them is refused at once.`);
    }
    const account = await svc().serviceAccounts.delete(id);
    output.answer(account, () => output.line(`${account.id} is deleted, and its keys are revoked.`));
    return EXIT.done;
  },
};

const createKey: Command = {
  words: ['service-accounts', 'create-key'],
  summary: 'Make another key of a service account, which is shown only this once',
  description: 'To rotate: make another, deploy it, then revoke the old one with svc keys revoke.',
  positionals: [ID],
  options: CREDENTIAL_OPTIONS,
  examples: ['svc service-accounts create-key sa_01jd4t4ve9e0fs7m4c1ywz3qkd --expires 90d'],
  async run(context) {
    const { svc, options, output, positionals } = context;
    const key = await svc().serviceAccounts.createKey(
      positionals['account_id']!,
      defined({ expires_at: timeOf(options, 'expires', 1) }),
    );
    output.answer(key, () => showNewKey(context, key, `${key.id} was made.`));
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [list, create, get, update, remove, createKey];
