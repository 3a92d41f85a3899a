import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Confirmation } from './confirmation.ts';
import { StateReader, StateWriter } from './state-format.ts';

const SUSPICION = { atMs: 0, observation: 1000, onsetMs: 0, onsetObservation: 0, log10Evidence: 5, isProvisional: false };

/** A chunk of `n` observations. */
function spanOf(n: number, index: number) {
  return { n, firstMs: index, lastMs: index, firstBatch: index, lastBatch: index };
}

it('weighs blocks of any length, bets without a stake among them', () => {
  const factor = fc.double({ min: 1e-3, max: 3000, noNaN: true });
  fc.assert(
    fc.property(fc.array(factor, { minLength: 8, maxLength: 8 }), fc.integer({ min: 2000, max: 200_000 }), (factors, chunks) => {
      const confirmation = new Confirmation(SUSPICION, Float64Array.of(0.5, 0, 0.5, 0, 0, 0, 0, 0), 1, 2);
      let verdict = 'undecided';
      // The block ends with its last chunk only.
      for (let index = 0; index < chunks; index++)
        verdict = confirmation.add(spanOf(5, index), Float64Array.from(factors), chunks - 1);
      expect(confirmation.product).toBeGreaterThanOrEqual(0);
      expect(confirmation.product).toBeLessThanOrEqual(4);
      expect(['undecided', 'cleared']).toContain(verdict);
    }),
    { numRuns: 20 },
  );
});

it('is dropped at the end of the block where the state it was kept in has no number', () => {
  const confirmation = new Confirmation(SUSPICION, Float64Array.of(1), 1, 2);
  confirmation.product = Number.NaN;
  const writer = new StateWriter();
  confirmation.write(writer);
  const restored = Confirmation.read(new StateReader(writer.finish()), 1, 1, 2);
  expect(restored.add(spanOf(5000, 1), Float64Array.of(1e6), 0)).toBe('cleared');
});
