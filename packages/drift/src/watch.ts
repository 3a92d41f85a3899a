// All that rests on a baseline: watching for a change, making sure that it lasts, and following it to its end.

import { Baseline } from './baseline.ts';
import { Bets, CHUNK, type Expected } from './bets.ts';
import type { ChunkSpan } from './blocks.ts';
import { expectedBeforeSeason, expectedOf } from './bounds.ts';
import { Chunk } from './chunk.ts';
import { Confirmation } from './confirmation.ts';
import { CurrentMeans } from './current.ts';
import { Episode } from './episode.ts';
import { Escalation, moveSize, movesOf } from './escalation.ts';
import { Evidence } from './evidence.ts';
import { Growth } from './growth.ts';
import { judgeBySlot, judgeChunk, judgement } from './judgement.ts';
import { confidence, driftReport, effectOf, featureIndex } from './report.ts';
import { PERIODS_TO_FREEZE, PERIODS_TO_KNOW, Season } from './season.ts';
import type { Settings } from './settings.ts';
import type { StateReader, StateWriter } from './state-format.ts';
import { type Move, Told } from './told.ts';
import type { BaselineReport, DriftReport, MonitorState, Transition } from './types.ts';

/**
 * The baseline grows only while a change at the best moment would explain the data no better than this. Judged by CUSUM, not
 * by a share of the threshold: bets on small changes of rare events carry large sums without any sign of change.
 */
const QUIET_BELOW = 20;

/** Until its season is known a series is suspected only on ten times the evidence. */
const PROVISIONAL_FACTOR = 10;

/** What happens while a chunk is taken in goes here, in order. */
export type Emit = (transition: Transition) => void;

export class Watch {
  readonly baseline: Baseline;
  state: Exclude<MonitorState, 'learning'> = 'watching';
  episode: Episode | null = null;
  readonly current: CurrentMeans;
  /** Observations of the series so far, those before the baseline among them. */
  observations: number;
  readonly #settings: Settings;
  #threshold: number;
  readonly #chunk = new Chunk();
  #evidence: Evidence;
  /** Null once the baseline is frozen. */
  #growth: Growth | null;
  #season: Season | null;
  #bets: Bets;
  #confirmation: Confirmation | null = null;
  /** While a drift is on. */
  #escalation: Escalation | null = null;
  #told: Told;

  private constructor(settings: Settings, threshold: number, baseline: Baseline, startMs: number, observations: number) {
    const { features, cellCount } = baseline;
    this.#settings = settings;
    this.#threshold = threshold;
    this.baseline = baseline;
    this.observations = observations;
    this.current = new CurrentMeans(features.length);
    this.#growth = new Growth(cellCount, features.length);
    this.#season = settings.season === 'none' ? null : new Season(settings.season, features, startMs);
    this.#bets = this.#placeBets();
    this.#evidence = new Evidence(this.#bets.count);
    this.#told = new Told(features.length);
  }

  /** Starts on a baseline that was just learnt. `observations`: of the series so far. */
  static start(settings: Settings, threshold: number, baseline: Baseline, startMs: number, observations: number): Watch {
    if (settings.season !== 'none') baseline.keepLevels();
    const watch = new Watch(settings, threshold, baseline, startMs, observations);
    if (watch.#growth) watch.#freezeWhenDone(watch.#growth, startMs);
    return watch;
  }

  set threshold(c: number) {
    this.#threshold = c;
  }

  /** The value at which a change is suspected. */
  get alarmAt(): number {
    return this.isProvisional ? PROVISIONAL_FACTOR * this.#threshold : this.#threshold;
  }

  /** The detector's value; at the suspicion's while one is on. */
  get evidence(): number {
    return this.#evidence.total;
  }

  get isProvisional(): boolean {
    return this.#season?.isActive === false;
  }

  /** Takes in an observation that fell into `cell`. */
  take(cell: number, atMs: number, batch: number, id: string | undefined, emit: Emit): void {
    this.observations++;
    if (this.#chunk.add(cell, atMs, batch, id)) this.#takeChunk(emit);
  }

  baselineReport(): BaselineReport {
    const bounds = expectedOf(this.baseline.measured, this.#settings.kind, this.#settings.tolerance);
    return this.baseline.report(bounds, this.#season?.isActive === true, this.#digest());
  }

  /** Observations needed to suspect a doubling: ln c over the best bet's mean gain. Null where no bet would gain. */
  doublingNeeds(): number | null {
    if (this.#settings.kind !== 'rate') return null;
    const { measured } = this.baseline;
    const { mean } = measured[0]!;
    if (mean <= 0 || mean > 0.5) return null;
    const gain = new Bets(measured, expectedOf(measured, 'rate', 0), 1).growthOfShare(2 * mean);
    return gain > 0 ? Math.ceil(Math.log(this.alarmAt) / gain) : null;
  }

  write(writer: StateWriter): void {
    writer.byte(['watching', 'suspect', 'sustained'].indexOf(this.state));
    this.baseline.write(writer);
    this.#chunk.write(writer);
    this.current.write(writer);
    this.#evidence.write(writer, this.state === 'watching');
    this.#growth?.write(writer);
    this.#season?.write(writer);
    this.#confirmation?.write(writer);
    this.episode?.write(writer);
    this.#escalation?.write(writer);
    this.#told.write(writer);
  }

  static read(reader: StateReader, settings: Settings, threshold: number, observations: number): Watch {
    const state = (['watching', 'suspect', 'sustained'] as const)[reader.count(2)]!;
    const baseline = Baseline.read(reader, settings.kind);
    const { features, cellCount, isFrozen } = baseline;
    const watch = new Watch(settings, threshold, baseline, 0, observations);
    watch.state = state;
    watch.#chunk.read(reader, cellCount);
    watch.current.read(reader);
    watch.#evidence = Evidence.read(reader, watch.#bets.count, state === 'watching');
    watch.#growth = isFrozen ? null : Growth.read(reader, cellCount, features.length);
    watch.#season = settings.season === 'none' ? null : Season.read(reader, settings.season, features);
    const betCount = watch.#bets.count;
    const readConfirmation = (): Confirmation => Confirmation.read(reader, betCount, features.length, cellCount);
    watch.#confirmation = state === 'suspect' ? readConfirmation() : null;
    watch.episode = state === 'sustained' ? Episode.read(reader, features.length) : null;
    watch.#escalation = state === 'sustained' ? Escalation.read(reader, features.length, betCount, readConfirmation) : null;
    watch.#told = Told.read(reader, features.length);
    watch.#bets = watch.#placeBets();
    return watch;
  }

  #takeChunk(emit: Emit): void {
    const { span } = this.#chunk;
    const season = this.#season;
    if (season) judgeBySlot(this.#bets, this.#chunk, season, (slot, atMs) => this.#enterSlot(season, slot, atMs));
    else judgeChunk(this.#bets, this.#chunk);
    this.current.add(CHUNK, judgement.sums);
    if (this.state === 'watching') this.#watch(span, emit);
    else if (this.state === 'suspect') this.#confirm(this.#confirmation!, span, emit);
    else this.#follow(this.episode!, this.#escalation!, span, emit);
    if (season && !season.isActive) this.#startSeason(season, span.lastMs, emit);
    this.#chunk.clear();
  }

  #enterSlot(season: Season, slot: number, atMs: number): Bets {
    season.enter(slot, atMs, this.#isLearningSlots(season));
    if (season.isActive) this.#bets = this.#placeBets();
    return this.#bets;
  }

  /** Until two periods are known all is taken in: there is nothing yet to tell a season from a change. */
  #isLearningSlots(season: Season): boolean {
    if (!season.isActive || !season.isKnown) return true;
    return !this.baseline.isFrozen && this.state === 'watching' && this.#isQuiet();
  }

  #isQuiet(): boolean {
    return this.#evidence.hint < QUIET_BELOW;
  }

  #watch(span: ChunkSpan, emit: Emit): void {
    const first = this.observations - CHUNK;
    const value = this.#evidence.advance(CHUNK, this.#bets.weights, judgement.factors, first, span.firstMs);
    if (value >= this.alarmAt) this.#suspect(span.lastMs, emit);
    else if (this.#growth) this.#grow(this.#growth, span.lastMs, emit);
  }

  #suspect(atMs: number, emit: Emit): void {
    const confirmation = this.#confirmationOf(this.#evidence, atMs);
    const { observation, onsetMs, onsetObservation } = confirmation.suspicion;
    this.#confirmation = confirmation;
    this.#growth?.dropWaiting();
    this.state = 'suspect';
    this.#bets = this.#placeBets();
    emit({ kind: 'suspected', atMs, observation, onsetMs, onsetObservation });
  }

  /** Begins to confirm the change that `evidence` tells of. */
  #confirmationOf(evidence: Evidence, atMs: number): Confirmation {
    const { features, cellCount } = this.baseline;
    const onset = evidence.onset();
    const suspicion = {
      atMs,
      observation: this.observations,
      onsetMs: onset.atMs,
      onsetObservation: onset.observation,
      log10Evidence: Math.log10(evidence.total),
      isProvisional: this.isProvisional,
    };
    const weights = Confirmation.weigh(evidence.shares(), this.#bets.weights);
    return new Confirmation(suspicion, weights, features.length, cellCount);
  }

  #grow(growth: Growth, atMs: number, emit: Emit): void {
    // Once hours are told apart, blocks tell what dependence is left beyond them.
    const isAdjusted = this.#season?.isActive === true;
    growth.addChunk(
      this.#chunk.cells,
      judgement.sums,
      isAdjusted ? judgement.expected : null,
      atMs,
      this.isProvisional || this.#isQuiet(),
    );
    const admitted = growth.takeAdmitted(this.baseline.n);
    if (admitted) {
      this.baseline.add(admitted);
      this.#bets = this.#placeBets();
    }
    if (this.#freezeWhenDone(growth, atMs)) emit({ kind: 'baselined', atMs, baseline: this.baselineReport() });
  }

  /** Stops the baseline's growth once it is large or old enough; answers whether it just did. */
  #freezeWhenDone(growth: Growth, atMs: number): boolean {
    const { learnUntil, learnForMs } = this.#settings;
    const season = this.#season;
    if (season && atMs - season.startMs < PERIODS_TO_FREEZE * season.periodMs) return false;
    if (this.baseline.n + growth.admitted < learnUntil && atMs - this.baseline.fromMs < learnForMs) return false;
    const admitted = growth.takeAdmitted(0);
    if (admitted) this.baseline.add(admitted);
    this.baseline.isFrozen = true;
    this.#growth = null;
    this.#bets = this.#placeBets();
    return true;
  }

  #confirm(confirmation: Confirmation, span: ChunkSpan, emit: Emit): void {
    const verdict = this.#verdictOf(confirmation, span);
    if (verdict === 'sustained') this.#sustain(confirmation, span.lastMs, emit);
    if (verdict !== 'cleared') return;
    this.#backToWatching();
    emit({ kind: 'cleared', atMs: span.lastMs, observation: this.observations });
  }

  /** Takes the chunk into a confirmation. */
  #verdictOf(confirmation: Confirmation, span: ChunkSpan): 'undecided' | 'sustained' | 'cleared' {
    confirmation.addToTotals(this.#chunk.cells, judgement.sums, judgement.expected);
    const id = this.#chunk.idWhere((cell) => this.#isTypical(confirmation, cell));
    if (id !== undefined) confirmation.keepSample(id);
    return confirmation.add(span, judgement.factors, this.#settings.blockMs);
  }

  /** Whether an observation there is one of those that made the change suspect. */
  #isTypical({ lead }: Confirmation, cell: number): boolean {
    const value = this.baseline.valueIn(cell, lead.feature);
    const { mean } = this.baseline.measured[lead.feature]!;
    return lead.direction === 'up' ? value > mean : value < mean;
  }

  #sustain(confirmation: Confirmation, atMs: number, emit: Emit): void {
    const report = this.#reportOf(confirmation, atMs);
    const isReported = this.#isNews(report, atMs);
    this.#confirmation = null;
    this.state = 'sustained';
    this.#begin(confirmation, report, isReported, emit);
  }

  #reportOf(confirmation: Confirmation, atMs: number): DriftReport {
    const { baseline } = this;
    return driftReport({ baseline, digest: this.#digest(), bounds: this.#expected(), confirmation, sustainedAtMs: atMs });
  }

  #begin(confirmation: Confirmation, report: DriftReport, isReported: boolean, emit: Emit): void {
    const { baseline } = this;
    const feature = featureIndex(baseline, report.feature, report.label);
    this.episode = new Episode(report, feature, confirmation.blockObservations, isReported);
    this.#escalation = Escalation.from(baseline, confirmation.totals, this.#bets.count);
    this.#bets = this.#placeBets();
    if (isReported) this.#announce(report, movesOf(baseline, confirmation.totals, this.#expected()), emit);
  }

  #announce(report: DriftReport, others: readonly Move[], emit: Emit): void {
    const atMs = report.sustained_at;
    this.#told.tell(this.#moveOf(report, report.current.value), others, atMs, this.#settings.cooldownMs);
    emit({ kind: 'sustained', atMs, observation: this.observations, report });
  }

  /** Whether a change was not told in the quiet time, or is surely half as large again as what was. */
  #isNews(report: DriftReport, atMs: number): boolean {
    const { direction, current } = report;
    const nearest = direction === 'up' ? current.ci95[0] : current.ci95[1];
    return this.#told.isNews(this.#moveOf(report, nearest), atMs, this.#settings.cooldownMs);
  }

  /** A report's change, were the feature's mean now `value`; none where that lies on the other side of the baseline. */
  #moveOf({ feature: name, label, direction, baseline }: DriftReport, value: number): Move {
    const feature = featureIndex(this.baseline, name, label);
    const difference = direction === 'up' ? value - baseline.value : baseline.value - value;
    return { feature, direction, size: moveSize(this.baseline.measured[feature]!, Math.max(0, difference)) };
  }

  #follow(episode: Episode, escalation: Escalation, span: ChunkSpan, emit: Emit): void {
    const { feature } = episode;
    const end = episode.add(span, judgement.sums[feature]!, judgement.expected[feature]!, this.#settings.blockMs);
    if (end === 'ended') {
      this.#recover(episode, span.lastMs, emit);
      return;
    }
    if (end === 'going-on') this.#takeStock(episode, span.lastMs, emit);
    this.#escalate(escalation, span, emit);
  }

  /** A drift that came in the quiet time is reported once that is over, or once it has become larger; as it is by then. */
  #takeStock(episode: Episode, atMs: number, emit: Emit): void {
    const report = this.#reportNow(episode, atMs);
    if (episode.isReported) {
      this.#told.revise(this.#moveOf(report, report.current.value));
    } else if (this.#isNews(report, atMs)) {
      episode.isReported = true;
      episode.report = report;
      this.#announce(report, [], emit);
    }
  }

  /** A drift's report over all blocks since it counted as sustained. */
  #reportNow({ report, feature, whole }: Episode, atMs: number): DriftReport {
    const measured = this.baseline.measured[feature]!;
    const { n, value, expected } = whole;
    return {
      ...report,
      baseline: { ...report.baseline, value: expected },
      current: { n, value, ci95: confidence(measured, value, measured.variance, n) },
      effect: effectOf(measured, report.direction, value, expected, this.#expected()[feature]!),
      sustained_at: atMs,
    };
  }

  /** Looks for a change beyond the drift that is on. Once that is confirmed, and news, it takes the drift's place. */
  #escalate(escalation: Escalation, span: ChunkSpan, emit: Emit): void {
    const { confirmation, evidence } = escalation;
    if (confirmation === null) {
      const first = this.observations - CHUNK;
      const value = evidence.advance(CHUNK, this.#bets.weights, judgement.factors, first, span.firstMs);
      if (value >= this.alarmAt) escalation.confirmation = this.#confirmationOf(evidence, span.lastMs);
      return;
    }
    const verdict = this.#verdictOf(confirmation, span);
    if (verdict === 'undecided') return;
    escalation.restart();
    if (verdict === 'cleared') return;
    const report = this.#reportOf(confirmation, span.lastMs);
    if (this.#isNews(report, span.lastMs)) this.#begin(confirmation, report, true, emit);
  }

  #recover(episode: Episode, atMs: number, emit: Emit): void {
    const { back, feature, report } = episode;
    const measured = this.baseline.measured[feature]!;
    const bounds = this.#expected()[feature]!;
    this.#backToWatching();
    if (!episode.isReported) return;
    const recovered: DriftReport = {
      ...report,
      current: { n: back.n, value: back.value, ci95: confidence(measured, back.value, measured.variance, back.n) },
      effect: effectOf(measured, report.direction, back.value, back.expected, bounds),
      recovered_at: atMs,
    };
    emit({ kind: 'recovered', atMs, observation: this.observations, report: recovered });
  }

  #backToWatching(): void {
    this.#confirmation = null;
    this.episode = null;
    this.#escalation = null;
    this.#evidence.reset();
    this.state = 'watching';
    this.#bets = this.#placeBets();
  }

  /** Once two periods are known, hours are told apart; what was suspected before is judged anew. */
  #startSeason(season: Season, atMs: number, emit: Emit): void {
    if (atMs - season.startMs < PERIODS_TO_KNOW * season.periodMs) return;
    const { state, observations } = this;
    const report = this.episode?.isReported ? this.episode.report : null;
    season.enter(season.slotOf(atMs), atMs, true);
    season.isActive = true;
    if (state === 'watching') this.#growth?.admitWaiting();
    const admitted = this.#growth?.takeAdmitted(0);
    if (admitted) this.baseline.add(admitted);
    this.#growth?.dropWaiting();
    this.baseline.forgetDependence();
    this.#backToWatching();
    if (state === 'suspect') emit({ kind: 'cleared', atMs, observation: observations });
    if (report) emit({ kind: 'recovered', atMs, observation: observations, report: { ...report, recovered_at: atMs } });
    emit({ kind: 'baselined', atMs, baseline: this.baselineReport() });
  }

  /** Bets as the baseline, the slot and the state want them; to be placed anew when one of these changes. */
  #placeBets(): Bets {
    const season = this.#season;
    const expected = this.#expected();
    const unchanged = this.#escalation?.widen(expected) ?? expected;
    return new Bets(this.baseline.measured, unchanged, season?.isActive ? season.stretch : 1);
  }

  /** What counts as unchanged now: while watching without tolerance, once suspicious with it. */
  #expected(): readonly Expected[] {
    const { measured } = this.baseline;
    const { kind, tolerance } = this.#settings;
    if (this.isProvisional) return expectedBeforeSeason(measured, kind);
    const overall = expectedOf(measured, kind, this.state === 'watching' ? 0 : tolerance);
    return this.#season ? this.#season.expected(overall, measured) : overall;
  }

  #digest(): string {
    return this.baseline.digest(this.#season?.isActive ? this.#season.canonical() : []);
  }
}
