// The table of the operator's commands.

import { isoTime } from '../http/schemas.ts';
import { formatId } from '../ids.ts';
import { limitsOf, type Plan, type PlanLimits } from '../organizations/plans.ts';
import { createOrganization, mintAdminKey, setPlan } from '../organizations/service.ts';
import type { Command } from './arguments.ts';
import { CommandError, UsageError } from './faults.ts';
import { ASSESSMENTS_PER_MINUTE, BATCH_SIZE, NAME, ORGANIZATION, PLAN, REQUESTS_PER_MINUTE } from './options.ts';
import { OVERLAP_DAYS } from '../audit/keys.ts';
import { declareRestoredBackup, rotatePepper, rotateSigningKey, rotateTrailKey } from './rotations.ts';
import { listOrganizations, type ListedOrganization } from './store.ts';

const createOrganizationCommand: Command<{ name: string; plan: Plan | undefined }> = {
  name: 'create-organization',
  summary: 'Makes an organization with the default policy and three keys, which are shown only this once.',
  options: {
    name: { ...NAME, isRequired: true, meaning: 'What it is called.' },
    plan: { ...PLAN, isRequired: false, meaning: 'Its plan; scale when not given, as the first organization has.' },
  },
  async run(operator, { name, plan = 'scale' }) {
    const { id, keys } = await createOrganization(operator, name, plan);
    return {
      json: { org_id: id, name, plan, admin_key: keys.admin, live_key: keys.live, test_key: keys.test },
      text: [
        `Organization ${id} was made, on the plan ${plan}, with three keys that are shown only this once:`,
        '',
        `  admin  ${keys.admin}`,
        `  live   ${keys.live}`,
        `  test   ${keys.test}`,
      ].join('\n'),
    };
  },
};

const listOrganizationsCommand: Command<{}> = {
  name: 'list-organizations',
  summary: 'Lists all organizations, oldest first.',
  options: {},
  async run({ db }) {
    const organizations = await listOrganizations(db);
    return {
      json: {
        organizations: organizations.map(({ organization: { id, name, plan, createdAtMs }, ownLimits }) => ({
          id,
          name,
          plan,
          own_limits: ownLimits,
          created_at: isoTime(createdAtMs),
        })),
      },
      text: organizations.length === 0 ? 'There is no organization yet.' : organizations.map(organizationLine).join('\n'),
    };
  },
};

function organizationLine({ organization: { id, name, plan, createdAtMs }, ownLimits }: ListedOrganization): string {
  const numbers = Object.entries(ownLimits ?? {}).map(([limit, number]) => `, ${limit} ${number}`);
  return `${id}  ${isoTime(createdAtMs)}  ${name} (${plan}${numbers.join('')})`;
}

interface PlanValues {
  readonly organization: Buffer;
  readonly plan: Plan;
  readonly 'assessments-per-minute': number | undefined;
  readonly 'requests-per-minute': number | undefined;
  readonly 'batch-size': number | undefined;
}

const setPlanCommand: Command<PlanValues> = {
  name: 'set-plan',
  summary:
    'Sets the plan of an organization. Numbers that are not given are those of the plan, also where it had its own before.',
  options: {
    organization: ORGANIZATION,
    plan: { ...PLAN, isRequired: true, meaning: 'Its new plan.' },
    'assessments-per-minute': ASSESSMENTS_PER_MINUTE,
    'requests-per-minute': REQUESTS_PER_MINUTE,
    'batch-size': BATCH_SIZE,
  },
  check(values) {
    if (values.plan === 'enterprise' || ownLimitsOf(values) === null) return;
    throw new UsageError(`The plan ${values.plan} has fixed numbers. Leave them out, or set the plan enterprise.`);
  },
  async run(operator, values) {
    const { organization, plan } = values;
    const ownLimits = ownLimitsOf(values);
    if (!(await setPlan(operator, organization, plan, ownLimits))) throw noSuchOrganization(organization);
    const id = formatId('org', organization);
    const limits = limitsOf(plan, ownLimits);
    return {
      json: { org_id: id, plan, own_limits: ownLimits, limits },
      text:
        `Organization ${id} is on the plan ${plan}: ${limits.assessments_per_minute} assessments and ${limits.requests_per_minute} requests ` +
        `a minute, ${limits.batch_size} items in a batch. It holds on every node within a second.`,
    };
  },
};

/** The numbers that were given; `null`: none. */
function ownLimitsOf(values: PlanValues): Partial<PlanLimits> | null {
  const given = Object.entries({
    assessments_per_minute: values['assessments-per-minute'],
    requests_per_minute: values['requests-per-minute'],
    batch_size: values['batch-size'],
  }).filter(([, number]) => number !== undefined);
  return given.length === 0 ? null : Object.fromEntries(given);
}

const createAdminKeyCommand: Command<{ organization: Buffer; name: string | undefined }> = {
  name: 'create-admin-key',
  summary: 'Makes an admin key, which is shown only this once, for an organization that has lost its last one.',
  options: {
    organization: ORGANIZATION,
    name: { ...NAME, isRequired: false, meaning: 'What the key is called.' },
  },
  async run(operator, { organization, name = 'Admin key of the operator' }) {
    const key = await mintAdminKey(operator, organization, name);
    if (key === null) throw noSuchOrganization(organization);
    const id = formatId('org', organization);
    return {
      json: { org_id: id, name, admin_key: key },
      text: `An admin key of organization ${id} was made, which is shown only this once:\n\n  ${key}`,
    };
  },
};

function noSuchOrganization(orgId: Buffer): CommandError {
  return new CommandError(`There is no organization ${formatId('org', orgId)}. list-organizations prints those that there are.`);
}

const rotateSigningKeyCommand: Command<{ compromised: true | undefined }> = {
  name: 'rotate-signing-key',
  summary: 'Makes a new key sign session tokens. Tokens of the old key are good until they expire, within the hour.',
  options: {
    compromised: {
      value: null,
      isRequired: false,
      meaning: 'The old key is known to others: its tokens end at once, their users sign in again.',
      allowed: 'a switch',
      parse: () => true,
    },
  },
  async run(operator, { compromised: areCompromised = false }) {
    const id = await rotateSigningKey(operator, areCompromised);
    const old = areCompromised ? 'Tokens of all older keys are refused.' : 'Tokens of the old key are good until they expire.';
    return {
      json: { key_id: id, compromised: areCompromised },
      text: `Session tokens are now signed by the key ${id}. ${old} It holds on every node within a second.`,
    };
  },
};

const rotatePepperCommand: Command<{}> = {
  name: 'rotate-pepper',
  summary: 'Stores new API keys under the next pepper, and each old one when it is next used. No key changes or ends.',
  options: {},
  async run(operator) {
    const pepper = await rotatePepper(operator);
    return {
      json: { pepper },
      text: `New API keys are stored under ${pepper}, and each old one when it is next used. No key changes.`,
    };
  },
};

const rotateTrailKeyCommand: Command<{ compromised: true | undefined }> = {
  name: 'rotate-trail-key',
  summary: `Makes a new key sign the checkpoints of all logs. The old key signs them too for ${OVERLAP_DAYS} days more.`,
  options: {
    compromised: {
      value: null,
      isRequired: false,
      meaning: 'The old key is known to others: it signs nothing any more, at once.',
      allowed: 'a switch',
      parse: () => true,
    },
  },
  async run(operator, { compromised: isCompromised = false }) {
    const { id, oldIds } = await rotateTrailKey(operator, isCompromised);
    const old = isCompromised
      ? 'All older keys sign nothing any more; what they signed from now on is not from this service.'
      : `The old key signs too for ${OVERLAP_DAYS} days: until then verifiers need the new one.`;
    return {
      json: { key_id: id, old_key_ids: oldIds, compromised: isCompromised },
      text: `Checkpoints are now signed by the key ${id}. ${old} Each trail has an event with both verifier keys.`,
    };
  },
};

const declareRestoredCommand: Command<{}> = {
  name: 'declare-restored',
  summary:
    'Says that a backup was restored: all logs go on under a new origin. Needed after a copy of the data folder was put back.',
  options: {},
  async run(operator) {
    const { name, epoch, branch } = await declareRestoredBackup(operator);
    return {
      json: { name, epoch, branch },
      text: `All logs go on under a new origin, ${name}/org/<organization>/${epoch}-${branch}. Each trail has an event that says so.`,
    };
  },
};

/** Every command, in the order of the usage. */
export const COMMANDS = [
  createOrganizationCommand,
  listOrganizationsCommand,
  setPlanCommand,
  createAdminKeyCommand,
  rotateSigningKeyCommand,
  rotatePepperCommand,
  rotateTrailKeyCommand,
  declareRestoredCommand,
] as readonly Command[];
