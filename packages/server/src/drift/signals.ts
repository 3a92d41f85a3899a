// From what was seen of inferences to observations of signals.

import { DRIFT_SIGNALS, type DriftSignal, type DriftSignalKind } from '@svc/engine';

/** What was seen of some inferences of one model and group, each list as long as `timesMs`. Numbers: NaN where nothing is known. */
export interface Inferences {
  /** Unix milliseconds. */
  readonly timesMs: Float64Array;
  /** By which each is found again: see `samples.ts`. */
  readonly ids: readonly string[];
  /** `allowed`, `flagged`, `blocked`; `null`: nobody decided. */
  readonly outcomes: readonly (string | null)[];
  /** Between spaces, as the trail has them; `null`: none. */
  readonly categories: readonly (string | null)[];
  /** 1: it failed, 0: it did not, NaN: nobody would know. */
  readonly errors: ArrayLike<number>;
  /** 1: the model declined, 0: it did not, NaN: nobody looked. */
  readonly refusals: ArrayLike<number>;
  readonly scores: ArrayLike<number>;
  readonly latenciesMs: ArrayLike<number>;
  readonly timesToFirstTokenMs: ArrayLike<number>;
  readonly inputTokens: ArrayLike<number>;
  readonly outputTokens: ArrayLike<number>;
  readonly finishReasons: readonly (string | null)[];
  readonly modelVersions: readonly (string | null)[];
}

/** Of one signal, in the order of the inferences; those of which nothing is known are left out. */
export interface Observed {
  readonly timesMs: Float64Array;
  readonly ids: readonly string[];
  readonly values: Float64Array | readonly string[];
}

export const SIGNALS = Object.keys(DRIFT_SIGNALS) as readonly DriftSignal[];

export function kindOf(signal: DriftSignal): DriftSignalKind {
  return DRIFT_SIGNALS[signal];
}

/** What the inferences tell about a signal; `null`: nothing. */
export function observedOf(signal: DriftSignal, inferences: Inferences): Observed | null {
  switch (signal) {
    case 'flagged_rate':
      return numbers(inferences, (i) => shareOf(inferences.outcomes[i]!, 'flagged'));
    case 'blocked_rate':
      return numbers(inferences, (i) => shareOf(inferences.outcomes[i]!, 'blocked'));
    case 'error_rate':
      return numbers(inferences, (i) => inferences.errors[i]!);
    case 'refusal_rate':
      return numbers(inferences, (i) => inferences.refusals[i]!);
    case 'score':
      return numbers(inferences, (i) => inferences.scores[i]!);
    case 'latency_ms':
      return numbers(inferences, (i) => inferences.latenciesMs[i]!);
    case 'time_to_first_token_ms':
      return numbers(inferences, (i) => inferences.timesToFirstTokenMs[i]!);
    case 'input_tokens':
      return numbers(inferences, (i) => inferences.inputTokens[i]!);
    case 'output_tokens':
      return numbers(inferences, (i) => inferences.outputTokens[i]!);
    case 'category_mix':
      return labels(inferences, (i) => (inferences.outcomes[i] === null ? null : categoryLabel(inferences.categories[i]!)));
    case 'finish_reason_mix':
      return labels(inferences, (i) => inferences.finishReasons[i]!);
    case 'model_version_mix':
      return labels(inferences, (i) => inferences.modelVersions[i]!);
  }
}

function shareOf(outcome: string | null, wanted: string): number {
  if (outcome === null) return Number.NaN;
  return outcome === wanted ? 1 : 0;
}

// Refusals as models and as the service tell of them.
const REFUSAL_REASONS: ReadonlySet<string> = new Set(['content_filter', 'refusal']);
const REFUSAL_CATEGORY = ' quality.refusal ';

/** Whether the model declined, as far as `finishReason` and categories can say; NaN where neither can. */
export function refusalOf(isLookedFor: boolean, finishReason: string | null, categories: string | null): number {
  if (!isLookedFor && finishReason === null) return Number.NaN;
  const isDeclined = finishReason !== null && REFUSAL_REASONS.has(finishReason);
  return isDeclined || categories?.includes(REFUSAL_CATEGORY) === true ? 1 : 0;
}

const NO_CATEGORY = 'none';
const CATEGORIES_MAX = 3;
const LABEL_CHARS_MAX = 120;
const labelOfCategories = new Map<string, string>();
const LABELS_REMEMBERED_MAX = 1_000;

/** One name for all that was found in an inference: its categories in the order of the alphabet, joined by `+`. */
function categoryLabel(categories: string | null): string {
  if (categories === null) return NO_CATEGORY;
  let label = labelOfCategories.get(categories);
  if (label === undefined) {
    const names = [...new Set(categories.split(' ').filter((name) => name !== ''))].toSorted();
    const shown = names.slice(0, CATEGORIES_MAX).join('+');
    label = (names.length > CATEGORIES_MAX ? `${shown}+…` : shown).slice(0, LABEL_CHARS_MAX) || NO_CATEGORY;
    if (labelOfCategories.size >= LABELS_REMEMBERED_MAX) labelOfCategories.clear();
    labelOfCategories.set(categories, label);
  }
  return label;
}

function numbers({ timesMs, ids }: Inferences, valueOf: (i: number) => number): Observed | null {
  const values = new Float64Array(timesMs.length);
  let known = 0;
  for (let i = 0; i < values.length; i++) {
    const value = valueOf(i);
    values[i] = value;
    if (Number.isFinite(value)) known++;
  }
  if (known === 0) return null;
  if (known === values.length) return { timesMs, ids, values };
  const is = indexesWhere(values.length, known, (i) => Number.isFinite(values[i]));
  return { ...at(timesMs, ids, is), values: numbersAt(values, is) };
}

function labels({ timesMs, ids }: Inferences, labelOf: (i: number) => string | null): Observed | null {
  const values: string[] = [];
  const is: number[] = [];
  for (let i = 0; i < timesMs.length; i++) {
    const label = labelOf(i);
    if (label === null) continue;
    values.push(label);
    is.push(i);
  }
  if (is.length === 0) return null;
  return is.length === timesMs.length ? { timesMs, ids, values } : { ...at(timesMs, ids, is), values };
}

function indexesWhere(length: number, known: number, isKnown: (i: number) => boolean): Int32Array {
  const is = new Int32Array(known);
  let count = 0;
  for (let i = 0; i < length; i++) if (isKnown(i)) is[count++] = i;
  return is;
}

function at(timesMs: Float64Array, ids: readonly string[], is: ArrayLike<number>) {
  return { timesMs: numbersAt(timesMs, is), ids: Array.from(is, (i) => ids[i]!) };
}

/** Those at some indexes. By a loop: `Float64Array.from` takes ten times as long. */
export function numbersAt(column: ArrayLike<number>, is: ArrayLike<number>): Float64Array {
  const values = new Float64Array(is.length);
  for (let i = 0; i < values.length; i++) values[i] = column[is[i]!]!;
  return values;
}
