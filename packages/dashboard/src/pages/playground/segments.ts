// A text cut where findings begin and end, so that those that overlap can be shown.

/** Offsets in UTF-16 units, the end exclusive. */
export interface Span {
  /** By which it is named beside the text. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export interface Segment {
  readonly start: number;
  readonly text: string;
  /** Those that it is in, in their order. */
  readonly numbers: readonly number[];
  /** Those that end with it. */
  readonly ends: readonly number[];
}

/** All of `text` from its beginning to its end. What lies beyond it, or is empty, is in no segment. */
export function segmentsOf(text: string, spans: readonly Span[]): Segment[] {
  const within = spans.map((span) => ({ ...span, end: Math.min(span.end, text.length) })).filter(({ start, end }) => start < end);
  const cuts = [...new Set([0, text.length, ...within.flatMap(({ start, end }) => [start, end])])].toSorted((a, b) => a - b);
  return cuts.slice(0, -1).map((start, i) => {
    const end = cuts[i + 1]!;
    const over = within.filter((span) => span.start <= start && end <= span.end);
    return {
      start,
      text: text.slice(start, end),
      numbers: over.map(({ number }) => number),
      ends: over.filter((span) => span.end === end).map(({ number }) => number),
    };
  });
}
