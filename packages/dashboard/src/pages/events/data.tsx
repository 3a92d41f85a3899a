// The data of an event as a list that can be read, and as it is.

import { Fragment, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { pageOfId } from '../../shell/actions.ts';
import { Code } from '../../ui/code.tsx';
import { Name } from '../../ui/name.tsx';
import { Time } from '../../ui/time.tsx';

type Members = Readonly<Record<string, unknown>>;

/** Deeper than this is shown as JSON. */
const DEPTH_MAX = 3;

interface DataProps {
  readonly data: Members;
  /** Said by a caller: nothing of it leads anywhere. */
  readonly isForeign?: boolean;
  readonly depth?: number;
}

export function DataList({ data, isForeign = false, depth = 0 }: DataProps): ReactNode {
  const members = Object.entries(data);
  if (members.length === 0) return <p className="muted">There is no more to tell.</p>;
  return (
    <dl className="facts">
      {members.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>
            <Value name={name} value={value} depth={depth} isForeign={isForeign || FOREIGN.has(name)} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Members whose members callers choose. */
const FOREIGN: ReadonlySet<string> = new Set(['metadata', 'subject', 'external_id', 'labels', 'headers', 'attributes', 'models']);

/** Named by who runs them. Dots alone would be a step upwards. */
const PROBE = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/;

/** The page of what a member names; `null`: it names nothing that has one. */
function pageOf(name: string, text: string): string | null {
  if (name === 'probe_id') return PROBE.test(text) ? `/probes/${encodeURIComponent(text)}` : null;
  return name.endsWith('_id') ? pageOfId(text) : null;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
  readonly isForeign: boolean;
}

function Value({ name, value, depth, isForeign }: ValueProps): ReactNode {
  if (value === null || value === undefined) return <span className="muted">none</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return <TextValue name={name} text={value} isForeign={isForeign} />;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return value.length === 0 ? <span className="muted">none</span> : value.map(String).join(', ');
  if (!Array.isArray(value) && depth < DEPTH_MAX)
    return <DataList data={value as Members} depth={depth + 1} isForeign={isForeign} />;
  return <pre className="code">{JSON.stringify(value, null, 2)}</pre>;
}

function TextValue({ name, text, isForeign }: Pick<ValueProps, 'name' | 'isForeign'> & { readonly text: string }): ReactNode {
  if (isForeign) return <Name text={text} />;
  if (TIME.test(text) && !Number.isNaN(Date.parse(text))) return <Time at={text} />;
  const page = pageOf(name, text);
  if (page !== null)
    return (
      <Link href={page}>
        <code>{text}</code>
      </Link>
    );
  return name === 'id' || name.endsWith('_id') || name === 'digest' ? <code>{text}</code> : text;
}

/** Written when it is asked for: it may be long. */
export function AsJson({ value }: { readonly value: object }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As JSON</summary>
      {isOpen && <Code label="The event as JSON" text={JSON.stringify(value, null, 2)} />}
    </details>
  );
}
