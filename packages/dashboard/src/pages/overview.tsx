// What happened, at a glance: outcomes, categories, latency, drift, deliveries, and usage against the plan.

import type { SummaryReport, Usage } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LIVE_INTERVAL_MS, svc } from '../api.ts';
import { Columns, shortNumber } from '../charts/columns.tsx';
import { useMay } from '../session.tsx';
import { Badge } from '../ui/badge.tsx';
import { Skeleton } from '../ui/empty.tsx';
import { Problem } from '../ui/problem.tsx';
import { useTitle } from '../ui/title.ts';
import { Invitation } from './welcome/invitation.tsx';

const DAY_MS = 86_400_000;

export function Overview(): ReactNode {
  useTitle('Overview');
  const mayReport = useMay('reports:read');
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Overview</h1>
          <p>The last 24 hours.</p>
        </div>
      </div>
      <Invitation />
      {mayReport ? <Summary /> : <p className="notice">Reports need the scope reports:read, which this session does not have.</p>}
      <UsageCard />
    </>
  );
}

function Summary(): ReactNode {
  const report = useQuery({
    queryKey: ['reports', 'summary', 'day'],
    queryFn: () => svc.reports.getSummary({ since: new Date(Date.now() - DAY_MS).toISOString(), interval: 'hour' }),
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  if (report.isPending) return <Skeleton lines={8} />;
  if (report.data === undefined) return <Problem error={report.error} onRetry={() => report.refetch()} />;
  const { totals, series, categories, drift, deliveries } = report.data;
  return (
    <>
      <dl className="figures">
        <Figure title="Inferences" value={shortNumber(totals.inferences)} note={`${shortNumber(totals.events)} events`} />
        <Figure title="Blocked" value={shortNumber(totals.blocked)} note={share(totals.blocked, totals.inferences)} />
        <Figure title="Flagged" value={shortNumber(totals.flagged)} note={share(totals.flagged, totals.inferences)} />
        <Figure
          title="Latency"
          value={milliseconds(totals.latency_ms.p50)}
          note={`99 % within ${milliseconds(totals.latency_ms.p99)}`}
        />
      </dl>
      <section className="card">
        <Columns
          title="Outcomes"
          series={[
            { title: 'Blocked', color: '--blocked' },
            { title: 'Flagged', color: '--flagged' },
            { title: 'Allowed', color: '--allowed' },
          ]}
          columns={series.map(({ start, blocked, flagged, allowed }) => ({
            key: start,
            label: hourOf(start),
            values: [blocked, flagged, allowed],
          }))}
        />
      </section>
      <div className="grid">
        <TopCategories categories={categories} />
        <Health drift={drift} deliveries={deliveries} />
      </div>
    </>
  );
}

function TopCategories({ categories }: Pick<SummaryReport, 'categories'>): ReactNode {
  return (
    <section className="card">
      <h2>Top categories</h2>
      {categories.length === 0 ? (
        <p className="muted">Nothing was found.</p>
      ) : (
        <ol className="stack">
          {categories.slice(0, 6).map((category) => (
            <li key={`${category.name} ${category.is_others}`} className="row">
              <code>{category.name ?? (category.is_others ? 'others' : 'none')}</code>
              <span className="grow" />
              <span>{shortNumber(category.total)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Health({ drift, deliveries }: Pick<SummaryReport, 'drift' | 'deliveries'>): ReactNode {
  return (
    <section className="card">
      <h2>Drift and deliveries</h2>
      <dl className="facts">
        <dt>Drift</dt>
        <dd>
          {drift.open === 0 ? (
            <Badge tone="good">none open</Badge>
          ) : (
            <Badge tone="warn">
              {drift.open} open, {drift.unacknowledged} not acknowledged
            </Badge>
          )}
        </dd>
        <dt>Deliveries</dt>
        <dd className="row">
          {deliveries.succeeded} taken, {deliveries.waiting} waiting
          {deliveries.failed > 0 && <Badge tone="bad">{deliveries.failed} given up</Badge>}
        </dd>
      </dl>
    </section>
  );
}

function UsageCard(): ReactNode {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: () => svc.organization.getUsage(),
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  if (usage.isPending) return <Skeleton lines={2} />;
  if (usage.data === undefined) return <Problem error={usage.error} onRetry={() => usage.refetch()} />;
  const { plan, now } = usage.data;
  return (
    <section className="card">
      <h2>Plan {plan}</h2>
      <Meter title="Assessments" budget={now.assessments} />
      <Meter title="Requests" budget={now.requests} />
    </section>
  );
}

function Meter({ title, budget }: { readonly title: string; readonly budget: Usage['now']['assessments'] }): ReactNode {
  const used = budget.limit - budget.remaining;
  return (
    <label className="field">
      <span>
        {title}: {shortNumber(used)} of {shortNumber(budget.limit)}
      </span>
      <meter min={0} max={budget.limit} high={budget.limit * 0.8} value={used} />
    </label>
  );
}

function Figure({ title, value, note }: { readonly title: string; readonly value: string; readonly note: string }): ReactNode {
  return (
    <div className="card figure">
      <dt>{title}</dt>
      <dd>
        {value}
        <small>{note}</small>
      </dd>
    </div>
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'of none' : `${((part / whole) * 100).toFixed(part / whole < 0.01 ? 2 : 1)} % of inferences`;
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** `14:00`, in the time of who looks. */
function hourOf(iso: string): string {
  return new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
