// Promises of the refusal detector beyond its cases: categories, scores, bounds.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runnerOf } from '../run.ts';
import { detector } from './detector.ts';
import { breakOf, isBlank } from './ending.ts';
import { RULES } from './rules.ts';
import { sentenceAt } from './sentence.ts';

const run = runnerOf(detector);
const answer = (text: string) => run(text, { target: 'output' });
const REFUSAL = "I'm sorry, but I can't help with that.";

describe('categories', () => {
  test.each([
    [REFUSAL, 'quality.refusal'],
    ['', 'quality.empty'],
    ['Here you are:\n```sql\nselect 1', 'quality.truncated'],
  ])('%j is %s', (text, category) => {
    expect(answer(text).map((found) => found.category)).toEqual([category]);
  });

  test('explanations never quote the answer', () => {
    for (const { explanation, preview } of answer(`${REFUSAL} The plan is called Nightingale and`)) {
      expect(explanation).not.toContain('Nightingale');
      expect(preview).toBeNull();
    }
  });
});

describe('scores', () => {
  const scoreOf = (text: string) => Math.max(0, ...answer(text).map(({ score }) => score));

  test('an apology makes a refusal surer', () => {
    expect(scoreOf(REFUSAL)).toBeGreaterThan(scoreOf("I can't help with that."));
  });

  test('a refusal before a long answer weighs less than one that stands alone', () => {
    expect(scoreOf(`${REFUSAL} ${'What follows is an answer all the same. '.repeat(30)}`)).toBeLessThan(scoreOf(REFUSAL));
  });

  test('a letter that the model drafts stays below the usual threshold', () => {
    expect(scoreOf('Dear Mr Ito,\n\nI am sorry, but I cannot provide the figures before Friday.\n\nKind regards')).toBeLessThan(
      0.5,
    );
  });

  test('a missing full stop alone stays below the usual threshold', () => {
    expect(scoreOf(`${'The harbour was quiet that morning. '.repeat(15)}Nobody had seen the boat leave the bay`)).toBeLessThan(
      0.5,
    );
  });

  test('one refusal is reported a text, the surest', () => {
    expect(answer(`I can't do that. ${REFUSAL} I must decline.`).map(({ score }) => score)).toEqual([0.95]);
  });
});

describe('bounds', () => {
  test('sentences are at most 500 characters long and hold the place asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', ' ', '.', '\n', '。', '3.5'), { minLength: 1, maxLength: 900 }), (pieces) => {
        const text = pieces.join('');
        const at = Math.floor(text.length / 2);
        const { start, end } = sentenceAt(text, at);
        expect(start <= at && at < end && end <= text.length && end - start <= 500).toBe(true);
      }),
    );
  });

  test('spans lie inside any text', () => {
    const pieces = fc.constantFrom(
      "I'm sorry, but ",
      "I can't ",
      'help with that',
      '. ',
      '"',
      '```',
      '\n',
      '抱歉，我无法',
      '帮助',
      'É',
      '\ud83d',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        for (const { start, end } of answer(text)) expect(start >= 0 && start <= end && end <= text.length).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['apologies', "I'm sorry, but I can't "],
    ['anchors without an end', "can't sorry unable to "],
    ['fences', '```\n'],
    ['quotation marks', '"I can\'t " '],
  ])('100 000 characters of %s are read in well under a second', (_name, piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    const startedAt = performance.now();
    answer(text);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('rules have bounded gaps: no unlimited repetition of what other parts may match', () => {
    for (const { pattern } of RULES) expect(pattern.source).not.toMatch(/\.\*|\.\+|\]\*|\]\+|\)\*|\)\+/);
  });

  test('rules have distinct ids, and an anchor or a script each', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    for (const { anchors, script } of RULES) expect(anchors.length > 0).toBe(script === undefined);
  });
});

test('a fence closes the one before it', () => {
  const text = '```\na\n```\n```\nb\n```';
  const fences = [...text.matchAll(/```/g)].map(({ index }) => index + 3);
  expect(breakOf(text, fences)).toBeNull();
  expect(breakOf(text.slice(0, -4), fences.slice(0, -1))?.start).toBe(10);
});

test.each(['', ' \n\t', '\u200b\u2060', '\u00a0', '\u3164', '\ufeff'])('%j is blank', (text) => {
  expect(isBlank(text)).toBe(true);
});
