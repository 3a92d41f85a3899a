// What all charts have: a title, a legend, a picture as wide as there is room, what is under the pointer in words, and the numbers as a table.

import { useEffect, useRef, useState, type PointerEvent, type ReactNode, type RefObject } from 'react';

export interface LegendEntry {
  readonly title: string;
  /** A custom property: `--blocked`. */
  readonly color: string;
  /** A line rather than an area; the pattern of its dashes, or `none`. */
  readonly dash?: string;
}

export interface ChartTable {
  readonly head: readonly string[];
  /** Made when it is opened: there may be many. The first cell of each names the row. */
  readonly rows: () => readonly (readonly string[])[];
}

interface Props {
  readonly title: string;
  /** What the picture shows, for who does not see it. */
  readonly label: string;
  readonly legend: readonly LegendEntry[];
  readonly height: number;
  readonly chart: Chart;
  /** Which of the things that are drawn stands at `x`. */
  readonly at: (x: number) => number | null;
  /** What is under the pointer, in words. */
  readonly said: string;
  readonly table: ChartTable;
  /** The picture, as SVG. */
  readonly children: ReactNode;
}

/** What a picture is drawn by. */
export interface Chart {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** As wide as there is room, so that letters keep their size. */
  readonly width: number;
  /** Which of the things that are drawn is under the pointer. */
  readonly pointed: number | null;
  readonly point: (index: number | null) => void;
}

const WIDTH_MIN = 200;

export function useChart(): Chart {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, point] = useState<number | null>(null);
  return { frame, width, pointed, point };
}

export function ChartFigure({ title, label, legend, height, chart, at, said, table, children }: Props): ReactNode {
  const { frame, width, point } = chart;
  const onPointer = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) =>
    point(at(clientX - currentTarget.getBoundingClientRect().left));
  return (
    <figure className="chart">
      <figcaption className="row">
        <strong>{title}</strong>
        <span className="grow" />
        <Legend entries={legend} />
      </figcaption>
      <div ref={frame}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${label} The table below has the numbers.`}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerLeave={() => point(null)}
        >
          {children}
        </svg>
        {/* The table says it to who does not see it. */}
        <p className="chart-said" aria-hidden="true">
          {said}
        </p>
      </div>
      <TableOf title={title} table={table} />
    </figure>
  );
}

/** Where there is nothing to draw: an axis would tell of numbers that there are not. */
export function NothingYet({ title }: { readonly title: string }): ReactNode {
  return (
    <figure className="chart">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <p className="muted">Nothing yet.</p>
    </figure>
  );
}

function Legend({ entries }: { readonly entries: readonly LegendEntry[] }): ReactNode {
  return entries.map(({ title, color, dash }) => (
    <span key={title} className="row legend">
      {dash === undefined ? (
        <span className="swatch" style={{ background: `var(${color})` }} aria-hidden="true" />
      ) : (
        <svg width="22" height="10" aria-hidden="true">
          <line x1="0" x2="22" y1="5" y2="5" stroke={`var(${color})`} strokeWidth="2" strokeDasharray={dash} />
        </svg>
      )}
      {title}
    </span>
  ));
}

function TableOf({ title, table: { head, rows } }: { readonly title: string; readonly table: ChartTable }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        As a table<span className="visually-hidden">: {title}</span>
      </summary>
      {isOpen && (
        // What is longer than its box is scrolled by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className="table-wrap chart-table" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                {head.map((name, i) => (
                  <th key={name} scope="col" className={i === 0 ? undefined : 'number'}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(([name, ...cells]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, i) => (
                    <td key={head[i + 1]} className="number">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(WIDTH_MIN);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(WIDTH_MIN, Math.floor(entry!.contentRect.width))));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
