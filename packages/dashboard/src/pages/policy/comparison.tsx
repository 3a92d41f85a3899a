// Two versions compared, as the API compares them: place by place.

import type { Policy, PolicyChange } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { stringify } from 'yaml';
import { svc } from '../../api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { effectAt, isWithoutEffect } from './effect.ts';

interface FormProps {
  readonly from: number | null;
  readonly to: number | null;
  readonly newest: number;
}

export function CompareForm({ from, to, newest }: FormProps): ReactNode {
  const [before, setBefore] = useState(String(from ?? Math.max(1, newest - 1)));
  const [after, setAfter] = useState(String(to ?? newest));
  const [, navigate] = useLocation();
  const compare = (event: FormEvent) => {
    event.preventDefault();
    navigate(`/policy?tab=versions&from=${Number(before)}&to=${Number(after)}`);
  };
  return (
    <form className="row compare" aria-label="Compare two versions" onSubmit={compare}>
      <label className="row">
        Compare version
        <input
          className="input"
          type="number"
          required
          min={1}
          max={newest}
          value={before}
          onChange={(event) => setBefore(event.target.value)}
        />
      </label>
      <label className="row">
        with version
        <input
          className="input"
          type="number"
          required
          min={1}
          max={newest}
          value={after}
          onChange={(event) => setAfter(event.target.value)}
        />
      </label>
      <Button type="submit">Compare</Button>
    </form>
  );
}

export function Comparison({ from, to }: { readonly from: number; readonly to: number }): ReactNode {
  return (
    <section className="card stack" aria-label={`From version ${from} to version ${to}`}>
      <div className="row">
        <h2 className="grow">
          From version {from} to version {to}
        </h2>
        <Link href="/policy?tab=versions">Close</Link>
      </div>
      <Changes from={from} to={to} />
    </section>
  );
}

/** Versions never change: what was compared once is not compared again. */
export function Changes({ from, to }: { readonly from: number; readonly to: number }): ReactNode {
  const diff = useQuery({
    queryKey: ['policy', 'diff', from, to],
    queryFn: ({ signal }) => svc.policy.diffVersions({ from, to }, { signal }),
    staleTime: Infinity,
  });
  const [before, after] = [useQuery(versionQuery(from)), useQuery(versionQuery(to))];
  if (diff.isPending || before.isPending || after.isPending) return <Skeleton lines={4} />;
  if (diff.data === undefined) return <Problem error={diff.error} onRetry={() => diff.refetch()} />;
  const documents = before.data && after.data ? { before: before.data.policy, after: after.data.policy } : null;
  const { changes } = diff.data;
  if (changes.length === 0) return <p className="muted">The two documents are the same.</p>;
  return (
    <ul className="changes">
      {changes.map((change) => (
        <Change key={`${change.op} ${change.path}`} change={change} documents={documents} />
      ))}
    </ul>
  );
}

export function versionQuery(number: number) {
  return {
    queryKey: ['policy', 'version', number],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => svc.policy.getVersion(String(number), { signal }),
    staleTime: Infinity,
  };
}

const SAID: Readonly<Record<string, string>> = { add: 'added', remove: 'removed', replace: 'changed' };

interface ChangeProps {
  readonly change: PolicyChange;
  /** `null`: they could not be read. */
  readonly documents: { readonly before: Policy; readonly after: Policy } | null;
}

function Change({ change, documents }: ChangeProps): ReactNode {
  const { op, path, id, from, to } = change;
  // What is not written has its default, where there is one.
  const fallback = op === 'remove' && documents !== null ? effectAt(documents.after, path) : undefined;
  const isSame = documents !== null && path !== '' && isWithoutEffect(documents.before, documents.after, path);
  return (
    <li className="stack">
      <div className="row">
        <Badge>{SAID[op] ?? op}</Badge>
        <code>{path === '' ? 'the whole document' : path}</code>
        {isSame && (
          <span className="badge">no effect: {op === 'remove' ? 'it was as by default' : 'it says what held before'}</span>
        )}
        {id !== undefined && (
          <span className="muted">
            of <code>{id}</code>
          </span>
        )}
      </div>
      <pre className="diff">
        {op !== 'add' && <Value sign="-" value={from} />}
        {op !== 'remove' && <Value sign="+" value={to} />}
      </pre>
      {fallback !== undefined && !isSame && (
        <p className="muted">
          Not written any more, so the default holds: <code>{sayOf(fallback)}</code>
        </p>
      )}
    </li>
  );
}

function sayOf(value: unknown): string {
  const text = stringify(value, { lineWidth: 0, collectionStyle: 'flow' })
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}

function Value({ sign, value }: { readonly sign: '+' | '-'; readonly value: unknown }): ReactNode {
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split('\n');
  return (
    <span className={sign === '+' ? 'diff-added' : 'diff-removed'}>
      <span className="visually-hidden">{sign === '+' ? 'now: ' : 'before: '}</span>
      {lines.map((line) => `${sign} ${line}\n`).join('')}
    </span>
  );
}
