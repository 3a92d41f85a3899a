// How a probe is: in one badge, and in words.

import type { Probe } from '@svc/client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';

interface Known {
  readonly status: 'offline' | 'skewed' | 'stale' | 'healthy';
  readonly tone: Tone;
  readonly meaning: string;
}

/** The worst first. */
export const STATUSES: readonly Known[] = [
  { status: 'offline', tone: 'bad', meaning: 'no heartbeat for three intervals' },
  { status: 'skewed', tone: 'warn', meaning: 'decides by an older policy' },
  { status: 'stale', tone: 'warn', meaning: 'late with its heartbeat, or its policy has expired' },
  { status: 'healthy', tone: 'good', meaning: 'heard in time' },
];

/** Also of a status that this page does not know. */
export function ProbeStatus({ status }: Pick<Probe, 'status'>): ReactNode {
  const known = STATUSES.find((each) => each.status === status);
  return (
    <span title={known?.meaning}>
      <Badge tone={known?.tone ?? 'plain'}>{status}</Badge>
    </span>
  );
}

/** What is wrong, and what to do; nothing where all is well. */
export function StatusNotice({ probe, inForce }: { readonly probe: Probe; readonly inForce: number | null }): ReactNode {
  switch (probe.status) {
    case 'offline':
      return (
        <p className="notice bad">
          <strong>Nothing was heard of it for three intervals.</strong> It may have stopped, or it cannot reach the service. It
          goes on deciding by the policy on its disk, and what it decides waits there. Look at its log, and whether{' '}
          <code>SVC_URL</code> and its key are still right.
        </p>
      );
    case 'skewed':
      return (
        <p className="notice warn">
          <strong>
            It decides by version {probe.policy_version ?? 'unknown'} of the policy
            {inForce === null ? ', which is not the one in force.' : `; version ${inForce} is in force.`}
          </strong>{' '}
          More than two heartbeats in a row said so, so it cannot fetch the newer one. Does its key have the scope{' '}
          <code>policy:read</code>? The label <code>policy_problem</code>, where it has one, says what it refused.
        </p>
      );
    case 'stale':
      return (
        <p className="notice warn">
          {probe.last_heartbeat_at === null ? (
            <>
              <strong>Nothing was heard of it for a while.</strong> It never sent a heartbeat, so it may just have nothing to
              report. Set how often it is to be heard, and silence counts as offline.
            </>
          ) : (
            <>
              <strong>It is late with its heartbeat, or its policy has expired.</strong> It goes on deciding by the policy it has.
            </>
          )}
        </p>
      );
    default:
      return null;
  }
}

interface QueueProps {
  readonly queue: Probe['queue'];
}

/** What it has not sent yet. */
export function Queue({ queue }: QueueProps): ReactNode {
  if (queue === null) return <span className="muted">not told</span>;
  return (
    <span className="row">
      {queue.depth.toLocaleString('en')} waiting
      {queue.dropped > 0 && <Badge tone="bad">{queue.dropped.toLocaleString('en')} dropped</Badge>}
    </span>
  );
}
