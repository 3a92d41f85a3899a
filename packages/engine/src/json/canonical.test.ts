// Promises of canonical JSON: RFC 8785, checked against its published vectors where they are at hand.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

// The vectors of the RFC's author are under another licence and not part of this repository.
const vectors = join(import.meta.dirname, '../../../../../shared/vectors/jcs');
const names = existsSync(join(vectors, 'input')) ? readdirSync(join(vectors, 'input')) : [];

describe.skipIf(names.length === 0)('the published vectors (skipped where the folder is absent)', () => {
  test.each(names)('%s', (name) => {
    const read = (folder: string) => readFileSync(join(vectors, folder, name), 'utf8');
    expect(canonicalJson(JSON.parse(read('input')))).toBe(read('output'));
  });
});

test.each([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ '\u{1f600}': 1, '\ufb33': 2 }, '{"\u{1f600}":1,"\ufb33":2}'],
  [-0, '0'],
  [1e21, '1e+21'],
  [0.000_001, '0.000001'],
  [1e-7, '1e-7'],
  ['\u0000\b\t\n\f\r"\\/\u007f', String.raw`"\u0000\b\t\n\f\r\"\\/` + '\u007f"'],
  [[undefined, null].slice(1), '[null]'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  [{ '\udc00': '\ud800' }, String.raw`{"\udc00":"\ud800"}`],
])('writes %j as %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each([
  ['NaN', NaN],
  ['an infinity', [Infinity]],
  ['undefined', undefined],
  ['a bigint', 1n],
  ['a function', () => 1],
])('refuses %s', (_name, value) => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
});

test('refuses nesting beyond its bound with an error of its own', () => {
  let value: unknown = 1;
  for (let i = 0; i < 5_000; i++) value = [value];
  expect(() => canonicalJson(value)).toThrow(/nested deeper/);
});

test('reads back as the same value, and does not depend on the order of members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/.test(JSON.stringify(value)));
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
