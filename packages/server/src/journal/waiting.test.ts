// Promises of the queue before the journal.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WaitingEvents } from './waiting.ts';

interface Waiting {
  readonly event: { readonly orgId: Buffer };
  readonly number: number;
}
const waiting = (org: number, number: number): Waiting => ({ event: { orgId: Buffer.alloc(16, org) }, number });
const orgOf = ({ event }: Waiting) => event.orgId[0]!;

function takeAll(queue: WaitingEvents<Waiting>, fanOut: readonly number[] = []): Waiting[][] {
  const batches: Waiting[][] = [];
  while (queue.size > 0) {
    const batch = queue.take();
    expect(batch.length).toBeGreaterThan(0);
    const queued = new Map<string, number>();
    for (const each of batch) {
      const org = each.event.orgId.toString('hex');
      queued.set(org, (queued.get(org) ?? 0) + (fanOut[orgOf(each)] ?? 0));
    }
    queue.learn(batch, queued);
    batches.push(batch);
  }
  return batches;
}

test('every event comes out once, those of an organization in the order they came', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(7), { maxLength: 3_000 }),
      fc.array(fc.nat(200), { minLength: 8, maxLength: 8 }),
      (orgs, fanOut) => {
        const queue = new WaitingEvents<Waiting>();
        orgs.forEach((org, number) => queue.add(waiting(org, number)));
        const taken = takeAll(queue, fanOut).flat();
        expect(taken).toHaveLength(orgs.length);
        for (let org = 0; org < 8; org++) {
          const numbers = taken.filter((each) => orgOf(each) === org).map(({ number }) => number);
          expect(numbers).toEqual(orgs.flatMap((each, number) => (each === org ? [number] : [])));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('one event of an organization is in the next batch, however many another has waiting', () => {
  const queue = new WaitingEvents<Waiting>();
  for (let i = 0; i < 5_000; i++) queue.add(waiting(1, i));
  queue.take();
  queue.add(waiting(2, 0));
  expect(queue.take().some((each) => orgOf(each) === 2)).toBe(true);
});

test('a batch of events that go to many endpoints is small once that is known', () => {
  const queue = new WaitingEvents<Waiting>();
  for (let i = 0; i < 1_000; i++) queue.add(waiting(1, i));
  const [first, ...others] = takeAll(queue, [0, 150]);
  expect(first!.length).toBeLessThanOrEqual(32);
  for (const batch of others) expect(batch.length * 151).toBeLessThanOrEqual(2_000 + 151);
});

test('events that go nowhere are taken a thousand at a time', () => {
  const queue = new WaitingEvents<Waiting>();
  for (let i = 0; i < 3_100; i++) queue.add(waiting(1, i));
  expect(takeAll(queue).map((batch) => batch.length)).toEqual([32, 1_000, 1_000, 1_000, 68]);
});
