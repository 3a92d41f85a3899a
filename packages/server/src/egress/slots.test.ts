import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

const { signal } = new AbortController();

test('slots go to those who wait in the order they came; who left is passed over and is told why', async () => {
  const slots = new Slots(2);
  await slots.take(signal);
  await slots.take(signal);
  const order: string[] = [];
  const leaver = new AbortController();
  const left = slots.take(leaver.signal).catch((err: unknown) => err);
  const first = slots.take(signal).then(() => order.push('first'));
  const second = slots.take(signal).then(() => order.push('second'));
  leaver.abort('no time');
  expect(await left).toBe('no time');
  slots.give();
  await first;
  expect(order).toEqual(['first']);
  slots.give();
  await second;
  slots.give();
  slots.give();
  await slots.take(signal);
  await slots.take(signal);
  await expect(slots.take(AbortSignal.abort('too late'))).rejects.toBe('too late');
});
