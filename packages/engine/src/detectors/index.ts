// All built-in detectors, and the one automaton that waits for all their anchors.

import { compileAnchors, type Automaton } from '../text/anchors.ts';
import type { AnyDetector } from '../types.ts';
import { detector as groundedness } from './groundedness/detector.ts';
import { detector as harm } from './harm/detector.ts';
import { detector as links } from './links/detector.ts';
import { detector as obfuscation } from './obfuscation/detector.ts';
import { PATTERNS_VERSION } from './patterns/detector.ts';
import { detector as pii } from './pii/detector.ts';
import { detector as promptInjection } from './prompt-injection/detector.ts';
import { detector as protectedPrompt } from './protected-prompt/detector.ts';
import { detector as refusal } from './refusal/detector.ts';
import { detector as secrets } from './secrets/detector.ts';
import { detector as size } from './size/detector.ts';
import { TERMS_VERSION } from './terms/detector.ts';
import { detector as unsafeCode } from './unsafe-code/detector.ts';

/** Detectors and the automaton over their anchors, `detectors[i]` being detector `i` of the automaton. */
export interface Registry {
  readonly detectors: readonly AnyDetector[];
  readonly automaton: Automaton;
}

/** Builds a registry. Detectors run in the order given, so those that matter most at a deadline come first. */
export function createRegistry(detectors: readonly AnyDetector[]): Registry {
  return { detectors, automaton: compileAnchors(detectors.map((detector) => ('anchors' in detector ? detector.anchors : []))) };
}

/** The built-in detectors, compiled once per process. */
export const BUILT_IN = createRegistry([
  secrets,
  pii,
  promptInjection,
  protectedPrompt,
  obfuscation,
  harm,
  unsafeCode,
  links,
  refusal,
  size,
  groundedness,
]);

/** Versions of all detectors that an assessment may name, by id. */
export const DETECTOR_VERSIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BUILT_IN.detectors.map(({ id, version }) => [id, version])),
  patterns: PATTERNS_VERSION,
  terms: TERMS_VERSION,
};
