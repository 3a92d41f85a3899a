// The organization: its plan and what of it was used, and the credential in use.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { svc } from '../../api.ts';
import { Columns } from '../../charts/columns.tsx';
import { shortNumber } from '../../charts/scale.ts';
import { useMay, useOrganization, useSession } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { SCOPE_MEANINGS, type Scope } from './scopes.ts';

const DAY_MS = 86_400_000;
const PERIODS = [7, 30, 90] as const;
const number = new Intl.NumberFormat('en');

export function OrganizationPage(): ReactNode {
  const organization = useOrganization();
  const mayReport = useMay('reports:read');
  useTitle('Organization');
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Organization</h1>
          <p>The plan with its limits, what was used of it, and what you are signed in with.</p>
        </div>
      </div>
      <div className="grid">
        <section className="card">
          <h2>
            <Name text={organization.name} />
          </h2>
          <dl className="facts">
            <dt>Id</dt>
            <dd>
              <Id id={organization.id} />
            </dd>
            <dt>Made</dt>
            <dd>
              <Time at={organization.created_at} />
            </dd>
            <dt>Plan</dt>
            <dd>
              <Badge>{organization.plan}</Badge>
            </dd>
            <dt>Assessments</dt>
            <dd>{number.format(organization.limits.assessments_per_minute)} a minute</dd>
            <dt>Requests</dt>
            <dd>{number.format(organization.limits.requests_per_minute)} a minute</dd>
            <dt>Batch</dt>
            <dd>{number.format(organization.limits.batch_size)} items at most</dd>
          </dl>
          <p className="muted note">All credentials of the organization share these. The operator changes the plan.</p>
        </section>
        <CredentialCard />
      </div>
      {mayReport ? (
        <UsageByDay />
      ) : (
        <p className="notice">
          Usage by day needs the scope <code>reports:read</code>, which this session does not have.
        </p>
      )}
    </>
  );
}

function CredentialCard(): ReactNode {
  const { credential } = useOrganization();
  const { sessionId, expiresAt } = useSession();
  return (
    <section className="card">
      <h2>Signed in</h2>
      <dl className="facts">
        <dt>As</dt>
        <dd>
          <Name text={credential.name} /> {credential.mode === 'test' && <Badge tone="warn">test</Badge>}
        </dd>
        <dt>By</dt>
        <dd>{credential.type === 'user' ? 'single sign-on' : 'an admin key'}</dd>
        <dt>Id</dt>
        <dd>
          <Id id={credential.id} />
        </dd>
        <dt>Session</dt>
        <dd>
          <Id id={sessionId} />
        </dd>
        <dt>Ends</dt>
        <dd>
          <Time at={expiresAt} />
        </dd>
        <dt>May</dt>
        <dd>
          <ul>
            {credential.scopes.map((scope) => (
              <li key={scope}>
                <code>{scope}</code> <span className="muted">{SCOPE_MEANINGS[scope as Scope]}</span>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
  );
}

function UsageByDay(): ReactNode {
  const [search] = useSearchParams();
  const days = PERIODS.find((each) => String(each) === search.get('days')) ?? 30;
  const usage = useQuery({
    queryKey: ['usage', days],
    queryFn: ({ signal }) => svc.organization.getUsage({ since: dayOf(Date.now() - (days - 1) * DAY_MS) }, { signal }),
  });
  return (
    <section className="card stack">
      <div className="row">
        <h2>Assessments by day</h2>
        <span className="grow" />
        {PERIODS.map((each) => (
          <Link
            key={each}
            className="button small"
            href={`/settings/organization?days=${each}`}
            aria-current={each === days ? 'true' : undefined}
          >
            {each} days
          </Link>
        ))}
      </div>
      {usage.isPending && <Skeleton lines={6} />}
      {usage.error !== null && <Problem error={usage.error} onRetry={() => usage.refetch()} />}
      {usage.data !== undefined && (
        <>
          <p>
            <strong>{number.format(usage.data.total.assessments)}</strong> in {days} days: {shortNumber(usage.data.total.blocked)}{' '}
            blocked, {shortNumber(usage.data.total.flagged)} flagged, {shortNumber(usage.data.total.allowed)} allowed.
          </p>
          <Columns
            title="Assessments"
            series={[
              { title: 'Blocked', color: '--blocked' },
              { title: 'Flagged', color: '--flagged' },
              { title: 'Allowed', color: '--allowed' },
            ]}
            columns={everyDay(usage.data.days, days).map(({ day, blocked, flagged, allowed }) => ({
              key: day,
              label: day.slice(5),
              values: [blocked, flagged, allowed],
            }))}
          />
          <p className="muted">Days in UTC. Assessments of test keys take from the limits, but do not count here.</p>
        </>
      )}
    </section>
  );
}

type Day = Awaited<ReturnType<typeof svc.organization.getUsage>>['days'][number];

/** The API leaves out days without any. */
function everyDay(found: readonly Day[], count: number): Day[] {
  const byDay = new Map(found.map((each) => [each.day, each]));
  return Array.from({ length: count }, (_, i) => {
    const day = dayOf(Date.now() - (count - 1 - i) * DAY_MS);
    return byDay.get(day) ?? { day, assessments: 0, allowed: 0, flagged: 0, blocked: 0 };
  });
}

/** `2026-11-22`, UTC. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
