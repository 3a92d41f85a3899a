// Step 2: the event of the assessment, in the trail.

import type { Assessment, Event } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { NeedsScope } from './step.tsx';

const ARRIVAL_INTERVAL_MS = 1_000;
const EVENTS_SHOWN = 5;

interface Props {
  readonly assessment: Assessment;
  /** It was sent from this page; else it is the newest that there was. */
  readonly isOwn: boolean;
  readonly isSeen: boolean;
  readonly onSeen: () => void;
}

export function Arrival({ assessment, isOwn, isSeen, onSeen }: Props): ReactNode {
  const mayRead = useMay('events:read');
  const isInTrail = assessment.mode === 'live';
  const events = useQuery({
    queryKey: ['events', 'first-steps', assessment.id],
    queryFn: ({ signal }) => newestWith(assessment, signal),
    enabled: mayRead && isInTrail,
    refetchInterval: isSeen ? false : ARRIVAL_INTERVAL_MS,
  });
  const isThere = events.data?.some(({ id }) => id === assessment.event_id) === true || !isInTrail;
  useEffect(() => {
    if (isThere && !isSeen) onSeen();
  }, [isThere, isSeen, onSeen]);
  if (!mayRead) return <NeedsScope scope="events:read" />;
  if (!isInTrail) return <p>This session is of a test key: what test keys assess leaves nothing in the trail.</p>;
  if (events.isPending) return <Skeleton lines={4} />;
  if (events.data === undefined) return <Problem error={events.error} onRetry={() => events.refetch()} />;
  return (
    <>
      <p>
        Every assessment is an event. It is on disk before you have the answer, numbered without gaps, and part of a log that can
        be proved never to have changed.
      </p>
      <Table label="Newest events" columns={columnsFor(assessment, isOwn)} items={events.data} keyOf={({ id }) => id} />
    </>
  );
}

/** The newest events. Where many come at once, the one that was sent stands below them. */
async function newestWith({ event_id: ownId }: Assessment, signal: AbortSignal): Promise<readonly Event[]> {
  const { data } = await svc.events.list({ limit: EVENTS_SHOWN }, { signal });
  if (ownId === null || data.some(({ id }) => id === ownId)) return data;
  return [...data, await svc.events.get(ownId, { signal })];
}

function columnsFor({ event_id: ownId }: Assessment, isOwn: boolean): readonly Column<Event>[] {
  return [
    {
      title: 'Event',
      cell: ({ id, kind }) => (
        <span className="row">
          <Link href={`/events/${id}`}>
            <code>{kind}</code>
          </Link>
          {isOwn && id === ownId && <Badge tone="good">the one you sent</Badge>}
        </span>
      ),
    },
    { title: 'Number', isNumber: true, cell: ({ sequence }) => sequence },
    { title: 'Recorded', cell: ({ recorded_at: at }) => <Time at={at} /> },
  ];
}
