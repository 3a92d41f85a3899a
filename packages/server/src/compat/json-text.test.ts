// Promises about JSON that is changed as it stands.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasExactNumbers, readWrittenJson, rewritten } from './json-text.ts';

type Json = ReturnType<typeof JSON.parse>;

describe('a value is replaced where it stands', () => {
  const SECRET = 'secret "{,:}] \\ é 👋';
  const word = fc.constantFrom(SECRET, 'a', '', '{"a":1}', '\u2028');
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.integer(),
      fc.constantFrom(null, true, 0.5),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(word, fc.constantFrom('2', '1', '__proto__')), tie('value'), { maxKeys: 4 }),
    ),
  }));

  test('and all else of the text stays as it is', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', ' ', '\n\t'), fc.boolean(), (value, indent, isEscaped) => {
        const escaped = (text: string) =>
          isEscaped ? text.replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) : text;
        const text = escaped(JSON.stringify(value, null, indent));
        const before: Json = JSON.parse(text);
        const after: Json = JSON.parse(text, (_name, each: Json) => (each === SECRET ? '[X]' : each));
        const written = readWrittenJson(text);
        // A member's name is not a value.
        const quoted = escaped(JSON.stringify(SECRET));
        const expected = text.replaceAll(quoted, (match, at: number) =>
          /^\s*:/.test(text.slice(at + quoted.length)) ? match : '"[X]"',
        );
        expect(rewritten(written, before, after)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['{"a":1,"a":2}', false],
  ['{"a":1,"\\u0061":2}', false],
  ['[{"a":{"b":1,"c":2,"b":3}}]', false],
  ['{"a":{"b":1},"b":1}', true],
  ['{"a":"\\u00e9 \\n", "b" : [1, -2.5, 12.50, 5.0, null]}', true],
  ['{"a":12345678901234567890}', false],
  ['[9007199254740993]', false],
  ['[9007199254740991]', true],
  ['[0.12345678901234567890]', false],
  ['[1e400]', false],
])('sees in %s whether a parser sees all: %s', (text, isWhole) => {
  expect(readWrittenJson(text).isWhole).toBe(isWhole);
});

test('a text of a million characters is read, whatever they are', () => {
  for (const text of [`"${'\\n'.repeat(500_000)}"`, `[${'0,'.repeat(500_000)}0]`])
    expect(readWrittenJson(text)).toMatchObject({ text, isWhole: true });
});

test.each([
  [{ a: [1, 0.1, -5, 'x', null, {}] }, true],
  [[[{ a: JSON.parse('12345678901234567890') as number }]], false],
  [JSON.parse('[1, 1e400, 2]'), false],
  [null, true],
])('numbers that a parser has rounded are seen: %j', (value, isExact) => {
  expect(hasExactNumbers(value)).toBe(isExact);
});
