// `svc org`: the organization of the key; for operators, all of them.

import type { Command } from '../command.ts';
import { EXIT } from '../faults.ts';
import { operate, OPERATOR_NOTE } from '../operator.ts';
import { toned, type Column } from '../output.ts';
import { ago } from '../text.ts';
import { abilities } from './login.ts';
import { limitLines, PLANS, type OperatedOrganization } from './plan.ts';

const COLUMNS: readonly Column<OperatedOrganization>[] = [
  { name: 'ID', importance: 9, cell: ({ id }) => id },
  { name: 'NAME', importance: 8, widthMin: 12, cell: ({ name }) => name },
  { name: 'PLAN', importance: 7, cell: ({ plan, own_limits }) => (own_limits === null ? plan : `${plan}*`) },
  { name: 'CREATED', importance: 3, cell: ({ created_at }) => ago(created_at) },
];

const show: Command = {
  words: ['org', 'show'],
  summary: 'Show the organization and the key in use',
  examples: ['svc org show', 'svc org show --json'],
  async run({ svc, output }) {
    const organization = await svc().organization.get();
    const { credential } = organization;
    output.answer(organization, () => {
      output.fields([
        ['Organization', toned('strong', organization.name)],
        ['Id', organization.id],
        ['Plan', organization.plan],
        ...limitLines(organization.limits),
        ['Created', `${ago(organization.created_at)} (${organization.created_at})`],
        ['Key', `${credential.name} (${credential.mode}, ${credential.id})`],
      ]);
      for (const line of abilities(organization)) output.line(...line);
    });
    return EXIT.done;
  },
};

const list: Command = {
  words: ['org', 'list'],
  summary: 'For operators: list all organizations, oldest first',
  description: `${OPERATOR_NOTE} A plan with a star has numbers of its own: svc plan show <org_id>.`,
  examples: ['svc org list'],
  isOffline: true,
  async run(context) {
    const { organizations } = await operate<{ organizations: OperatedOrganization[] }>(context, ['list-organizations']);
    context.output.list({ data: organizations, next_cursor: null }, COLUMNS, 'There is no organization yet.');
    return EXIT.done;
  },
};

interface Created {
  readonly org_id: string;
  readonly plan: string;
  readonly admin_key: string;
  readonly live_key: string;
  readonly test_key: string;
}

const create: Command = {
  words: ['org', 'create'],
  summary: 'For operators: make an organization with three keys, which are shown only this once',
  description: OPERATOR_NOTE,
  positionals: [{ name: 'name' }],
  options: { plan: { kind: 'text', meaning: 'Its plan; scale when not given', choices: PLANS, placeholder: '<plan>' } },
  examples: ["svc org create 'Acme GmbH' --plan growth"],
  isOffline: true,
  async run(context) {
    const { output, options, positionals } = context;
    const plan = options.text('plan');
    const args = ['create-organization', `--name=${positionals['name']!}`, ...(plan === undefined ? [] : [`--plan=${plan}`])];
    const made = await operate<Created>(context, args);
    output.answer(made, () => {
      output.line(`${made.org_id} was made, on the plan ${made.plan}, with three keys that are shown only this once:`);
      output.line();
      output.fields([
        ['  admin', toned('strong', made.admin_key)],
        ['  live', toned('strong', made.live_key)],
        ['  test', toned('strong', made.test_key)],
      ]);
    });
    return EXIT.done;
  },
};

const createKey: Command = {
  words: ['org', 'create-key'],
  summary: 'For operators: make an admin key for an organization that has lost its last one',
  description: OPERATOR_NOTE,
  positionals: [{ name: 'org_id' }],
  options: { name: { kind: 'text', meaning: 'What the key is called' } },
  examples: ["svc org create-key org_01jd4t4ve9e0fs7m4c1ywz3qkd --name 'Recovery, November'"],
  isOffline: true,
  async run(context) {
    const { output, options, positionals } = context;
    const name = options.text('name');
    const args = [
      'create-admin-key',
      `--organization=${positionals['org_id']!}`,
      ...(name === undefined ? [] : [`--name=${name}`]),
    ];
    const made = await operate<{ org_id: string; admin_key: string }>(context, args);
    output.answer(made, () => {
      output.line(`An admin key of ${made.org_id} was made, which is shown only this once:`);
      output.line();
      output.line('  ', toned('strong', made.admin_key));
    });
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [show, list, create, createKey];
