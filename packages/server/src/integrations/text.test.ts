import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, oneLine, shortKey, toJson } from './text.ts';

const any = fc.string({ unit: 'binary', maxLength: 200 });

test('a cut text has at most the characters asked for, is well-formed if it was, and begins as the whole', () => {
  fc.assert(
    fc.property(any, fc.integer({ min: 1, max: 60 }), (text, max) => {
      const short = cut(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
      if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
      if (text.length <= max) expect(short).toBe(text);
    }),
  );
});

test.each([
  ['a pair of surrogates', 'ab😀cd', 4, 'ab…'],
  ['an emoji of many parts', 'ab👩‍👩‍👧‍👦cd', 8, 'ab…'],
  ['a letter and its mark', 'abe\u0301d', 4, 'ab…'],
])('%s is not cut apart', (_name, text, max, expected) => {
  expect(cut(text, max)).toBe(expected);
});

test.each([
  ['line ends and controls', 'a\r\nb\u0000c\u2028d\te', 'a b c d e'],
  ['marks that turn the direction', 'safe\u202etxt.exe\u2066', 'safetxt.exe'],
  ['half a character', 'a\ud83db', 'a\ufffdb'],
])('%s do not get into a line', (_name, text, expected) => {
  expect(oneLine(text, 100)).toBe(expected);
});

test('a shortened key fits, stays the same, and differs where the keys differ', () => {
  const keys = ['x'.repeat(300), `${'x'.repeat(299)}y`, `${'x'.repeat(300)}z`, 'short'];
  const short = keys.map((key) => shortKey(key, 100));
  expect(new Set(short).size).toBe(keys.length);
  expect(short.every((key) => key.length <= 100)).toBe(true);
  expect(short).toEqual(keys.map((key) => shortKey(key, 100)));
  expect(short[3]).toBe('short');
});

test('JSON has no half characters, which parsers of vendors refuse', () => {
  expect(toJson({ '\ud83d': ['😀\ud83d', { b: 'x\udc00' }] })).toBe('{"\ufffd":["😀\ufffd",{"b":"x\ufffd"}]}');
  const harmless = { a: '\\ud83d \u0001 "\n' };
  expect(toJson(harmless)).toBe(JSON.stringify(harmless));
});
