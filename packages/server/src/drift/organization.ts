// One organization's monitors while this node reads its trail: what comes is counted, and what is found is recorded together with how far
// the trail was read. Whatever is lost before that is read again.

import { thresholdFor } from '@svc/drift';
import { driftSettings, type DriftSettings, type DriftSignal } from '@svc/engine';
import { uuidText } from '../ids.ts';
import { findCurrentPolicyVersion, findPolicyByVersion } from '../policy/store.ts';
import type { Services } from '../services.ts';
import { addCandidate } from './candidates.ts';
import { trailClockAt } from './clock.ts';
import type { Coincidence } from './events.ts';
import type { Pace } from './pace.ts';
import { recordingOf, type Recording } from './recordings.ts';
import { sampleIdOf } from './samples.ts';
import { Series, type News } from './series.ts';
import { observedOf, SIGNALS, type Inferences, type Observed } from './signals.ts';
import {
  addPoints,
  advanceCursor,
  deletePairs,
  findMonitorsOfPair,
  listPairs,
  listRestlessPairs,
  putMonitors,
  type Cursor,
  type DetectorSettings,
  type OrganizationState,
  type SeriesName,
  type Standing,
  type StoredMonitor,
} from './store.ts';
import { readSlice, type AssessmentSeen, type BatchSeen, type Seen } from './trail.ts';

export type DriftParts = Pick<Services, 'db' | 'journal' | 'clock' | 'log'>;

/** Another node reads the trail now, or somebody changed a monitor: what is in memory holds no more. */
export class LeaseLost extends Error {}

/** Models and groups that are watched apart from each other; the others together. */
const PAIRS_MAX = 200;
const OTHER: Pair = { model: 'other', group: 'other' };
const NEW: Standing = { heardAtMs: 0, hasBaseline: false, isDrifting: false };
const UNKNOWN_MODEL = 'unknown';
/** The group of what is assessed over the API. */
const API_GROUP = 'api';

/** Of a model and group beyond those: after so many inferences it may take the place of another. */
const CANDIDATE_INFERENCES = 100;
/** After so long a silence a place may be lost: where nothing was learned yet, and where there is a baseline. */
const SILENT_MS = 3_600_000;
const SILENT_WITH_BASELINE_MS = 7 * 86_400_000;

const FLUSH_MS = 5_000;
/** To write a monitor takes half a millisecond: where there are thousands they are written less often, as nothing is lost by it. */
const FLUSH_MS_PER_MONITOR = 10;
// Who looks at a monitor is to see what was just found.
const FLUSH_MS_MAX = 10_000;
const HOUR_MS = 3_600_000;
const HOURS_KEPT = 24;
const CHANGES_KEPT = 16;
/** Assessments over the API come one by one: those of so many events of the trail count as one delivery. */
const DELIVERY_EVENTS = 64;
/** What happened so near to the beginning of a drift, or within the time that it took to suspect it, coincides with it. */
const COINCIDENCE_MS = 1_800_000;

type Pair = Pick<SeriesName, 'model' | 'group'>;
type Monitors = Map<DriftSignal, Series>;

/** What is watched apart. */
interface Place {
  readonly pair: Pair;
  /** `null`: they have not been needed yet. */
  monitors: Monitors | null;
  /** When the trail last told of it. */
  heardAtMs: number;
  /** As of when the trail was taken up. */
  readonly standing: Standing;
}

/** What became known, and what only this moment of the trail can tell of it. */
export interface Found {
  readonly series: Series;
  readonly news: News;
  readonly coincidesWith: readonly Coincidence[];
  readonly falseAlarmsPerYear: number;
}

export class OrganizationWatch {
  readonly orgId: Buffer;
  /** Which turn at reading this is: what is found in it can be written in it only. */
  readonly owner: Buffer;
  readonly #parts: DriftParts;
  readonly #pace: Pace;
  readonly #state: OrganizationState;
  /** By `pairKey`. */
  readonly #places = new Map<string, Place>();
  /** Those that lost their place since the last time that anything was kept. */
  #displaced: Pair[] = [];
  #hasWarned = false;
  #found: Found[] = [];
  #settings: DriftSettings;
  #sequence: number;
  #kept: number;
  #flushedAtMs = performance.now();
  #usedAtMs = performance.now();

  private constructor(
    parts: DriftParts,
    pace: Pace,
    orgId: Buffer,
    owner: Buffer,
    sequence: number,
    state: OrganizationState,
    settings: DriftSettings,
  ) {
    this.#parts = parts;
    this.#pace = pace;
    this.orgId = orgId;
    this.owner = owner;
    this.#sequence = sequence;
    this.#kept = sequence;
    this.#state = state;
    this.#settings = settings;
  }

  /** Goes on where the trail was read to. `owner`: under which the cursor was claimed. */
  static async open(parts: DriftParts, pace: Pace, orgId: Buffer, owner: Buffer, cursor: Cursor): Promise<OrganizationWatch> {
    const state = cursor.state ?? (await firstState(parts, orgId, cursor.sequence));
    const settings = await settingsOf(parts, orgId, state.policyVersion);
    const watch = new OrganizationWatch(parts, pace, orgId, owner, cursor.sequence, state, settings);
    for (const { standing, ...pair } of await listPairs(parts.db, orgId))
      watch.#places.set(pairKey(pair), { pair, monitors: null, heardAtMs: standing.heardAtMs, standing });
    return watch;
  }

  /** Up to which event the trail was read. */
  get sequence(): number {
    return this.#sequence;
  }

  /** How many monitors it holds in memory. */
  get size(): number {
    return this.#loaded().length;
  }

  /** Of the monotonic clock: when it last had something to do. */
  get usedAtMs(): number {
    return this.#usedAtMs;
  }

  /** True when there is something that would have to be read again if it were lost now. */
  get hasUnkept(): boolean {
    return this.#sequence > this.#kept;
  }

  /** Of the monotonic clock: what has not been kept by then should be. */
  get isDue(): boolean {
    if (!this.hasUnkept) return false;
    const everyMs = Math.min(FLUSH_MS_MAX, FLUSH_MS + FLUSH_MS_PER_MONITOR * this.size);
    return performance.now() - this.#flushedAtMs >= everyMs;
  }

  /** Reads on, a part at a time, at most as far as event `last`. Throws `LeaseLost`. */
  async advance(last: number): Promise<void> {
    this.#usedAtMs = performance.now();
    const slice = await readSlice(
      this.#parts.db.reader,
      this.orgId,
      this.#sequence,
      last,
      this.#settings.enabled,
      (err, sequence) => this.#warn(err, { sequence }, 'drift passes over an event that it cannot read'),
    );
    let waiting: AssessmentSeen[] = [];
    for (const recorded of slice.seen) {
      const seen = this.#timed(recorded);
      if (waiting.length > 0 && !(seen.type === 'assessment' && isSameDelivery(waiting[0]!, seen))) {
        await this.#applyAssessments(waiting);
        await this.#arriveAt(waiting.at(-1)!.sequence);
        waiting = [];
      }
      if (seen.type === 'assessment') {
        if (waiting.length === 0) this.#enter(seen);
        waiting.push(seen);
        continue;
      }
      this.#enter(seen);
      if (seen.type === 'batch') await this.#applyBatch(seen);
      else await this.#applyPolicy(seen.version, seen.recordedAtMs);
      await this.#arriveAt(seen.sequence);
      // What follows may have to be read otherwise.
      if (seen.type === 'policy') return;
    }
    await this.#applyAssessments(waiting);
    await this.#arriveAt(slice.upto);
  }

  /** Keeps what was learned since the last time, in one commit with the events of what was found. Throws `LeaseLost`. */
  async flush(): Promise<void> {
    const nowMs = this.#parts.clock();
    const dirty = this.#loaded().filter(({ isDirty }) => isDirty);
    const stored: StoredMonitor[] = [];
    for (const series of dirty) {
      stored.push(this.#pace.spend(() => series.stored(nowMs)));
      await this.#pace.rest();
    }
    const points = dirty.flatMap((series) => series.points());
    const recordings: Recording[] = [];
    for (const found of this.#found) recordings.push(await recordingOf(this.#parts.db, this.orgId, found));
    await this.#parts.journal.transaction(async (tx, record) => {
      const cursor = { sequence: this.#sequence, state: this.#state };
      if (!(await advanceCursor(tx, this.orgId, this.owner, cursor))) throw new LeaseLost('somebody else reads the trail');
      // Before what is new: it may be of the same name.
      await deletePairs(tx, this.orgId, this.#displaced);
      await putMonitors(tx, this.orgId, stored);
      await addPoints(tx, this.orgId, points);
      for (const write of recordings) await write(tx, record);
    });
    for (const series of dirty) series.settle();
    this.#found = [];
    this.#displaced = [];
    this.#kept = this.#sequence;
    this.#flushedAtMs = performance.now();
  }

  async #arriveAt(sequence: number): Promise<void> {
    this.#sequence = sequence;
    // Baselines and suspicions can wait for others: nobody is called for them.
    const isUrgent = this.#found.some(({ news }) => news.type === 'sustained' || news.type === 'ended');
    if (isUrgent || this.isDue) await this.flush();
    await this.#pace.rest();
  }

  /** Of one delivery. */
  async #applyAssessments(assessments: readonly AssessmentSeen[]): Promise<void> {
    const byPair = new Map<string, { readonly pair: Pair; readonly seen: AssessmentSeen[] }>();
    for (const seen of assessments) {
      // One by one: which are in a delivery depends on how far the trail had grown when it was read.
      const pair = this.#pairOf(seen.model, API_GROUP, 1, seen.recordedAtMs);
      const known = byPair.get(pairKey(pair));
      if (known === undefined) byPair.set(pairKey(pair), { pair, seen: [seen] });
      else known.seen.push(seen);
    }
    for (const { pair, seen } of byPair.values()) {
      await this.#apply(pair, deliveryOf(seen[0]!.sequence), seen.at(-1)!.recordedAtMs, inferencesOf(seen));
    }
  }

  async #applyBatch({ sequence, group, models, recordedAtMs }: BatchSeen): Promise<void> {
    for (const [model, inferences] of this.#pace.spend(models)) {
      const pair = this.#pairOf(model, group, inferences.timesMs.length, recordedAtMs);
      await this.#apply(pair, sequence, recordedAtMs, inferences);
    }
  }

  async #apply(pair: Pair, batch: number, heardAtMs: number, inferences: Inferences): Promise<void> {
    const monitors = await this.#monitorsOf(pair);
    const found: { series: Series; news: News }[] = [];
    for (const signal of SIGNALS) {
      if (!this.#settings.signals[signal].enabled) continue;
      this.#pace.spend(() => {
        const observed = observedOf(signal, inferences);
        if (observed === null) return;
        const series = monitors.get(signal) ?? this.#create(monitors, { ...pair, signal });
        series.memory.heardAtMs = heardAtMs;
        for (const news of this.#observe(series, batch, observed)) found.push({ series, news });
      });
      // A monitor that has just learned its baseline takes ten milliseconds.
      if (this.#pace.isSpent) await this.#pace.rest();
    }
    // When all signals have seen it: that of the versions is the last.
    for (const { series, news } of found) this.#find(series, news, monitors);
  }

  #observe(series: Series, batch: number, observed: Observed): readonly News[] {
    this.#state.hours.at(-1)!.observations += observed.values.length;
    try {
      return series.observe(batch, observed, this.#settings.autoRebaselineDays);
    } catch (err) {
      this.#warn(err, { monitor_id: series.id, sequence: batch }, 'a drift monitor refuses what it is shown');
      return [];
    }
  }

  #create(monitors: Monitors, name: SeriesName): Series {
    const series = Series.create(name, this.#detectorSettings(name.signal), this.#parts.clock());
    series.setThreshold(this.#state.threshold);
    monitors.set(name.signal, series);
    return series;
  }

  #find(series: Series, news: News, monitors: Monitors): void {
    const coincidesWith = news.type === 'sustained' ? this.#coincidences(series, news.report, monitors) : [];
    this.#found.push({ series, news, coincidesWith, falseAlarmsPerYear: this.#settings.falseAlarmsPerYear });
  }

  #coincidences(
    series: Series,
    { onset, suspected_at: suspectedAt }: { readonly onset: number; readonly suspected_at: number },
    monitors: Monitors,
  ): readonly Coincidence[] {
    const withinMs = Math.max(COINCIDENCE_MS, suspectedAt - onset);
    const versions = series.name.signal === 'model_version_mix' ? undefined : monitors.get('model_version_mix');
    const isPolicyNear = this.#state.policyChanges.some(({ atMs }) => Math.abs(atMs - onset) <= withinMs);
    return [
      ...(versions?.hasVersionChange(onset, withinMs) === true ? (['model_version_change'] as const) : []),
      ...(isPolicyNear ? (['policy_change'] as const) : []),
    ];
  }

  async #applyPolicy(version: number, atMs: number): Promise<void> {
    const state = this.#state;
    if (version <= state.policyVersion) return;
    // The first one is no change.
    if (state.policyVersion > 0) state.policyChanges = [...state.policyChanges, { version, atMs }].slice(-CHANGES_KEPT);
    state.policyVersion = version;
    this.#settings = await settingsOf(this.#parts, this.orgId, version);
    this.#rethink();
    // Switching off ends what goes on, also where nothing has come since.
    for (const pair of await listRestlessPairs(this.#parts.db, this.orgId)) {
      // Unless it has just lost its place.
      if (this.#places.has(pairKey(pair))) await this.#monitorsOf(pair);
    }
    for (const { monitors } of this.#places.values()) {
      for (const series of monitors?.values() ?? []) {
        for (const news of series.configure(this.#detectorSettings(series.name.signal), atMs))
          this.#find(series, news, monitors!);
      }
    }
  }

  /** The event with its times by the trail's own clock. */
  #timed(seen: Seen): Seen {
    const clock = trailClockAt(this.#state.clock ?? null, seen.recordedAtMs);
    this.#state.clock = clock;
    const aheadMs = clock.atMs - seen.recordedAtMs;
    if (aheadMs === 0) return seen;
    switch (seen.type) {
      case 'policy':
        return { ...seen, recordedAtMs: clock.atMs };
      case 'assessment':
        return { ...seen, recordedAtMs: clock.atMs, occurredAtMs: seen.occurredAtMs + aheadMs };
      case 'batch':
        return { ...seen, recordedAtMs: clock.atMs, models: () => shifted(seen.models(), aheadMs) };
    }
  }

  /** Begins a new hour, where one begins: what came in the last ones says how much evidence the budget asks for. */
  #enter({ sequence, recordedAtMs }: Seen): void {
    const atMs = Math.floor(recordedAtMs / HOUR_MS) * HOUR_MS;
    const { hours } = this.#state;
    const isNewHour = hours.length === 0 || hours.at(-1)!.atMs < atMs;
    if (isNewHour) hours.push({ atMs, observations: 0 });
    if (hours.length > HOURS_KEPT + 1) hours.shift();
    // At the same events however the trail is read.
    const isNewDelivery = deliveryOf(sequence) > (this.#state.rethoughtAt ?? -1);
    if (isNewDelivery) this.#state.rethoughtAt = deliveryOf(sequence);
    if (isNewHour || isNewDelivery) this.#rethink();
  }

  #rethink(): void {
    const { hours } = this.#state;
    // The busiest hour counts: at night as much evidence is asked for as by day. Of the one that is on what has come so far, in few steps.
    const soFar = hours.at(-1)?.observations ?? 0;
    const busiest = Math.max(
      soFar === 0 ? 0 : 2 ** Math.floor(Math.log2(soFar)),
      ...hours.slice(0, -1).map(({ observations }) => observations),
    );
    const threshold = thresholdFor({
      seriesCount: 1,
      observationsPerSecond: busiest / (HOUR_MS / 1_000),
      falseAlarmsPerYear: this.#settings.falseAlarmsPerYear,
    });
    if (threshold === this.#state.threshold) return;
    this.#state.threshold = threshold;
    for (const series of this.#loaded()) series.setThreshold(threshold);
  }

  /** Where so many inferences of a model and group are counted. */
  #pairOf(model: string | null, group: string, inferences: number, atMs: number): Pair {
    const pair = this.#placed({ model: model ?? UNKNOWN_MODEL, group }, inferences, atMs);
    const known = this.#places.get(pairKey(pair));
    if (known === undefined) this.#places.set(pairKey(pair), { pair, monitors: new Map(), heardAtMs: atMs, standing: NEW });
    else known.heardAtMs = Math.max(known.heardAtMs, atMs);
    return pair;
  }

  /** The model and group, or the others where there is no place for it. */
  #placed(pair: Pair, inferences: number, atMs: number): Pair {
    if (this.#places.has(pairKey(pair))) return pair;
    const others = this.#places.has(pairKey(OTHER)) ? 1 : 0;
    if (this.#places.size - others < PAIRS_MAX) return pair;
    this.#warnOfOthers(pair);
    const state = this.#state;
    state.candidates = addCandidate(state.candidates ?? [], pair, inferences);
    const n = state.candidates.find((one) => pairKey(one) === pairKey(pair))?.n ?? 0;
    if (n < CANDIDATE_INFERENCES || !this.#makePlace(atMs)) return OTHER;
    state.candidates = state.candidates.filter((one) => pairKey(one) !== pairKey(pair));
    return pair;
  }

  /** Takes the place of what was silent for longest, of those that have not learned anything first. False: none is to lose it. */
  #makePlace(atMs: number): boolean {
    const places = Array.from(this.#places.values(), (place) => ({
      ...standingOf(place),
      key: pairKey(place.pair),
      pair: place.pair,
    }));
    const [longest] = places
      .filter(({ key, isDrifting, hasBaseline, heardAtMs }) => {
        const silentMs = hasBaseline ? SILENT_WITH_BASELINE_MS : SILENT_MS;
        return key !== pairKey(OTHER) && !isDrifting && atMs - heardAtMs >= silentMs;
      })
      .sort((a, b) => Number(a.hasBaseline) - Number(b.hasBaseline) || a.heardAtMs - b.heardAtMs || (a.key < b.key ? -1 : 1));
    if (longest === undefined) return false;
    this.#places.delete(longest.key);
    this.#displaced.push(longest.pair);
    return true;
  }

  #warnOfOthers(pair: Pair): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#parts.log.warn(
      { org_id: uuidText(this.orgId), ...pair },
      'more models and groups report than are watched for drift apart from each other; the rest are watched together',
    );
  }

  async #monitorsOf(pair: Pair): Promise<Monitors> {
    const place = this.#places.get(pairKey(pair))!;
    if (place.monitors !== null) return place.monitors;
    const monitors: Monitors = new Map();
    for (const stored of await findMonitorsOfPair(this.#parts.db, this.orgId, pair)) {
      const onForeign = (err: unknown) =>
        this.#warn(err, { monitor_id: stored.id }, 'what a drift monitor knew cannot be read; it learns anew');
      const series = this.#pace.spend(() => Series.restore(stored, onForeign));
      await this.#pace.rest();
      series.setThreshold(this.#state.threshold);
      monitors.set(stored.signal, series);
      const settings = this.#detectorSettings(stored.signal);
      for (const news of series.configure(settings, series.memory.clockMs ?? this.#parts.clock()))
        this.#find(series, news, monitors);
    }
    place.monitors = monitors;
    return monitors;
  }

  #loaded(): Series[] {
    return [...this.#places.values()].flatMap(({ monitors }) => (monitors === null ? [] : Array.from(monitors.values())));
  }

  #detectorSettings(signal: DriftSignal): DetectorSettings {
    const { season, signals } = this.#settings;
    return { season, ...signals[signal] };
  }

  #warn(err: unknown, about: object, message: string): void {
    this.#parts.log.warn({ err, org_id: uuidText(this.orgId), ...about }, message);
  }
}

/** Where nothing has been read yet. A trail that is read from its beginning tells of its first policy itself. */
async function firstState({ db }: DriftParts, orgId: Buffer, sequence: number): Promise<OrganizationState> {
  const policyVersion = sequence === 0 ? 0 : (await findCurrentPolicyVersion(db, orgId)).version;
  const threshold = thresholdFor({ seriesCount: 0, observationsPerSecond: 0, falseAlarmsPerYear: 1 });
  return { policyVersion, threshold, hours: [], policyChanges: [] };
}

async function settingsOf({ db }: DriftParts, orgId: Buffer, version: number): Promise<DriftSettings> {
  const policy = version === 0 ? null : await findPolicyByVersion(db, orgId, version);
  return driftSettings(policy?.document ?? {});
}

/** As of now, where its monitors are in memory. */
function standingOf({ monitors, heardAtMs, standing }: Place): Standing {
  if (monitors === null) return { ...standing, heardAtMs };
  const memories = Array.from(monitors.values(), ({ memory }) => memory);
  return {
    heardAtMs,
    hasBaseline: memories.some(({ baseline }) => baseline !== null),
    isDrifting: memories.some(({ episode }) => episode !== null),
  };
}

function shifted(models: ReadonlyMap<string | null, Inferences>, byMs: number): ReadonlyMap<string | null, Inferences> {
  return new Map(
    Array.from(models, ([model, inferences]) => [model, { ...inferences, timesMs: inferences.timesMs.map((ms) => ms + byMs) }]),
  );
}

/** No name holds a NUL: PostgreSQL takes none. */
function pairKey({ model, group }: Pair): string {
  return `${model}\0${group}`;
}

function deliveryOf(sequence: number): number {
  return Math.floor(sequence / DELIVERY_EVENTS) * DELIVERY_EVENTS;
}

function isSameDelivery(a: AssessmentSeen, b: AssessmentSeen): boolean {
  return (
    deliveryOf(a.sequence) === deliveryOf(b.sequence) &&
    Math.floor(a.recordedAtMs / HOUR_MS) === Math.floor(b.recordedAtMs / HOUR_MS)
  );
}

function inferencesOf(seen: readonly AssessmentSeen[]): Inferences {
  // They are no calls of a model: of these nothing is known.
  const unknown = new Float64Array(seen.length).fill(Number.NaN);
  const nothing = seen.map(() => null);
  return {
    timesMs: Float64Array.from(seen, ({ occurredAtMs }) => occurredAtMs),
    ids: seen.map(({ sequence }) => sampleIdOf(sequence, null)),
    outcomes: seen.map(({ outcome }) => outcome),
    categories: seen.map(({ categories }) => categories),
    errors: unknown,
    refusals: Float64Array.from(seen, ({ refusal }) => refusal),
    scores: Float64Array.from(seen, ({ score }) => score),
    latenciesMs: unknown,
    timesToFirstTokenMs: unknown,
    inputTokens: unknown,
    outputTokens: unknown,
    finishReasons: nothing,
    modelVersions: seen.map(({ modelVersion }) => modelVersion),
  };
}
