import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ibanChecks, isDate, luhn, mod1110, remainder, verhoeff } from './checksums.ts';

const digits = (length: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(''));

/** `value` with another digit at `at`. */
function altered(value: string, at: number, by: number): string {
  return value.slice(0, at) + String((Number(value[at]) + by) % 10) + value.slice(at + 1);
}

/** The one digit that completes `body`. */
function completed(body: string, checks: (value: string) => boolean): string {
  const found = [...'0123456789'].map((digit) => body + digit).filter(checks);
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe.each([
  ['Luhn', luhn],
  ['Verhoeff', verhoeff],
  ['mod 11,10', mod1110],
])('%s', (_, checks) => {
  test('has exactly one check digit for every number and notices every wrong digit', () => {
    fc.assert(
      fc.property(digits(11), fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 9 }), (body, at, by) => {
        expect(checks(altered(completed(body, checks), at, by))).toBe(false);
      }),
    );
  });
});

test('Verhoeff notices every swap of neighbours', () => {
  fc.assert(
    fc.property(digits(11), fc.integer({ min: 0, max: 10 }), (body, at) => {
      const value = completed(body, verhoeff);
      fc.pre(value[at] !== value[at + 1]);
      expect(verhoeff(value.slice(0, at) + value[at + 1] + value[at] + value.slice(at + 2))).toBe(false);
    }),
  );
});

test('the IBAN checksum agrees with whole-number arithmetic', () => {
  const iban = fc.stringMatching(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/);
  fc.assert(
    fc.property(iban, (value) => {
      const moved = value.slice(4) + value.slice(0, 4);
      const number = BigInt([...moved].map((char) => Number.parseInt(char, 36)).join(''));
      expect(ibanChecks(value)).toBe(number % 97n === 1n);
    }),
  );
});

test('remainders agree with whole-number arithmetic', () => {
  fc.assert(
    fc.property(digits(20), fc.integer({ min: 2, max: 1000 }), (value, modulus) => {
      expect(remainder(value, modulus)).toBe(Number(BigInt(value) % BigInt(modulus)));
    }),
  );
});

test('dates are those of the calendar', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1600, max: 2400 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const date = new Date(Date.UTC(year, month - 1, day));
        const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        expect(isDate(year, month, day)).toBe(isReal);
      },
    ),
  );
});
