// What a policy would have decided about what was assessed before.

import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { utcOf } from '../../ui/utc.ts';
import { CandidateField, useCandidate } from './candidate.tsx';
import type { Editing } from './draft.ts';
import type { Lint } from './editor/lint.ts';
import { SimulationView } from './simulation-view.tsx';

const DAY_MS = 86_400_000;
const PERIODS = [
  ['24h', 'The last 24 hours', DAY_MS],
  ['7d', 'The last 7 days', 7 * DAY_MS],
  ['30d', 'The last 30 days', 30 * DAY_MS],
  ['all', 'All that is kept', null],
  ['own', 'From … to …', null],
] as const;
type Period = (typeof PERIODS)[number][0];
const LIMIT_DEFAULT = 10_000;
const LIMIT_MAX = 100_000;

interface Props {
  readonly editing: Editing;
  readonly lint: Lint;
}

export function SimulateTab({ editing, lint }: Props): ReactNode {
  const [search, setSearch] = useSearchParams();
  const id = search.get('simulation');
  const candidate = useCandidate({ editing, lint });
  const [period, setPeriod] = useState<Period>('7d');
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const [limit, setLimit] = useState(String(LIMIT_DEFAULT));
  const start = useAction(async () => {
    const policy = await candidate.read();
    const sample = { ...rangeOf(period, since, until), limit: Number(limit) };
    const { id: started } = await svc.policy.simulate({ policy, sample });
    setSearch({ tab: 'simulate', simulation: started });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.run();
  };
  return (
    <div className="policy-try">
      <form className="card stack top" aria-label="Simulate" onSubmit={submit}>
        <h2>Simulate</h2>
        <p className="muted">
          Compares what a policy would decide with what was decided. Nothing is changed, and nobody is told. Judges are not asked.
        </p>
        <CandidateField candidate={candidate} editing={editing} withShadow />
        <label className="field">
          <span>Assessments of</span>
          <select className="input" value={period} onChange={(event) => setPeriod(event.target.value as Period)}>
            {PERIODS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {period === 'own' && (
          <div className="policy-fields">
            <label className="field">
              <span>From, UTC</span>
              <input className="input" type="datetime-local" value={since} onChange={(event) => setSince(event.target.value)} />
            </label>
            <label className="field">
              <span>To, UTC</span>
              <input className="input" type="datetime-local" value={until} onChange={(event) => setUntil(event.target.value)} />
            </label>
          </div>
        )}
        <label className="field">
          <span>At most</span>
          <input
            className="input"
            type="number"
            required
            min={1}
            max={LIMIT_MAX}
            value={limit}
            onChange={(event) => setLimit(event.target.value)}
          />
          <small>The newest ones, up to {LIMIT_MAX.toLocaleString('en')}.</small>
        </label>
        {start.error !== null && <Problem error={start.error} />}
        <div>
          <Button kind="primary" type="submit" isBusy={start.isBusy} disabled={candidate.obstacle !== null}>
            Simulate
          </Button>
        </div>
      </form>
      {id === null ? (
        <Empty title="No simulation is open">
          <p>
            Choose a policy and a period. Here you then see what would have been blocked, flagged or allowed, with examples to
            look at, and which questions the stored findings cannot answer. Its address can be shared; it is kept for 30 days.
          </p>
        </Empty>
      ) : (
        <Simulation key={id} id={id} />
      )}
    </div>
  );
}

function rangeOf(period: Period, since: string, until: string): { since?: string; until?: string } {
  if (period === 'own')
    return { ...(since === '' ? {} : { since: utcOf(since) }), ...(until === '' ? {} : { until: utcOf(until) }) };
  const span = PERIODS.find(([value]) => value === period)![2];
  return span === null ? {} : { since: new Date(Date.now() - span).toISOString() };
}

const POLL_MS = 700;

function Simulation({ id }: { readonly id: string }): ReactNode {
  const simulation = useQuery({
    queryKey: ['policy', 'simulation', id],
    queryFn: ({ signal }) => svc.policy.getSimulation(id, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.finished_at !== null ? false : POLL_MS),
    // Only what goes on changes.
    staleTime: ({ state }) => (state.data?.finished_at === null ? 0 : Infinity),
  });
  return <SimulationView simulation={simulation.data} error={simulation.error} onRetry={() => simulation.refetch()} />;
}
