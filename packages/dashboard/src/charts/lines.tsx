// Lines over time, with their intervals, the band that is usual, and marks of what happened when.

import type { ReactNode } from 'react';
import { axisWidth, TimeAxis, ValueAxis } from './axis.tsx';
import { ChartFigure, NothingYet, useChart, type ChartTable, type LegendEntry } from './figure.tsx';
import { momentOf, ticksOf } from './scale.ts';

export interface Line {
  readonly title: string;
  /** A custom property: `--accent`. */
  readonly color: string;
  /** The pattern of its dashes: lines differ by more than by their colours. */
  readonly dash?: string;
  /** `null`: nothing is known of that time. */
  readonly values: readonly (number | null)[];
  /** The interval within which each value lies. */
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

/** What is usual. */
export interface Band {
  readonly title: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Mark {
  readonly title: string;
  readonly atMs: number;
  readonly dash?: string;
}

interface Props {
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly label: string;
  /** The middle of each time that values are of, in milliseconds, ascending. */
  readonly times: readonly number[];
  /** From one to the next, where none is missing. */
  readonly stepMs: number;
  /** The time that is shown, in milliseconds. Default: from the first value to the last. */
  readonly span?: { readonly fromMs: number; readonly toMs: number };
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** Whether the axis begins at zero; else where the values do. */
  readonly isFromZero?: boolean;
  readonly band?: Band | null;
  readonly marks?: readonly Mark[];
  readonly height?: number;
  /** More of each time for the table. */
  readonly more?: readonly { readonly title: string; readonly cells: readonly string[] }[];
}

const TOP = 22;
const RIGHT = 14;
const BOTTOM = 22;
/** Lines of fewer points show each of them. */
const DOTS_MAX = 60;
/** Times further apart than so many steps are not joined. */
const GAP_STEPS = 1.5;
const MARK_WIDTH = 16;

export function Lines(props: Props): ReactNode {
  const isEmpty = props.lines.every(({ values }) => values.every((value) => value === null));
  return isEmpty && (props.band ?? null) === null ? <NothingYet title={props.title} /> : <Drawn {...props} />;
}

function Drawn(props: Props): ReactNode {
  const { title, label, times, stepMs, lines, format, isFromZero = false, band = null, marks = [], height = 220 } = props;
  const chart = useChart();
  const { width, pointed } = chart;
  const [low, high] = extentOf(lines, band, isFromZero);
  const ticks = ticksOf(low, high);
  const [bottom, top] = [ticks[0]!, ticks.at(-1)!];
  const left = axisWidth(ticks, format);
  const right = width - RIGHT;
  const { fromMs, toMs } = props.span ?? { fromMs: (times[0] ?? 0) - stepMs / 2, toMs: (times.at(-1) ?? 0) + stepMs / 2 };
  const y = (value: number) => TOP + (height - BOTTOM - TOP) * (1 - (value - bottom) / (top - bottom));
  const x = (ms: number) => left + ((right - left) * (ms - fromMs)) / Math.max(1, toMs - fromMs);
  const seen = marks.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const pointedMs = pointed === null ? undefined : times[pointed];
  return (
    <ChartFigure
      title={title}
      label={label}
      legend={legendOf(lines, band)}
      height={height}
      chart={chart}
      at={(at) => nearest(times.map(x), at)}
      said={pointed === null || pointedMs === undefined ? '' : sayTime(props, pointed)}
      table={tableOf(props)}
    >
      {band !== null && <BandArea band={band} left={left} right={right} y={y} />}
      <ValueAxis ticks={ticks} left={left} right={right} y={y} format={format} />
      <TimeAxis fromMs={fromMs} toMs={toMs} x={x} y={height - 4} />
      {lines.map((line) => (
        <LinePath key={line.title} line={line} times={times} stepMs={stepMs} x={x} y={y} />
      ))}
      {seen.map((mark, i) => (
        <MarkLine
          key={`${mark.title} ${mark.atMs}`}
          mark={mark}
          letter={letterOf(marks, mark)}
          x={x(mark.atMs)}
          shift={crowding(seen, i, x)}
          bottom={height - BOTTOM}
        />
      ))}
      {pointedMs !== undefined && (
        <line x1={x(pointedMs)} x2={x(pointedMs)} y1={TOP} y2={height - BOTTOM} stroke="var(--line-strong)" />
      )}
    </ChartFigure>
  );
}

function legendOf(lines: readonly Line[], band: Band | null): readonly LegendEntry[] {
  const entries: LegendEntry[] = lines.map(({ title, color, dash = 'none' }) => ({ title, color, dash }));
  if (band !== null) entries.push({ title: band.title, color: '--accent', dash: '6 4' });
  return entries;
}

function tableOf({ times, stepMs, lines, format, more = [] }: Props): ChartTable {
  return {
    head: ['Time (UTC)', ...lines.flatMap(headOf), ...more.map(({ title }) => title)],
    rows: () =>
      times.map((ms, i) =>
        [momentOf(ms - stepMs / 2)].concat(
          lines.flatMap((line) => cellsOf(line, i, format)),
          more.map(({ cells }) => cells[i] ?? ''),
        ),
      ),
  };
}

/** The letter by which the picture and the list beside it name a mark. */
export function letterOf(marks: readonly Mark[], mark: Mark): string {
  return String.fromCodePoint(65 + marks.indexOf(mark));
}

function extentOf(lines: readonly Line[], band: Band | null, isFromZero: boolean): readonly [low: number, high: number] {
  let [low, high] = isFromZero ? [0, 0] : [Infinity, -Infinity];
  const take = (value: number | null) => {
    if (value === null) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const { values, low: lows = [], high: highs = [] } of lines)
    for (const value of [...values, ...lows, ...highs]) take(value);
  if (band !== null) for (const value of [band.low, band.high]) take(value);
  return low > high ? [0, 1] : [low, high];
}

interface Scales {
  readonly x: (ms: number) => number;
  readonly y: (value: number) => number;
}

interface LinePathProps extends Scales {
  readonly line: Line;
  readonly times: readonly number[];
  readonly stepMs: number;
}

function LinePath({ line: { color, dash, values, low, high }, times, stepMs, x, y }: LinePathProps): ReactNode {
  const runs = runsOf(times, values, stepMs);
  const isDotted = times.length <= DOTS_MAX;
  return (
    <>
      {low !== undefined &&
        high !== undefined &&
        runs.map((run) => <path key={run[0]} d={areaOf(run, times, low, high, { x, y })} fill={`var(${color})`} opacity={0.2} />)}
      {runs.map((run) => (
        <path
          key={run[0]}
          d={run.map((i, k) => `${k === 0 ? 'M' : 'L'}${x(times[i]!)} ${y(values[i]!)}`).join('')}
          fill="none"
          stroke={`var(${color})`}
          strokeWidth={2}
          strokeLinejoin="round"
          strokeDasharray={dash}
        />
      ))}
      {runs.map((run) =>
        (isDotted ? run : run.length === 1 ? run : []).map((i) => (
          <circle key={i} cx={x(times[i]!)} cy={y(values[i]!)} r={2.5} fill={`var(${color})`} />
        )),
      )}
    </>
  );
}

/** Stretches without a gap, as indexes. */
function runsOf(times: readonly number[], values: readonly (number | null)[], stepMs: number): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let before: number | null = null;
  for (const [i, at] of times.entries()) {
    if ((values[i] ?? null) === null) continue;
    if (before !== null && at - times[before]! <= stepMs * GAP_STEPS && runs.at(-1)!.at(-1) === i - 1) runs.at(-1)!.push(i);
    else runs.push([i]);
    before = i;
  }
  return runs;
}

function areaOf(
  run: readonly number[],
  times: readonly number[],
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  { x, y }: Scales,
): string {
  const known = run.filter((i) => (low[i] ?? null) !== null && (high[i] ?? null) !== null);
  if (known.length === 0) return '';
  const edge = (i: number, of: readonly (number | null)[]) => `${x(times[i]!)} ${y(of[i]!)}`;
  return `M${[...known.map((i) => edge(i, high)), ...known.toReversed().map((i) => edge(i, low))].join('L')}Z`;
}

interface BandAreaProps {
  readonly band: Band;
  readonly left: number;
  readonly right: number;
  readonly y: (value: number) => number;
}

function BandArea({ band: { value, low, high }, left, right, y }: BandAreaProps): ReactNode {
  return (
    <g>
      <rect
        x={left}
        width={right - left}
        y={y(high)}
        height={Math.max(1, y(low) - y(high))}
        fill="var(--accent)"
        opacity={0.14}
      />
      {[low, high].map((edge) => (
        <line key={edge} x1={left} x2={right} y1={y(edge)} y2={y(edge)} stroke="var(--accent)" strokeDasharray="1 4" />
      ))}
      <line x1={left} x2={right} y1={y(value)} y2={y(value)} stroke="var(--accent)" strokeDasharray="6 4" />
    </g>
  );
}

interface MarkLineProps {
  readonly mark: Mark;
  readonly letter: string;
  readonly x: number;
  /** How far its letter is moved for those before it. */
  readonly shift: number;
  readonly bottom: number;
}

function MarkLine({ mark: { title, dash }, letter, x, shift, bottom }: MarkLineProps): ReactNode {
  return (
    <g>
      <title>{title}</title>
      <line x1={x} x2={x} y1={TOP - 4} y2={bottom} stroke="var(--flagged)" strokeWidth={1.5} strokeDasharray={dash} />
      <text x={x + shift} y={12} textAnchor="middle" className="tick mark">
        {letter}
      </text>
    </g>
  );
}

/** Letters of marks that are close stand beside each other. */
function crowding(seen: readonly Mark[], index: number, x: (ms: number) => number): number {
  let free = -Infinity;
  for (const [i, { atMs }] of seen.entries()) {
    const at = Math.max(x(atMs), free);
    if (i === index) return at - x(atMs);
    free = at + MARK_WIDTH;
  }
  return 0;
}

function nearest(xs: readonly number[], x: number): number | null {
  let best: number | null = null;
  for (const [i, at] of xs.entries()) if (best === null || Math.abs(at - x) < Math.abs(xs[best]! - x)) best = i;
  return best;
}

function sayTime({ times, stepMs, lines, format, more = [] }: Props, i: number): string {
  const values = lines.map((line) => {
    const [value, low, high] = cellsOf(line, i, format);
    return `${line.title} ${value}${low === undefined ? '' : ` (${low} to ${high})`}`;
  });
  return [
    `${momentOf(times[i]! - stepMs / 2)} UTC: ${values.join(', ')}`,
    ...more.map(({ title, cells }) => `${title.toLowerCase()} ${cells[i] ?? ''}`),
  ].join(', ');
}

function headOf({ title, low }: Line): string[] {
  return low === undefined ? [title] : [title, `${title}: from`, `${title}: to`];
}

function cellsOf({ values, low, high }: Line, i: number, format: (value: number) => string): string[] {
  const cell = (of: readonly (number | null)[]) => ((of[i] ?? null) === null ? '–' : format(of[i]!));
  return low === undefined || high === undefined ? [cell(values)] : [cell(values), cell(low), cell(high)];
}
