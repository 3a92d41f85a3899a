import { expect, test } from 'vitest';
import { judgeFailure } from './judgement.ts';

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: 'secret words of the vendor',
});

test.each([
  [200, 'retry'],
  [302, 'retry'],
  [400, 'permanent'],
  [401, 'permanent'],
  [404, 'permanent'],
  [408, 'retry'],
  [413, 'permanent'],
  [429, 'retry'],
  [500, 'retry'],
  [503, 'retry'],
])('a failure with status %i is judged %s, in a sentence that does not repeat the answer', (status, outcome) => {
  const judged = judgeFailure('Vendor', answer(status));
  expect(judged).toMatchObject({ outcome, error: expect.stringMatching(/^Vendor .*\.$/) });
  expect(JSON.stringify(judged)).not.toContain('secret');
});

test.each([
  ['seconds', { 'retry-after': '30' }, 30_000],
  ['no wait', { 'retry-after': '0' }, 0],
  [
    'a date, from the answer’s own',
    { 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
    60_000,
  ],
  ['a date that is past', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' }, 0],
  ['more than a day', { 'retry-after': '999999999999' }, 86_400_000],
  ['a date without one to count from', { 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT' }, undefined],
  ['nonsense', { 'retry-after': 'soon' }, undefined],
  ['nothing', {}, undefined],
])('Retry-After of %s is read in milliseconds', (_name, headers: Record<string, string>, afterMs) => {
  expect(judgeFailure('Vendor', answer(429, headers))).toHaveProperty('outcome', 'retry');
  const judged = judgeFailure('Vendor', answer(503, headers));
  expect('afterMs' in judged ? judged.afterMs : undefined).toBe(afterMs);
});
