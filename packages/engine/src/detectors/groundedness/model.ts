// The trained part: how much each feature of a sentence adds to the doubt that something supports it.

import { FEATURES, type Feature } from './features.ts';
import model from '../../../models/groundedness/model.json' with { type: 'json' };

/** What a sentence scores that claims nothing: thanks, greetings, offers of help. */
const CLAIMLESS = 0.02;
const WEIGHTS: Readonly<Record<Feature, number>> = model.weights;

/** 0–1: the probability that a sentence with these features is not supported. Logistic regression. */
export function probabilityOf(features: Readonly<Record<Feature, number>>): number {
  if (features.claims_nothing === 1) return CLAIMLESS;
  let logit = model.bias;
  for (const name of FEATURES) logit += WEIGHTS[name] * features[name];
  return 1 / (1 + Math.exp(-logit));
}
