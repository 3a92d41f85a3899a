// Promises of the drift section: what is left out has its default, and nothing is watched that is switched off.

import { expect, test } from 'vitest';
import { compilePolicy } from './compile.ts';
import { DEFAULT_POLICY } from './default.ts';
import { DRIFT_SIGNALS, type DriftSignal } from './drift-signals.ts';
import { driftSettings } from './drift.ts';

test('a document without the section has the settings of the default policy', () => {
  expect(driftSettings({})).toEqual(driftSettings(DEFAULT_POLICY));
  expect(driftSettings({})).toMatchObject({ enabled: true, falseAlarmsPerYear: 1, autoRebaselineDays: null });
});

test('every signal is watched, with the tolerance of its kind, unless the document says otherwise', () => {
  const { signals } = driftSettings({ drift: { signals: { score: { tolerance: 0.2 }, latency_ms: { enabled: false } } } });
  expect(Object.keys(signals)).toEqual(Object.keys(DRIFT_SIGNALS));
  expect(signals).toMatchObject({
    score: { enabled: true, tolerance: 0.2 },
    latency_ms: { enabled: false, tolerance: 0.05 },
    flagged_rate: { enabled: true, tolerance: 0.1 },
    category_mix: { enabled: true, tolerance: 0.1 },
  });
});

test('nothing is watched where drift is switched off', () => {
  const { signals } = driftSettings({ drift: { enabled: false, signals: { score: { enabled: true } } } });
  expect((Object.keys(signals) as DriftSignal[]).filter((id) => signals[id].enabled)).toEqual([]);
});

test('the digest of a document without the section is what it was before there was one', () => {
  expect(compilePolicy({ mode: 'monitor' }, 1).digest).toBe(
    'sha256:8698e2125082eae6b80ec9dd1e17c416d03e092fcda361da93cd32f32d75c015',
  );
});
