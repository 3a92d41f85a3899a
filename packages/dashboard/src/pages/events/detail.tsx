// One event: what happened, how it was decided, and its proof.

import type { Assessment, Event } from '@svc/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Outcome } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Id } from '../../ui/copy.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { AsJson, DataList } from './data.tsx';
import { Inference } from './inference.tsx';
import { isInference, kindTitle } from '../../kinds.ts';
import { Proof } from './proof.tsx';
import { erasableOf, Redact } from './redact.tsx';

/** Of a leaf that the log does not have yet. */
const LOGGED_MS = 1_000;

export function EventDetail({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const event = useQuery({
    queryKey: ['events', id],
    queryFn: () => svc.events.get(id),
    refetchInterval: (query) => (query.state.data?.leaf_hash === null ? LOGGED_MS : false),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // Where it is a page of its own, reading begins here. Beside the list one goes on in the list.
  useEffect(() => {
    if (document.querySelector('.events-main')?.checkVisibility() !== true) heading.current?.focus();
  }, []);
  useEffect(() => {
    const onKey = (pressed: KeyboardEvent) => {
      // In a field and in a dialog it has a meaning of its own.
      const isElsewhere = document.querySelector('dialog[open]') !== null || isField(pressed.target);
      if (pressed.key === 'Escape' && !isElsewhere) onClose();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <article className="events-detail stack" aria-label="Event">
      {/* That of the list, where the list is not shown. */}
      <h1 className="events-alone visually-hidden">Events</h1>
      <div className="row events-detail-head">
        <h2 ref={heading} tabIndex={-1} className="grow">
          {event.data === undefined ? 'Event' : kindTitle(event.data.kind)}
        </h2>
        <Button isSmall onClick={onClose}>
          <span className="events-back">← Back to the list</span>
          <span className="events-close">Close</span>
        </Button>
      </div>
      {event.isPending && <Skeleton lines={8} />}
      {event.error !== null && event.data === undefined && <Problem error={event.error} onRetry={() => event.refetch()} />}
      {event.data !== undefined && <Shown event={event.data} />}
    </article>
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

function Shown({ event }: { readonly event: Event }): ReactNode {
  const { kind, data, erased = [] } = event;
  return (
    <>
      <About event={event} />
      {erased.length > 0 && (
        <p className="notice warn">
          Erased for good: {erased.join(', ')}. The event stays in the log, and its proof is as good as before.
        </p>
      )}
      {isInference(kind) ? (
        <Inference assessment={data as unknown as Assessment} erased={erased} />
      ) : (
        <section className="card">
          <h3>What happened</h3>
          <DataList data={data} />
        </section>
      )}
      <AsJson value={event} />
      <Proof event={event} />
      <Erasing event={event} />
    </>
  );
}

function About({ event }: { readonly event: Event }): ReactNode {
  const { id, sequence, occurred_at: occurredAt, recorded_at: recordedAt, actor, data } = event;
  const outcome = data['outcome'];
  return (
    <section className="card">
      <dl className="facts">
        {isInference(event.kind) && typeof outcome === 'string' && (
          <>
            <dt>Outcome</dt>
            <dd>
              <Outcome outcome={outcome} />
            </dd>
          </>
        )}
        <dt>Recorded</dt>
        <dd>
          <Time at={recordedAt} /> <span className="muted">{exactTime(recordedAt)}</span>
        </dd>
        {occurredAt !== recordedAt && (
          <>
            <dt>Occurred</dt>
            <dd className="muted">{exactTime(occurredAt)}</dd>
          </>
        )}
        <dt>Actor</dt>
        <dd>
          {actor.type.replaceAll('_', ' ')} {actor.id !== null && <Actor id={actor.id} canCopy />}
          {actor.ip !== null && (
            <span className="muted">
              {' '}
              from <code>{actor.ip}</code>
            </span>
          )}
        </dd>
        <dt>Kind</dt>
        <dd>
          <code>{event.kind}</code>
        </dd>
        <dt>Sequence</dt>
        <dd>{sequence}</dd>
        <dt>Id</dt>
        <dd>
          <Id id={id} />
        </dd>
      </dl>
    </section>
  );
}

function Erasing({ event }: { readonly event: Event }): ReactNode {
  const may = useMay('admin:*');
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  if (!may || erasableOf(event).length === 0) return null;
  return (
    <section className="card stack">
      <h3>Erase values</h3>
      <p className="muted">Somebody may have a right to be forgotten. Values are erased; the event and its proof stay.</p>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Erase values …
        </Button>
      </div>
      {isOpen && (
        <Redact
          event={event}
          onClose={() => setOpen(false)}
          onDone={() => queryClient.invalidateQueries({ queryKey: ['events', event.id] })}
        />
      )}
    </section>
  );
}
