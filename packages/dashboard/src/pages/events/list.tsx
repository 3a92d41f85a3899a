// The list itself. Only the lines in view are in the page, however many are held: each has the same height.

import { memo, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useActorNames } from '../../ui/actor.tsx';
import { Outcome } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Name } from '../../ui/name.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { kindTitle } from '../../kinds.ts';
import { NOT_NAMED, shortId, type Row } from './rows.ts';
import type { Trail, TrailState } from './trail.ts';
import { useArrows } from './use-arrows.ts';

const HEIGHT = 42;
/** Two lines each where there is no room for columns. */
const HEIGHT_NARROW = 64;
const NARROW_PX = 760;
/** Lines beyond the view, so that scrolling finds them there. */
const BEYOND = 12;
/** So many lines before the end the next page is asked for. */
const AHEAD = 60;
/** Relative times are written again. */
const TICK_MS = 15_000;
const TOP_PX = 4;

interface ListProps {
  readonly trail: Trail;
  readonly state: TrailState;
  readonly whoTitle: string;
  readonly selectedId: string | null;
  /** Part of an address: `?outcome=blocked`, or nothing. */
  readonly search: string;
  readonly onOpen: (id: string) => void;
  /** Some of what one might look for here has no event: said at the end. */
  readonly lacksAllowedOfProbes: boolean;
}

export function EventList(props: ListProps): ReactNode {
  const { trail, state, whoTitle, selectedId, search, onOpen, lacksAllowedOfProbes } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(scroller);
  const [scrollTop, setScrollTop] = useState(0);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const tick = useTick();
  const names = useActorNames();
  const { rows, fresh, isBehind } = state;
  const isNarrow = width > 0 && width < NARROW_PX;
  const rowHeight = isNarrow ? HEIGHT_NARROW : HEIGHT;

  // A list that was hidden, left, or given lines of another height, is where it was.
  useLayoutEffect(() => {
    if (height === 0) return;
    scroller.current!.scrollTop = trail.scrolledRows * rowHeight;
    setScrollTop(trail.scrolledRows * rowHeight);
  }, [trail, height, rowHeight]);

  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - BEYOND);
  const end = Math.min(rows.length, Math.ceil((scrollTop + height) / rowHeight) + BEYOND);
  const isNearEnd = end > rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && state.hasMore && !state.isReading && state.error === null) void trail.readMore();
  }, [trail, isNearEnd, state.hasMore, state.isReading, state.error]);

  useArrows({ scroller, rows, rowHeight, selectedId, onOpen });

  const onScroll = () => {
    const top = scroller.current!.scrollTop;
    // Hidden: it has not scrolled.
    if (scroller.current!.clientHeight === 0) return;
    trail.scrolledRows = top / rowHeight;
    trail.isAtTop = top <= TOP_PX;
    // A line's height at a time is enough.
    setScrollTop(Math.floor(top / rowHeight) * rowHeight);
  };
  const showFresh = () => {
    trail.isAtTop = true;
    trail.scrolledRows = 0;
    scroller.current!.scrollTop = 0;
    setScrollTop(0);
    trail.showFresh();
  };

  const shown = rows.slice(first, end).map((row, i) => [row, first + i] as const);
  // Who goes by keyboard does not lose his place when it is scrolled away.
  const focused = focusedId === null ? -1 : rows.findIndex(({ id }) => id === focusedId);
  if (focused >= 0 && (focused < first || focused >= end)) shown.push([rows[focused]!, focused]);

  return (
    <div className={`events-list${isNarrow ? ' narrow' : ''}`}>
      <div role="status" className="events-fresh">
        {fresh.length > 0 && (
          <Button kind="primary" isSmall onClick={showFresh}>
            ↑ {isBehind ? `More than ${fresh.length.toLocaleString('en')}` : fresh.length} new
          </Button>
        )}
      </div>
      <div
        ref={scroller}
        className="events-scroll"
        role="table"
        aria-label="Events"
        aria-rowcount={state.hasMore ? -1 : rows.length + 1}
        onScroll={onScroll}
      >
        <div role="rowgroup" className="events-head">
          <div role="row" aria-rowindex={1} className="events-row">
            {['Event', 'What', whoTitle, 'Time'].map((title) => (
              <span key={title} role="columnheader">
                {title}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="events-body" style={{ height: rows.length * rowHeight }}>
          {shown.map(([row, index]) => (
            <Line
              key={row.id}
              row={row}
              index={index}
              top={index * rowHeight}
              isSelected={row.id === selectedId}
              isNarrow={isNarrow}
              search={search}
              name={(whoTitle === 'Actor' && row.who !== null && names.get(row.who)) || null}
              tick={tick}
              onFocused={setFocusedId}
            />
          ))}
        </div>
      </div>
      <Foot trail={trail} state={state} lacksAllowedOfProbes={lacksAllowedOfProbes} />
    </div>
  );
}

interface LineProps {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isNarrow: boolean;
  readonly search: string;
  /** Of who it is, where it is known. */
  readonly name: string | null;
  /** Changes when times are to be written again. */
  readonly tick: number;
  /** With the event's id, or `null` when the focus went. */
  readonly onFocused: (id: string | null) => void;
}

const Line = memo(function Line({ row, index, top, isSelected, isNarrow, search, name, onFocused }: LineProps): ReactNode {
  const { id, at, kind, outcome, what, more, externalId, probe, model, who } = row;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="events-row"
      data-id={id}
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="events-kind">
        <Link
          href={`/events/${id}${search}`}
          aria-current={isSelected ? 'true' : undefined}
          onFocus={() => onFocused(id)}
          onBlur={() => onFocused(null)}
        >
          {outcome === null ? (
            kindTitle(kind)
          ) : (
            <>
              <span className="visually-hidden">Inference </span>
              <Outcome outcome={outcome} />
            </>
          )}
        </Link>
      </span>
      <span role="cell" className="events-what">
        {what !== '' && (
          <span className={outcome === null ? '' : what === NOT_NAMED ? 'muted' : 'mono'}>
            <Name text={what} />
          </span>
        )}
        {more > 0 && <span className="muted">+{more}</span>}
        {model !== null && (
          <span className="muted">
            <Name text={model} />
          </span>
        )}
        {probe !== null && <span className="muted">{probe}</span>}
        {externalId !== null && (
          <span className="muted mono">
            <Name text={externalId} />
          </span>
        )}
      </span>
      <span role="cell" className={`events-who muted${name === null ? ' mono' : ''}`} title={who ?? undefined}>
        {name !== null ? <Name text={name} /> : who === null ? '–' : isNarrow ? shortId(who) : who}
      </span>
      <span role="cell" className="events-time muted">
        <Time at={at} />
      </span>
    </div>
  );
});

function Foot({ trail, state, lacksAllowedOfProbes }: Pick<ListProps, 'trail' | 'state' | 'lacksAllowedOfProbes'>): ReactNode {
  const { rows, hasMore, isReading, error } = state;
  return (
    <div className="events-foot">
      {error !== null ? (
        <Problem error={error} onRetry={() => trail.readMore()} />
      ) : (
        <>
          <span className="muted" data-loaded={rows.length}>
            {rows.length.toLocaleString('en')} {hasMore ? 'read so far' : rows.length === 1 ? 'event, no more' : 'in all'}
            {lacksAllowedOfProbes && !hasMore && '. Allowed inferences of probes are counted, and have no event of their own.'}
          </span>
          {hasMore && (
            <Button kind="quiet" isSmall isBusy={isReading} onClick={() => void trail.readMore()}>
              Read more
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function useTick(): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return tick;
}

function useSize(ref: { readonly current: HTMLElement | null }): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current!;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
