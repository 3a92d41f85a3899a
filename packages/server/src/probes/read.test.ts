// A batch of telemetry does not keep others waiting, however much is wrong with it.

import { expect, test } from 'vitest';
import { readBatch } from './read.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');

/** An event that is as slow to read as the clock says. */
function slowEvent(id: string, ms: number) {
  return {
    get id() {
      const endsAt = performance.now() + ms;
      while (performance.now() < endsAt);
      return id;
    },
    occurred_at: '2026-03-01T12:00:00.000Z',
  };
}

test.each([
  ['events that are valid', (i: number) => slowEvent(String(i), 6)],
  ['events that are not', () => slowEvent('', 6)],
])('others get their turn between %s', async (_name, eventOf) => {
  let isDone = false;
  let turns = 0;
  const others = () => {
    if (isDone) return;
    turns++;
    setImmediate(others);
  };
  setImmediate(others);
  await readBatch(
    Array.from({ length: 5 }, (_, i) => eventOf(i)),
    NOW_MS,
  );
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(4);
});

test('what is right, wrong or twice in a batch is told apart by its place', async () => {
  const event = { id: 'a', occurred_at: '2026-03-01T12:00:00.000Z' };
  const ahead = { id: 'b', occurred_at: '2026-03-02T12:00:00.001Z' };
  const { events, twins, rejected } = await readBatch([event, null, event, ahead], NOW_MS);
  expect(events).toEqual([{ position: 0, event, occurredAtMs: NOW_MS }]);
  expect(twins).toEqual([{ index: 2, of: 0 }]);
  expect(rejected.map(({ index, error }) => [index, error.details[0]?.pointer])).toEqual([
    [1, ''],
    [3, '/occurred_at'],
  ]);
});
