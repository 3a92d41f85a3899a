// Lines across a chart with what they stand for.

import type { ReactNode } from 'react';
import { momentOf, tickTime, timeTicksOf } from './scale.ts';

/** Of a letter of a tick, at most. */
const LETTER_PX = 6.6;
/** From one tick of time to the next, at least. */
const TICK_PX = 76;
/** Half of a label of time. */
const EDGE_PX = 20;
const DAY_MS = 86_400_000;

interface Props {
  readonly ticks: readonly number[];
  readonly left: number;
  readonly right: number;
  readonly y: (value: number) => number;
  readonly format: (value: number) => string;
}

export function ValueAxis({ ticks, left, right, y, format }: Props): ReactNode {
  return ticks.map((value) => (
    <g key={value}>
      <line x1={left} x2={right} y1={y(value)} y2={y(value)} stroke="var(--line)" />
      <text x={left - 6} y={y(value) + 4} textAnchor="end" className="tick">
        {format(value)}
      </text>
    </g>
  ));
}

interface TimeProps {
  readonly fromMs: number;
  readonly toMs: number;
  readonly x: (ms: number) => number;
  readonly y: number;
}

/** Times in UTC, and it says so. */
export function TimeAxis({ fromMs, toMs, x, y }: TimeProps): ReactNode {
  const [left, right] = [x(fromMs), x(toMs)];
  const ticks = timeTicksOf(fromMs, toMs, (right - left) / TICK_PX);
  // Midnights say the day. Where none is among them, the first tick does.
  const isDayless = ticks.every((ms) => ms % DAY_MS !== 0);
  return (
    <>
      <text x={left - 6} y={y} textAnchor="end" className="tick">
        UTC
      </text>
      {ticks.map((ms, i) =>
        // It has the room of two.
        isDayless && i === 1 ? null : (
          <text
            key={ms}
            x={x(ms)}
            y={y}
            textAnchor={isDayless && i === 0 ? 'start' : anchorAt(x(ms), left, right)}
            className="tick"
          >
            {isDayless && i === 0 ? momentOf(ms) : tickTime(ms)}
          </text>
        ),
      )}
    </>
  );
}

/** No label is cut by an edge. */
function anchorAt(x: number, left: number, right: number): 'start' | 'middle' | 'end' {
  if (x < left + EDGE_PX) return 'start';
  return x > right - EDGE_PX ? 'end' : 'middle';
}

/** Room for what stands beside the lines. */
export function axisWidth(ticks: readonly number[], format: (value: number) => string): number {
  return Math.ceil(Math.max(...ticks.map((value) => format(value).length)) * LETTER_PX) + 10;
}
