// The probes: which of them speak, by which policy they decide, and what waits.

import type { Probe, ProbesListQuery } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { NameFilter } from '../../ui/name-filter.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { AddProbe, AddProbeDialog } from './add-probe.tsx';
import { PolicyVersion, useVersionInForce } from './policy-version.tsx';
import { ProbeStatus, Queue, STATUSES } from './status.tsx';

export function Probes(): ReactNode {
  useTitle('Probes');
  const mayRead = useMay('probes:read');
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Probes</h1>
          <p>They run beside your models, decide there by your policy, and report what they saw.</p>
        </div>
        {mayRead && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            How to add a probe
          </Button>
        )}
      </div>
      {mayRead ? (
        <List />
      ) : (
        <p className="notice">
          Probes need the scope <code>probes:read</code>, which this session does not have.
        </p>
      )}
      {isAdding && <AddProbeDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function List(): ReactNode {
  const [params, setParams] = useSearchParams();
  const inForce = useVersionInForce();
  const status = STATUSES.find((known) => known.status === params.get('status'))?.status ?? '';
  const group = params.get('group') ?? '';
  const set = (name: 'status' | 'group', value: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  const query: ProbesListQuery = { ...(status === '' ? {} : { status }), ...(group === '' ? {} : { group }) };
  const isNarrowed = status !== '' || group !== '';
  return (
    <>
      <search className="row">
        <select className="input fit" aria-label="Status" value={status} onChange={(event) => set('status', event.target.value)}>
          <option value="">Any status</option>
          {STATUSES.map((known) => (
            <option key={known.status} value={known.status}>
              {known.status}
            </option>
          ))}
        </select>
        <NameFilter label="Group" value={group} isSearch onChange={(value) => set('group', value)} />
        {isNarrowed && (
          <Button kind="quiet" onClick={() => setParams(new URLSearchParams())}>
            Clear filters
          </Button>
        )}
      </search>
      <PagedTable
        label="Probes"
        columns={columnsOf(inForce)}
        keyOf={({ id }) => id}
        queryKey={['probes', 'list', query]}
        read={async (cursor, signal) => await svc.probes.list({ ...query, ...(cursor === null ? {} : { cursor }) }, { signal })}
        refetchIntervalMs={LIVE_INTERVAL_MS}
        empty={
          isNarrowed ? (
            <Empty title="No probe is so">
              <p>None of your probes has this status and group at the moment. A group has to be named in full.</p>
            </Empty>
          ) : (
            <NoProbe />
          )
        }
      />
    </>
  );
}

function columnsOf(inForce: number | null): readonly Column<Probe>[] {
  return [
    {
      title: 'Probe',
      cell: ({ id, mode, version }) => (
        <div className="lead">
          <Link href={`/probes/${encodeURIComponent(id)}`}>
            <span className="address">{id}</span>
          </Link>{' '}
          {mode === 'test' && <Badge tone="warn">test</Badge>}
          {version !== null && <div className="muted">{version}</div>}
        </div>
      ),
    },
    { title: 'Health', cell: ({ status }) => <ProbeStatus status={status} /> },
    { title: 'Group', cell: ({ group }) => <Link href={`/probes?group=${encodeURIComponent(group)}`}>{group}</Link> },
    { title: 'Policy', cell: ({ policy_version: version }) => <PolicyVersion version={version} inForce={inForce} /> },
    { title: 'Queue', cell: ({ queue }) => <Queue queue={queue} /> },
    {
      title: 'Events a minute',
      isNumber: true,
      cell: ({ rates }) => rates.accepted_per_minute.toLocaleString('en', { maximumFractionDigits: 1 }),
    },
    { title: 'Last seen', cell: ({ last_seen_at: at }) => <Time at={at} /> },
  ];
}

/** Where none has called yet, how one is started. */
function NoProbe(): ReactNode {
  return (
    <section className="card stack">
      <h2>No probe yet</h2>
      <p>
        A probe decides on the machine of your application: no text leaves it, a decision costs no call, and it goes on while the
        service is away. It is listed here as soon as it calls for the first time. Start one:
      </p>
      <AddProbe />
    </section>
  );
}
