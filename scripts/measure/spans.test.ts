// Spans compared by hand-made cases, and offsets against JavaScript's own way to count code points.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Span } from './rows.ts';
import { addCounts, countSpans, exactQuality, fMeasure, inCodePoints, NO_SPANS, overlapQuality } from './spans.ts';

const span = (start: number, end: number, type = 'EMAIL'): Span => ({ start, end, type });

test.each<[string, Span[], Span[], number[]]>([
  ['the same span', [span(0, 5)], [span(0, 5)], [1, 1, 1, 1, 1]],
  ['one character more', [span(0, 5)], [span(0, 6)], [1, 1, 0, 1, 1]],
  ['side by side is apart', [span(0, 5)], [span(5, 9)], [1, 1, 0, 0, 0]],
  ['another type', [span(0, 5)], [span(0, 5, 'PHONE')], [1, 1, 0, 0, 0]],
  ['one found span over two labelled ones', [span(0, 4), span(5, 9)], [span(0, 9)], [2, 1, 0, 2, 1]],
  ['two found pieces of one labelled span', [span(0, 9)], [span(0, 4), span(5, 9)], [1, 2, 0, 1, 2]],
  ['nothing found', [span(0, 5)], [], [1, 0, 0, 0, 0]],
  ['nothing labelled', [], [span(0, 5)], [0, 1, 0, 0, 0]],
])('%s', (_, gold, predicted, [labelled, found, exact, goldOverlapped, predictedOverlapped]) => {
  expect(countSpans(gold, predicted)).toEqual({ gold: labelled, predicted: found, exact, goldOverlapped, predictedOverlapped });
});

test('precision, recall and F-measures are those worked out by hand', () => {
  const texts = [
    countSpans([span(0, 5), span(10, 15)], [span(0, 5)]),
    countSpans([span(0, 5), span(10, 15)], [span(1, 5), span(20, 25)]),
  ];
  const counts = texts.reduce(addCounts, NO_SPANS);
  const exact = exactQuality(counts);
  expect(exact).toEqual({ precision: 1 / 3, recall: 1 / 4 });
  expect(fMeasure(exact, 1)).toBeCloseTo(2 / 7, 12);
  const overlap = overlapQuality(counts);
  expect(overlap).toEqual({ precision: 2 / 3, recall: 2 / 4 });
  expect(fMeasure(overlap, 1)).toBeCloseTo(4 / 7, 12);
  expect(fMeasure(overlap, 2)).toBeCloseTo((5 * (2 / 3) * 0.5) / (4 * (2 / 3) + 0.5), 12);
});

test('what was not found scores 0, what is not labelled has no figure', () => {
  expect(fMeasure(exactQuality(countSpans([span(0, 5)], [])), 1)).toBe(0);
  expect(fMeasure(overlapQuality(countSpans([span(0, 5)], [span(8, 9)])), 2)).toBe(0);
  expect(fMeasure(exactQuality(countSpans([], [span(0, 5)])), 1)).toBeNull();
});

test('an offset inside of an emoji takes the whole emoji in', () => {
  expect(inCodePoints('a😀b', 2, 4)).toEqual({ start: 1, end: 3 });
  expect(inCodePoints('a😀b', 0, 2)).toEqual({ start: 0, end: 2 });
  expect(inCodePoints('\ude00a\ud83d', 1, 2)).toEqual({ start: 1, end: 2 });
});

test('offsets in code points cut the same piece out of the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (before, piece, after) => {
        const text = before + piece + after;
        const { start, end } = inCodePoints(text, before.length, before.length + piece.length);
        expect(Array.from(text).slice(start, end).join('')).toBe(piece);
      },
    ),
  );
});
