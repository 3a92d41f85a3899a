// Where values and times stand on an axis, and how they are written there.

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
/** Between ticks of time: what people count in. */
const TIME_STEPS_MS = [
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  3 * DAY_MS,
  7 * DAY_MS,
  14 * DAY_MS,
  28 * DAY_MS,
] as const;
/** A tick keeps so many steps from growing without end, whatever is asked. */
const TICKS_MAX = 200;

/** Round values from at most `low` to at least `high`, some `wanted` steps of 1, 2 or 5 times a power of ten that is no smaller than `stepMin`. */
export function ticksOf(low: number, high: number, wanted = 4, stepMin = 0): readonly number[] {
  const span = high > low ? high - low : Math.max(Math.abs(high), stepMin, Number.MIN_VALUE) || 1;
  const step = Math.max(stepMin, niceAbove(span / wanted));
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil((low + span) / step));
  return Array.from({ length: Math.min(TICKS_MAX, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Times between two, at most `wanted` of them, on whole hours or days (UTC). */
export function timeTicksOf(fromMs: number, toMs: number, wanted: number): readonly number[] {
  const rough = (toMs - fromMs) / Math.max(1, wanted);
  const step = TIME_STEPS_MS.find((stepMs) => stepMs >= rough) ?? Math.ceil(rough / DAY_MS) * DAY_MS;
  const first = Math.ceil(fromMs / step) * step;
  return Array.from(
    { length: Math.min(TICKS_MAX, Math.max(0, Math.floor((toMs - first) / step) + 1)) },
    (_, i) => first + i * step,
  );
}

/** The next of 1, 2, 5, 10, 20, … that is not below. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((nice) => nice >= value * (1 - 1e-9))!;
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `1.2K`. */
export function shortNumber(value: number): string {
  return short.format(value);
}

/** `14:00`, and at midnight `22 Nov`. UTC, as every exact time of the pages. */
export function tickTime(ms: number): string {
  return ms % DAY_MS === 0 ? dayOf(ms) : new Date(ms).toISOString().slice(11, 16);
}

/** `22 Nov`, UTC. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]!}`;
}

/** `22 Nov 14:00`, UTC. */
export function momentOf(ms: number): string {
  return `${dayOf(ms)} ${new Date(ms).toISOString().slice(11, 16)}`;
}
