// Promises of the terms detector: whole words, any case, any script, one pass.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileAnchors } from '../../text/anchors.ts';
import { viewsOf } from '../../text/views.ts';
import type { Target } from '../../types.ts';
import { runnerOf } from '../run.ts';
import { createTermsDetector, type TermsRule } from './detector.ts';

const ruleOf = (any: string[], appliesTo: Target[] = ['input', 'output', 'context', 'tool'], id = 'rivals'): TermsRule => ({
  id,
  category: 'brand.competitor',
  severity: 'medium',
  appliesTo,
  explanation: 'A competitor is named.',
  any,
});

const found = (any: string[], text: string) =>
  runnerOf(createTermsDetector([ruleOf(any)]))(text).map(({ start, end }) => text.slice(start, end));

test.each([
  { term: 'Acme', text: 'We like ACME and acme.', expected: ['ACME', 'acme'], promise: 'whatever the case' },
  { term: 'acme', text: 'acmeology, pacme, acme_x, acme2', expected: [], promise: 'not inside a longer word' },
  { term: 'acme', text: "acme's, acme-made, (acme)", expected: ['acme', 'acme', 'acme'], promise: 'beside punctuation' },
  {
    term: 'Big Corp',
    text: 'big  corp and big\ncorp, bigcorp, big, corp',
    expected: ['big  corp', 'big\ncorp'],
    promise: 'a phrase across blanks and lines',
  },
  { term: 'Łódź', text: 'w ŁÓDŹ', expected: ['ŁÓDŹ'], promise: 'letters beyond ASCII' },
  { term: 'straße', text: 'Straße, Straßen', expected: ['Straße'], promise: 'a word that goes on with a letter is another' },
  { term: 'ΟΔΟΣ', text: 'οδος οδός', expected: ['οδος'], promise: 'a Greek final sigma' },
  { term: '竞争', text: '我们的竞争对手', expected: ['竞争'], promise: 'inside a script without spaces' },
  { term: 'C++', text: 'C++ and c++11, C', expected: ['C++', 'c++'], promise: 'terms that end in signs' },
  { term: '.NET', text: 'asp.net and .NET 9', expected: ['.net', '.NET'], promise: 'terms that start with a sign' },
  { term: 'AT&T', text: 'At&t or AT & T', expected: ['At&t'], promise: 'signs inside' },
  { term: 'acme', text: '😀acme😀', expected: ['acme'], promise: 'beside emoji' },
  { term: 'acme', text: 'acme', expected: ['acme'], promise: 'the whole text' },
])('finds $promise ($term)', ({ term, text, expected }) => {
  expect(found([term], text)).toEqual(expected);
});

test('of terms that start alike the longest is found, once', () => {
  expect(found(['acme', 'acme cloud', 'acme cloud services'], 'acme cloud service, acme cloud services')).toEqual([
    'acme cloud',
    'acme cloud services',
  ]);
});

test('a term of two rules is reported for both', () => {
  const run = runnerOf(createTermsDetector([ruleOf(['acme']), ruleOf(['ACME'], ['input'], 'again')]));
  expect(run('acme').map(({ ruleId }) => ruleId)).toEqual(['rivals', 'again']);
});

test('a rule is silent where it does not apply', () => {
  const run = runnerOf(createTermsDetector([ruleOf(['acme'], ['output'])]));
  expect(run('acme', { target: 'input' })).toEqual([]);
  expect(run('acme', { target: 'output' })).toHaveLength(1);
});

test('agrees with a regular expression over ASCII words', () => {
  const words = fc.stringMatching(/^[ab]{1,3}$/);
  fc.assert(
    fc.property(fc.uniqueArray(words, { minLength: 1, maxLength: 4 }), fc.stringMatching(/^[abAB ,_]{0,40}$/), (terms, text) => {
      const oracle = new RegExp(`(?<![\\w])(?:${terms.join('|')})(?![\\w])`, 'gi');
      expect(found(terms, text)).toEqual([...text.matchAll(oracle)].map(([match]) => match));
    }),
  );
});

describe('10 000 terms', () => {
  test('cost a text no more steps than one: each character starts at most one walk, no longer than the longest term', () => {
    const terms = Array.from({ length: 10_000 }, (_, i) => `acme ${i}`);
    let reads = 0;
    const ctx = {
      part: { pointer: '', text: '', target: 'input', role: null },
      flagAt: 0,
      isWanted: () => true,
      report: () => {},
      expired: () => (reads++, false),
      truncated: () => {},
    } as const;
    const detector = createTermsDetector([ruleOf(terms)]);
    const text = 'acme '.repeat(20_000);
    const [view] = viewsOf(text, compileAnchors([[]]));
    detector.detect(view!, { rules: [], ends: [] }, ctx);
    // The clock is read once in 1 024 walks, and 20 000 words start one each.
    expect(reads).toBe(Math.floor(20_000 / 1_024));
  });
});
