import { expect, test } from 'vitest';
import type { OutgoingEvent } from './adapter.ts';
import { writeWithin } from './bounded.ts';
import { assessment, eventOf, finding } from './test-kit.ts';

const small = eventOf({ id: 'evt_small' });
const large = eventOf({
  id: 'evt_large',
  data: assessment({ findings: Array.from({ length: 200 }, () => finding()), findings_total: 200 }),
});
const opaque = eventOf({ id: 'evt_opaque', kind: 'other.kind', data: { blob: 'é'.repeat(30_000) } });
const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
const write = (events: readonly OutgoingEvent[], max: number) => writeWithin(events, max, (event) => JSON.stringify(event));

test('what fits is left whole', () => {
  expect(write([small, large, opaque], 1_000_000)).toEqual([small, large, opaque].map((event) => JSON.stringify(event)));
});

test('what is too much loses findings first, then its data; small events stay whole and none is left out', () => {
  const texts = write([small, large, opaque], 30_000);
  expect(bytesOf(texts)).toBeLessThanOrEqual(30_000);
  const [first, second, third] = texts.map((text) => JSON.parse(text) as OutgoingEvent);
  expect(first).toEqual(small);
  expect(second).toMatchObject({ id: 'evt_large', data: { findings_total: 200 } });
  expect((second!.data['findings'] as unknown[]).length).toBeGreaterThan(10);
  expect(third).toEqual({ ...opaque, data: { data_omitted: true } });
});
