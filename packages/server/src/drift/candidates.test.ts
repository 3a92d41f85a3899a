import { expect, test } from 'vitest';
import { addCandidate } from './candidates.ts';
import type { Candidate } from './store.ts';

test('what is heard of often is not lost among names that come once, and memory is bounded', () => {
  let candidates: readonly Candidate[] = [];
  for (let i = 0; i < 10_000; i++) {
    candidates = addCandidate(candidates, { model: `once-${i}`, group: 'api' }, 1);
    if (i % 20 === 0) candidates = addCandidate(candidates, { model: 'often', group: 'api' }, 1);
    expect(candidates.length).toBeLessThanOrEqual(64);
  }
  expect(candidates.find(({ model }) => model === 'often')!.n).toBeGreaterThan(100);
});
