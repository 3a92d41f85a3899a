// Promises of signals: what is not known of an inference is not counted, and what is found in one has one name.

import { expect, test } from 'vitest';
import { observedOf, refusalOf, SIGNALS, type Inferences } from './signals.ts';

const NONE = Number.NaN;

const inferences: Inferences = {
  timesMs: Float64Array.of(1, 2, 3),
  ids: ['a', 'b', 'c'],
  outcomes: ['allowed', null, 'blocked'],
  categories: [null, null, ' data.pii attack.injection data.pii '],
  errors: [0, 1, 0],
  refusals: [NONE, 1, 0],
  scores: [0.1, NONE, 0.9],
  latenciesMs: [NONE, NONE, NONE],
  timesToFirstTokenMs: [1, 2, 3],
  inputTokens: [10, Number.POSITIVE_INFINITY, 30],
  outputTokens: [NONE, NONE, 7],
  finishReasons: ['stop', null, 'length'],
  modelVersions: [null, null, null],
};

const seen = (signal: (typeof SIGNALS)[number]) => {
  const observed = observedOf(signal, inferences);
  return observed === null ? null : { ids: observed.ids, values: [...observed.values], times: [...observed.timesMs] };
};

test('every signal counts those inferences of which it knows something', () => {
  expect(Object.fromEntries(SIGNALS.map((signal) => [signal, seen(signal)]))).toEqual({
    flagged_rate: { ids: ['a', 'c'], values: [0, 0], times: [1, 3] },
    blocked_rate: { ids: ['a', 'c'], values: [0, 1], times: [1, 3] },
    error_rate: { ids: ['a', 'b', 'c'], values: [0, 1, 0], times: [1, 2, 3] },
    refusal_rate: { ids: ['b', 'c'], values: [1, 0], times: [2, 3] },
    score: { ids: ['a', 'c'], values: [0.1, 0.9], times: [1, 3] },
    latency_ms: null,
    time_to_first_token_ms: { ids: ['a', 'b', 'c'], values: [1, 2, 3], times: [1, 2, 3] },
    input_tokens: { ids: ['a', 'c'], values: [10, 30], times: [1, 3] },
    output_tokens: { ids: ['c'], values: [7], times: [3] },
    category_mix: { ids: ['a', 'c'], values: ['none', 'attack.injection+data.pii'], times: [1, 3] },
    finish_reason_mix: { ids: ['a', 'c'], values: ['stop', 'length'], times: [1, 3] },
    model_version_mix: null,
  });
});

test('many categories in one inference have a name of bounded length', () => {
  const categories = [` ${Array.from({ length: 200 }, (_, i) => `policy.rule_${i}`).join(' ')} `];
  const observed = observedOf('category_mix', {
    ...inferences,
    timesMs: Float64Array.of(1),
    ids: ['a'],
    outcomes: ['flagged'],
    categories,
  });
  expect(observed!.values).toEqual(['policy.rule_0+policy.rule_1+policy.rule_10+…']);
});

test.each([
  [false, null, null, NONE],
  [true, null, null, 0],
  [true, null, ' quality.refusal ', 1],
  [false, 'content_filter', null, 1],
  [false, 'refusal', null, 1],
  [false, 'stop', null, 0],
  [false, 'stop', ' quality.refusal data.pii ', 1],
])('looked for %s, finish reason %s, categories %j: %d', (isLookedFor, finishReason, categories, refusal) => {
  expect(refusalOf(isLookedFor, finishReason, categories)).toBe(refusal);
});
