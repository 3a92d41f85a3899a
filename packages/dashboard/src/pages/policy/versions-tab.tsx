// The versions of the policy: one of them, any two compared, and the way back.

import type { PolicyVersion, PolicyVersionSummary } from '@svc/client';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { svc } from '../../api.ts';
import { Actor } from '../../ui/actor.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Comparison, CompareForm } from './comparison.tsx';
import { VersionDetail } from './version-detail.tsx';

/** What a link of this tab shows. */
function versionsHref(members: Readonly<Record<string, number>>): string {
  const entries = Object.entries(members).map(([name, value]) => [name, String(value)]);
  return `/policy?${new URLSearchParams([['tab', 'versions'], ...entries])}`;
}

export function VersionsTab({ current }: { readonly current: PolicyVersion }): ReactNode {
  const [search] = useSearchParams();
  const [version, from, to] = ['version', 'from', 'to'].map((name) => numberOf(search.get(name)));
  return (
    <>
      {version !== null && version !== undefined && <VersionDetail key={version} number={version} current={current} />}
      {from !== null && from !== undefined && to !== null && to !== undefined && <Comparison from={from} to={to} />}
      <CompareForm key={`${from} ${to}`} from={from ?? null} to={to ?? null} newest={current.version} />
      <PagedTable
        label="Versions"
        queryKey={['policy', 'versions']}
        read={async (cursor) => await svc.policy.listVersions({ limit: 20, ...(cursor === null ? {} : { cursor }) })}
        columns={columnsOf(current.version)}
        keyOf={(each) => String(each.version)}
        empty={
          <Empty title="No versions">
            <p>Each policy that is saved is a version here. A version never changes.</p>
          </Empty>
        }
      />
    </>
  );
}

function numberOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function columnsOf(inForce: number): Column<PolicyVersionSummary>[] {
  return [
    {
      title: 'Version',
      cell: ({ version }) => (
        <span className="row">
          <Link href={versionsHref({ version })}>Version {version}</Link>
          {version === inForce && <Badge tone="good">in force</Badge>}
        </span>
      ),
    },
    { title: 'Stored', cell: ({ updated_at: at }) => <Time at={at} /> },
    { title: 'By', cell: ({ updated_by: by }) => <Actor id={by} /> },
    { title: 'Digest', cell: ({ digest }) => <code title={digest}>{digest.slice(0, 19)}…</code> },
    {
      title: 'Compare',
      cell: ({ version }) => (
        <span className="row">
          {version > 1 && (
            <Link href={versionsHref({ from: version - 1, to: version })} aria-label={`Version ${version} with the one before`}>
              with the one before
            </Link>
          )}
          {version !== inForce && (
            <Link href={versionsHref({ from: version, to: inForce })} aria-label={`Version ${version} with the one in force`}>
              with the one in force
            </Link>
          )}
        </span>
      ),
    },
  ];
}
