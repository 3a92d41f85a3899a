import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Probe } from '@svc/client';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useVersionInForce } from '../probes/policy-version.tsx';
import { ProbeStatus, STATUSES } from '../probes/status.tsx';

/** As many as an organization may have. */
const PROBES_MAX = 1_000;
const PAGE = 200;

/** How many probes are in which state, and how many decide by the policy in force. */
export function ProbesCard(): ReactNode {
  const inForce = useVersionInForce();
  const probes = useQuery({
    queryKey: ['probes', 'by state'],
    queryFn: async ({ signal }) => await svc.probes.list({ limit: PAGE }, { signal }).toArray(PROBES_MAX),
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  const byStatus = Map.groupBy(probes.data ?? [], ({ status }) => status);
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
      ) : probes.data.length === 0 ? (
        <p className="muted">
          None has called yet. A probe runs beside your models, decides there by your policy, and reports what it saw.
        </p>
      ) : (
        <>
          <ul className="stack">
            {STATUSES.filter(({ status }) => byStatus.has(status)).map(({ status, meaning }) => (
              <li key={status} className="told">
                <ProbeStatus status={status} />
                <span>
                  <Link href={`/probes?status=${status}`}>{countOf(byStatus.get(status)!.length)}</Link>{' '}
                  <span className="muted">{meaning}</span>
                </span>
              </li>
            ))}
          </ul>
          {inForce !== null && <p className="muted">{policyWords(probes.data, inForce)}</p>}
        </>
      )}
    </section>
  );
}

function countOf(probes: number): string {
  return probes === 1 ? '1 probe' : `${probes.toLocaleString('en')} probes`;
}

/** Who decides by another version than the one in force, and of whom nobody knows. */
function policyWords(probes: readonly Probe[], inForce: number): string {
  const behind = probes.filter(({ policy_version: version }) => version !== null && version !== inForce).length;
  const untold = probes.filter(({ policy_version: version }) => version === null).length;
  if (behind + untold === 0) return `All decide by version ${inForce} of the policy, which is in force.`;
  const parts = [
    ...(behind > 0 ? [`${countOf(behind)} ${behind === 1 ? 'decides' : 'decide'} by another`] : []),
    ...(untold > 0 ? [`${countOf(untold)} told no version`] : []),
  ];
  return `Version ${inForce} of the policy is in force: ${parts.join(', ')}.`;
}
