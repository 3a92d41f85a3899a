import { useState, type FormEvent, type ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { SPANS, withPeriod, type Days, type Period } from './period.ts';

export function PeriodPicker({ period }: { readonly period: Period }): ReactNode {
  const [path] = useLocation();
  const [params] = useSearchParams();
  const [isOpen, setOpen] = useState(period.id === 'own');
  return (
    <div className="stack no-print">
      <div className="row" role="group" aria-label="Period">
        {SPANS.map(({ id, title }) => {
          const search = withPeriod(params, id).toString();
          return (
            <Link
              key={id}
              className="button small"
              href={search === '' ? path : `${path}?${search}`}
              aria-current={period.id === id ? 'true' : undefined}
              onClick={() => setOpen(false)}
            >
              {title}
            </Link>
          );
        })}
        <Button isSmall aria-expanded={isOpen} aria-pressed={period.id === 'own'} onClick={() => setOpen(!isOpen)}>
          Other days
        </Button>
      </div>
      {isOpen && <OtherDays key={`${period.first} ${period.last}`} days={period} />}
    </div>
  );
}

function OtherDays({ days }: { readonly days: Days }): ReactNode {
  const [first, setFirst] = useState(days.first);
  const [last, setLast] = useState(days.last);
  const [, setParams] = useSearchParams();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setParams((params) => withPeriod(params, { first, last }));
  };
  return (
    <form className="row report-days" onSubmit={submit}>
      <label className="row">
        <span>From</span>
        <input
          className="input fit"
          type="date"
          required
          max={last}
          value={first}
          onChange={(event) => setFirst(event.target.value)}
        />
      </label>
      <label className="row">
        <span>to</span>
        <input
          className="input fit"
          type="date"
          required
          min={first}
          value={last}
          onChange={(event) => setLast(event.target.value)}
        />
      </label>
      <Button type="submit" isSmall>
        Show
      </Button>
      <small className="muted">Whole days of UTC, the last one included.</small>
    </form>
  );
}
