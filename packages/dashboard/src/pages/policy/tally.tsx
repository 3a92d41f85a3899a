// What a candidate would have changed: in numbers, by category, and in assessments to look at.

import type { Assessment, PolicyShadowTally } from '@svc/client';
import { useQueries } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Outcome } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type Tally = Pick<
  PolicyShadowTally,
  'assessed' | 'unchanged' | 'newly_blocked' | 'newly_flagged' | 'newly_allowed' | 'by_category' | 'samples'
>;
type Change = keyof Tally['samples'];

const CHANGES: readonly (readonly [change: Change, title: string, meaning: string])[] = [
  ['newly_blocked', 'Newly blocked', 'not blocked before'],
  ['newly_flagged', 'Newly flagged', 'allowed or blocked before'],
  ['newly_allowed', 'Newly allowed', 'flagged or blocked before'],
];
/** Each is read by itself. */
const SAMPLES_AT_ONCE = 10;

const CATEGORY_COLUMNS: readonly Column<[category: string, counts: { added: number; removed: number }]>[] = [
  { title: 'Category', cell: ([category]) => <code>{category}</code> },
  { title: 'Findings more', isNumber: true, cell: ([, { added }]) => added.toLocaleString('en') },
  { title: 'Findings less', isNumber: true, cell: ([, { removed }]) => removed.toLocaleString('en') },
];

const SAMPLE_COLUMNS: readonly Column<Assessment>[] = [
  { title: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Decided then', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    title: 'Findings',
    cell: ({ findings }) => <code>{[...new Set(findings.map(({ category }) => category))].join(', ') || 'none'}</code>,
  },
  { title: 'Model', cell: ({ model }) => model?.name ?? <span className="muted">not sent</span> },
  {
    title: 'Event',
    cell: ({ id, event_id: eventId }) =>
      eventId === null ? (
        <code>{id}</code>
      ) : (
        <Link href={`/events/${eventId}`} aria-label={`Open the event of ${id}`}>
          Open the event
        </Link>
      ),
  },
];

export function TallyView({ tally }: { readonly tally: Tally }): ReactNode {
  const categories = Object.entries(tally.by_category).toSorted(([a], [b]) => a.localeCompare(b));
  return (
    <div className="stack">
      <dl className="figures">
        <Figure title="Compared" count={tally.assessed} of={null} note="assessments" />
        <Figure title="Unchanged" count={tally.unchanged} of={tally.assessed} note="same outcome" />
        {CHANGES.map(([change, title, meaning]) => (
          <Figure key={change} title={title} count={tally[change]} of={tally.assessed} note={meaning} />
        ))}
      </dl>
      {categories.length > 0 && (
        <Table
          label="Findings that differ, by category"
          columns={CATEGORY_COLUMNS}
          items={categories}
          keyOf={([category]) => category}
        />
      )}
      {CHANGES.filter(([change]) => tally.samples[change].length > 0).map(([change, title]) => (
        <SampleList key={change} title={title} ids={tally.samples[change]} />
      ))}
    </div>
  );
}

interface FigureProps {
  readonly title: string;
  readonly count: number;
  readonly of: number | null;
  readonly note: string;
}

function Figure({ title, count, of, note }: FigureProps): ReactNode {
  return (
    <div className="card figure">
      <dt>{title}</dt>
      <dd>
        {count.toLocaleString('en')}
        <small>
          {of !== null && of > 0 && `${shareOf(count, of)}, `}
          {note}
        </small>
      </dd>
    </div>
  );
}

function shareOf(count: number, of: number): string {
  const percent = (count / of) * 100;
  return `${percent > 0 && percent < 0.1 ? '< 0.1' : Number(percent.toFixed(1))} %`;
}

function SampleList({ title, ids }: { readonly title: string; readonly ids: readonly string[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const mayRead = useMay('events:read');
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title}: {ids.length} to look at
      </summary>
      <div className="opened">{isOpen && (mayRead ? <Samples title={title} ids={ids} /> : <Ids ids={ids} />)}</div>
    </details>
  );
}

/** For who may not read events. */
function Ids({ ids }: { readonly ids: readonly string[] }): ReactNode {
  return (
    <div className="stack">
      <p className="muted">
        To look at them needs the scope <code>events:read</code>.
      </p>
      <div>
        <Copy text={ids.join('\n')} label="Copy the ids" />
      </div>
    </div>
  );
}

function Samples({ title, ids }: { readonly title: string; readonly ids: readonly string[] }): ReactNode {
  const [count, setCount] = useState(SAMPLES_AT_ONCE);
  const shown = ids.slice(0, count);
  const reads = useQueries({
    queries: shown.map((id) => ({ queryKey: ['assessments', id], queryFn: () => svc.assessments.get(id), staleTime: 60_000 })),
  });
  const error = reads.find((read) => read.error !== null)?.error ?? null;
  const found = reads.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return (
    <div className="stack">
      {error !== null && <Problem error={error} onRetry={() => void Promise.all(reads.map((read) => read.refetch()))} />}
      {found.length === 0 && error === null ? (
        <Skeleton lines={4} />
      ) : (
        <Table label={`${title}: assessments`} columns={SAMPLE_COLUMNS} items={found} keyOf={({ id }) => id} />
      )}
      {ids.length > count && (
        <div>
          <Button isSmall onClick={() => setCount(count + SAMPLES_AT_ONCE)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
