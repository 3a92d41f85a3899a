// One series' monitor: learns what is usual, then watches.

import { Baseline } from './baseline.ts';
import { orderedKey } from './quantiles.ts';
import { LABEL_UNITS_MAX, Sample } from './sample.ts';
import { periodMsOf } from './season.ts';
import { resolveSettings, type Settings } from './settings.ts';
import { StateError, StateReader, StateWriter } from './state-format.ts';
import { THRESHOLD_MIN } from './threshold.ts';
import type { MonitorDescription, MonitorSettings, MonitorState, Observations, SignalKind, Transition } from './types.ts';
import { type Emit, Watch } from './watch.ts';

/** Observations of a drift that are kept, so that its level can be accepted as the new baseline. */
const ACCEPTABLE_MAX = 1000;

/** The greatest threshold: far above any budget, far below overflow. */
const THRESHOLD_MAX = 1e100;

/** "svd", and the version of the format. */
const STATE_START = [0x73, 0x76, 0x64, 2];
const KINDS: readonly SignalKind[] = ['rate', 'numeric', 'categorical'];
const SEASONS: readonly Settings['season'][] = ['none', 'day', 'week'];

/**
 * A sequential test of one series for change, with a stated rate of false alarms: if the baseline's true means lie in their
 * intervals and dependence reaches no further than measured, a suspicion comes at most once in c observations on average, and at
 * most one in 256 of them is confirmed.
 *
 * Works in chunks of five observations, so that its decisions do not depend on how a stream is cut into calls. Memory is bounded
 * whatever the stream's length: a numeric series' state has at most 8 KB.
 */
export class Monitor {
  readonly #settings: Settings;
  #threshold = THRESHOLD_MIN;
  #observations = 0;
  #late = 0;
  #newestMs = Number.NEGATIVE_INFINITY;
  /** What a baseline is learnt from; once there is one, the latest observations of a change that is on. */
  #sample: Sample | null = null;
  #watch: Watch | null = null;

  /** @throws RangeError on a setting out of bounds. */
  constructor(settings: MonitorSettings) {
    this.#settings = resolveSettings(settings);
  }

  /**
   * The monitor that was saved, equal to it to the last bit. Tolerance and times may differ from those it was saved with.
   *
   * @throws StateError on bytes that are not a state of this kind and season; RangeError on a setting out of bounds.
   */
  static restore(settings: MonitorSettings, state: Uint8Array): Monitor {
    const monitor = new Monitor(settings);
    const reader = new StateReader(state);
    monitor.#read(reader);
    reader.finish();
    return monitor;
  }

  get state(): MonitorState {
    return this.#watch?.state ?? 'learning';
  }

  /** Observations used, late ones not among them. */
  get observations(): number {
    return this.#observations;
  }

  get late(): number {
    return this.#late;
  }

  /** @throws RangeError unless 1 ≤ c ≤ 1e100. */
  setThreshold(c: number): void {
    if (!(c >= 1 && c <= THRESHOLD_MAX)) throw new RangeError('Monitor: the threshold must be between 1 and 1e100');
    this.#threshold = c;
    if (this.#watch) this.#watch.threshold = c;
  }

  /**
   * Takes observations in and answers with what happened, in order.
   *
   * @throws RangeError, before anything was taken in, on arrays of unequal length, a value that is not of the monitor's kind, or a
   * time that is not a finite number.
   */
  observe({ batch, values, timesMs, ids }: Observations): readonly Transition[] {
    checkObservations({ batch, values, timesMs, ...(ids && { ids }) }, this.#settings.kind);
    const transitions: Transition[] = [];
    const emit: Emit = (transition) => transitions.push(transition);
    for (let index = 0; index < timesMs.length; index++) {
      if (timesMs[index]! < this.#newestMs - this.#settings.lateMs) {
        this.#late++;
        continue;
      }
      // Deliveries of several probes overlap: what is only a little behind counts as of now.
      this.#newestMs = Math.max(timesMs[index]!, this.#newestMs);
      this.#observations++;
      if (this.#watch) this.#take(this.#watch, values[index]!, batch, ids?.[index], emit);
      else this.#learn(values[index]!, emit);
    }
    return transitions;
  }

  /**
   * Accepts the present level: a new baseline is learnt, from what is held of a change that is on (its latest 500 to 1 000
   * observations) and from what follows. Answers with the new baseline if that was enough for one.
   */
  rebaseline(atMs: number): readonly Transition[] {
    if (this.#watch === null) return [];
    const transitions: Transition[] = [];
    this.#watch = null;
    if (this.#sample) this.#finishLearning(this.#sample, atMs, (transition) => transitions.push(transition));
    return transitions;
  }

  describe(): MonitorDescription {
    const watch = this.#watch;
    const dependences = watch?.baseline.measured.map(({ dependence }) => dependence) ?? [];
    return {
      kind: this.#settings.kind,
      state: this.state,
      observations: this.#observations,
      late: this.#late,
      baseline: watch && watch.baselineReport(),
      baselineNeeds: watch ? 0 : Math.max(1, this.#settings.learnFrom - (this.#sample?.size ?? 0)),
      current: watch && watch.current.report(watch.baseline.features),
      evidence: {
        log10_m: Math.log10(Math.max(watch?.evidence ?? 0, 1)),
        log10_c: Math.log10(watch?.alarmAt ?? this.#threshold),
      },
      provisional: watch ? watch.isProvisional : this.#settings.season !== 'none',
      dependence: Math.max(1, ...dependences),
      doublingNeeds: watch && watch.doublingNeeds(),
      episode: watch?.episode?.isReported ? watch.episode.report : null,
    };
  }

  /** All of the monitor as bytes: at most 8 KB for a numeric series, some more while a drift is on in one with a week's season. */
  save(): Uint8Array {
    const writer = new StateWriter();
    for (const byte of STATE_START) writer.byte(byte);
    writer.byte(KINDS.indexOf(this.#settings.kind));
    writer.byte(SEASONS.indexOf(this.#settings.season));
    writer.double(this.#threshold);
    writer.count(this.#observations);
    writer.count(this.#late);
    writer.double(this.#newestMs);
    writer.flag(this.#sample !== null);
    this.#sample?.write(writer);
    writer.flag(this.#watch !== null);
    this.#watch?.write(writer);
    return writer.finish();
  }

  #read(reader: StateReader): void {
    const { kind, season } = this.#settings;
    if (STATE_START.some((byte) => reader.byte() !== byte)) throw new StateError('it does not begin like one of this version');
    if (KINDS[reader.byte()] !== kind) throw new StateError('it is of another kind of signal');
    if (SEASONS[reader.byte()] !== season) throw new StateError('it is of another season');
    this.setThreshold(reader.double());
    this.#observations = reader.count();
    this.#late = reader.count();
    this.#newestMs = reader.double();
    if (reader.flag()) this.#sample = Sample.read(reader, kind);
    if (reader.flag()) this.#watch = Watch.read(reader, this.#settings, this.#threshold, this.#observations);
  }

  #learn(value: number | string, emit: Emit): void {
    const { kind, learnFrom, season } = this.#settings;
    const sample = (this.#sample ??= new Sample(kind));
    // With a season the sample covers a whole period evenly, or ranks would be those of some of its hours.
    if (season === 'none' || sample.thin(learnFrom)) addTo(sample, value, this.#newestMs);
    this.#finishLearning(sample, this.#newestMs, emit);
  }

  /** Makes a baseline of the sample, once it is large enough and covers a period of the season. */
  #finishLearning(sample: Sample, atMs: number, emit: Emit): void {
    const { learnFrom, season } = this.#settings;
    if (sample.size < learnFrom && !sample.isThinned) return;
    if (season !== 'none' && atMs - sample.firstMs < periodMsOf(season)) return;
    this.#sample = null;
    this.#watch = Watch.start(this.#settings, this.#threshold, Baseline.learn(sample), atMs, this.#observations);
    emit({ kind: 'baselined', atMs, baseline: this.#watch.baselineReport() });
  }

  #take(watch: Watch, value: number | string, batch: number, id: string | undefined, emit: Emit): void {
    const { kind } = this.#settings;
    const atMs = this.#newestMs;
    if (watch.state !== 'watching') {
      const sample = (this.#sample ??= new Sample(kind));
      sample.makeRoom(ACCEPTABLE_MAX, atMs);
      addTo(sample, value, atMs);
    }
    const { baseline } = watch;
    const cell =
      typeof value === 'string'
        ? baseline.cellOfLabel(clip(value))
        : baseline.cellOfNumber(kind === 'numeric' ? orderedKey(value) : value);
    watch.take(cell, atMs, batch, id, emit);
    if (watch.state === 'watching') this.#sample = null;
  }
}

function addTo(sample: Sample, value: number | string, atMs: number): void {
  if (typeof value === 'string') sample.addLabel(clip(value), atMs);
  else sample.add(sample.kind === 'numeric' ? orderedKey(value) : value, atMs);
}

/** Labels may be of any length; what is kept of them may not. */
function clip(label: string): string {
  return label.length > LABEL_UNITS_MAX ? label.slice(0, LABEL_UNITS_MAX) : label;
}

function checkObservations({ batch, values, timesMs, ids }: Observations, kind: SignalKind): void {
  const { length } = timesMs;
  if (values.length !== length || (ids && ids.length !== length))
    throw new RangeError('Monitor: values, times and ids must be of equal length');
  if (!Number.isFinite(batch)) throw new RangeError('Monitor: the batch must be a finite number');
  for (let index = 0; index < length; index++) {
    if (!Number.isFinite(timesMs[index])) throw new RangeError(`Monitor: time ${index} is not a finite number`);
    if (!isOfKind(values[index], kind)) throw new RangeError(`Monitor: value ${index} is not one of a ${kind} series`);
  }
}

function isOfKind(value: unknown, kind: SignalKind): boolean {
  if (kind === 'numeric') return Number.isFinite(value);
  return kind === 'rate' ? value === 0 || value === 1 : typeof value === 'string';
}
