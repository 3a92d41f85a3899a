// Promises of the sentence: it says what changed, from what to what, since when, in words that need no manual.

import type { DriftReport } from '@svc/drift';
import type { DriftSignal } from '@svc/engine';
import { expect, test } from 'vitest';
import { exampleOf } from './example.ts';
import { endedSentence, sustainedSentence } from './sentence.ts';

const percentiles = (p10: number, p50: number, p90: number) => ({ p10, p50, p90, p99: p90 * 2 });

const report = (over: object = {}): DriftReport => ({
  direction: 'up',
  feature: 'rate',
  baseline: { n: 50_000, from: 0, to: 1, value: 0.05, sha256: '00' },
  current: { n: 1_240, value: 0.102, ci95: [0.09, 0.12] },
  effect: { ratio: 2, tolerance: 0.005 },
  onset: Date.parse('2026-11-21T03:12:40Z'),
  suspected_at: 0,
  sustained_at: 0,
  blocks: 5,
  evidence: { log10_e: 9 },
  contributors: [],
  sample_ids: [],
  provisional: false,
  ...over,
});
const series = (signal: DriftSignal) => ({ model: 'gpt-x', group: 'eu', signal });
const share = (value: number) => ({ n: 1_000, value, ci95: [0, 1] });

test.each<[DriftSignal, object, string]>([
  [
    'flagged_rate',
    {},
    'Since 2026-11-21 03:12 UTC the share of flagged inferences of gpt-x in group eu has risen from 5 % to 10.2 %.',
  ],
  [
    'error_rate',
    { direction: 'down', current: share(0) },
    'Since 2026-11-21 03:12 UTC the share of calls that failed of gpt-x in group eu has fallen from 5 % to 0.0 %.',
  ],
  [
    'latency_ms',
    {
      feature: 'location',
      baseline: { ...report().baseline, value: 0.5, percentiles: percentiles(200, 406.2, 800) },
      current: { ...report().current, value: 0.7, percentiles: percentiles(300, 1_689.4, 3_000) },
    },
    'Since 2026-11-21 03:12 UTC the latency of gpt-x in group eu has risen, its median from 406 ms to 1\u202f689 ms.',
  ],
  [
    'score',
    {
      feature: 'spread',
      direction: 'down',
      baseline: { ...report().baseline, percentiles: percentiles(0.0123, 0.1, 0.8) },
      current: { ...report().current, percentiles: percentiles(0.05, 0.1, 0.2) },
    },
    'Since 2026-11-21 03:12 UTC the score of gpt-x in group eu varies less: eight in ten values were 0.0123 to 0.8, and are 0.05 to 0.2.',
  ],
  [
    'score',
    { feature: 'share above p90', baseline: { ...report().baseline, value: 0.1 }, current: share(0.231) },
    'Since 2026-11-21 03:12 UTC the share of values above the baseline’s percentile 90 in the score of gpt-x in group eu has risen from 10.0 % to 23.1 %.',
  ],
  [
    'category_mix',
    { feature: 'share of data.pii', label: 'data.pii', baseline: { ...report().baseline, value: 0.004 } },
    'Since 2026-11-21 03:12 UTC the share of category data.pii of gpt-x in group eu has risen from 0.4 % to 10.2 %.',
  ],
  [
    'model_version_mix',
    { feature: 'share of other labels', baseline: { ...report().baseline, value: 0 } },
    'Since 2026-11-21 03:12 UTC the share of every model version that was rare or unknown before of gpt-x in group eu has risen from 0.0 % to 10.2 %.',
  ],
])('%s %j', (signal, over, sentence) => {
  expect(sustainedSentence(series(signal), report(over))).toBe(sentence);
});

test('the end of a drift says how it ended', () => {
  const back = report({ current: share(0.052) });
  expect(endedSentence(series('flagged_rate'), 'recovered', back)).toBe(
    'The share of flagged inferences of gpt-x in group eu is back: 5.2 %, 5 % at baseline.',
  );
  expect(endedSentence(series('latency_ms'), 'recovered', report({ feature: 'location' }))).toBe(
    'The latency of gpt-x in group eu is back to what it was.',
  );
  expect(endedSentence(series('score'), 'rebaselined', null)).toBe(
    'The level that the score of gpt-x in group eu has now is its new baseline.',
  );
  expect(endedSentence(series('score'), 'disabled', null)).toBe('The score of gpt-x in group eu is not watched any more.');
});

test('the example of each kind is told as a real event would be', () => {
  const summaries = ['sustained', 'recovered', 'baselined', 'acknowledged'].map(
    (kind) => (exampleOf(`drift.${kind}`, Date.parse('2026-11-21T03:54:40Z')) as { summary: string }).summary,
  );
  expect(summaries).toEqual([
    'Since 2026-11-21 03:12 UTC the share of flagged inferences of gpt-x in group default has risen from 5 % to 10.2 %.',
    'The share of flagged inferences of gpt-x in group default is back: 5.1 %, 5 % at baseline.',
    'There is a baseline of 50\u202f000 observations for the share of flagged inferences of gpt-x in group default.',
    'Somebody takes care of the change in the share of flagged inferences of gpt-x in group default.',
  ]);
  expect(exampleOf('policy.updated', 0)).toBeNull();
});

test('a label of any length and kind makes a sentence of well-formed text', () => {
  const sentence = sustainedSentence(series('finish_reason_mix'), report({ label: `${'x'.repeat(79)}👩‍🚀${'y'.repeat(100)}` }));
  expect(sentence.isWellFormed()).toBe(true);
  expect(sentence.length).toBeLessThan(250);
});
