// Promises about counting, without a database where none is needed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, latencyQuantiles } from './latency.ts';
import { NAMES_MAX, OTHERS, Sheet } from './sheet.ts';

const outcome = fc.constantFrom('total', 'allowed', 'flagged', 'blocked');
const counted = fc.array(
  fc.record({ name: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'other', '\0', '\ud800')), outcome }),
  { maxLength: 60 },
);

test('a quantile of latencies is within 5 % of the exact one', () => {
  const latencies = fc.array(fc.double({ min: 0.001, max: 99_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(latencies, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const sheet = new Sheet();
      for (const ms of values) sheet.count('latencies', String(bucketOf(ms)), 'allowed');
      const exact = values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1]!;
      expect(Math.abs(latencyQuantiles(sheet.groups.latencies, [share])[0]! - exact)).toBeLessThanOrEqual(0.05 * exact);
    }),
  );
});

test('all latencies that there can be have fewer buckets than a sheet has names for', () => {
  expect(bucketOf(Number.MAX_VALUE) - bucketOf(0) + 1).toBeLessThan(NAMES_MAX);
});

test('what is written is what is read, whatever the names are', () => {
  fc.assert(
    fc.property(counted, (events) => {
      const sheet = new Sheet();
      for (const [i, { name, outcome: told }] of events.entries()) {
        sheet.see(name, i + 1, i * 1_000_000);
        sheet.count('models', name, told);
      }
      expect(Sheet.parse(sheet.toText()).toText()).toBe(sheet.toText());
      expect(Sheet.parse(sheet.toText()).lastSequence).toBe(events.length);
    }),
  );
});

test('it does not matter how events are cut into sheets that are added', () => {
  fc.assert(
    fc.property(counted, fc.nat(60), (events, cut) => {
      const count = (sheet: Sheet, from: number, to: number) => {
        for (let i = from; i < Math.min(to, events.length); i++) {
          sheet.see('kind', i + 1, i * 1_000_000);
          sheet.count('models', events[i]!.name, events[i]!.outcome);
        }
        return sheet;
      };
      const whole = count(new Sheet(), 0, events.length);
      const sum = count(new Sheet(), 0, cut);
      sum.add(count(new Sheet(), cut, events.length));
      expect(sum.toText()).toBe(whole.toText());
    }),
  );
});

test('names beyond the bound are counted together, and nothing is lost', () => {
  const sheet = new Sheet();
  for (let i = 0; i < 3 * NAMES_MAX; i++) sheet.count('models', `m${i}`, 'blocked');
  const { models } = sheet.groups;
  expect(models.size).toBe(NAMES_MAX + 1);
  expect(models.get(OTHERS)).toEqual({ total: 2 * NAMES_MAX, allowed: 0, flagged: 0, blocked: 2 * NAMES_MAX });
});
