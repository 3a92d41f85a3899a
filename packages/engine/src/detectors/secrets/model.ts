// How likely the value of a clue is a credential: a logistic regression over hashed features, trained by training/secrets/train.py.

import trained from '../../../models/secret-values/weights.json' with { type: 'json' };
import type { Clue } from './clue.ts';
import { featuresOf, SLOTS } from './features.ts';

const WEIGHTS = new Int8Array(Buffer.from(trained.weights, 'base64'));
if (WEIGHTS.length !== SLOTS) throw new Error(`weights.json holds ${WEIGHTS.length} weights, the features have ${SLOTS} slots`);

/** 0–1; 0.5 is where look-alikes of the training data stay out. */
export function credibility(clue: Clue): number {
  return probabilityOf(featuresOf(clue));
}

/** The same for features already taken. */
export function probabilityOf(slots: readonly number[]): number {
  let sum = 0;
  for (const slot of slots) sum += WEIGHTS[slot]!;
  return 1 / (1 + Math.exp(-(sum * trained.scale + trained.bias)));
}
