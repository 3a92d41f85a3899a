// A drift that did not happen, for who wants to see what arrives when one does.

import type { DriftReport } from '@svc/drift';
import { formatId, newUuid } from '../ids.ts';
import { acknowledgedData, baselinedData, recoveredData, sustainedData } from './events.ts';
import type { KeptBaseline, SeriesName } from './store.ts';

const SERIES: SeriesName = { model: 'gpt-x', group: 'default', signal: 'flagged_rate' };
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What an event of drift holds, of the shape that real ones have; `null`: the kind is none of drift. */
export function exampleOf(kind: string, nowMs: number): object | null {
  const monitorId = formatId('mon', newUuid());
  const eventId = newUuid();
  const baseline: KeptBaseline = {
    id: formatId('bl', newUuid()),
    sha256: SHA256,
    n: 50_000,
    fromMs: nowMs - 8 * DAY_MS,
    toMs: nowMs - DAY_MS,
    value: 0.05,
  };
  const report = reportAt(nowMs, baseline);
  const known = { baseline, falseAlarmsPerYear: 1, coincidesWith: ['model_version_change'] as const, sampleEventIds: [] };
  switch (kind) {
    case 'drift.sustained':
      return sustainedData(monitorId, SERIES, report, known);
    case 'drift.recovered': {
      const back: DriftReport = {
        ...report,
        current: { n: 3_600, value: 0.051, ci95: [0.044, 0.059] },
        effect: { ratio: 1.02, difference: 0.001, tolerance: 0.0065 },
        recovered_at: nowMs,
      };
      return recoveredData(monitorId, SERIES, {}, { eventId, atMs: nowMs, resolution: 'recovered', report: back, baseline });
    }
    case 'drift.baselined':
      return baselinedData(monitorId, SERIES, baseline, 'learned', null, null);
    case 'drift.acknowledged':
      return acknowledgedData(monitorId, SERIES, eventId, 'The provider is on it.');
    default:
      return null;
  }
}

function reportAt(nowMs: number, { n, fromMs: from, toMs: to, sha256 }: KeptBaseline): DriftReport {
  return {
    direction: 'up',
    feature: 'rate',
    baseline: { n, from, to, value: 0.05, sha256 },
    current: { n: 1_240, value: 0.102, ci95: [0.086, 0.12] },
    effect: { ratio: 2.04, difference: 0.052, standardized: 0.24, tolerance: 0.0065 },
    onset: nowMs - 42 * MINUTE_MS,
    suspected_at: nowMs - 30 * MINUTE_MS,
    sustained_at: nowMs,
    blocks: 5,
    evidence: { log10_e: 9.4 },
    contributors: [{ feature: 'rate', direction: 'up', weight: 1 }],
    sample_ids: [],
    provisional: false,
  };
}
