// All built-in detectors, and the one automaton that waits for all their anchors.

import { compileAnchors, type Automaton } from '../text/anchors.ts';
import type { Detector } from '../types.ts';
import { detector as links } from './links/detector.ts';
import { detector as obfuscation } from './obfuscation/detector.ts';
import { PATTERNS_VERSION } from './patterns/detector.ts';
import { detector as pii } from './pii/detector.ts';
import { detector as promptInjection } from './prompt-injection/detector.ts';
import { detector as secrets } from './secrets/detector.ts';
import { detector as size } from './size/detector.ts';
import { TERMS_VERSION } from './terms/detector.ts';

/** Detectors and the automaton over their anchors, `detectors[i]` being detector `i` of the automaton. */
export interface Registry {
  readonly detectors: readonly Detector[];
  readonly automaton: Automaton;
}

/** Builds a registry. Detectors run in the order given, so those that matter most at a deadline come first. */
export function createRegistry(detectors: readonly Detector[]): Registry {
  return { detectors, automaton: compileAnchors(detectors.map(({ anchors }) => anchors)) };
}

/** The built-in detectors, compiled once per process. */
export const BUILT_IN = createRegistry([secrets, pii, promptInjection, obfuscation, links, size]);

/** Versions of all detectors that an assessment may name, by id. */
export const DETECTOR_VERSIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BUILT_IN.detectors.map(({ id, version }) => [id, version])),
  patterns: PATTERNS_VERSION,
  terms: TERMS_VERSION,
};
