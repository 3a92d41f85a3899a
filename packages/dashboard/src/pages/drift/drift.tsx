// What is watched for drift, and how each of it stands.

import type { DriftListQuery, DriftMonitor } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { NameFilter } from '../../ui/name-filter.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { OpenDrifts } from './open-drifts.tsx';
import { SIGNALS, signalMeaning, signalTitle, type Signal } from './signals.ts';
import { DriftState, STATES } from './state.tsx';

const NAMES = ['state', 'signal', 'model', 'group'] as const;
type Name = (typeof NAMES)[number];
/** So many monitors name the models and groups that are proposed. */
const KNOWN_MAX = 200;
const KNOWN_STALE_MS = 60_000;

export function Drift(): ReactNode {
  useTitle('Drift');
  const mayRead = useMay('probes:read');
  const [params] = useSearchParams();
  const isNarrowed = NAMES.some((name) => params.has(name));
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Drift</h1>
          <p>
            Each monitor learns what is usual for one signal of one model in one group of probes, and tells when it changes for
            good.
          </p>
        </div>
      </div>
      {mayRead ? (
        <>
          {!isNarrowed && (
            <section className="card stack">
              <h2>Changed, and stays changed</h2>
              <OpenDrifts />
            </section>
          )}
          <Monitors />
        </>
      ) : (
        <p className="notice">
          Drift needs the scope <code>probes:read</code>, which this session does not have.
        </p>
      )}
    </>
  );
}

function Monitors(): ReactNode {
  const [params, setParams] = useSearchParams();
  const query = queryOf(params);
  const isNarrowed = Object.keys(query).length > 0;
  const change = (name: Name, value: string) => setParams((before) => withFilter(before, name, value));
  return (
    <>
      <Filters query={query} onChange={change} onClear={isNarrowed ? () => setParams(new URLSearchParams()) : null} />
      <PagedTable
        label="Monitors"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        queryKey={['drift', 'list', query]}
        read={async (cursor, signal) => await svc.drift.list({ ...query, ...(cursor === null ? {} : { cursor }) }, { signal })}
        refetchIntervalMs={LIVE_INTERVAL_MS * 2}
        empty={isNarrowed ? <NoSuch /> : <NoMonitor />}
      />
    </>
  );
}

interface FiltersProps {
  readonly query: DriftListQuery;
  readonly onChange: (name: Name, value: string) => void;
  readonly onClear: (() => void) | null;
}

function Filters({ query, onChange, onClear }: FiltersProps): ReactNode {
  const known = useQuery({
    queryKey: ['drift', 'names'],
    queryFn: async ({ signal }) => {
      const { data } = await svc.drift.list({ limit: KNOWN_MAX }, { signal });
      return {
        models: [...new Set(data.map(({ model }) => model))].toSorted(),
        groups: [...new Set(data.map(({ group }) => group))].toSorted(),
      };
    },
    staleTime: KNOWN_STALE_MS,
  });
  return (
    <search className="row">
      <select
        className="input fit"
        aria-label="State"
        value={query.state ?? ''}
        onChange={(event) => onChange('state', event.target.value)}
      >
        <option value="">Any state</option>
        {STATES.map(({ state }) => (
          <option key={state} value={state}>
            {state}
          </option>
        ))}
      </select>
      <select
        className="input fit"
        aria-label="Signal"
        value={query.signal ?? ''}
        onChange={(event) => onChange('signal', event.target.value)}
      >
        <option value="">Any signal</option>
        {Object.entries(SIGNALS).map(([signal, { title }]) => (
          <option key={signal} value={signal}>
            {title}
          </option>
        ))}
      </select>
      <NameFilter
        label="Model"
        value={query.model ?? ''}
        known={known.data?.models ?? []}
        isSearch
        onChange={(model) => onChange('model', model)}
      />
      <NameFilter
        label="Group"
        value={query.group ?? ''}
        known={known.data?.groups ?? []}
        onChange={(group) => onChange('group', group)}
      />
      {onClear !== null && (
        <Button kind="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

const COLUMNS: readonly Column<DriftMonitor>[] = [
  {
    title: 'Signal',
    cell: ({ id, signal }) => (
      <div className="lead">
        <Link href={`/drift/${id}`}>{signalTitle(signal)}</Link>
        <div className="muted">{signalMeaning(signal)}</div>
      </div>
    ),
  },
  { title: 'State', cell: (monitor) => <DriftState {...monitor} /> },
  { title: 'Since', cell: (monitor) => <Since {...monitor} /> },
  {
    title: 'Model',
    cell: ({ model }) => (
      <Link href={`/drift?model=${encodeURIComponent(model)}`}>
        <Name text={model} />
      </Link>
    ),
  },
  {
    title: 'Group',
    cell: ({ group }) => (
      <Link href={`/drift?group=${encodeURIComponent(group)}`}>
        <Name text={group} />
      </Link>
    ),
  },
  { title: 'Observations', isNumber: true, cell: ({ observations }) => observations.toLocaleString('en') },
  { title: 'Last observed', cell: ({ last_observed_at: at }) => <Time at={at} /> },
];

function Since({
  state,
  since,
  acknowledged_at: at,
  observations_needed: needed,
  learning_until: until,
}: DriftMonitor): ReactNode {
  if (state === 'learning')
    return (
      <span className="muted">
        {needed.baseline > 0 ? `${needed.baseline.toLocaleString('en')} observations to go` : 'nearly done'}
        {until !== null && (
          <>
            , until <Time at={until} />
          </>
        )}
      </span>
    );
  if (since === null) return <span className="muted">no change</span>;
  return (
    <>
      <Time at={since} />
      {state === 'sustained' && <div className="muted">{at === null ? 'not acknowledged' : 'acknowledged'}</div>}
    </>
  );
}

function NoSuch(): ReactNode {
  return (
    <Empty title="Nothing that is watched is so">
      <p>No monitor matches these filters. Models and groups have to be named in full.</p>
    </Empty>
  );
}

function NoMonitor(): ReactNode {
  return (
    <Empty title="Nothing is watched yet">
      <p>
        A monitor begins with the first observation of its signal: the first assessment, or what a probe reports of a model. It
        learns from 2 000 of them, and a whole day where the policy does not say otherwise, and then tells when the signal changes
        for good. What test keys do is not watched.
      </p>
      <div className="row">
        <Link className="button" href="/probes">
          Add a probe
        </Link>
        <Link className="button" href="/welcome">
          Send a first assessment
        </Link>
      </div>
    </Empty>
  );
}

function queryOf(params: URLSearchParams): DriftListQuery {
  const state = STATES.find((known) => known.state === params.get('state'))?.state;
  const signal = params.get('signal') ?? '';
  const [model, group] = [params.get('model') ?? '', params.get('group') ?? ''];
  return {
    ...(state === undefined ? {} : { state }),
    ...(Object.hasOwn(SIGNALS, signal) ? { signal: signal as Signal } : {}),
    ...(model === '' ? {} : { model }),
    ...(group === '' ? {} : { group }),
  };
}

function withFilter(params: URLSearchParams, name: Name, value: string): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}
