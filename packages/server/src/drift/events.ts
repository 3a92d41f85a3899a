// What the events of drift tell.

import type { DriftReport } from '@svc/drift';
import type { Severity } from '@svc/engine';
import { isoTime } from '../http/schemas.ts';
import { formatId } from '../ids.ts';
import { acknowledgedSentence, baselinedSentence, endedSentence, sustainedSentence } from './sentence.ts';
import { kindOf } from './signals.ts';
import type { BaselineReason } from './series.ts';
import type { KeptBaseline, Resolution, SeriesName } from './store.ts';

/** What else happened around the time at which a drift began. */
export type Coincidence = 'model_version_change' | 'policy_change';

/** A series as events and answers name it. */
function presentSeries({ model, group, signal }: SeriesName) {
  return { model, group, signal, kind: kindOf(signal) };
}

/** A baseline as events and answers name it. */
export function presentBaseline({ id, sha256, n, fromMs, toMs, value }: KeptBaseline) {
  return { id, sha256, n, from: isoTime(fromMs), to: isoTime(toMs), value };
}

/** The data of `drift.sustained`. */
export function sustainedData(
  monitorId: string,
  series: SeriesName,
  report: DriftReport,
  known: {
    readonly baseline: KeptBaseline | null;
    readonly falseAlarmsPerYear: number;
    readonly coincidesWith: readonly Coincidence[];
    readonly sampleEventIds: readonly string[];
  },
) {
  return {
    monitor_id: monitorId,
    series: presentSeries(series),
    severity: severityOf(report),
    summary: sustainedSentence(series, report),
    ...reportData(report, known.baseline),
    evidence: { ...report.evidence, false_alarm_budget: `${known.falseAlarmsPerYear} per year per organization` },
    contributors: report.contributors,
    provisional: report.provisional,
    coincides_with: known.coincidesWith,
    sample_event_ids: known.sampleEventIds,
  };
}

function reportData(report: DriftReport, baseline: KeptBaseline | null) {
  return {
    direction: report.direction,
    feature: report.feature,
    label: report.label ?? null,
    baseline: {
      id: baseline?.id ?? null,
      ...report.baseline,
      from: isoTime(report.baseline.from),
      to: isoTime(report.baseline.to),
    },
    current: report.current,
    effect: report.effect,
    onset: isoTime(report.onset),
    suspected_at: isoTime(report.suspected_at),
    sustained_at: isoTime(report.sustained_at),
    blocks: report.blocks,
  };
}

/** The data of `drift.recovered`. `begun`: the data of the `drift.sustained` that it ends. */
export function recoveredData(
  monitorId: string,
  series: SeriesName,
  begun: Readonly<Record<string, unknown>>,
  ended: {
    readonly eventId: Buffer;
    readonly atMs: number;
    readonly resolution: Resolution;
    readonly report: DriftReport | null;
    readonly baseline: KeptBaseline | null;
  },
) {
  const told = ['direction', 'feature', 'label', 'baseline', 'current', 'effect', 'onset', 'suspected_at', 'sustained_at'];
  const known =
    ended.report === null
      ? Object.fromEntries(told.map((name) => [name, begun[name] ?? null]))
      : reportData(ended.report, ended.baseline);
  return {
    monitor_id: monitorId,
    series: presentSeries(series),
    summary: endedSentence(series, ended.resolution, ended.report),
    resolution: ended.resolution,
    ...known,
    recovered_at: isoTime(ended.atMs),
    sustained_event_id: formatId('evt', ended.eventId),
  };
}

/** The data of `drift.baselined`. `baseline` null: it is being learned. */
export function baselinedData(
  monitorId: string,
  series: SeriesName,
  baseline: KeptBaseline | null,
  reason: BaselineReason,
  replaces: KeptBaseline | null,
  note: string | null,
) {
  return {
    monitor_id: monitorId,
    series: presentSeries(series),
    summary: baselinedSentence(series, baseline?.n ?? null),
    reason,
    baseline: baseline === null ? null : presentBaseline(baseline),
    replaces: replaces === null ? null : presentBaseline(replaces),
    note,
  };
}

/** The data of `drift.acknowledged`. */
export function acknowledgedData(monitorId: string, series: SeriesName, eventId: Buffer, note: string | null) {
  return {
    monitor_id: monitorId,
    series: presentSeries(series),
    summary: acknowledgedSentence(series),
    sustained_event_id: formatId('evt', eventId),
    note,
  };
}

// A change of one standard deviation, or of a rate to three times what it was, is seen by users of the application too.
const LARGE_STANDARDIZED = 1;
const LARGE_RATIO = 3;

function severityOf({ effect: { ratio = 1, standardized = 0 } }: DriftReport): Severity {
  const isLarge = Math.abs(standardized) >= LARGE_STANDARDIZED || ratio >= LARGE_RATIO || ratio * LARGE_RATIO <= 1;
  return isLarge ? 'high' : 'medium';
}
