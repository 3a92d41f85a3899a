// Monitors as answers show them, and their hours as points of a chart.

import type { BaselineReport } from '@svc/drift';
import { isoTime } from '../http/schemas.ts';
import { formatId } from '../ids.ts';
import { presentBaseline } from './events.ts';
import { LABELS_MAX } from './series.ts';
import { kindOf } from './signals.ts';
import type { Episode, KeptBaseline, Point, StoredMonitor } from './store.ts';

export const EPISODES_SHOWN = 50;
const INTERVAL_S = 3_600;
const SEASON_MS = { day: 86_400_000, week: 604_800_000 } as const;
/** Half the width of a 95 % interval, in standard errors. */
const Z95 = 1.96;
/** Half the width of the interval within which a baseline's mean lies almost surely. */
const Z_BASELINE = 3;

/** A monitor in a list. `episode`: the drift that persists. */
export function presentMonitor(stored: StoredMonitor, episode: Episode | null) {
  const { memory, settings, description: described } = stored;
  const sinceMs = memory.episode?.onsetMs ?? memory.suspicion?.onsetMs ?? null;
  return {
    id: stored.id,
    model: stored.model,
    group: stored.group,
    signal: stored.signal,
    kind: kindOf(stored.signal),
    state: stored.state,
    enabled: settings.enabled,
    since: timeOrNull(sinceMs),
    learning_until: timeOrNull(learningUntilMs(stored)),
    acknowledged_at: timeOrNull(episode?.acknowledgment?.atMs ?? null),
    baseline: memory.baseline === null ? null : baselineNow(memory.baseline, described.baseline),
    current: described.current === null ? null : { n: described.current.n, value: described.current.value },
    evidence: { log10_m: described.evidence.log10_m, log10_threshold: described.evidence.log10_c },
    provisional: described.provisional,
    tolerance: settings.tolerance,
    season: settings.season,
    observations: described.observations,
    late: described.late,
    observations_needed: { baseline: described.baselineNeeds, doubling: described.doublingNeeds },
    last_observed_at: timeOrNull(memory.clockMs),
    created_at: isoTime(stored.createdAtMs),
    updated_at: isoTime(stored.updatedAtMs),
  };
}

/** A baseline with a season covers a whole one. */
function learningUntilMs({ state, settings: { season }, memory: { learningSinceMs } }: StoredMonitor): number | null {
  return state === 'learning' && learningSinceMs !== null && season !== 'none' ? learningSinceMs + SEASON_MS[season] : null;
}

/** As far as it has grown; `null`: another one is being learned. */
function baselineNow({ id }: KeptBaseline, now: BaselineReport | null) {
  if (now === null) return null;
  const { sha256, n, from: fromMs, to: toMs, value } = now;
  return presentBaseline({ id, sha256, n, fromMs, toMs, value });
}

/** All about a monitor. `episodes`: newest first; `points`: oldest first. */
export function presentDetail(stored: StoredMonitor, episodes: readonly Episode[], points: readonly Point[]) {
  const { baseline, current, dependence } = stored.description;
  const open = episodes.find(({ endedAtMs }) => endedAtMs === null) ?? null;
  return {
    ...presentMonitor(stored, open),
    features: (baseline?.features ?? []).map(({ feature, label, value, low, high }) => ({
      feature,
      label: label ?? null,
      baseline: value,
      low,
      high,
      current: current?.features.find((one) => one.feature === feature && one.label === label)?.value ?? null,
    })),
    percentiles: baseline?.percentiles ?? null,
    dependence,
    episodes: episodes.map(presentEpisode),
    series: {
      interval_s: INTERVAL_S,
      labels: kindOf(stored.signal) === 'categorical' ? [...stored.memory.labels, 'other'] : [],
      baseline: baseline === null ? null : bandOf(stored, baseline, points),
      points: points.map((point) => presentPoint(stored, point)),
    },
  };
}

function presentEpisode({ uuid, report, onsetMs, sustainedAtMs, endedAtMs, resolution, acknowledgment }: Episode) {
  const told = report as { readonly [Name in 'summary' | 'severity' | 'feature']: string } & {
    readonly direction: 'up' | 'down';
    readonly label: string | null;
    readonly coincides_with: readonly string[];
  };
  return {
    event_id: formatId('evt', uuid),
    summary: told.summary,
    severity: told.severity,
    direction: told.direction,
    feature: told.feature,
    label: told.label,
    onset: isoTime(onsetMs),
    sustained_at: isoTime(sustainedAtMs),
    ended_at: timeOrNull(endedAtMs),
    resolution,
    coincides_with: told.coincides_with,
    acknowledged_at: timeOrNull(acknowledgment?.atMs ?? null),
    acknowledged_by: acknowledgment?.by ?? null,
    note: acknowledgment?.note ?? null,
  };
}

function presentPoint({ signal, memory }: StoredMonitor, { hourMs, n, sum, sumSquares, counts }: Point) {
  const from = isoTime(hourMs);
  switch (kindOf(signal)) {
    case 'rate':
      return { from, n, value: sum / n, ...wilson(sum, n), shares: null };
    case 'numeric': {
      const { mean, deviation } = momentsOf(n, sum, sumSquares);
      const half = n < 2 ? null : (Z95 * deviation) / Math.sqrt(n);
      return {
        from,
        n,
        value: mean,
        low: half === null ? null : mean - half,
        high: half === null ? null : mean + half,
        shares: null,
      };
    }
    case 'categorical':
      return { from, n, value: null, low: null, high: null, shares: sharesOf(counts ?? [], memory.labels.length, n) };
  }
}

/** By label, and last that of all others. */
function sharesOf(counts: readonly number[], labels: number, n: number): number[] {
  return [...Array.from({ length: labels }, (_, i) => (counts[i] ?? 0) / n), (counts[LABELS_MAX] ?? 0) / n];
}

/** The interval of a share that was seen `ones` times of `n` (Wilson 1927). */
function wilson(ones: number, n: number): { readonly low: number; readonly high: number } {
  const share = ones / n;
  const scale = 1 + Z95 ** 2 / n;
  const middle = (share + Z95 ** 2 / (2 * n)) / scale;
  const half = (Z95 / scale) * Math.sqrt((share * (1 - share)) / n + Z95 ** 2 / (4 * n ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

function momentsOf(n: number, sum: number, sumSquares: number) {
  const mean = sum / n;
  return { mean, deviation: Math.sqrt(Math.max(0, sumSquares / n - mean ** 2)) };
}

/** Of a rate the detector's own; of numbers, which it compares by rank, that of their mean over the hours of the baseline. */
function bandOf(stored: StoredMonitor, { features, from, to }: BaselineReport, points: readonly Point[]) {
  if (kindOf(stored.signal) === 'categorical') return null;
  if (kindOf(stored.signal) === 'rate') {
    const { value, low, high } = features[0]!;
    return { value, low, high };
  }
  const within = points.filter(({ hourMs }) => hourMs + INTERVAL_S * 1_000 > from && hourMs <= to);
  const n = total(within, (point) => point.n);
  if (n === 0) return null;
  const { mean, deviation } = momentsOf(
    n,
    total(within, (point) => point.sum),
    total(within, (point) => point.sumSquares),
  );
  const half = deviation * Math.max(stored.settings.tolerance, Z_BASELINE / Math.sqrt(n));
  return { value: mean, low: mean - half, high: mean + half };
}

function total(points: readonly Point[], of: (point: Point) => number): number {
  return points.reduce((sum, point) => sum + of(point), 0);
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
