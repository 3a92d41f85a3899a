// What happened in a period, as tables.

import type { SummaryReport } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { svc } from '../../api.ts';
import { Empty, Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { About, Checkpoint } from './about.tsx';
import { Faults, Kinds, Named, Policies, Series, Sources } from './counts.tsx';
import { milliseconds, number, share } from './numbers.ts';
import { daysBetween, type Period } from './period.ts';

export function Summary({ period: { query } }: { readonly period: Period }): ReactNode {
  const report = useQuery({
    queryKey: ['reports', 'summary', query],
    queryFn: ({ signal }) => svc.reports.getSummary(query, { signal }),
  });
  if (report.isPending) return <Skeleton lines={12} />;
  if (report.data === undefined) return <Problem error={report.error} onRetry={() => report.refetch()} />;
  return <Read report={report.data} />;
}

function Read({ report }: { readonly report: SummaryReport }): ReactNode {
  const { since, until, as_of: asOf, totals } = report;
  return (
    <>
      <About since={since} until={until} asOf={asOf} />
      <dl className="figures">
        <Figure title="Inferences" value={number(totals.inferences)} note={`${number(totals.events)} events in all`} />
        <Figure title="Blocked" value={number(totals.blocked)} note={share(totals.blocked, totals.inferences)} />
        <Figure title="Flagged" value={number(totals.flagged)} note={share(totals.flagged, totals.inferences)} />
        <Figure
          title="Latency, median"
          value={milliseconds(totals.latency_ms.p50)}
          note={`99 % within ${milliseconds(totals.latency_ms.p99)}`}
        />
        <Figure title="Of the plan" value={number(report.usage.assessments)} note="assessments used" />
      </dl>
      {totals.events === 0 ? <Nothing /> : <Tables report={report} />}
      <Checkpoint since={since} until={until} asOf={asOf} />
    </>
  );
}

function Nothing(): ReactNode {
  return (
    <Empty title="Nothing was recorded in this period">
      <p>
        Every inference that is assessed with a live key, or reported by a probe, is counted here within a second. Choose other
        days to see earlier ones.
      </p>
    </Empty>
  );
}

function Tables({ report }: { readonly report: SummaryReport }): ReactNode {
  const days = daysBetween(report.since, report.until);
  return (
    <>
      <Sources sources={report.sources} totals={report.totals} />
      <div className="grid report-grid">
        <Named
          title="Categories"
          filter="category"
          items={report.categories}
          report={report}
          none="No inference had a finding."
        />
        <Named title="Severities" items={report.severities} report={report} none="No inference had a severity." />
        <Named title="Models" filter="model" items={report.models} report={report} none="No model was named." />
        <Named title="Probes" filter="probe_id" items={report.probes} report={report} none="No probe reported an inference." />
        <Policies policies={report.policies} />
        <Faults faults={report.detector_faults} />
      </div>
      <p className="muted no-print">
        A name leads to the inferences that have an event of their own. What a probe reported as allowed has none.
      </p>
      <div className="grid">
        <Handled report={report} />
        <Told report={report} />
      </div>
      <Kinds kinds={report.kinds} report={report} />
      <Series key={`${days.first} ${days.last}`} series={report.series} interval={report.interval} />
    </>
  );
}

/** How assessments went. */
function Handled({ report: { totals, enforcement } }: { readonly report: SummaryReport }): ReactNode {
  const { coverage, latency_ms: latency } = totals;
  return (
    <section className="card" aria-labelledby="handled-title">
      <h2 id="handled-title">How assessments went</h2>
      <dl className="facts">
        <dt>Looked at</dt>
        <dd>
          {number(coverage.complete)} whole, {number(coverage.partial)} in part, {number(coverage.failed)} not
        </dd>
        <dt>Enforced</dt>
        <dd>
          {number(enforcement.enforce)}; {number(enforcement.monitor)} in monitor mode, where{' '}
          {number(enforcement.suppressed.block)} would have been blocked and {number(enforcement.suppressed.redact)} redacted
        </dd>
        <dt>Latency</dt>
        <dd>
          {milliseconds(latency.p50)} median, 90 % within {milliseconds(latency.p90)}, 95 % within {milliseconds(latency.p95)}, 99
          % within {milliseconds(latency.p99)}
        </dd>
      </dl>
      <p className="muted note">Of assessments that have an event of their own. Quantiles are within 5 %.</p>
    </section>
  );
}

/** What was reported and told on. */
function Told({ report: { telemetry, drift, deliveries } }: { readonly report: SummaryReport }): ReactNode {
  return (
    <section className="card" aria-labelledby="told-title">
      <h2 id="told-title">Telemetry, drift and deliveries</h2>
      <dl className="facts">
        <dt>Telemetry</dt>
        <dd>
          {number(telemetry.batches)} {telemetry.batches === 1 ? 'batch' : 'batches'}: {number(telemetry.accepted)} stored,{' '}
          {number(telemetry.duplicates)} known already, {number(telemetry.rejected)} refused
        </dd>
        <dt>Drift</dt>
        <dd>
          {number(drift.opened)} opened, {number(drift.recovered)} recovered; now {number(drift.open)} open,{' '}
          {number(drift.unacknowledged)} of them not acknowledged
        </dd>
        <dt>Deliveries</dt>
        <dd>
          {number(deliveries.succeeded)} succeeded, {number(deliveries.failed)} failed for good, {number(deliveries.cancelled)}{' '}
          cancelled, {number(deliveries.waiting)} waiting; {number(deliveries.retried)} retried
        </dd>
        <dt>Endpoints now</dt>
        <dd>
          {number(deliveries.endpoints.active)} active, {number(deliveries.endpoints.paused)} paused
        </dd>
      </dl>
      {!deliveries.is_complete && (
        <p className="muted note">There were more deliveries than are counted: they are kept for 30 days.</p>
      )}
    </section>
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
