// What the trail has of a probe, newest first.

import type { Event } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { Outcome } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { kindTitle } from '../../kinds.ts';
import { rowOfEvent } from '../events/rows.ts';

const SHOWN = 10;

const COLUMNS: readonly Column<Event>[] = [
  {
    title: 'Event',
    cell: (event) => {
      const { outcome } = rowOfEvent(event);
      return <Link href={`/events/${event.id}`}>{outcome === null ? kindTitle(event.kind) : <Outcome outcome={outcome} />}</Link>;
    },
  },
  { title: 'What', cell: (event) => whatOf(event) },
  { title: 'Recorded', cell: ({ recorded_at: at }) => <Time at={at} /> },
];

export function Reported({ probeId }: { readonly probeId: string }): ReactNode {
  const events = useQuery({
    queryKey: ['probes', 'events', probeId],
    queryFn: async ({ signal }) => await svc.events.list({ probe_id: probeId, limit: SHOWN }, { signal }),
    refetchInterval: LIVE_INTERVAL_MS,
  });
  return (
    <section className="stack">
      <div className="row">
        <h2>In the trail</h2>
        <span className="grow" />
        <Link href={`/events?probe_id=${encodeURIComponent(probeId)}`}>All its events</Link>
      </div>
      {events.isPending ? (
        <Skeleton lines={4} />
      ) : events.data === undefined ? (
        <Problem error={events.error} onRetry={() => events.refetch()} />
      ) : events.data.data.length === 0 ? (
        <p className="muted">The trail has nothing of it. What a test key reports never enters it.</p>
      ) : (
        <Table label="Events of this probe" columns={COLUMNS} items={events.data.data} keyOf={({ id }) => id} />
      )}
    </section>
  );
}

/** Of a batch how much of it was accepted, of an inference what was found. */
function whatOf(event: Event): string {
  const { accepted, rejected } = event.data as { readonly accepted?: number; readonly rejected?: number };
  const { what, model, externalId } = rowOfEvent(event);
  if (event.kind !== 'telemetry.received' || accepted === undefined)
    return [what, model, externalId].filter(Boolean).join(', ') || '–';
  const refused = (rejected ?? 0) > 0 ? `, ${rejected!.toLocaleString('en')} refused` : '';
  return `${accepted.toLocaleString('en')} ${accepted === 1 ? 'inference' : 'inferences'} accepted${refused}`;
}
