// What happened, at a glance: outcomes, categories, latency, drift, deliveries, probes, and usage against the plan.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useTitle } from '../../ui/title.ts';
import { Invitation } from '../welcome/invitation.tsx';
import { TopCategories } from './categories.tsx';
import { Deliveries } from './deliveries.tsx';
import { DriftCard } from './drift-card.tsx';
import { Figures } from './figures.tsx';
import { Latency } from './latency.tsx';
import { Outcomes } from './outcomes.tsx';
import './overview.css';
import { periodOf, PERIODS, type Period } from './periods.ts';
import { ProbesCard } from './probes-card.tsx';
import { SummarySkeleton } from './skeleton.tsx';
import { UsageCard } from './usage-card.tsx';

export function Overview(): ReactNode {
  useTitle('Overview');
  const [params] = useSearchParams();
  const period = periodOf(params);
  const mayReport = useMay('reports:read');
  const mayProbes = useMay('probes:read');
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Overview</h1>
          <p>What came through in the last {period.title}, and how all that watches it is doing.</p>
        </div>
        <nav className="row" aria-label="Period">
          {PERIODS.map(({ id, title }) => (
            <Link key={id} className="button small" href={`/?period=${id}`} aria-current={id === period.id ? 'true' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
      </div>
      <Invitation />
      {mayReport ? (
        <Summary key={period.id} period={period} />
      ) : (
        <p className="notice">
          What came through needs the scope <code>reports:read</code>, which this session does not have.
        </p>
      )}
      {mayProbes && (
        <div className="grid">
          <DriftCard />
          <ProbesCard />
        </div>
      )}
      {mayReport && <UsageCard />}
    </>
  );
}

function Summary({ period }: { readonly period: Period }): ReactNode {
  const report = useQuery({
    queryKey: ['reports', 'summary', period.id],
    queryFn: ({ signal }) =>
      svc.reports.getSummary(
        { since: new Date(Date.now() - period.ms + 1).toISOString(), interval: period.interval },
        { signal },
      ),
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  if (report.isPending) return <SummarySkeleton />;
  if (report.data === undefined) return <Problem error={report.error} onRetry={() => report.refetch()} />;
  const { totals, sources, series, categories, severities, deliveries } = report.data;
  return (
    <>
      {report.error !== null && <Problem error={report.error} onRetry={() => report.refetch()} />}
      <Figures totals={totals} ofProbes={sources.probes} period={period} />
      <Outcomes series={series} period={period} />
      <div className="grid uneven">
        <Latency series={series} period={period} />
        <TopCategories categories={categories} severities={severities} period={period} />
      </div>
      <Deliveries deliveries={deliveries} />
    </>
  );
}
