// Stacked columns over time, with the same numbers as a table for who does not see them.

import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

export interface Column {
  /** What no other column has: its time. */
  readonly key: string;
  /** What stands below it, and in the table. */
  readonly label: string;
  readonly values: readonly number[];
}

export interface Series {
  readonly title: string;
  /** A custom property: `--blocked`. */
  readonly color: string;
}

interface Props {
  readonly title: string;
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
}

const WIDTH_MIN = 200;
const LABEL_WIDTH = 64;
const HEIGHT = 180;
const LEFT = 40;
const TOP = 8;
const RIGHT = 18;
const BOTTOM = 22;
const GAP = 0.25;

export function Columns({ title, series, columns }: Props): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const max = Math.max(1, ...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const top = niceAbove(max);
  const step = (width - LEFT - RIGHT) / Math.max(1, columns.length);
  const y = (value: number) => (HEIGHT - BOTTOM - TOP) * (1 - value / top) + TOP;
  const every = Math.ceil((columns.length * LABEL_WIDTH) / width);
  return (
    <figure className="chart">
      <figcaption className="row">
        <strong>{title}</strong>
        <span className="grow" />
        {series.map(({ title: name, color }) => (
          <span key={name} className="row">
            <span className="swatch" style={{ background: `var(${color})` }} aria-hidden="true" />
            {name}
          </span>
        ))}
      </figcaption>
      <div ref={frame}>
        <svg width={width} height={HEIGHT} role="img" aria-label={`${title}. The table below has the numbers.`}>
          {[0, top / 2, top].map((value) => (
            <g key={value}>
              <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} stroke="var(--line)" />
              <text x={LEFT - 6} y={y(value) + 4} textAnchor="end" className="tick">
                {shortNumber(value)}
              </text>
            </g>
          ))}
          {columns.map((column, i) => (
            <g key={column.key}>
              <title>{`${column.label}: ${series.map(({ title: name }, k) => `${name} ${column.values[k] ?? 0}`).join(', ')}`}</title>
              <rect x={LEFT + i * step} width={step} y={0} height={HEIGHT - BOTTOM} fill="transparent" />
              {stacked(column.values).map(({ from, to }, k) => (
                <rect
                  key={series[k]!.title}
                  x={LEFT + i * step + (step * GAP) / 2}
                  width={step * (1 - GAP)}
                  y={y(to)}
                  height={Math.max(0, y(from) - y(to))}
                  fill={`var(${series[k]!.color})`}
                />
              ))}
              {i % every === 0 && (
                <text x={LEFT + (i + 0.5) * step} y={HEIGHT - 4} textAnchor="middle" className="tick">
                  {column.label}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      <details>
        <summary>As a table</summary>
        <div className="table-wrap">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ title: name }) => (
                  <th key={name} scope="col" className="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {columns.map(({ key, label, values }) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  {series.map(({ title: name }, k) => (
                    <td key={name} className="number">
                      {values[k] ?? 0}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** As wide as there is room, so that letters keep their size. */
function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(WIDTH_MIN);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(WIDTH_MIN, Math.floor(entry!.contentRect.width))));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}

function stacked(values: readonly number[]): { from: number; to: number }[] {
  let sum = 0;
  return values.map((value) => {
    const from = sum;
    sum += value;
    return { from, to: sum };
  });
}

/** The next of 1, 2, 5, 10, 20, … that is not below. */
export function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((nice) => nice >= value)!;
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `1.2K`. */
export function shortNumber(value: number): string {
  return short.format(value);
}
