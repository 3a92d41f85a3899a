// JSON is read as everybody reads it, and changed without touching the rest.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson, rewritten } from './json.ts';

/** A JSON text with white space where it may be. */
function spaced(value: unknown, spaces: string): string {
  return JSON.stringify(value, null, spaces);
}

describe('reading JSON', () => {
  test('takes what JSON.parse takes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom('', ' ', '\t', '    '), (value, spaces) => {
        const text = spaced(value, spaces);
        expect(readJson(text)?.value).toEqual(JSON.parse(text));
        expect(readJson(text)?.hasDuplicates).toBe(false);
      }),
    );
  });

  test('takes nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          value = undefined;
        }
        expect(readJson(text)?.value).toEqual(value);
      }),
    );
  });

  test.each([
    ['{"a":1,"a":2}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['{"x":[{"a":1},{"a":2, "b": {"c": "}", "c": 1}}]}', true],
    ['{"a":1,"b":{"a":2}}', false],
    ['{"a":"\\"a\\":1","b":"a"}', false],
    ['{"__proto__":1,"__proto__":2}', true],
  ])('sees whether %s names a member twice', (text, expected) => {
    expect(readJson(text)!.hasDuplicates).toBe(expected);
  });

  test.each([
    ['[1, 1.5, 12.50, -0.1, 1e3]', false],
    ['[1, 1.5, 12.50, -0.1]', true],
    ['9007199254740993', false],
    ['{"id": 12345678901234567890}', false],
  ])('sees whether the numbers of %s can be held', (text, expected) => {
    expect(readJson(text)!.isExact).toBe(expected);
  });

  test('refuses what is nested so deep that walking over it would end the process', () => {
    expect(readJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeNull();
    expect(readJson(`${'['.repeat(400)}${']'.repeat(400)}`)).not.toBeNull();
  });

  test('reads strings of megabytes', () => {
    const text = JSON.stringify({ image: `data:image/png;base64,${'A'.repeat(20_000_000)}`, quoted: '\\"'.repeat(100_000) });
    expect(readJson(text)!.hasDuplicates).toBe(false);
  });
});

describe('changing JSON', () => {
  test('leaves all else as it was written', () => {
    const text = '{ "seed": 12345678901234567890,\n\t"messages": [ {"content": "old", "n": 1.50, "é": "\\u00e9"} ] }';
    const value = JSON.parse(text) as { messages: { content: string }[] };
    value.messages[0]!.content = 'new "text"';
    expect(rewritten({ text }, value)).toBe(text.replace('"old"', '"new \\"text\\""'));
  });

  test('says what it is to say, whatever is changed', () => {
    const change = (value: unknown, from: string): unknown => {
      if (typeof value === 'string') return value.includes(from) ? `<${value}>` : value;
      if (Array.isArray(value)) return value.map((each) => change(each, from));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each, from)]));
    };
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom('', ' ', '  '),
        fc.constantFrom('a', ' ', ''),
        (value, spaces, from) => {
          const text = spaced(value, spaces);
          const after = change(JSON.parse(text), from);
          expect(JSON.parse(rewritten({ text }, after))).toEqual(after);
        },
      ),
    );
  });
});
