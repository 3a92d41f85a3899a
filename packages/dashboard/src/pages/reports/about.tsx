// Of what a report is: the organization, the days, and the log that its counts are tied to.

import type { AsOf } from '@svc/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay, useOrganization } from '../../session.tsx';
import { Code } from '../../ui/code.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { number } from './numbers.ts';
import { daysBetween, dayWords } from './period.ts';

interface AboutProps {
  readonly since: string;
  /** Exclusive. */
  readonly until: string;
  readonly asOf: AsOf;
  readonly children?: ReactNode;
}

export function About({ since, until, asOf, children }: AboutProps): ReactNode {
  const { name } = useOrganization();
  const { first, last } = daysBetween(since, until);
  return (
    <dl className="facts">
      <dt>Organization</dt>
      <dd>{name}</dd>
      <dt>Period</dt>
      <dd>{first === last ? dayWords(first) : `${dayWords(first)} to ${dayWords(last)}`}, whole days of UTC</dd>
      <dt>Counted</dt>
      <dd>up to event {number(asOf.tree_size)} of the log</dd>
      {children}
    </dl>
  );
}

/** The state of the log that the counts are of, to keep. */
export function Checkpoint({ asOf: { tree_size: size, checkpoint }, since, until }: AboutProps): ReactNode {
  const mayExport = useMay('events:read');
  if (checkpoint === null)
    return (
      <section className="card stack" aria-labelledby="checkpoint-title">
        <h2 id="checkpoint-title">Checkpoint</h2>
        <p>
          The log has no signed checkpoint yet, so that nothing of this can be verified. The first is signed within seconds of the
          first event.
        </p>
      </section>
    );
  const after = size - checkpoint.size;
  const period = new URLSearchParams({ new: '', since, ...(Date.parse(until) > Date.now() ? {} : { until }) });
  return (
    <section className="card stack" aria-labelledby="checkpoint-title">
      <h2 id="checkpoint-title">Checkpoint</h2>
      <p>
        This report counts events that the checkpoint below commits to, each of them and their order: whoever keeps it can prove
        later that one was changed, removed or put in.
      </p>
      <p className="muted">
        Of the first {number(checkpoint.size)} events, signed{' '}
        <span className="no-print">
          <Time at={checkpoint.published_at} />.
        </span>
        <span className="print-only">{exactTime(checkpoint.published_at)}.</span>
        {after > 0 && ` ${number(after)} of those counted came after it; the next checkpoint covers them.`}
      </p>
      <Code label="Checkpoint, a signed note" text={checkpoint.note} />
      {mayExport && (
        <p className="no-print">
          To count again without trusting this service, <Link href={`/exports?${period}`}>export the events of this period</Link>{' '}
          and verify them.
        </p>
      )}
    </section>
  );
}
