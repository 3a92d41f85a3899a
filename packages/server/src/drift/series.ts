// One signal of one model in one group: its detector, and what is known beside it.

import { Monitor, type DriftReport, type Transition } from '@svc/drift';
import { formatId, newUuid } from '../ids.ts';
import { kindOf, type Observed } from './signals.ts';
import type { DetectorSettings, KeptBaseline, Point, SeriesMemory, SeriesName, StoredMonitor } from './store.ts';

/** What became known of a series, to be recorded. */
export type News =
  | {
      readonly type: 'baselined';
      readonly atMs: number;
      readonly baseline: KeptBaseline;
      readonly replaces: KeptBaseline | null;
      readonly reason: BaselineReason;
    }
  | { readonly type: 'suspected' | 'cleared' }
  | {
      readonly type: 'sustained';
      readonly atMs: number;
      readonly report: DriftReport;
      readonly baseline: KeptBaseline | null;
      readonly eventId: Buffer;
    }
  | {
      readonly type: 'ended';
      readonly atMs: number;
      /** `null`: somebody or something else ended it, not what was observed. */
      readonly report: DriftReport | null;
      readonly baseline: KeptBaseline | null;
      readonly episodeId: Buffer;
      readonly resolution: 'recovered' | 'rebaselined' | 'disabled' | 'superseded';
    };

/** `learned`: the first one. `grown`: it has seen all that it will. `rebaselined`: the one before was given up. */
export type BaselineReason = 'learned' | 'grown' | 'rebaselined';

/** Names in the chart of a mix; the others are counted together, behind the last. */
export const LABELS_MAX = 16;
const VERSIONS_MAX = 16;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface GrowingPoint {
  n: number;
  sum: number;
  sumSquares: number;
  counts: number[] | null;
}

export class Series {
  readonly name: SeriesName;
  readonly uuid: Buffer;
  readonly memory: SeriesMemory;
  readonly #createdAtMs: number;
  #monitor: Monitor;
  #settings: DetectorSettings;
  #points = new Map<number, GrowingPoint>();
  #threshold = 1;
  #isDirty: boolean;

  private constructor(
    stored: Pick<StoredMonitor, 'model' | 'group' | 'signal' | 'uuid' | 'memory' | 'settings' | 'createdAtMs'>,
    monitor: Monitor,
    isDirty: boolean,
  ) {
    this.name = { model: stored.model, group: stored.group, signal: stored.signal };
    this.uuid = stored.uuid;
    this.memory = stored.memory;
    this.#settings = stored.settings;
    this.#createdAtMs = stored.createdAtMs;
    this.#monitor = monitor;
    this.#isDirty = isDirty;
  }

  /** A series that was not there before. */
  static create(name: SeriesName, settings: DetectorSettings, nowMs: number): Series {
    const uuid = newUuid();
    const memory = emptyMemory();
    return new Series(
      { ...name, uuid, memory, settings, createdAtMs: nowMs },
      new Monitor(monitorSettings(name, settings)),
      true,
    );
  }

  /** As it was kept. `onForeign` hears of a detector that cannot be read, as after a return to an older release: it learns anew. */
  static restore(stored: StoredMonitor, onForeign: (err: unknown) => void): Series {
    const settings = monitorSettings(stored, stored.settings);
    try {
      return new Series(stored, Monitor.restore(settings, stored.detector), false);
    } catch (err) {
      onForeign(err);
      const { memory } = stored;
      Object.assign(memory, { suspicion: null, learningSinceMs: null, isRebaselining: memory.baseline !== null });
      return new Series(stored, new Monitor(settings), true);
    }
  }

  get id(): string {
    return formatId('mon', this.uuid);
  }

  get settings(): DetectorSettings {
    return this.#settings;
  }

  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** As far as it has grown; that which was given up, while another one is learned; `null`: there was none. */
  get baseline(): KeptBaseline | null {
    const known = this.memory.baseline;
    const now = this.#monitor.describe().baseline;
    if (known === null || now === null) return known;
    const { sha256, n, from: fromMs, to: toMs, value } = now;
    return { id: known.id, sha256, n, fromMs, toMs, value };
  }

  setThreshold(threshold: number): void {
    this.#threshold = threshold;
    this.#monitor.setThreshold(threshold);
  }

  /** Goes on with other settings; with another season everything is learned anew. Switched off, it ends the drift that persists; switched on again, it tells of it anew. */
  configure(settings: DetectorSettings, atMs: number): readonly News[] {
    const { enabled, season, tolerance } = this.#settings;
    if (settings.enabled === enabled && settings.season === season && settings.tolerance === tolerance) return [];
    this.#settings = settings;
    this.#isDirty = true;
    const news = settings.season === season ? this.#tolerate(atMs) : this.#learnAnew(atMs);
    return [...news, ...(settings.enabled ? this.#reopen(atMs) : this.#end(atMs, 'disabled', null))];
  }

  /**
   * Counts observations, in the order in which they came. `batch`: the delivery. `autoRebaselineDays`: after so long a drift its level is the
   * baseline.
   */
  observe(batch: number, observed: Observed, autoRebaselineDays: number | null): readonly News[] {
    this.#isDirty = true;
    this.#chart(observed);
    const overdue = autoRebaselineDays === null ? -1 : this.#firstOverdue(observed, autoRebaselineDays);
    if (overdue < 0) return this.#count(batch, observed);
    // Between the same two observations whatever the call they come in.
    const rest = partOf(observed, overdue, observed.timesMs.length);
    return [
      ...(overdue === 0 ? [] : this.#count(batch, partOf(observed, 0, overdue))),
      ...this.rebaseline(rest.timesMs[0]!),
      ...this.#count(batch, rest),
    ];
  }

  /** Gives up the baseline for the level of now. */
  rebaseline(atMs: number): readonly News[] {
    this.#isDirty = true;
    // The trail is to tell which one was given up: as it had grown by then.
    this.memory.baseline = this.baseline;
    const transitions = this.#monitor.rebaseline(atMs);
    this.memory.suspicion = null;
    this.memory.isRebaselining = this.memory.baseline !== null;
    return [...this.#end(atMs, 'rebaselined', null), ...transitions.flatMap((transition) => this.#newsOf(transition))];
  }

  /** Ends the drift that persists: nothing has come for so long that it is not watched any more. */
  forsake(atMs: number): readonly News[] {
    return this.#end(atMs, 'disabled', null);
  }

  /** Whether a version that was not there before came, or the mix of versions began to change, around a time. */
  hasVersionChange(atMs: number, withinMs: number): boolean {
    const { versions, suspicion, episode } = this.memory;
    const first = Math.min(...versions.map(({ sinceMs }) => sinceMs));
    const isNear = (ms: number) => Math.abs(ms - atMs) <= withinMs;
    return (
      versions.some(({ sinceMs }) => sinceMs > first && isNear(sinceMs)) ||
      (suspicion !== null && isNear(suspicion.onsetMs)) ||
      (episode !== null && isNear(episode.onsetMs))
    );
  }

  /** As it is to be kept. */
  stored(nowMs: number): StoredMonitor {
    const { name, uuid, id, memory } = this;
    const { episode: _episode, ...description } = this.#monitor.describe();
    return {
      ...name,
      id,
      uuid,
      state: this.#monitor.state,
      settings: this.#settings,
      detector: Buffer.from(this.#monitor.save()),
      description,
      memory,
      createdAtMs: this.#createdAtMs,
      updatedAtMs: nowMs,
    };
  }

  /** What was seen since the last time, by hour. */
  points(): readonly (Point & { readonly monitorId: Buffer })[] {
    return Array.from(this.#points, ([hourMs, point]) => ({ monitorId: this.uuid, hourMs, ...point }));
  }

  /** What there is to keep is kept. */
  settle(): void {
    this.#isDirty = false;
    this.#points = new Map();
  }

  /** Goes on with another tolerance. */
  #tolerate(atMs: number): readonly News[] {
    try {
      this.#monitor = Monitor.restore(monitorSettings(this.name, this.#settings), this.#monitor.save());
      return [];
    } catch {
      return this.#learnAnew(atMs);
    }
  }

  /** What was learned cannot be used with these settings. */
  #learnAnew(atMs: number): readonly News[] {
    this.#monitor = new Monitor(monitorSettings(this.name, this.#settings));
    this.#monitor.setThreshold(this.#threshold);
    this.memory.suspicion = null;
    this.memory.isRebaselining = this.memory.baseline !== null;
    return this.#end(atMs, 'rebaselined', null);
  }

  #newsOf(transition: Transition): readonly News[] {
    const { memory } = this;
    const { atMs } = transition;
    switch (transition.kind) {
      case 'baselined': {
        const { sha256, n, from, to, value } = transition.baseline;
        const reason = memory.isRebaselining ? 'rebaselined' : memory.baseline === null ? 'learned' : 'grown';
        // One that has grown is the same one.
        const replaces = reason === 'rebaselined' ? memory.baseline : null;
        const id = reason === 'grown' ? memory.baseline!.id : formatId('bl', newUuid());
        memory.baseline = { id, sha256, n, fromMs: from, toMs: to, value };
        memory.isRebaselining = false;
        memory.learningSinceMs = null;
        // One is left only where the detector that knew of it could not be read.
        const ended = reason === 'rebaselined' ? this.#end(atMs, 'rebaselined', null) : [];
        return [...ended, { type: 'baselined', atMs, baseline: memory.baseline, replaces, reason }];
      }
      case 'suspected':
        memory.suspicion = { atMs, onsetMs: transition.onsetMs };
        return [{ type: 'suspected' }];
      case 'cleared':
        memory.suspicion = null;
        return [{ type: 'cleared' }];
      case 'sustained': {
        memory.suspicion = null;
        return [...this.#end(atMs, 'superseded', null), this.#begin(atMs, transition.report)];
      }
      case 'recovered':
        return this.#end(atMs, 'recovered', transition.report);
    }
  }

  #begin(atMs: number, report: DriftReport): News {
    const eventId = newUuid();
    this.memory.episode = { id: eventId.toString('hex'), onsetMs: report.onset, sustainedAtMs: atMs };
    return { type: 'sustained', atMs, report, baseline: this.memory.baseline, eventId };
  }

  /** The detector knows of a drift that was ended only because nobody wanted to hear of it. */
  #reopen(atMs: number): readonly News[] {
    const { episode } = this.#monitor.describe();
    return this.memory.episode === null && episode !== null ? [this.#begin(atMs, episode)] : [];
  }

  #end(atMs: number, resolution: 'recovered' | 'rebaselined' | 'disabled' | 'superseded', report: DriftReport | null): News[] {
    const { episode } = this.memory;
    if (episode === null) return [];
    this.memory.episode = null;
    const episodeId = Buffer.from(episode.id, 'hex');
    return [{ type: 'ended', atMs, report, baseline: this.memory.baseline, episodeId, resolution }];
  }

  #count(batch: number, observed: Observed): readonly News[] {
    const { memory } = this;
    const news: News[] = [];
    if (this.#monitor.state === 'learning') memory.learningSinceMs ??= observed.timesMs[0]!;
    for (const transition of this.#monitor.observe({ batch, ...observed })) news.push(...this.#newsOf(transition));
    // What was suspected in the quiet time after an alarm may end without a word.
    if (this.#monitor.state === 'watching') memory.suspicion = null;
    memory.clockMs = Math.max(memory.clockMs ?? Number.NEGATIVE_INFINITY, observed.timesMs.at(-1)!);
    if (this.name.signal === 'model_version_mix') this.#meetVersions(observed);
    return news;
  }

  /** Index of the first observation that comes when the drift has persisted for so long; -1: none does. */
  #firstOverdue({ timesMs }: Observed, days: number): number {
    const { episode } = this.memory;
    return episode === null ? -1 : timesMs.findIndex((atMs) => atMs >= episode.sustainedAtMs + days * DAY_MS);
  }

  #chart({ timesMs, values }: Observed): void {
    if (isNumbers(values)) {
      for (let i = 0; i < values.length; i++) {
        const point = this.#pointAt(timesMs[i]!);
        point.n++;
        point.sum += values[i]!;
        point.sumSquares += values[i]! * values[i]!;
      }
    } else {
      for (let i = 0; i < values.length; i++) {
        const point = this.#pointAt(timesMs[i]!);
        point.n++;
        point.counts ??= [];
        const label = this.#labelIndex(values[i]!);
        while (point.counts.length <= label) point.counts.push(0);
        point.counts[label]!++;
      }
    }
  }

  #pointAt(ms: number): GrowingPoint {
    const hourMs = Math.floor(ms / HOUR_MS) * HOUR_MS;
    let point = this.#points.get(hourMs);
    if (point === undefined) {
      point = { n: 0, sum: 0, sumSquares: 0, counts: null };
      this.#points.set(hourMs, point);
    }
    return point;
  }

  #labelIndex(label: string): number {
    const { labels } = this.memory;
    const known = labels.indexOf(label);
    if (known >= 0) return known;
    if (labels.length >= LABELS_MAX) return LABELS_MAX;
    return labels.push(label) - 1;
  }

  #meetVersions({ timesMs, values }: Observed): void {
    const { versions } = this.memory;
    for (let i = 0; i < values.length; i++) {
      const name = values[i] as string;
      // Nearly always the one before.
      if (i > 0 && name === values[i - 1]) continue;
      if (versions.some((version) => version.name === name)) continue;
      versions.push({ name, sinceMs: timesMs[i]! });
      if (versions.length > VERSIONS_MAX) versions.shift();
    }
  }
}

function partOf({ timesMs, ids, values }: Observed, from: number, to: number): Observed {
  const part = isNumbers(values) ? values.subarray(from, to) : values.slice(from, to);
  return { timesMs: timesMs.subarray(from, to), ids: ids.slice(from, to), values: part };
}

function isNumbers(values: Float64Array | readonly string[]): values is Float64Array {
  return values instanceof Float64Array;
}

function monitorSettings({ signal }: Pick<SeriesName, 'signal'>, { tolerance, season }: DetectorSettings) {
  return { kind: kindOf(signal), tolerance, season };
}

function emptyMemory(): SeriesMemory {
  return {
    clockMs: null,
    baseline: null,
    learningSinceMs: null,
    isRebaselining: false,
    suspicion: null,
    episode: null,
    labels: [],
    versions: [],
  };
}
