// What narrows the list: a search, the common filters at hand, the others by name, and what is set as chips that can be taken away.

import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { chipText, isNarrowed, PERIODS, withValues, type Filter, type Name } from './filters.ts';
import { KIND_GROUPS, kindTitle } from '../../kinds.ts';

const TYPED_MS = 250;

/** Filters that take a text. */
const OTHERS = [
  { name: 'category', title: 'Category', hint: 'data.pii, or a family: data' },
  { name: 'model', title: 'Model', hint: 'its name' },
  { name: 'actor', title: 'Actor', hint: 'key_…, sa_… or a user' },
  { name: 'subject', title: 'Subject', hint: 'user, session or agent' },
  { name: 'external_id', title: 'External id', hint: 'your own id' },
  { name: 'probe_id', title: 'Probe', hint: 'id of a probe' },
  { name: 'since', title: 'Since, UTC', hint: '' },
  { name: 'until', title: 'Until, UTC', hint: '' },
] as const;

type Change = (changes: Readonly<Partial<Record<Name, string | null>>>, options?: { replace?: boolean }) => void;

export function FilterBar({ filter }: { readonly filter: Filter }): ReactNode {
  const [, setParams] = useSearchParams();
  const change: Change = (changes, options = {}) => setParams((params) => withValues(params, changes), options);
  const { view, values } = filter;
  return (
    <search className="stack events-filters">
      <div className="row">
        <div className="views" role="group" aria-label="What is listed">
          <Button aria-pressed={view === 'events'} onClick={() => change({ view: null })}>
            All events
          </Button>
          <Button aria-pressed={view === 'assessments'} onClick={() => change({ view: 'assessments', kind: null })}>
            Assessments
          </Button>
        </div>
        <Search value={values.q ?? ''} change={change} />
        {view === 'events' && (
          <Choice label="Kind" value={values.kind ?? ''} onChoose={(kind) => change({ kind })}>
            <option value="">Any kind</option>
            {Array.from(KIND_GROUPS, ([title, kinds]) => (
              <optgroup key={title} label={title}>
                {kinds.map((kind) => (
                  <option key={kind} value={kind}>
                    {kindTitle(kind)}
                  </option>
                ))}
              </optgroup>
            ))}
          </Choice>
        )}
        <Choice label="Outcome" value={values.outcome ?? ''} onChoose={(outcome) => change({ outcome })}>
          <option value="">Any outcome</option>
          <option value="blocked">Blocked</option>
          <option value="flagged">Flagged</option>
          <option value="allowed">Allowed</option>
        </Choice>
        <Choice
          label="Period"
          value={values.period ?? (values.since === undefined ? '' : 'own')}
          onChoose={(period) => change({ period, since: null })}
        >
          <option value="">Any time</option>
          {PERIODS.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
          {values.since !== undefined && (
            <option value="own" disabled>
              Since a time
            </option>
          )}
        </Choice>
        <AddFilter change={change} />
      </div>
      {isNarrowed(filter) && <Chips values={values} change={change} />}
    </search>
  );
}

/** Asks while one types, and at once on Enter. */
function Search({ value, change }: { readonly value: string; readonly change: Change }): ReactNode {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (q: string) => {
    clearTimeout(timer.current);
    if (q.trim() !== value) change({ q }, { replace: true });
  };
  const type = (q: string) => {
    setTyped(q);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ask(q), TYPED_MS);
  };
  return (
    <form
      className="grow events-search"
      onSubmit={(event) => {
        event.preventDefault();
        ask(typed);
      }}
    >
      <input
        className="input"
        type="search"
        aria-label="Search events"
        placeholder="Search events"
        title="Kind, category, model, subject, actor, external id"
        maxLength={200}
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (value: string | null) => void;
  readonly children: ReactNode;
}

function Choice({ label, value, onChoose, children }: ChoiceProps): ReactNode {
  return (
    <select
      className="input events-choice"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
    >
      {children}
    </select>
  );
}

function AddFilter({ change }: { readonly change: Change }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState<(typeof OTHERS)[number]['name']>('category');
  const [value, setValue] = useState('');
  const { hint } = OTHERS.find((other) => other.name === name)!;
  const isTime = name === 'since' || name === 'until';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // As all times of these pages.
    const text = isTime ? new Date(`${value}Z`).toISOString() : value;
    change({ [name]: text, ...(name === 'since' ? { period: null } : {}) });
    setValue('');
    setOpen(false);
  };
  return (
    <>
      <Button aria-expanded={isOpen} aria-controls="add-filter" onClick={() => setOpen(!isOpen)}>
        More filters
      </Button>
      <form id="add-filter" className="row card events-add" hidden={!isOpen} onSubmit={submit}>
        <select
          className="input events-choice"
          aria-label="Filter by"
          value={name}
          onChange={(event) => {
            setName(event.target.value as typeof name);
            setValue('');
          }}
        >
          {OTHERS.map((other) => (
            <option key={other.name} value={other.name}>
              {other.title}
            </option>
          ))}
        </select>
        <input
          className="input grow"
          aria-label={isTime ? 'Time, UTC' : 'Value'}
          type={isTime ? 'datetime-local' : 'text'}
          placeholder={hint}
          required
          maxLength={200}
          value={value}
          onChange={(event) => setValue(event.target.value)}
          {...(name === 'category'
            ? { pattern: '[a-z_]+(\\.[a-z0-9_]+)?', title: 'Such as data.pii, or data for the family.' }
            : {})}
        />
        <Button type="submit" kind="primary">
          Add filter
        </Button>
      </form>
    </>
  );
}

function Chips({ values, change }: { readonly values: Filter['values']; readonly change: Change }): ReactNode {
  const names = Object.keys(values) as (keyof Filter['values'])[];
  return (
    <ul className="row" aria-label="Filters">
      {names.map((name) => (
        <li key={name}>
          <button
            type="button"
            className="chip"
            aria-label={`Remove filter ${chipText(name, values[name]!)}`}
            onClick={() => change({ [name]: null })}
          >
            <span>{chipText(name, values[name]!)}</span> <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      {names.length > 1 && (
        <li>
          <Button kind="quiet" isSmall onClick={() => change(Object.fromEntries(names.map((name) => [name, null])))}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}
