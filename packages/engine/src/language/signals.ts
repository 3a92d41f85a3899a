// From the model's logits to findings: which passages score, how much a score means, and what weighed most.

import type { View } from '../text/view.ts';
import { CLASSES, IDEOGRAPH, LETTER } from './characters.ts';
import { TEXT_MODEL, type Head } from './model.ts';
import { logitsOf, readingOf, valuesAt, type TextReading } from './reader.ts';
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

/** Per output and view; of further ones the whole window is the passage, which costs nothing to find. */
const PASSAGES_MAX = 24;
const SCORE_MIN = 0.1;
/** Windows of fewer words say too little to flag them: the model knows the words, not what is meant. */
const WORDS_MIN = 4;
const SCORE_OF_FEW_WORDS_MAX = 0.49;
const KINDS_MAX = 3;
const NO_KIND = 255;

/**
 * The passages of a view that score `scoreMin` or more for the head's `outputs`, in text order: those of windows that score higher than the
 * windows that overlap them. So those of one output do not overlap, and none depends on text far from it.
 */
export function signalsOf(
  view: View,
  headName: string,
  outputs: readonly string[],
  { scoreMin, isAnswer, expired }: { scoreMin: number; isAnswer: boolean; expired: () => boolean },
): Signal[] {
  const head = TEXT_MODEL.heads[headName]!;
  const reading = readingOf(view, isAnswer, expired);
  if (reading === null || reading.tokens.length === 0) return [];
  // Texts of numbers and signs are settled before anything is computed.
  if (scoreMin > SCORE_OF_FEW_WORDS_MAX && !hasWords(view.text, reading, 0, reading.tokens.length)) return [];
  const logits = logitsOf(reading, head, TEXT_MODEL.features);
  return outputs.flatMap((output) => signalsOfOutput(view.text, reading, head, logits, output, Math.max(scoreMin, SCORE_MIN)));
}

/** Whether there are `WORDS_MIN` words among the tokens from `first` to before `last`, or as many characters of a script without spaces. */
function hasWords(text: string, { tokens }: TextReading, first: number, last: number): boolean {
  let words = 0;
  for (let i = first; i < last && words < WORDS_MIN; i++) {
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
  scoreMin: number,
): Signal[] {
  const width = head.outputs.length;
  const index = head.outputs.indexOf(output);
  const calibration = TEXT_MODEL.calibration[output]!;
  const limit = logitOf(scoreMin, calibration);
  const signals: Signal[] = [];
  for (let window = 0; window < reading.windows; window++) {
    const logit = logits[window * width + index]!;
    if (logit < limit || !isPeak(reading, logits, width, index, window)) continue;
    const { firsts, lasts } = reading;
    const scoreMax = hasWords(text, reading, firsts[window]!, lasts[window]!) ? 1 : SCORE_OF_FEW_WORDS_MAX;
    const score = Math.min(scoreMax, scoreOf(logit, calibration));
    if (score < scoreMin) continue;
    const passage = signals.length < PASSAGES_MAX ? passageOf(text, reading, head, window, index) : wholeOf(reading, window);
    signals.push({ output, score, ...passage });
  }
  return signals;
}

/** So many characters behind its start a window is compared with the next one; of words that long both may be told. */
const COMPARED_CHARS = 720;

/** Whether no window that overlaps this one has a higher logit, nor the one before it the same. */
function isPeak(
  { tokens: { starts }, windows, firsts, lasts }: TextReading,
  logits: Float32Array,
  width: number,
  index: number,
  window: number,
): boolean {
  const logit = logits[window * width + index]!;
  const next = window + 1;
  const isBelowBefore = window > 0 && lasts[window - 1]! > firsts[window]! && logits[(window - 1) * width + index]! >= logit;
  if (isBelowBefore) return false;
  const isNextNear =
    next < windows && lasts[window]! > firsts[next]! && starts[lasts[next]! - 1]! - starts[firsts[window]!]! <= COMPARED_CHARS;
  return !(isNextNear && logits[next * width + index]! > logit);
}

function wholeOf({ tokens, firsts, lasts, splits }: TextReading, window: number): Pick<Signal, 'start' | 'end' | 'kinds'> {
  const last = splits[window]! < 0 ? lasts[window]! : splits[window]!;
  return { start: tokens.starts[firsts[window]!]!, end: tokens.ends[last - 1]!, kinds: [] };
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
  const whole = { first: reading.firsts[window]!, last: reading.lasts[window]! };
  const all = weightsOf(reading, head, window, output, whole.first, whole.last);
  const { first, last } = heavierPart(whole, all, reading.splits[window]!);
  const weights = all.slice(first - whole.first, last - whole.first);
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

/** The tokens of a window on the heavier side of the section that begins at token `split`; all where none does. */
function heavierPart(whole: { first: number; last: number }, weights: readonly number[], split: number): typeof whole {
  if (split < 0) return whole;
  const sum = (part: readonly number[]): number => part.reduce((total, weight) => total + Math.max(0, weight), 0);
  const before = weights.slice(0, split - whole.first);
  const isBefore = sum(before) >= sum(weights.slice(before.length));
  return isBefore ? { first: whole.first, last: split } : { first: split, last: whole.last };
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
    const values = valuesAt(reading, first + i, TEXT_MODEL);
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
