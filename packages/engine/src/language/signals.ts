// From the model's logits to findings: which passages score, how much a score means, and what weighed most.

import type { View } from '../text/view.ts';
import { CLASSES, IDEOGRAPH, LETTER } from './characters.ts';
import { TEXT_MODEL, type Head } from './model.ts';
import { BLOCK, logitsOf, readingOf, valuesAt, type TextReading } from './reader.ts';
import { LINE_BREAK, PARAGRAPH_BREAK } from './tokens.ts';

/** A passage that scores for an output. Offsets are UTF-16 units of the view's text, end exclusive. */
export interface Signal {
  readonly output: string;
  /** 0–1, calibrated: 0.5 is reached by 3 of 1 000 ordinary texts, 0.9 by 3 of 10 000. */
  readonly score: number;
  readonly start: number;
  readonly end: number;
  /** The kinds of words that weighed most, the weightiest first; never words of the text. */
  readonly kinds: readonly string[];
}

const WINDOW = 2 * BLOCK;
const SIGNALS_MAX = 8; // Per output and view: the highest.
const SCORE_MIN = 0.1;
/** Texts of fewer words say too little to flag them: the model knows the words, not what is meant. */
const WORDS_MIN = 4;
const SCORE_OF_FEW_WORDS_MAX = 0.49;
const KINDS_MAX = 3;
const NO_KIND = 255;

/** The passages of a view that score `scoreMin` or more for the head's `outputs`, without overlaps among those of one output, surest first. */
export function signalsOf(
  view: View,
  headName: string,
  outputs: readonly string[],
  { scoreMin, expired }: { scoreMin: number; expired: () => boolean },
): Signal[] {
  const head = TEXT_MODEL.heads[headName]!;
  const reading = readingOf(view, expired);
  if (reading === null || reading.tokens.length === 0) return [];
  const scoreMax = hasWords(view.text, reading) ? 1 : SCORE_OF_FEW_WORDS_MAX;
  if (scoreMax < scoreMin) return [];
  const logits = logitsOf(reading, head, TEXT_MODEL.features);
  return outputs.flatMap((output) =>
    signalsOfOutput(view.text, reading, head, logits, output, { scoreMin: Math.max(scoreMin, SCORE_MIN), scoreMax }),
  );
}

/** Whether there are `WORDS_MIN` words, or as many characters of a script without spaces. */
function hasWords(text: string, { tokens }: TextReading): boolean {
  let words = 0;
  for (let i = 0; i < tokens.length && words < WORDS_MIN; i++) {
    const start = tokens.starts[i]!;
    const isNew = i === 0 || tokens.ends[i - 1]! < start || isIdeograph(text, start);
    if (isNew && isLetter(text, start)) words++;
  }
  return words >= WORDS_MIN;
}

function isLetter(text: string, at: number): boolean {
  const kind = CLASSES[text.charCodeAt(at)];
  return kind === LETTER || kind === IDEOGRAPH;
}

function isIdeograph(text: string, at: number): boolean {
  return CLASSES[text.charCodeAt(at)] === IDEOGRAPH;
}

function signalsOfOutput(
  text: string,
  reading: TextReading,
  head: Head,
  logits: Float32Array,
  output: string,
  { scoreMin, scoreMax }: { scoreMin: number; scoreMax: number },
): Signal[] {
  const width = head.outputs.length;
  const index = head.outputs.indexOf(output);
  const calibration = TEXT_MODEL.calibration[output]!;
  const limit = logitOf(scoreMin, calibration);
  const windows: number[] = [];
  for (let window = 0; window < reading.windows; window++) if (logits[window * width + index]! >= limit) windows.push(window);
  if (windows.length === 0) return [];
  windows.sort((a, b) => logits[b * width + index]! - logits[a * width + index]!);
  const chosen: number[] = [];
  for (const window of windows) {
    if (chosen.length === SIGNALS_MAX) break;
    if (!chosen.some((other) => Math.abs(other - window) < 2)) chosen.push(window);
  }
  return chosen.map((window) => {
    const score = Math.min(scoreMax, scoreOf(logits[window * width + index]!, calibration));
    const { start, end, kinds } = passageOf(text, reading, head, window, index);
    return { output, score, start, end, kinds };
  });
}

type Calibration = (typeof TEXT_MODEL)['calibration'][string];

/** The score that a logit means: on straight lines between the points of the calibration. */
export function scoreOf(logit: number, { logits, scores }: Calibration): number {
  const last = logits.length - 1;
  if (logit <= logits[0]!) return scores[0]!;
  if (logit >= logits[last]!) return scores[last]!;
  let i = 1;
  while (logits[i]! < logit) i++;
  const share = (logit - logits[i - 1]!) / (logits[i]! - logits[i - 1]!);
  return scores[i - 1]! + share * (scores[i]! - scores[i - 1]!);
}

function logitOf(score: number, { logits, scores }: Calibration): number {
  return scoreOf(score, { logits: scores, scores: logits });
}

/** Where in a window the weight lies, out to the ends of its sentences, and what kinds of words carry it. */
function passageOf(
  text: string,
  reading: TextReading,
  head: Head,
  window: number,
  output: number,
): Pick<Signal, 'start' | 'end' | 'kinds'> {
  const { tokens } = reading;
  const first = window * BLOCK;
  const last = Math.min(tokens.length, first + WINDOW);
  const weights = weightsOf(reading, head, window, output, first, last);
  const byWeight = weights.map((weight, i) => ({ weight, at: first + i })).filter(({ weight }) => weight > 0);
  byWeight.sort((a, b) => b.weight - a.weight);
  const total = byWeight.reduce((sum, { weight }) => sum + weight, 0);
  let low = byWeight[0]?.at ?? first;
  let high = low;
  let covered = 0;
  for (const { weight, at } of byWeight) {
    if (covered > total * 0.7) break;
    covered += weight;
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  while (low > first && !endsSentence(text, reading, low - 1)) low--;
  while (high + 1 < last && !endsSentence(text, reading, high)) high++;
  if (isBreak(tokens.ids[high]!) && high > low) high--;
  const kinds = new Map<string, number>();
  for (const { weight, at } of byWeight) {
    const kind = TEXT_MODEL.kindOfWord[tokens.ids[at]!]!;
    if (kind !== NO_KIND) kinds.set(TEXT_MODEL.kinds[kind]!, (kinds.get(TEXT_MODEL.kinds[kind]!) ?? 0) + weight);
  }
  const heaviest = [...kinds].sort((a, b) => b[1] - a[1]).slice(0, KINDS_MAX);
  return { start: tokens.starts[low]!, end: tokens.ends[high]!, kinds: heaviest.map(([kind]) => kind) };
}

/** What each token adds to a logit of a window, by the slope of the network there. */
function weightsOf(reading: TextReading, head: Head, window: number, output: number, first: number, last: number): number[] {
  const { features } = TEXT_MODEL;
  const inputs = 2 * features;
  const width = head.hiddenBias.length;
  const pooled = reading.pooled.subarray(window * inputs, (window + 1) * inputs);
  const hidden = Float32Array.from(head.hiddenBias);
  for (let i = 0; i < inputs; i++) for (let h = 0; h < width; h++) hidden[h]! += pooled[i]! * head.hidden[i * width + h]!;
  const slopes = new Float32Array(inputs);
  for (let i = 0; i < inputs; i++) {
    for (let h = 0; h < width; h++) {
      if (hidden[h]! > 0) slopes[i]! += head.hidden[i * width + h]! * head.out[h * head.outputs.length + output]!;
    }
  }
  const count = last - first;
  return Array.from({ length: count }, (_, i) => {
    const values = valuesAt(reading.tokens, first + i, TEXT_MODEL);
    let weight = 0;
    for (let f = 0; f < features; f++) {
      const value = values[f]!;
      if (value <= 0) continue;
      weight += (slopes[features + f]! * value) / count;
      if (value >= pooled[f]! * 0.999_999) weight += slopes[f]! * value;
    }
    return weight;
  });
}

const SENTENCE_ENDS = /[.!?。！？…]/;

function endsSentence(text: string, { tokens }: TextReading, at: number): boolean {
  return isBreak(tokens.ids[at]!) || SENTENCE_ENDS.test(text.charAt(tokens.starts[at]!));
}

function isBreak(id: number): boolean {
  return id === LINE_BREAK || id === PARAGRAPH_BREAK;
}
