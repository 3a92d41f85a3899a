// The data of an event as a list that can be read, and as it is.

import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Code } from '../../ui/code.tsx';
import { Time } from '../../ui/time.tsx';

type Members = Readonly<Record<string, unknown>>;

/** Deeper than this is shown as JSON. */
const DEPTH_MAX = 3;

export function DataList({ data, depth = 0 }: { readonly data: Members; readonly depth?: number }): ReactNode {
  const members = Object.entries(data);
  if (members.length === 0) return <p className="muted">There is no more to tell.</p>;
  return (
    <dl className="facts">
      {members.map(([name, value]) => (
        <Member key={name} name={name} value={value} depth={depth} />
      ))}
    </dl>
  );
}

function Member({ name, value, depth }: { readonly name: string; readonly value: unknown; readonly depth: number }): ReactNode {
  return (
    <>
      <dt>{name.replaceAll('_', ' ')}</dt>
      <dd>
        <Value name={name} value={value} depth={depth} />
      </dd>
    </>
  );
}

/** What has a page of its own. */
const PLACES: Readonly<Record<string, string>> = {
  event_id: '/events',
  webhook_id: '/webhooks',
  integration_id: '/integrations',
  monitor_id: '/drift',
  probe_id: '/probes',
  export_id: '/exports',
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function Value({ name, value, depth }: { readonly name: string; readonly value: unknown; readonly depth: number }): ReactNode {
  if (value === null || value === undefined) return <span className="muted">none</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return <TextValue name={name} text={value} />;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return value.length === 0 ? <span className="muted">none</span> : value.map(String).join(', ');
  if (!Array.isArray(value) && depth < DEPTH_MAX) return <DataList data={value as Members} depth={depth + 1} />;
  return <pre className="code">{JSON.stringify(value, null, 2)}</pre>;
}

function TextValue({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  if (TIME.test(text)) return <Time at={text} />;
  const place = PLACES[name];
  if (place !== undefined)
    return (
      <Link href={`${place}/${text}`}>
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
