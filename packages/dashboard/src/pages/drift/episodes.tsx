// The drifts that a monitor told of.

import type { DriftEpisode } from '@svc/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../session.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const RESOLUTIONS: Readonly<Record<string, string>> = {
  recovered: 'it was back',
  rebaselined: 'its level became the baseline',
  disabled: 'it is not watched any more',
  superseded: 'it changed further',
};

export function Episodes({ episodes }: { readonly episodes: readonly DriftEpisode[] }): ReactNode {
  return (
    <section className="stack">
      <h2>Drifts so far</h2>
      <Table label="Drifts so far" columns={COLUMNS} items={episodes} keyOf={({ event_id: id }) => id} />
    </section>
  );
}

const COLUMNS: readonly Column<DriftEpisode>[] = [
  { title: 'What changed', cell: (episode) => <Summary episode={episode} /> },
  { title: 'Severity', cell: ({ severity }) => <Badge tone={severity === 'high' ? 'bad' : 'warn'}>{severity}</Badge> },
  { title: 'Began', cell: ({ onset }) => <Time at={onset} /> },
  { title: 'Detected', cell: ({ sustained_at: at }) => <Time at={at} /> },
  {
    title: 'Ended',
    cell: ({ ended_at: at, resolution }) =>
      at === null ? (
        <Badge tone="bad">open</Badge>
      ) : (
        <>
          <Time at={at} />
          {resolution !== null && <div className="muted">{RESOLUTIONS[resolution] ?? resolution}</div>}
        </>
      ),
  },
  {
    title: 'Acknowledged',
    cell: ({ acknowledged_at: at, acknowledged_by: by, note }) =>
      at === null ? (
        <span className="muted">no</span>
      ) : (
        <div className="lead">
          <Time at={at} /> by {by !== null && <Actor id={by} />}
          {note !== null && <div>{note}</div>}
        </div>
      ),
  },
];

function Summary({ episode }: { readonly episode: DriftEpisode }): ReactNode {
  const mayRead = useMay('events:read');
  return (
    <div className="lead">{mayRead ? <Link href={`/events/${episode.event_id}`}>{episode.summary}</Link> : episode.summary}</div>
  );
}
