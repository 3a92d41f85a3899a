// Every literal that any detector waits for, found in one pass (Aho–Corasick, dense transitions).

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
  /** `next[state + class]` is the next state, premultiplied by `width`. */
  readonly next: Int32Array;
  /** By state: who waits for literals that end there; `undefined` for most. */
  readonly outputs: (readonly Waiter[] | undefined)[];
  /** Number of detectors. The waiter after the last one is the reader of encodings, with the literals of `HINTS`. */
  readonly detectors: number;
}

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

/** Gives upper-case letters the class of their lower-case ones. */
function foldCase(classes: Uint16Array): void {
  for (let code = 0; code < classes.length; code++) {
    if (classes[code] === 0) continue;
    const upper = String.fromCharCode(code).toUpperCase();
    if (upper.length === 1 && classes[upper.charCodeAt(0)] === 0) classes[upper.charCodeAt(0)] = classes[code]!;
  }
}

function flatten(goto: number[][], waiting: Waiter[][], width: number) {
  const next = new Int32Array(goto.length * width);
  const fail = new Int32Array(goto.length);
  const queue: number[] = [];
  for (let cls = 1; cls < width; cls++) {
    const child = goto[0]![cls];
    if (child === undefined) continue;
    next[cls] = child * width;
    queue.push(child);
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head]!;
    waiting[state] = [...waiting[state]!, ...waiting[fail[state]!]!];
    for (let cls = 1; cls < width; cls++) {
      const child = goto[state]![cls];
      const fallback = next[fail[state]! * width + cls]!;
      if (child === undefined) {
        next[state * width + cls] = fallback;
        continue;
      }
      fail[child] = fallback / width;
      next[state * width + cls] = child * width;
      queue.push(child);
    }
  }
  const outputs = Array.from<readonly Waiter[] | undefined>({ length: next.length });
  waiting.forEach((list, state) => {
    if (list.length > 0) outputs[state * width] = list;
  });
  return { next, outputs };
}
