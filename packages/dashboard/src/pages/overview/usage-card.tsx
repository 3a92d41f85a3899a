import type { Usage } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { Columns } from '../../charts/columns.tsx';
import { dayOf, shortNumber } from '../../charts/scale.ts';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';

const DAY_MS = 86_400_000;

/** What is used of the plan: now, and this month by day. */
export function UsageCard(): ReactNode {
  const usage = useQuery({
    queryKey: ['usage', 'month'],
    queryFn: ({ signal }) => svc.organization.getUsage({ since: isoDay(monthOf(Date.now())) }, { signal }),
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  if (usage.isPending)
    return (
      <section className="card">
        <Skeleton lines={5} />
      </section>
    );
  if (usage.data === undefined) return <Problem error={usage.error} onRetry={() => usage.refetch()} />;
  const { plan, now, total, days } = usage.data;
  return (
    <section className="card stack">
      <div className="row">
        <h2>Plan {plan}</h2>
        <span className="grow" />
        <Link href="/settings/organization">Limits of the plan</Link>
      </div>
      <div className="grid">
        <Meter title="Assessments this minute" budget={now.assessments} />
        <Meter title="Requests this minute" budget={now.requests} />
      </div>
      <Columns
        title={`Assessments this month: ${shortNumber(total.assessments)}`}
        series={[{ title: 'Assessments', color: '--accent' }]}
        columns={everyDay(days)}
      />
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

/** From the first of the month to today. The API leaves out days without any. */
function everyDay(found: Usage['days']) {
  const byDay = new Map(found.map(({ day, assessments }) => [day, assessments]));
  const nowMs = Date.now();
  const firstMs = monthOf(nowMs);
  return Array.from({ length: Math.floor((nowMs - firstMs) / DAY_MS) + 1 }, (_, i) => {
    const ms = firstMs + i * DAY_MS;
    return { key: isoDay(ms), label: dayOf(ms), values: [byDay.get(isoDay(ms)) ?? 0] };
  });
}

/** When the month began, UTC. */
function monthOf(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
