// Promises about texts that are assessed as one and shown in parts.

import { expect, test } from 'vitest';
import { copyOf, sharesOf } from './said.ts';

test.each([
  ['nothing redacted', ['One ', 'two.'], 'One two.', ['One ', 'two.']],
  ['in one part', ['Take KEY, ', 'Ann.'], 'Take [TOKEN], Ann.', ['Take [TOKEN], ', 'Ann.']],
  ['across an end', ['Take K', 'EY, Ann.'], 'Take [TOKEN], Ann.', ['Take [TOKEN]', ', Ann.']],
  ['in each', ['a KEY b ', 'c CARD d'], 'a [TOKEN] b c [CARD_2] d', ['a [TOKEN] b ', 'c [CARD_2] d']],
  ['at the end', ['Take ', 'KEY'], 'Take [TOKEN]', ['Take ', '[TOKEN]']],
  ['the whole', ['K', 'E', 'Y'], '[TOKEN]', ['[TOKEN]', '', '']],
  ['two that touch', ['KEY', 'CARD!'], '[TOKEN][CARD]!', null],
  ['with nothing left', ['Hi'], '', ['']],
  ['as nobody would write it', ['One two'], 'Completely else', null],
] as const)('shares of a text with %s are together what is left of it', (_name, parts, left, shares) => {
  const found = sharesOf(parts, left);
  expect(found.join('')).toBe(left);
  expect(found).toHaveLength(parts.length);
  if (shares !== null) expect(found).toEqual(shares);
});

test('a copy has what would be sent of instances, and leaves bytes and addresses as they are', () => {
  class Given {
    text = 'x';
  }
  const given = { one: new Given(), bytes: new Uint8Array(2), url: new URL('http://a.b') };
  const copy = copyOf(given);
  expect(copy).toEqual({ ...given, one: { text: 'x' } });
  expect(copy.one).not.toBe(given.one);
  expect([copy.bytes, copy.url]).toEqual([given.bytes, given.url]);
  expect(copy.url).toBe(given.url);
});
