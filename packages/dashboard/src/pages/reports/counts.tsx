// Counts of a period by what they are of, each with a way to the events where the list of events can be asked for them.

import type { NamedCounts, SummaryReport } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { kindTitle } from '../../kinds.ts';
import { number } from './numbers.ts';

type Span = Pick<SummaryReport, 'since' | 'until'>;

interface PartProps<Item> {
  readonly title: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** What to say where there is nothing. */
  readonly none?: string;
  /** Rows that are shown without being asked for. */
  readonly shown?: number;
}

function Part<Item>({ title, columns, items, keyOf, none = 'None.', shown = 10 }: PartProps<Item>): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && items.length > shown;
  return (
    <div className="stack top">
      <h2>{title}</h2>
      {items.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <Table label={title} columns={columns} items={isCut ? items.slice(0, shown) : items} keyOf={keyOf} />
      )}
      {isCut && (
        <div>
          <Button isSmall onClick={() => setWhole(true)}>
            Show all {number(items.length)}
          </Button>
        </div>
      )}
    </div>
  );
}

interface NamedProps {
  readonly title: string;
  readonly items: readonly NamedCounts[];
  readonly report: Span;
  readonly none: string;
  /** The filter of the list of events that takes these names. */
  readonly filter?: 'category' | 'model' | 'probe_id';
}

export function Named({ title, items, report, none, filter }: NamedProps): ReactNode {
  const mayRead = useMay('events:read');
  const columns = namedColumns(mayRead ? filter : undefined, report);
  return <Part title={title} columns={columns} items={items} keyOf={({ name, is_others: o }) => `${name} ${o}`} none={none} />;
}

function namedColumns(filter: NamedProps['filter'], report: Span): readonly Column<NamedCounts>[] {
  return [
    { title: 'Name', cell: (counts) => nameOf(counts, filter, report) },
    { title: 'Inferences', isNumber: true, cell: ({ total }) => <Count value={total} /> },
    { title: 'Flagged', isNumber: true, cell: ({ flagged }) => <Count value={flagged} /> },
    { title: 'Blocked', isNumber: true, cell: ({ blocked }) => <Count value={blocked} /> },
  ];
}

function nameOf({ name, is_others: isOthers }: NamedCounts, filter: NamedProps['filter'], report: Span): ReactNode {
  if (name === null) return <span className="muted">{isOthers ? 'others' : 'not told'}</span>;
  if (filter === undefined) return <div className="name">{name}</div>;
  const view = filter === 'category' ? 'assessments' : '';
  return (
    <div className="name">
      <Link href={eventsPath({ view, [filter]: name }, report)}>{name}</Link>
    </div>
  );
}

type Counted = SummaryReport['sources']['api'] & { readonly name: string };

const SOURCES: readonly Column<Counted>[] = [
  { title: 'Source', cell: ({ name }) => <div className="name">{name}</div> },
  { title: 'Inferences', isNumber: true, cell: ({ inferences }) => <Count value={inferences} /> },
  { title: 'Allowed', isNumber: true, cell: ({ allowed }) => <Count value={allowed} /> },
  { title: 'Flagged', isNumber: true, cell: ({ flagged }) => <Count value={flagged} /> },
  { title: 'Blocked', isNumber: true, cell: ({ blocked }) => <Count value={blocked} /> },
  { title: 'Undecided', isNumber: true, cell: ({ undecided }) => <Count value={undecided} /> },
];

export function Sources({ sources, totals }: Pick<SummaryReport, 'sources' | 'totals'>): ReactNode {
  const items: readonly Counted[] = [
    { name: 'Assessed over the API', ...sources.api },
    { name: 'Reported by probes', ...sources.probes },
    { name: 'Together', ...totals },
  ];
  return <Part title="Inferences by outcome" columns={SOURCES} items={items} keyOf={({ name }) => name} />;
}

const POLICIES: readonly Column<SummaryReport['policies'][number]>[] = [
  { title: 'Version', cell: ({ version }) => (version === null ? <span className="muted">not told</span> : version) },
  { title: 'Inferences', isNumber: true, cell: ({ inferences }) => <Count value={inferences} /> },
];

export function Policies({ policies }: Pick<SummaryReport, 'policies'>): ReactNode {
  return (
    <Part
      title="Policies that decided"
      columns={POLICIES}
      items={policies}
      keyOf={({ version }) => String(version)}
      none="No inference was decided."
    />
  );
}

const FAULTS: readonly Column<SummaryReport['detector_faults'][number]>[] = [
  { title: 'Detector', cell: ({ detector }) => <div className="name">{detector}</div> },
  { title: 'Assessments', isNumber: true, cell: ({ assessments }) => number(assessments) },
];

/** Detectors that failed or ran out of time. */
export function Faults({ faults }: { readonly faults: SummaryReport['detector_faults'] }): ReactNode {
  return (
    <Part
      title="Detector faults"
      columns={FAULTS}
      items={faults}
      keyOf={({ detector }) => detector}
      none="No detector failed or ran out of time."
    />
  );
}

export function Kinds({ kinds, report }: Pick<SummaryReport, 'kinds'> & { readonly report: Span }): ReactNode {
  const columns = kindColumns(useMay('events:read'), report);
  return <Part title="Events by kind" columns={columns} items={kinds} keyOf={({ kind }) => kind} shown={20} />;
}

function kindColumns(mayRead: boolean, report: Span): readonly Column<SummaryReport['kinds'][number]>[] {
  return [
    {
      title: 'Kind',
      cell: ({ kind }) => (
        <div className="name">
          {mayRead ? <Link href={eventsPath({ kind }, report)}>{kindTitle(kind)}</Link> : kindTitle(kind)}
        </div>
      ),
    },
    { title: 'Events', isNumber: true, cell: ({ count }) => number(count) },
    { title: 'First', cell: ({ first_at: at }) => <When at={at} /> },
    { title: 'Last', cell: ({ last_at: at }) => <When at={at} /> },
  ];
}

type Point = SummaryReport['series'][number];

const LABELS: Readonly<Record<string, (start: string) => string>> = {
  hour: (start) => `${start.slice(0, 10)} ${start.slice(11, 16)}`,
  day: (start) => start.slice(0, 10),
  week: (start) => `week from ${start.slice(0, 10)}`,
  month: (start) => start.slice(0, 7),
};

export function Series({ series, interval }: Pick<SummaryReport, 'series' | 'interval'>): ReactNode {
  // The latest is what one looks for.
  const points = series.toReversed();
  return (
    <Part title={`By the ${interval}`} columns={pointColumns(interval)} items={points} keyOf={({ start }) => start} shown={31} />
  );
}

function pointColumns(interval: string): readonly Column<Point>[] {
  const labelOf = LABELS[interval] ?? ((start: string) => start);
  return [
    { title: 'From, UTC', cell: ({ start }) => <span className="report-time">{labelOf(start)}</span> },
    { title: 'Inferences', isNumber: true, cell: ({ inferences }) => <Count value={inferences} /> },
    { title: 'Allowed', isNumber: true, cell: ({ allowed }) => <Count value={allowed} /> },
    { title: 'Flagged', isNumber: true, cell: ({ flagged }) => <Count value={flagged} /> },
    { title: 'Blocked', isNumber: true, cell: ({ blocked }) => <Count value={blocked} /> },
    { title: 'Undecided', isNumber: true, cell: ({ undecided }) => <Count value={undecided} /> },
  ];
}

/** On paper nobody sees how long ago it was. */
function When({ at }: { readonly at: string }): ReactNode {
  return (
    <>
      <span className="no-print report-time">
        <Time at={at} />
      </span>
      <span className="print-only">{exactTime(at).slice(0, 16)}</span>
    </>
  );
}

/** Nothing is told more softly. */
function Count({ value }: { readonly value: number }): ReactNode {
  return <span className={value === 0 ? 'muted' : undefined}>{number(value)}</span>;
}

/** The list of events that a count is of. */
function eventsPath(filter: Readonly<Record<string, string>>, { since, until }: Span): string {
  const members = Object.entries({ ...filter, since, until }).filter(([, value]) => value !== '');
  return `/events?${new URLSearchParams(members)}`;
}
