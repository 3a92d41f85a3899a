// `svc plan`: limits of the organization; for operators, of any.

import type { Command } from '../command.ts';
import { CommandError, EXIT, UsageError } from '../faults.ts';
import { operate, OPERATOR_NOTE } from '../operator.ts';
import type { Text } from '../output.ts';

export const PLANS = ['starter', 'growth', 'scale', 'enterprise'] as const;

export interface Limits {
  readonly assessments_per_minute: number;
  readonly requests_per_minute: number;
  readonly batch_size: number;
}

/** An organization as the operator's commands tell it. */
export interface OperatedOrganization {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** `null`: those of the plan. */
  readonly own_limits: Partial<Limits> | null;
  readonly created_at: string;
}

/** Limits for a block of fields; those that are not given are left out. */
export function limitLines(limits: Partial<Limits>): [string, Text | null][] {
  const text = (n: number | undefined, what: string) =>
    n === undefined ? null : `${n.toLocaleString('en-GB').replaceAll(',', ' ')} ${what}`;
  return [
    ['Assessments', text(limits.assessments_per_minute, 'a minute')],
    ['Requests', text(limits.requests_per_minute, 'a minute')],
    ['Batch', text(limits.batch_size, 'items')],
  ];
}

const show: Command = {
  words: ['plan', 'show'],
  summary: 'Show the plan of the organization; for operators, of another',
  description: `Without an id: the plan of the organization that the key is of. With one: ${OPERATOR_NOTE}`,
  positionals: [{ name: 'org_id', isOptional: true }],
  examples: ['svc plan show', 'svc plan show org_01jd4t4ve9e0fs7m4c1ywz3qkd'],
  async run(context) {
    const { svc, output, positionals } = context;
    const id = positionals['org_id'];
    if (id === undefined) {
      const { id, plan, limits } = await svc().organization.get();
      output.answer({ org_id: id, plan, limits }, () => output.fields([['Plan', plan], ...limitLines(limits)]));
      return EXIT.done;
    }
    const { organizations } = await operate<{ organizations: OperatedOrganization[] }>(context, ['list-organizations']);
    const found = organizations.find((organization) => organization.id === id);
    if (found === undefined)
      throw new CommandError(`There is no organization ${id}. svc org list prints those that there are.`, EXIT.notFound);
    output.answer({ org_id: id, plan: found.plan, own_limits: found.own_limits }, () => {
      const own = found.own_limits === null ? [] : limitLines(found.own_limits);
      output.fields([['Organization', `${found.name} (${id})`], ['Plan', found.plan], ...own]);
    });
    return EXIT.done;
  },
};

const NUMBERS = ['assessments-per-minute', 'requests-per-minute', 'batch-size'] as const;

interface PlanSet {
  readonly org_id: string;
  readonly plan: string;
  readonly limits: Limits;
}

const set: Command = {
  words: ['plan', 'set'],
  summary: 'For operators: set the plan of an organization',
  description: `${OPERATOR_NOTE} The whole is set: a number that is not given is that of the plan. Only enterprise takes numbers of its own.`,
  positionals: [{ name: 'org_id' }, { name: 'plan' }],
  options: {
    'assessments-per-minute': { kind: 'integer', meaning: 'Of enterprise: assessments a minute' },
    'requests-per-minute': { kind: 'integer', meaning: 'Of enterprise: requests a minute' },
    'batch-size': { kind: 'integer', meaning: 'Of enterprise: items in a batch' },
  },
  examples: [
    'svc plan set org_01jd4t4ve9e0fs7m4c1ywz3qkd growth',
    'svc plan set org_01jd4t4ve9e0fs7m4c1ywz3qkd enterprise --assessments-per-minute 50000 --batch-size 2000',
  ],
  isOffline: true,
  async run(context) {
    const { output, options, positionals } = context;
    const plan = positionals['plan']!;
    if (!PLANS.some((known) => known === plan))
      throw new UsageError(`There is no plan '${plan}'. It is one of ${PLANS.join(', ')}.`);
    const numbers = NUMBERS.flatMap((name) => {
      const number = options.integer(name);
      return number === undefined ? [] : [`--${name}=${number}`];
    });
    const answer = await operate<PlanSet>(context, [
      'set-plan',
      `--organization=${positionals['org_id']!}`,
      `--plan=${plan}`,
      ...numbers,
    ]);
    output.answer(answer, () => {
      output.line(`${answer.org_id} is on the plan ${answer.plan}. It holds on every node within a second.`);
      output.fields(limitLines(answer.limits));
    });
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [show, set];
