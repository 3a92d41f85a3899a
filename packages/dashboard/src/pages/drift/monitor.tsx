// One monitor: its signal over time, what changed, how sure that is, and what can be done about it.

import type { DriftEpisode, DriftMonitorDetail } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { Acknowledge } from './acknowledge.tsx';
import { MonitorChart } from './chart.tsx';
import './drift.css';
import { Episodes } from './episodes.tsx';
import { Evidence } from './evidence.tsx';
import { Features } from './features.tsx';
import { MonitorFacts } from './monitor-facts.tsx';
import { Rebaseline } from './rebaseline.tsx';
import { monitorTitle, signalMeaning } from './signals.ts';
import { DriftState } from './state.tsx';

export function MonitorPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const mayRead = useMay('probes:read');
  const monitor = useQuery({
    queryKey: ['drift', 'one', id],
    queryFn: ({ signal }) => svc.drift.get(id, { signal }),
    refetchInterval: LIVE_INTERVAL_MS * 3,
    enabled: mayRead,
  });
  useTitle(monitor.data === undefined ? 'Drift' : monitorTitle(monitor.data));
  return (
    <>
      <Link href="/drift">All that is watched</Link>
      {!mayRead ? (
        <>
          <h1>Drift</h1>
          <p className="notice">
            Drift needs the scope <code>probes:read</code>, which this session does not have.
          </p>
        </>
      ) : monitor.isPending ? (
        <Skeleton lines={10} />
      ) : monitor.data === undefined ? (
        <>
          <h1>Drift</h1>
          <Problem error={monitor.error} onRetry={() => monitor.refetch()} />
        </>
      ) : (
        <>
          {monitor.error !== null && <Problem error={monitor.error} onRetry={() => monitor.refetch()} />}
          <Detail monitor={monitor.data} />
        </>
      )}
    </>
  );
}

function Detail({ monitor }: { readonly monitor: DriftMonitorDetail }): ReactNode {
  const mayWrite = useMay('probes:write');
  const [opened, setOpened] = useState<DriftEpisode | 'rebaseline' | null>(null);
  const close = () => setOpened(null);
  const open = monitor.episodes.find(({ ended_at: endedAt }) => endedAt === null) ?? null;
  const episode = open ?? monitor.episodes[0] ?? null;
  return (
    <>
      <div className="page-head">
        <div>
          <div className="row">
            <h1 className="address">{monitorTitle(monitor)}</h1>
            <DriftState {...monitor} />
          </div>
          <p>
            Watched is the signal {monitor.signal}: {signalMeaning(monitor.signal)}.
          </p>
        </div>
        {mayWrite && (
          <div className="row">
            {open !== null && open.acknowledged_at === null && (
              <Button kind="primary" onClick={() => setOpened(open)}>
                Acknowledge
              </Button>
            )}
            {monitor.state !== 'learning' && <Button onClick={() => setOpened('rebaseline')}>Rebaseline</Button>}
          </div>
        )}
      </div>
      <Standing monitor={monitor} />
      <MonitorChart monitor={monitor} episode={episode} />
      {episode !== null && <Evidence key={episode.event_id} monitor={monitor} episode={episode} />}
      <div className="grid uneven">
        <Features monitor={monitor} />
        <MonitorFacts monitor={monitor} />
      </div>
      {monitor.episodes.length > 0 && <Episodes episodes={monitor.episodes} />}
      {opened === 'rebaseline' && <Rebaseline monitor={monitor} onClose={close} />}
      {opened !== null && opened !== 'rebaseline' && <Acknowledge monitor={monitor} episode={opened} onClose={close} />}
    </>
  );
}

/** What its state means, in a sentence or two. */
function Standing({ monitor }: { readonly monitor: DriftMonitorDetail }): ReactNode {
  const { state, since, episodes, observations_needed: needed, learning_until: until } = monitor;
  const open = episodes.find(({ ended_at: endedAt }) => endedAt === null);
  if (!monitor.enabled)
    return <p className="notice">The policy does not watch this signal at the moment. What was learned is kept.</p>;
  if (open !== undefined)
    return (
      <div className="notice bad stack">
        <p>
          <strong>{open.summary}</strong>
        </p>
        {open.acknowledged_at === null ? (
          <p>
            Nobody has acknowledged it. Say that you care for it, wait until it is back, or take the level of now for the usual
            one when the change is what you wanted.
          </p>
        ) : (
          <p>
            Acknowledged <Time at={open.acknowledged_at} /> by{' '}
            {open.acknowledged_by !== null && <Actor id={open.acknowledged_by} />}
            {open.note === null ? '.' : `: ${open.note}`}
          </p>
        )}
      </div>
    );
  switch (state) {
    case 'sustained':
      return (
        <p className="notice warn">
          It has drifted since <Time at={since} />. The same change was told in the last 24 hours, so it is not told again yet and
          there is nothing to acknowledge.
        </p>
      );
    case 'suspect':
      return (
        <p className="notice warn">
          Something may have changed since <Time at={since} />. What comes next confirms it, or does not; nobody is told before.
        </p>
      );
    case 'learning':
      return (
        <p className="notice">
          What is usual is being learned:{' '}
          {needed.baseline > 0
            ? `${needed.baseline.toLocaleString('en')} more observations are needed`
            : 'there are enough observations'}
          {until !== null && (
            <>
              , and a whole season, which is over <Time at={until} />
            </>
          )}
          . Until then nothing is judged.
        </p>
      );
    default:
      return null;
  }
}
