import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';

/** The version of the policy in force; `null`: not known, or not for this session. */
export function useVersionInForce(): number | null {
  const mayRead = useMay('policy:read');
  const policy = useQuery({
    queryKey: ['policy', 'version in force'],
    queryFn: async ({ signal }) => (await svc.policy.get({ signal })).version,
    enabled: mayRead,
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  return policy.data ?? null;
}

interface Props {
  /** By which a probe decides. */
  readonly version: number | null;
  readonly inForce: number | null;
}

export function PolicyVersion({ version, inForce }: Props): ReactNode {
  const mayRead = useMay('policy:read');
  if (version === null) return <span className="muted">not told</span>;
  return (
    <span className="row">
      {mayRead ? <Link href={`/policy?tab=versions&version=${version}`}>version {version}</Link> : `version ${version}`}
      {inForce !== null && version !== inForce && <Badge tone="warn">{inForce} is in force</Badge>}
    </span>
  );
}
