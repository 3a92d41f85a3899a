// One delivery: what was sent, each attempt with its answer, and one more attempt.

import type { Attempt } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { queryClient } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Copy, Id } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { keyOf, resourceOf, type Endpoint } from './endpoint.ts';
import { DeliveryState, STATE_MEANINGS } from './health.tsx';
import { prettyJson } from './pretty.ts';

const ATTEMPT_INTERVAL_MS = 1_500;

interface Props {
  readonly endpoint: Endpoint;
  readonly deliveryId: string;
  readonly onClose: () => void;
}

export function DeliveryDialog({ endpoint, deliveryId, onClose }: Props): ReactNode {
  return (
    <Dialog title="Delivery" isWide onClose={onClose}>
      <DeliveryDetail endpoint={endpoint} deliveryId={deliveryId} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function DeliveryDetail({ endpoint, deliveryId }: Omit<Props, 'onClose'>): ReactNode {
  const mayWrite = useMay('webhooks:write');
  const mayReadEvents = useMay('events:read');
  const queryKey = [...keyOf(endpoint), 'deliveries', 'one', deliveryId];
  const delivery = useQuery({
    queryKey,
    queryFn: ({ signal }) => resourceOf(endpoint).getDelivery(endpoint.id, deliveryId, { signal }),
    refetchInterval: ATTEMPT_INTERVAL_MS,
  });
  const retry = useAction(async () => {
    await resourceOf(endpoint).retryDelivery(endpoint.id, deliveryId);
    await queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  });
  if (delivery.isPending) return <Skeleton lines={8} />;
  if (delivery.data === undefined) return <Problem error={delivery.error} onRetry={() => delivery.refetch()} />;
  const {
    id,
    event_id: eventId,
    kind,
    state,
    body,
    next_attempt_at: next,
    created_at: createdAt,
    attempt_log: attempts,
  } = delivery.data;
  return (
    <>
      <div className="row">
        <code>{kind}</code>
        <DeliveryState state={state} />
        <span className="muted grow">{STATE_MEANINGS[state]}</span>
        {mayWrite && (
          <Button isBusy={retry.isBusy} disabled={state === 'in_flight'} onClick={() => retry.run()}>
            Retry now
          </Button>
        )}
      </div>
      {retry.error !== null && <Problem error={retry.error} />}
      <dl className="facts">
        <dt>Delivery</dt>
        <dd>
          <Id id={id} />
        </dd>
        <dt>Event</dt>
        <dd className="row">
          <Link href={`/events/${eventId}`}>
            <code>{eventId}</code>
          </Link>
          <Copy text={eventId} />
        </dd>
        <dt>Recorded</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        {next !== null && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time at={next} />
            </dd>
          </>
        )}
      </dl>
      <h3>Attempts</h3>
      {attempts.length === 0 ? (
        <p className="muted">None has ended yet.</p>
      ) : (
        <ol className="stack" aria-label="Attempts, newest first">
          {attempts.toReversed().map((attempt) => (
            <AttemptItem key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      )}
      <h3>{endpoint.area === 'webhooks' ? 'Body that is signed and sent' : 'Event that is sent in the vendor’s form'}</h3>
      {body === null ? (
        <p className="muted">
          {mayReadEvents
            ? 'The event is not kept any more.'
            : 'The body needs the scope events:read, which this session does not have.'}
        </p>
      ) : (
        <Code text={prettyJson(body)} raw={body} label="Body" />
      )}
    </>
  );
}

const TRIGGERS: Readonly<Record<string, string>> = {
  event: 'when the event came',
  schedule: 'by the schedule',
  manual: 'by hand',
  recover: 'by a recovery',
  probe: 'to see whether it answers again',
};

function AttemptItem({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { number, trigger, started_at: startedAt, latency_ms: latencyMs, status, error, answer } = attempt;
  return (
    <li className="card stack">
      <div className="row">
        <strong>Attempt {number}</strong>
        {error === null ? <Badge tone="good">{status ?? 'succeeded'}</Badge> : <Badge tone="bad">{status ?? 'no answer'}</Badge>}
        <span className="muted">
          {TRIGGERS[trigger] ?? trigger}, <Time at={startedAt} />, took {latencyMs.toFixed(1)} ms
        </span>
      </div>
      {error !== null && <p>{error}</p>}
      {status !== null && (answer === null || answer === '') && <p className="muted">The answer had no body.</p>}
      {answer !== null && answer !== '' && <Code text={prettyJson(answer)} raw={answer} label={`Answer to attempt ${number}`} />}
    </li>
  );
}
