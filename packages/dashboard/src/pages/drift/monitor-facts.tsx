import type { DriftMonitorDetail } from '@svc/client';
import type { ReactNode } from 'react';
import { Id } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';
import { percent, valueFormat } from './signals.ts';

const SEASONS: Readonly<Record<string, string>> = {
  none: 'none: all hours are alike',
  day: 'the hours of a day, UTC',
  week: 'the hours of a week, UTC',
};

/** What is watched, and what it is compared with. */
export function MonitorFacts({ monitor }: { readonly monitor: DriftMonitorDetail }): ReactNode {
  const { baseline, percentiles, evidence, kind, tolerance, observations_needed: needed } = monitor;
  return (
    <section className="card top">
      <h2>Baseline and monitor</h2>
      <dl className="facts">
        <dt>Monitor</dt>
        <dd>
          <Id id={monitor.id} />
        </dd>
        {baseline !== null && (
          <>
            <dt>Baseline</dt>
            <dd>
              <Id id={baseline.id} />
              <span className="muted">SHA-256 </span>
              <code>{baseline.sha256}</code>
            </dd>
            <dt>Learned from</dt>
            <dd>
              {baseline.n.toLocaleString('en')} observations, <Time at={baseline.from} /> to <Time at={baseline.to} />
            </dd>
          </>
        )}
        {percentiles !== null && (
          <>
            <dt>Usual values</dt>
            <dd>
              median {valueFormat(monitor)(percentiles.p50)}, 10 % below {valueFormat(monitor)(percentiles.p10)}, 10 % above{' '}
              {valueFormat(monitor)(percentiles.p90)}, 1 % above {valueFormat(monitor)(percentiles.p99)}
            </dd>
          </>
        )}
        <dt>Observations</dt>
        <dd>
          {monitor.observations.toLocaleString('en')}, the last <Time at={monitor.last_observed_at} />
          {monitor.late > 0 && (
            <span className="muted"> ({monitor.late.toLocaleString('en')} more came too late to be counted)</span>
          )}
        </dd>
        <dt>Evidence now</dt>
        <dd>
          {evidence.log10_m.toFixed(1)}{' '}
          <span className="muted">
            (decimal logarithm of how much speaks for a change); suspected from {evidence.log10_threshold.toFixed(1)} on
          </span>
        </dd>
        <dt>Tolerance</dt>
        <dd>
          {kind === 'numeric' ? `${tolerance} standard deviations` : `${percent(tolerance)} of what is usual`}{' '}
          <span className="muted">count as no change</span>
        </dd>
        <dt>Season</dt>
        <dd>{SEASONS[monitor.season] ?? monitor.season}</dd>
        {needed.doubling !== null && (
          <>
            <dt>A doubling</dt>
            <dd>would be suspected after some {needed.doubling.toLocaleString('en')} observations</dd>
          </>
        )}
        {monitor.dependence > 1 && (
          <>
            <dt>Dependence</dt>
            <dd>some {monitor.dependence.toFixed(1)} observations in a row tell the same, and are counted so</dd>
          </>
        )}
      </dl>
    </section>
  );
}
