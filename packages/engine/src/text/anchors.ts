// Every literal that any detector waits for, found in one pass (Aho–Corasick, dense transitions).

import type { AnchorHits } from '../types.ts';
import { HINTS } from './hints.ts';

/** A literal and who waits for it. */
interface Waiter {
  readonly detector: number;
  readonly rule: number;
}

/** A compiled automaton over the anchors of several detectors. */
export interface Automaton {
  /** char code -> class, letters case-folded where both cases are one UTF-16 unit. */
  readonly classes: Uint16Array;
  /** Number of classes, the row width of `next`. */
  readonly width: number;
  /** `next[state * width + class]`: the next state, with `HAS_OUTPUT` set where literals end in it. */
  readonly next: Uint16Array;
  /** By state: who waits for literals that end there; empty for most. */
  readonly outputs: readonly (readonly Waiter[])[];
  /** Number of detectors. The waiter after the last one is the reader of encodings, with the literals of `HINTS`. */
  readonly detectors: number;
}

/** The bit of a transition that tells that its state has outputs, so that most characters cost one look-up. */
export const HAS_OUTPUT = 0x8000;

/**
 * Compiles the anchors of all detectors into one automaton.
 * `anchorsByDetector[d][r]`: lower-case literal, UTF-16, not empty. Throws when they use more than 511 different characters.
 */
export function compileAnchors(anchorsByDetector: readonly (readonly string[])[]): Automaton {
  const classes = new Uint16Array(65_536);
  let width = 1;
  const anchorsByWaiter = [...anchorsByDetector, HINTS.map(({ literal }) => literal)];
  for (const anchors of anchorsByWaiter) {
    for (const anchor of anchors) {
      for (let i = 0; i < anchor.length; i++) {
        const code = anchor.charCodeAt(i);
        if (classes[code] === 0) classes[code] = width++;
      }
    }
  }
  if (width > 512) throw new Error(`anchors use ${width - 1} different characters, at most 511 fit`);
  foldCase(classes);

  const goto: number[][] = [[]];
  const waiting: Waiter[][] = [[]];
  anchorsByWaiter.forEach((anchors, detector) => {
    anchors.forEach((anchor, rule) => {
      if (anchor.length === 0 || anchor !== anchor.toLowerCase())
        throw new Error(`anchor '${anchor}' must be lower case and not empty`);
      let state = 0;
      for (let i = 0; i < anchor.length; i++) {
        const cls = classes[anchor.charCodeAt(i)]!;
        state = goto[state]![cls] ??= goto.push([]) - 1;
        waiting[state] ??= [];
      }
      waiting[state]!.push({ detector, rule });
    });
  });
  return { classes, width, ...flatten(goto, waiting, width), detectors: anchorsByDetector.length };
}

/** Where the anchors of an automaton's only detector stand in `text`. For detectors that read by themselves; the others get what the survey found. */
export function anchorsIn(text: string, { classes, width, next, outputs }: Automaton): AnchorHits {
  const hits: AnchorHits = { rules: [], ends: [] };
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    state = next[state * width + classes[text.charCodeAt(i)]!]!;
    if ((state & HAS_OUTPUT) === 0) continue;
    state ^= HAS_OUTPUT;
    for (const { detector, rule } of outputs[state]!) {
      if (detector !== 0) continue;
      hits.rules.push(rule);
      hits.ends.push(i + 1);
    }
  }
  return hits;
}

/** Gives upper-case letters the class of their lower-case ones. */
function foldCase(classes: Uint16Array): void {
  for (let code = 0; code < classes.length; code++) {
    if (classes[code] === 0) continue;
    const upper = String.fromCharCode(code).toUpperCase();
    if (upper.length === 1 && classes[upper.charCodeAt(0)] === 0) classes[upper.charCodeAt(0)] = classes[code]!;
  }
}

/** Breadth first, so that the state a failed match falls back to is complete before it is needed. */
function flatten(
  goto: readonly (readonly number[])[],
  waiting: readonly Waiter[][],
  width: number,
): Pick<Automaton, 'next' | 'outputs'> {
  if (goto.length > HAS_OUTPUT) throw new Error(`anchors make ${goto.length} states, at most ${HAS_OUTPUT} fit`);
  const next = new Uint16Array(goto.length * width);
  const fail = new Uint16Array(goto.length);
  const outputs = waiting.map((own) => [...own]);
  const queue = [0];
  for (const state of queue) {
    if (state !== 0) outputs[state]!.push(...outputs[fail[state]!]!);
    for (let cls = 1; cls < width; cls++) {
      const child = goto[state]![cls];
      const fallback = state === 0 ? 0 : next[fail[state]! * width + cls]!;
      if (child !== undefined) {
        fail[child] = fallback;
        queue.push(child);
      }
      next[state * width + cls] = child ?? fallback;
    }
  }
  for (let i = 0; i < next.length; i++) if (outputs[next[i]!]!.length > 0) next[i]! |= HAS_OUTPUT;
  return { next, outputs };
}
