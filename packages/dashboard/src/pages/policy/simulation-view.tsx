// How far a simulation is, and what it found.

import type { PolicySimulation } from '@svc/client';
import { useId, type ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { TallyView } from './tally.tsx';

interface Props {
  readonly simulation: PolicySimulation | undefined;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

const QUESTION_COLUMNS: readonly Column<NonNullable<PolicySimulation['result']>['unanswered'][number]>[] = [
  { title: 'Question left open', cell: ({ question }) => <code>{question}</code> },
  { title: 'What it means', cell: ({ explanation }) => explanation },
  { title: 'Assessments', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
];
const TONES = { queued: 'plain', running: 'plain', succeeded: 'good', failed: 'bad' } as const;

export function SimulationView({ simulation, error, onRetry }: Props): ReactNode {
  if (simulation === undefined) return error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={onRetry} />;
  const { id, state, created_at: createdAt, policy, result } = simulation;
  return (
    <section className="card stack top simulation" aria-label="Simulation">
      <div className="row">
        <h2>Simulation</h2>
        <Badge tone={TONES[state as keyof typeof TONES] ?? 'plain'}>{state}</Badge>
      </div>
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <Id id={id} />
        </dd>
        <dt>Asked for</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>Policy</dt>
        <dd>
          <code>{policy.digest}</code>
        </dd>
      </dl>
      {error !== null && <Problem error={error} onRetry={onRetry} />}
      {(state === 'queued' || state === 'running') && <Progress simulation={simulation} />}
      {state === 'failed' && (
        <p className="notice bad" role="alert">
          <strong>The simulation failed.</strong> {simulation.error} Start it again, with a smaller sample if that stays so.
        </p>
      )}
      {result !== null && <Result result={result} />}
    </section>
  );
}

function Progress({ simulation }: { readonly simulation: PolicySimulation }): ReactNode {
  const { done, total } = simulation.progress;
  const label = useId();
  return (
    <div className="stack" role="status">
      <span id={label}>
        {total === null
          ? 'Waits for its turn.'
          : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} assessments looked at.`}
      </span>
      <progress
        className="policy-progress"
        aria-labelledby={label}
        max={Math.max(1, total ?? 1)}
        value={total === null ? 0 : done}
      />
    </div>
  );
}

function Result({ result }: { readonly result: NonNullable<PolicySimulation['result']> }): ReactNode {
  const { texts, findings, partly } = result.answered;
  if (result.assessed === 0) {
    return (
      <p className="notice">
        There were no assessments in that period. Choose a longer one, or send some: the Playground does it from a page.
      </p>
    );
  }
  return (
    <>
      <TallyView tally={result} />
      <div className="stack">
        <h3>How sure this is</h3>
        <p>
          {[
            texts > 0 && `${countOf(texts)} from the texts, which were kept: as if asked anew.`,
            findings > 0 && `${countOf(findings)} from the findings that were kept: that was enough to be sure.`,
            partly > 0 && `${countOf(partly)} from the findings that were kept: not all could be told, see below.`,
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
        {result.unanswered.length > 0 && (
          <Table
            label="Questions left open"
            columns={QUESTION_COLUMNS}
            items={result.unanswered}
            keyOf={({ question }) => question}
          />
        )}
        {partly > 0 && (
          <p className="muted">
            Where <code>data.store</code> is <code>full</code>, texts are kept and such questions do not arise. A shadow answers
            them for what comes from now on.
          </p>
        )}
      </div>
    </>
  );
}

function countOf(n: number): string {
  return `${n.toLocaleString('en')} ${n === 1 ? 'assessment was' : 'assessments were'} decided`;
}
