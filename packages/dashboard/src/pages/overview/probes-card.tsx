import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProbeStatus, STATUSES } from '../probes/status.tsx';

/** As many as an organization may have. */
const PROBES_MAX = 1_000;
const PAGE = 200;

/** How many probes are in which state. */
export function ProbesCard(): ReactNode {
  const probes = useQuery({
    queryKey: ['probes', 'by state'],
    queryFn: async ({ signal }) => {
      const all = await svc.probes.list({ limit: PAGE }, { signal }).toArray(PROBES_MAX);
      return Map.groupBy(all, ({ status }) => status);
    },
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  return (
    <section className="card stack top">
      <div className="row">
        <h2>Probes</h2>
        <span className="grow" />
        <Link href="/probes">All probes</Link>
      </div>
      {probes.isPending ? (
        <Skeleton lines={3} />
      ) : probes.data === undefined ? (
        <Problem error={probes.error} onRetry={() => probes.refetch()} />
      ) : probes.data.size === 0 ? (
        <p className="muted">
          None has called yet. A probe runs beside your models, decides there by your policy, and reports what it saw.
        </p>
      ) : (
        <ul className="stack">
          {STATUSES.filter(({ status }) => probes.data.has(status)).map(({ status, meaning }) => (
            <li key={status} className="told">
              <ProbeStatus status={status} />
              <span>
                <Link href={`/probes?status=${status}`}>
                  {probes.data.get(status)!.length} {probes.data.get(status)!.length === 1 ? 'probe' : 'probes'}
                </Link>{' '}
                <span className="muted">{meaning}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
