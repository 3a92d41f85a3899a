// How a webhook or an integration does: in one badge, and in words.

import type { Delivery, Webhook } from '@svc/client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';

export type Health = Pick<Webhook, 'status' | 'failing_since' | 'last_success_at'>;

export function HealthBadge({ status, failing_since: failingSince, last_success_at: lastSuccessAt }: Health): ReactNode {
  if (status === 'paused') return <Badge tone="bad">paused</Badge>;
  if (failingSince !== null) return <Badge tone="warn">failing</Badge>;
  return lastSuccessAt === null ? <Badge>not used yet</Badge> : <Badge tone="good">healthy</Badge>;
}

/** What is wrong, and what happens next; nothing where all is well. */
export function HealthNotice({ status, failing_since: failingSince }: Health): ReactNode {
  if (status === 'paused')
    return (
      <p className="notice bad">
        <strong>Paused: no delivery succeeded for 24 hours.</strong> Nothing is dropped. New events wait, one is tried every five
        minutes, and when one succeeds the rest follow, oldest first. Mend the receiver, then send a test or retry a delivery:
        what arrives ends the pause.
      </p>
    );
  if (failingSince === null) return null;
  return (
    <p className="notice warn">
      <strong>
        Failing since <Time at={failingSince} />.
      </strong>{' '}
      Deliveries are retried by the schedule: after 5 minutes, 30 minutes, 2 hours and 8 hours. After 24 hours without a success
      it is paused.
    </p>
  );
}

const TONES: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'warn',
  in_flight: 'plain',
  parked: 'warn',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

/** What each state of a delivery means. */
export const STATE_MEANINGS: Readonly<Record<Delivery['state'], string>> = {
  pending: 'due at the time shown',
  in_flight: 'being sent',
  parked: 'waits for what is paused',
  succeeded: 'was answered with 2xx',
  failed: 'failed for good; can be recovered',
  cancelled: 'deleted, or the event is not kept any more',
};

export function DeliveryState({ state }: Pick<Delivery, 'state'>): ReactNode {
  return (
    <span title={STATE_MEANINGS[state]}>
      <Badge tone={TONES[state] ?? 'plain'}>{state.replace('_', ' ')}</Badge>
    </span>
  );
}

/** `inference.blocked` and two more. */
export function KindList({ kinds }: { readonly kinds: readonly string[] }): ReactNode {
  const shown = kinds.slice(0, 2);
  return (
    <span title={kinds.join(', ')}>
      <code>{shown.join(', ')}</code>
      {kinds.length > shown.length && <span className="muted"> and {kinds.length - shown.length} more</span>}
    </span>
  );
}
