// What was used of the plan.

import { Type } from 'typebox';
import { invalid } from '../http/errors.ts';
import { route, type Route } from '../http/route.ts';
import { isoTime, Time } from '../http/schemas.ts';
import { PLANS } from '../organizations/plans.ts';
import type { Services } from '../services.ts';
import type { Organization } from '../organizations/organization.ts';
import { countUsage, listUsageDays } from './store.ts';

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;
const DAYS_MAX = 400;
// There were no assessments before it.
const DAY_MIN = '2020-01-01';

const COUNTS = {
  assessments: Type.Integer({ description: 'Assessments in all.' }),
  allowed: Type.Integer(),
  flagged: Type.Integer(),
  blocked: Type.Integer(),
};

const BudgetBody = Type.Object(
  {
    limit: Type.Integer({ description: 'A minute.' }),
    remaining: Type.Integer({ description: 'Left of the present minute.' }),
    resets_at: Time('When all of it is there again.'),
  },
  { title: 'BudgetState' },
);

const UsageBody = Type.Object(
  {
    plan: Type.Enum([...PLANS]),
    since: Type.String({ description: 'First day, UTC.', examples: ['2026-11-01'] }),
    until: Type.String({ description: 'Last day, UTC.', examples: ['2026-11-30'] }),
    total: Type.Object(COUNTS),
    days: Type.Array(Type.Object({ day: Type.String({ examples: ['2026-11-21'] }), ...COUNTS }), {
      description: 'Days on which there were any, oldest first.',
    }),
    now: Type.Object({ assessments: BudgetBody, requests: BudgetBody }),
  },
  { title: 'Usage' },
);

const Day = (description: string) => Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-21'] }));

export const usageRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/usage',
    operationId: 'getUsage',
    tag: 'Organization',
    summary: 'Read what was used of the plan',
    description:
      'Assessments by day, from the trail, with texts that probes sent; those of test keys do not count. And what is left of the limits right now.',
    access: 'reports:read',
    limit: 'requests',
    query: Type.Object(
      {
        since: Day('First day, UTC. Without it the last 30 days.'),
        until: Day('Last day, UTC. Without it today.'),
      },
      { additionalProperties: false },
    ),
    responses: { 200: { description: 'What was used.', schema: UsageBody } },
    async handle(services, { principal: { organization, mode }, query }) {
      const until = query.until ?? dayOf(services.clock());
      const since = query.since ?? dayOf(Math.max(0, Date.parse(until)) - (DAYS_DEFAULT - 1) * DAY_MS);
      checkSpan(since, until);
      await countUsage(services.db, organization.uuid);
      // Test keys see test objects only, and those do not count.
      const days = mode === 'test' ? [] : await listUsageDays(services.db.reader, organization.uuid, since, until);
      const counted = days.map(({ day, allowed, flagged, blocked }) => {
        return { day, assessments: allowed + flagged + blocked, allowed, flagged, blocked };
      });
      return {
        plan: organization.plan,
        since,
        until,
        total: {
          assessments: sum(counted, 'assessments'),
          allowed: sum(counted, 'allowed'),
          flagged: sum(counted, 'flagged'),
          blocked: sum(counted, 'blocked'),
        },
        days: counted,
        now: {
          assessments: await budgetOf(services, organization, 'assessments'),
          requests: await budgetOf(services, organization, 'requests'),
        },
      };
    },
  }),
];

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function checkSpan(since: string, until: string): void {
  if (until < DAY_MIN) throw invalid('/query/until', `must not be before ${DAY_MIN}`);
  const days = (Date.parse(until) - Date.parse(since)) / DAY_MS + 1;
  if (days < 1) throw invalid('/query/since', 'must not be after until');
  if (days > DAYS_MAX) throw invalid('/query/since', `must be within ${DAYS_MAX} days before until`);
}

function sum<Name extends string>(days: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return days.reduce((total, day) => total + day[name], 0);
}

async function budgetOf({ limits }: Services, organization: Organization, name: 'assessments' | 'requests') {
  const { view } = await limits.take(organization, { requests: 0, assessments: 0 }, name);
  return { limit: view.limit, remaining: view.remaining, resets_at: isoTime(view.reset * 1_000) };
}
