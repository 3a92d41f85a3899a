// Lines across a chart with what they stand for.

import type { ReactNode } from 'react';

/** Of a letter of a tick, at most. */
const LETTER_PX = 6.6;

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

/** Room for what stands beside the lines. */
export function axisWidth(ticks: readonly number[], format: (value: number) => string): number {
  return Math.ceil(Math.max(...ticks.map((value) => format(value).length)) * LETTER_PX) + 10;
}
