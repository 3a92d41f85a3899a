// Stacked columns over time, with the same numbers as a table for who does not see them.

import type { ReactNode } from 'react';
import { axisWidth, ValueAxis } from './axis.tsx';
import { ChartFigure, NothingYet, useChart } from './figure.tsx';
import { shortNumber, ticksOf } from './scale.ts';

export interface Column {
  /** What no other column has: its time. */
  readonly key: string;
  /** What stands below it. */
  readonly label: string;
  /** What stands in the table, where that is more. */
  readonly longLabel?: string;
  readonly values: readonly number[];
}

interface Series {
  readonly title: string;
  /** A custom property: `--blocked`. */
  readonly color: string;
}

interface Props {
  readonly title: string;
  /** From the lowest part of a column to the highest. */
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
}

const LABEL_WIDTH = 64;
const HEIGHT = 180;
const TOP = 8;
const RIGHT = 18;
const BOTTOM = 22;
const GAP = 0.25;
/** Of a part that is not nothing: few among many are seen. */
const PART_MIN = 2;

export function Columns(props: Props): ReactNode {
  const isEmpty = props.columns.every(({ values }) => values.every((value) => value === 0));
  return isEmpty ? <NothingYet title={props.title} /> : <Drawn {...props} />;
}

function Drawn({ title, series, columns }: Props): ReactNode {
  const chart = useChart();
  const { width, pointed } = chart;
  const max = Math.max(1, ...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const ticks = ticksOf(0, max, 3, 1);
  const left = axisWidth(ticks, shortNumber);
  const step = (width - left - RIGHT) / Math.max(1, columns.length);
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  const y = (value: number) => (HEIGHT - BOTTOM - TOP) * (1 - value / ticks.at(-1)!) + TOP;
  return (
    <ChartFigure
      title={title}
      label={`${title}: ${series.map(({ title: name }) => name.toLowerCase()).join(', ')} in columns over time.`}
      legend={series.toReversed()}
      height={HEIGHT}
      chart={chart}
      at={(x) => {
        const index = Math.floor((x - left) / step);
        return index >= 0 && index < columns.length ? index : null;
      }}
      said={sayColumn(series, pointed === null ? undefined : columns[pointed])}
      table={{
        head: ['Time (UTC)', ...series.map(({ title: name }) => name)],
        rows: () => columns.map((column) => [nameOf(column)].concat(countsOf(series, column))),
      }}
    >
      <ValueAxis ticks={ticks} left={left} right={width} y={y} format={shortNumber} />
      {columns.map((column, i) => (
        <g key={column.key}>
          {i === pointed && (
            <rect x={left + i * step} width={step} y={TOP} height={HEIGHT - BOTTOM - TOP} fill="var(--surface-2)" />
          )}
          {stacked(column.values, (value) => y(0) - y(value)).map(({ from, to }, k) => (
            <rect
              key={series[k]!.title}
              x={left + i * step + (step * GAP) / 2}
              width={step * (1 - GAP)}
              y={y(0) - to}
              height={to - from}
              fill={`var(${series[k]!.color})`}
            />
          ))}
          {i % every === 0 && (
            <text x={left + (i + 0.5) * step} y={HEIGHT - 4} textAnchor="middle" className="tick">
              {column.label}
            </text>
          )}
        </g>
      ))}
    </ChartFigure>
  );
}

function nameOf({ label, longLabel = label }: Column): string {
  return longLabel;
}

function countsOf(series: readonly Series[], { values }: Column): string[] {
  return series.map((_, k) => (values[k] ?? 0).toLocaleString('en'));
}

function sayColumn(series: readonly Series[], column: Column | undefined): string {
  if (column === undefined) return '';
  const counts = countsOf(series, column).map((count, k) => `${series[k]!.title.toLowerCase()} ${count}`);
  return `${nameOf(column)}: ${counts.toReversed().join(', ')}`;
}

/** Where the parts of a column stand above its foot. The largest makes room for those that would be too low to be seen. */
function stacked(values: readonly number[], heightOf: (value: number) => number): { from: number; to: number }[] {
  const exact = values.map(heightOf);
  const heights = exact.map((height, k) => (values[k] === 0 ? 0 : Math.max(PART_MIN, height)));
  const largest = heights.indexOf(Math.max(...heights));
  const added = heights.reduce((sum, height, k) => sum + height - exact[k]!, 0);
  if (added > 0) heights[largest] = Math.max(PART_MIN, heights[largest]! - added);
  let sum = 0;
  return heights.map((height) => {
    const from = sum;
    sum += height;
    return { from, to: sum };
  });
}
