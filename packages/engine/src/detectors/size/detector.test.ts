// Promises of the size detector: each limit is reported once, where it is crossed.

import { expect, test } from 'vitest';
import { partsOf } from '../../parts.ts';
import type { Inference } from '../../inference.ts';
import { runnerOf } from '../run.ts';
import { createSizeDetector } from './detector.ts';

function crossings(inference: Inference, limits: { maxChars?: number; maxMessages?: number }): string[] {
  const run = runnerOf(createSizeDetector({ maxChars: 1_000, maxMessages: 100, ...limits }));
  return partsOf(inference).texts.flatMap((part) => run(part.text, part).map(({ type }) => `${part.pointer} ${type}`));
}

const said = (content: string | null) => ({ role: 'user' as const, content });

test.each([
  { promise: 'a text of exactly the limit passes', inference: { input: 'x'.repeat(10) }, limits: { maxChars: 10 }, expected: [] },
  {
    promise: 'one more is reported',
    inference: { input: 'x'.repeat(11) },
    limits: { maxChars: 10 },
    expected: ['/input too_many_characters'],
  },
  {
    promise: 'texts add up, and the one that crosses is named',
    inference: { input: 'xxxx', output: 'xxxx', context: [{ content: 'xxxx' }, { content: 'xxxx' }] },
    limits: { maxChars: 10 },
    expected: ['/context/0/content too_many_characters'],
  },
  {
    promise: 'messages up to the limit pass',
    inference: { input: [said('a'), said('b')] },
    limits: { maxMessages: 2 },
    expected: [],
  },
  {
    promise: 'the first message beyond is named',
    inference: { input: [said('a'), said('b'), said('c'), said('d')] },
    limits: { maxMessages: 2 },
    expected: ['/input/2/content too_many_messages'],
  },
  {
    promise: 'messages without a text count too',
    inference: { input: [said('a'), said(null), said(null), said('d')] },
    limits: { maxMessages: 2 },
    expected: ['/input/3/content too_many_messages'],
  },
])('$promise', ({ inference, limits, expected }) => {
  expect(crossings(inference, limits)).toEqual(expected);
});
