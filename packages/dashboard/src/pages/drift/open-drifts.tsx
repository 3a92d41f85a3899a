// What has changed and stays changed: those that nobody cares for yet first.

import type { DriftMonitor } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { monitorTitle } from './signals.ts';

const SHOWN_MAX = 6;
const READ_MAX = 200;

export function OpenDrifts(): ReactNode {
  const open = useQuery({
    queryKey: ['drift', 'open'],
    queryFn: async ({ signal }) => {
      const page = await svc.drift.list({ state: 'sustained', limit: READ_MAX }, { signal });
      return page.data.toSorted(byNeed);
    },
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  if (open.isPending) return <Skeleton lines={3} />;
  if (open.data === undefined) return <Problem error={open.error} onRetry={() => open.refetch()} />;
  if (open.data.length === 0)
    return (
      <p className="row">
        <Badge tone="good">none open</Badge>
        <span className="muted">Nothing that is watched has changed for good.</span>
      </p>
    );
  const more = open.data.length - SHOWN_MAX;
  return (
    <>
      <ul className="stack">
        {open.data.slice(0, SHOWN_MAX).map((monitor) => (
          <li key={monitor.id} className="told">
            <span>
              {monitor.acknowledged_at === null ? <Badge tone="bad">open</Badge> : <Badge tone="warn">acknowledged</Badge>}
            </span>
            <span>
              <Link href={`/drift/${monitor.id}`} className="address">
                {monitorTitle(monitor)}
              </Link>{' '}
              <span className="muted">
                since <Time at={monitor.since} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <Link href="/drift?state=sustained">
            {open.data.length === READ_MAX ? `More than ${more}` : more} more that stay changed
          </Link>
        </p>
      )}
    </>
  );
}

function byNeed(a: DriftMonitor, b: DriftMonitor): number {
  const need = Number(a.acknowledged_at !== null) - Number(b.acknowledged_at !== null);
  return need === 0 ? (b.since ?? '').localeCompare(a.since ?? '') : need;
}
