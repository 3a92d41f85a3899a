// Promises of the patterns detector: what is refused, what is found, and that windows change nothing.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileAnchors } from '../../text/anchors.ts';
import { viewsOf } from '../../text/views.ts';
import type { Target } from '../../types.ts';
import { runnerOf } from '../run.ts';
import { compilePattern, PATTERN_SIZE_MAX, SET_SIZE_MAX } from './compile.ts';
import { createPatternsDetector, MATCH_CHARS_MAX, type PatternRule } from './detector.ts';
import { requiredLiteral } from './literal.ts';

const ruleOf = (regex: string, id = 'rule', appliesTo: Target[] = ['input', 'output', 'context', 'tool']): PatternRule => ({
  id,
  category: 'data.confidential',
  severity: 'high',
  appliesTo,
  explanation: 'An internal number.',
  regex,
  compiled: compilePattern(regex),
});

const found = (regex: string, text: string) =>
  runnerOf(createPatternsDetector([ruleOf(regex)]))(text).map(({ start, end }) => text.slice(start, end));

describe('refuses', () => {
  test.each([
    { regex: '(', message: /does not compile as RE2 syntax/, why: 'broken syntax' },
    { regex: '(?<=a)b', message: /does not compile/, why: 'look-behind, which RE2 has not' },
    { regex: '(a)\\1', message: /does not compile/, why: 'back-references, which RE2 has not' },
    { regex: 'a*', message: /matches the empty text/, why: 'patterns that match nothing at all' },
    { regex: '^$', message: /matches the empty text/, why: 'patterns that match only nothing' },
    { regex: '[a-z]{600}', message: new RegExp(`at most ${PATTERN_SIZE_MAX} are allowed`), why: 'programs beyond the bound' },
    {
      regex: '[a-z]{100}',
      message: new RegExp(`above ${SET_SIZE_MAX} it must hold a fixed text`),
      why: 'large programs without a literal',
    },
    {
      regex: '(name|other)[a-z]{100}',
      message: /must hold a fixed text/,
      why: 'large programs whose literals are all in groups',
    },
  ])('$why: $regex', ({ regex, message }) => {
    expect(() => compilePattern(regex)).toThrow(message);
  });
});

test('large programs with a literal are allowed, and found', () => {
  expect(found('NAME=[a-z]{100}', `x NAME=${'q'.repeat(120)}`)).toEqual([`NAME=${'q'.repeat(100)}`]);
  expect(found('(?i)NAME=[a-z]{100}', `x name=${'q'.repeat(120)}`)).toEqual([`name=${'q'.repeat(100)}`]);
});

test.each([
  { regex: 'TCK-[0-9]{6}', text: 'TCK-123456 and TCK-1, TCK-654321', expected: ['TCK-123456', 'TCK-654321'] },
  { regex: '(?i)project[ -]falcon', text: 'PROJECT falcon, project-Falcon', expected: ['PROJECT falcon', 'project-Falcon'] },
  { regex: '\\bID\\d+\\b', text: 'ID1 XID2 ID3x ID4', expected: ['ID1', 'ID4'] },
  { regex: '^start', text: 'start start', expected: ['start'] },
  { regex: 'end$', text: 'end end', expected: ['end'] },
  { regex: '\\p{Greek}+', text: 'α and βγ 😀 δ', expected: ['α', 'βγ', 'δ'] },
  { regex: '😀.', text: 'x😀y', expected: ['😀y'] },
])('finds $regex', ({ regex, text, expected }) => {
  expect(found(regex, text)).toEqual(expected);
});

test('of many patterns each is found by its own id', () => {
  const rules = Array.from({ length: 100 }, (_, i) => ruleOf(`K${i}-[0-9]{2}\\b`, `rule-${i}`));
  const run = runnerOf(createPatternsDetector(rules));
  expect(run('K7-12 K99-34 K50-56').map(({ ruleId }) => ruleId)).toEqual(['rule-7', 'rule-99', 'rule-50']);
});

test('a rule is silent where it does not apply', () => {
  const run = runnerOf(createPatternsDetector([ruleOf('abc', 'rule', ['output'])]));
  expect(run('abc', { target: 'input' })).toEqual([]);
  expect(run('abc', { target: 'output' })).toHaveLength(1);
});

describe('long texts', () => {
  test.each(['ab+c', '\\bab\\b', '^ab', 'ab$', '[^x]b', 'a.{0,20}c'])('%s is found as if there were no windows', (regex) => {
    const oracle = new RegExp(regex, 'g');
    const filler = fc.stringMatching(/^[abc x]{0,30}$/);
    fc.assert(
      // Fragments are put around the places where one window ends and the next begins.
      fc.property(filler, filler, filler, fc.integer({ min: -40, max: 10 }), (first, middle, last, shift) => {
        const text =
          first + 'x'.repeat(Math.max(0, 4_096 - first.length + shift)) + middle + 'x'.repeat(4_096 - middle.length) + last;
        expect(found(regex, text)).toEqual([...text.matchAll(oracle)].map(([match]) => match));
      }),
    );
  });

  test(`a match of ${MATCH_CHARS_MAX} characters is found wherever it starts, and a longer one nowhere`, () => {
    for (const start of [0, 3_000, 4_095, 4_096, 5_000]) {
      const text = (length: number) => `${'x'.repeat(start)}S${'y'.repeat(length - 2)}E${'x'.repeat(3_000)}`;
      expect(found('Sy+E', text(MATCH_CHARS_MAX))).toHaveLength(1);
      expect(found('Sy+E', text(MATCH_CHARS_MAX + 1))).toHaveLength(0);
    }
  });

  test('of what goes on for longer, the longest part that is a match is found, and then the next', () => {
    const long = 'y'.repeat(2 * MATCH_CHARS_MAX + 10);
    expect(found('y+', long).map(({ length }) => length)).toEqual([MATCH_CHARS_MAX, MATCH_CHARS_MAX, 10]);
    expect(found('S[sy]*E?', `S${long}`)[0]).toHaveLength(MATCH_CHARS_MAX);
    expect(found('S(?:y|\\n)*E', `SyEySyE${long}E`)).toEqual(['SyE', 'SyE']);
    expect(found('(?m)^y+$', `y\n${long}\ny`)).toEqual(['y', 'y']);
    expect(found('(?s)A.*B', `A1B2${long}B`)).toEqual(['A1B']);
  });

  test('is what the expression matches in the 900 characters from each start on', () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[ab]{0,5}$/),
      fc.nat(1_000).map((length) => 'x'.repeat(length)),
      fc.constant('\n'),
    );
    const anyText = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom('a[x\\n]*b', 'a[^b]*', 'x+', '(?s)a.*b', '(?s)a.*?b', 'b(?:x|a)*a'), anyText, (regex, text) => {
        const oracle = new RegExp(regex.replace('(?s)', ''), regex.startsWith('(?s)') ? 'ys' : 'y');
        const expected: string[] = [];
        for (let at = 0; at < text.length;) {
          oracle.lastIndex = 0;
          const [match] = oracle.exec(text.slice(at, at + MATCH_CHARS_MAX)) ?? [];
          if (match !== undefined) expected.push(match);
          at += match?.length ?? 1;
        }
        expect(found(regex, text)).toEqual(expected);
      }),
    );
  });

  test('the clock is asked in every window, and once it has run out nothing more is read', () => {
    let asked = 0;
    const reported: number[] = [];
    const text = 'TCK-1 '.padEnd(4_096).repeat(10);
    const [view] = viewsOf(text, compileAnchors([[]]));
    createPatternsDetector([ruleOf('TCK-[0-9]')]).detect(
      view!,
      { rules: [], ends: [] },
      {
        part: { pointer: '', text, target: 'input', role: null },
        flagAt: 0,
        isWanted: () => true,
        report: ({ start }) => reported.push(start),
        expired: () => ++asked > 3,
        truncated: () => {},
      },
    );
    expect(reported).toEqual([0, 4_096, 8_192]);
  });
});

describe('the required literal', () => {
  test.each([
    ['NAME=[a-z]+', 'NAME='],
    ['[a-z]+NAME', 'NAME'],
    ['ab|cd', ''],
    ['a(b|c)defg?', 'def'],
    ['abc?def', 'def'],
    ['abc*', 'ab'],
    ['ab{0,3}cd', 'cd'],
    ['ab+c', 'ab'],
    ['a\\.b\\(c', 'a.b(c'],
    ['\\dabc\\w', 'abc'],
    ['[\\]abc]def', 'def'],
    ['(\\(abc)d', 'd'],
    ['\\x{61}bc', 'bc'],
    ['\\Qa|b\\E', ''],
    ['[[:alpha:]]xyz', 'xyz'],
    ['a{2}bc', 'bc'],
  ])('of %s is %j', (regex, literal) => {
    expect(requiredLiteral(regex)).toBe(literal);
  });

  test('stands in every match', () => {
    const atoms = fc.constantFrom('a', 'b', '[ab]', '(a|b)', '(?:ab)', 'a?', 'b*', 'ab+', 'a{0,2}', '\\.', '.', 'ba');
    fc.assert(
      fc.property(fc.array(atoms, { minLength: 1, maxLength: 6 }), fc.stringMatching(/^[ab.]{0,20}$/), (parts, text) => {
        const regex = parts.join('');
        const literal = requiredLiteral(regex);
        for (const [match] of text.matchAll(new RegExp(regex, 'g'))) expect(match).toContain(literal);
      }),
      { numRuns: 500 },
    );
  });
});
