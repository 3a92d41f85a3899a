// A time as people say it, with the exact one beside it.

import type { ReactNode } from 'react';

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
] as const;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** `3 min. ago`. Times in ISO 8601. */
function relativeTime(iso: string, nowMs: number = Date.now()): string {
  let amount = (Date.parse(iso) - nowMs) / 1_000;
  for (const [unit, next] of STEPS) {
    if (Math.abs(amount) < next) return words.format(Math.round(amount), unit);
    amount /= next;
  }
  return iso;
}

/** `2026-11-22 09:05:47.123 UTC`. */
export function exactTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`;
}

export function Time({ at }: { readonly at: string | null | undefined }): ReactNode {
  if (at === null || at === undefined) return <span className="muted">never</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at)}
    </time>
  );
}
