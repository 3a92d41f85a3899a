// Compares found spans with labelled ones, and moves offsets from UTF-16 units, which the engine counts, to code points.

import type { Span } from './rows.ts';

/** Spans of some texts, counted. Recall is over `gold`, precision over `predicted`. */
export interface SpanCounts {
  readonly gold: number;
  readonly predicted: number;
  /** Predicted spans that are labelled: same type, same start, same end. */
  readonly exact: number;
  /** Labelled spans that share a character with a predicted one of the same type. */
  readonly goldOverlapped: number;
  /** Predicted spans that share a character with a labelled one of the same type. */
  readonly predictedOverlapped: number;
}

export const NO_SPANS: SpanCounts = { gold: 0, predicted: 0, exact: 0, goldOverlapped: 0, predictedOverlapped: 0 };

/** Counts the spans of one text. */
export function countSpans(gold: readonly Span[], predicted: readonly Span[]): SpanCounts {
  return {
    gold: gold.length,
    predicted: predicted.length,
    exact: predicted.filter((span) => gold.some((other) => isSame(span, other))).length,
    goldOverlapped: gold.filter((span) => predicted.some((other) => isOverlapping(span, other))).length,
    predictedOverlapped: predicted.filter((span) => gold.some((other) => isOverlapping(span, other))).length,
  };
}

/** The counts of two lots of texts together. */
export function addCounts(a: SpanCounts, b: SpanCounts): SpanCounts {
  return {
    gold: a.gold + b.gold,
    predicted: a.predicted + b.predicted,
    exact: a.exact + b.exact,
    goldOverlapped: a.goldOverlapped + b.goldOverlapped,
    predictedOverlapped: a.predictedOverlapped + b.predictedOverlapped,
  };
}

function isSame(a: Span, b: Span): boolean {
  return a.type === b.type && a.start === b.start && a.end === b.end;
}

function isOverlapping(a: Span, b: Span): boolean {
  return a.type === b.type && a.start < b.end && b.start < a.end;
}

/** Precision and recall, 0–1; `null` where there is nothing to be right or wrong about. */
export interface Quality {
  readonly precision: number | null;
  readonly recall: number | null;
}

/** How good the spans are when each must be met to the character. */
export function exactQuality({ gold, predicted, exact }: SpanCounts): Quality {
  return { precision: ratio(exact, predicted), recall: ratio(exact, gold) };
}

/** How good the spans are when one shared character is enough. */
export function overlapQuality({ gold, predicted, goldOverlapped, predictedOverlapped }: SpanCounts): Quality {
  return { precision: ratio(predictedOverlapped, predicted), recall: ratio(goldOverlapped, gold) };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** F-measure; recall counts `beta` times as much as precision. 0 when nothing of what is labelled was found, `null` when nothing is labelled. */
export function fMeasure({ precision, recall }: Quality, beta: number): number | null {
  if (recall === null) return null;
  if (precision === null || precision === 0 || recall === 0) return 0;
  return ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall);
}

/** Offsets in code points for `start` and `end` in UTF-16 units. An offset inside of a surrogate pair takes the whole character in. */
export function inCodePoints(text: string, start: number, end: number): { start: number; end: number } {
  const from = isInsidePair(text, start) ? start - 1 : start;
  const to = isInsidePair(text, end) ? end + 1 : end;
  const before = codePoints(text, 0, from);
  return { start: before, end: before + codePoints(text, from, to) };
}

function isInsidePair(text: string, offset: number): boolean {
  return offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}
