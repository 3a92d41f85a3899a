// One probe: how it is, what it says of itself, what it reported, and what can be done with it.

import type { Probe } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { LIVE_INTERVAL_MS, queryClient, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Id } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { EditProbe } from './edit-probe.tsx';
import { PolicyVersion, useVersionInForce } from './policy-version.tsx';
import { Reported } from './reported.tsx';
import { ProbeStatus, Queue, StatusNotice } from './status.tsx';

export function ProbePage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const mayRead = useMay('probes:read');
  const probe = useQuery({
    queryKey: ['probes', 'one', id],
    queryFn: ({ signal }) => svc.probes.get(id, { signal }),
    refetchInterval: LIVE_INTERVAL_MS,
    enabled: mayRead,
  });
  useTitle(id);
  return (
    <>
      <Link href="/probes">All probes</Link>
      {!mayRead ? (
        <>
          <h1>Probe</h1>
          <p className="notice">
            Probes need the scope <code>probes:read</code>, which this session does not have.
          </p>
        </>
      ) : probe.isPending ? (
        <Skeleton lines={8} />
      ) : probe.data === undefined ? (
        <>
          <h1>Probe</h1>
          <Problem error={probe.error} onRetry={() => probe.refetch()} />
        </>
      ) : (
        <>
          {probe.error !== null && <Problem error={probe.error} onRetry={() => probe.refetch()} />}
          <Detail probe={probe.data} />
        </>
      )}
    </>
  );
}

function Detail({ probe }: { readonly probe: Probe }): ReactNode {
  const mayWrite = useMay('probes:write');
  const mayEvents = useMay('events:read');
  const inForce = useVersionInForce();
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <div className="page-head">
        <div>
          <div className="row">
            <h1 className="address">{probe.id}</h1>
            <ProbeStatus status={probe.status} />
            {probe.mode === 'test' && <Badge tone="warn">test</Badge>}
          </div>
          <p>
            In the group {probe.group}, seen <Time at={probe.last_seen_at} />.
          </p>
        </div>
        {mayWrite && (
          <div className="row">
            <Button onClick={() => setOpened('edit')}>Edit</Button>
            <Button kind="danger" onClick={() => setOpened('delete')}>
              Delete
            </Button>
          </div>
        )}
      </div>
      <StatusNotice probe={probe} inForce={inForce} />
      <div className="grid">
        <Facts probe={probe} inForce={inForce} />
        <Says probe={probe} />
      </div>
      {mayEvents && <Reported probeId={probe.id} />}
      {opened === 'edit' && <EditProbe probe={probe} onClose={close} />}
      {opened === 'delete' && <DeleteProbe probe={probe} onClose={close} />}
    </>
  );
}

function Facts({ probe, inForce }: { readonly probe: Probe; readonly inForce: number | null }): ReactNode {
  return (
    <section className="card top">
      <h2>Health</h2>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          <Id id={probe.id} />
        </dd>
        <dt>Group</dt>
        <dd className="row">
          {probe.group} <Link href={`/drift?group=${encodeURIComponent(probe.group)}`}>Its drift</Link>
        </dd>
        <dt>Last seen</dt>
        <dd>
          <Time at={probe.last_seen_at} />
        </dd>
        <dt>Last heartbeat</dt>
        <dd>
          <Time at={probe.last_heartbeat_at} />
        </dd>
        <dt>Expected</dt>
        <dd>every {probe.expected_interval_s} s</dd>
        {probe.offline_since !== null && (
          <>
            <dt>Offline since</dt>
            <dd>
              <Time at={probe.offline_since} />
            </dd>
          </>
        )}
        <dt>Policy</dt>
        <dd>
          <PolicyVersion version={probe.policy_version} inForce={inForce} />
        </dd>
        <dt>Registered</dt>
        <dd>
          <Time at={probe.registered_at} />
        </dd>
      </dl>
    </section>
  );
}

function Says({ probe }: { readonly probe: Probe }): ReactNode {
  const { rates, labels } = probe;
  const rate = (value: number) => `${value.toLocaleString('en', { maximumFractionDigits: 1 })} a minute`;
  return (
    <section className="card top">
      <h2>What it reports</h2>
      <dl className="facts">
        <dt>Software</dt>
        <dd>{probe.version ?? <span className="muted">not told</span>}</dd>
        <dt>Started</dt>
        <dd>{probe.started_at === null ? <span className="muted">not told</span> : <Time at={probe.started_at} />}</dd>
        <dt>Queue</dt>
        <dd>
          <Queue queue={probe.queue} />
        </dd>
        <dt>Events</dt>
        <dd>
          {rate(rates.accepted_per_minute)} <span className="muted">over the last five minutes</span>
        </dd>
        <dt>Sent twice</dt>
        <dd>{rate(rates.duplicates_per_minute)}</dd>
        <dt>Refused</dt>
        <dd className="row">
          {rate(rates.rejected_per_minute)}
          {rates.rejected_per_minute > 0 && <Badge tone="warn">look at its log</Badge>}
        </dd>
        <dt>Labels</dt>
        <dd>
          {Object.keys(labels).length === 0 ? (
            <span className="muted">none</span>
          ) : (
            <ul>
              {Object.entries(labels).map(([name, value]) => (
                <li key={name}>
                  <code>
                    {name}={value}
                  </code>
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
    </section>
  );
}

function DeleteProbe({ probe, onClose }: { readonly probe: Probe; readonly onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <Confirm
      title={`Delete ${probe.id}?`}
      effect="The service forgets it, with the labels and the interval that were set here; an alarm that it is offline ends. What it reported stays. The probe itself is not stopped: when it calls again, it is registered anew."
      deed="Delete probe"
      run={async () => {
        await svc.probes.delete(probe.id);
        navigate('/probes');
        queryClient.removeQueries({ queryKey: ['probes', 'one', probe.id] });
        await queryClient.invalidateQueries({ queryKey: ['probes'] });
      }}
      onClose={onClose}
    />
  );
}
