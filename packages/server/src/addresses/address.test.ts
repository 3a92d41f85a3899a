import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

const RUNS = 20_000;

/** Texts of the characters addresses are made of, addresses, and addresses with one character changed. */
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const almost = fc
  .tuple(address, fc.nat(40), fc.constantFrom('', ':', '::', '.', '0', 'f', 'G', ' ', '%1', '-', '256'), fc.nat(2))
  .map(([text, at, put, cut]) => text.slice(0, at) + put + text.slice(at + cut));
const soup = fc.string({ unit: fc.constantFrom(':', '::', '.', '0', '1', '00', 'ff', 'F00', '255', '12345'), maxLength: 16 });

test('reads exactly the addresses the platform knows', () => {
  fc.assert(
    fc.property(fc.oneof(address, almost, soup), (text) => {
      expect(parseAddress(text) !== null).toBe(isIP(text) !== 0 && !text.includes('%'));
    }),
    { numRuns: RUNS },
  );
});

test('writes IPv6 as a URL does, which follows RFC 5952', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 }), (groups) => {
      const text = groups.map((group) => group.toString(16).toUpperCase().padStart(4, '0')).join(':');
      const parsed = parseAddress(text)!;
      fc.pre(parsed.length === 4);
      expect(`[${formatAddress(parsed)}]`).toBe(new URL(`http://[${text}]/`).hostname);
    }),
    { numRuns: RUNS },
  );
});

test('what is written is read as the same address', () => {
  fc.assert(
    fc.property(address, (text) => {
      const parsed = parseAddress(text)!;
      expect(parseAddress(formatAddress(parsed))).toEqual(parsed);
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['0000:0000:0000:0000:0000:FFFF:C000:0201', '192.0.2.1'],
  ['::192.0.2.1', '::c000:201'],
  ['::ffff:0:192.0.2.1', '::ffff:0:c000:201'],
  ['2001:DB8::', '2001:db8::'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['0:0:0:0:0:0:0:0', '::'],
])('%s is %s', (text, canonical) => {
  expect(formatAddress(parseAddress(text)!)).toBe(canonical);
});
