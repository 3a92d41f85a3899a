import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeMs } from './time.ts';

test('reads every time that Date writes', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(253_402_300_799_999), noInvalidDate: true }), (date) => {
      expect(timeMs(date.toISOString())).toBe(date.getTime());
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
  ['2026-03-01T12:00:00.5+05:30', '2026-03-01T06:30:00.500Z'],
  ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  ['2026-01-31T23:59:59.999Z', '2026-01-31T23:59:59.999Z'],
  ['1969-12-31T23:00:00-01:00', '1970-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is %s', (text, iso) => {
  expect(new Date(timeMs(text)).toISOString()).toBe(iso);
});

test.each([
  ['', 'nothing'],
  ['1', 'what Date.parse takes for a year'],
  ['2026-03-01', 'no time of day'],
  ['2026-03-01T12:00:00', 'no offset'],
  ['2026-03-01 12:00:00Z', 'a space'],
  ['2026-02-29T00:00:00.000Z', 'a day that this year has not'],
  ['2026-02-31T00:00:00.000Z', 'a day that no February has'],
  ['2026-13-01T00:00:00.000Z', 'a month that no year has'],
  ['2026-00-10T00:00:00.000Z', 'month 0'],
  ['2026-01-00T00:00:00.000Z', 'day 0'],
  ['2026-01-01T25:00:00.000Z', 'an hour that no day has'],
  ['2026-01-01T00:60:00.000Z', 'minute 60'],
  ['2026-01-01T00:00:60.000Z', 'a leap second'],
  ['2026-01-01T00:00:0x.000Z', 'a letter'],
  ['+026-01-01T00:00:00.000Z', 'a sign'],
  [' 026-01-01T00:00:00.000Z', 'a space in the year'],
  ['1969-12-31T23:59:59.999Z', 'before 1970'],
  ['1970-01-01T00:00:00+00:01', 'before 1970 by its offset'],
  ['0000-01-01T00:00:00+23:59', 'before the year 0 by its offset'],
  ['9999-12-31T23:59:59-23:59', 'after 9999 by its offset'],
])('%s is none: %s', (text) => {
  expect(timeMs(text)).toBeNaN();
});

test('nothing that is of the right length is taken by mistake', () => {
  const chars = fc.constantFrom(...'0123456789-:.TZ+ /');
  fc.assert(
    fc.property(fc.array(chars, { minLength: 24, maxLength: 24 }), (unit) => {
      const text = unit.join('');
      const ms = timeMs(text);
      if (!Number.isNaN(ms)) expect(ms).toBe(Date.parse(text));
    }),
    { numRuns: 5_000 },
  );
});
