// Runs a policy's detectors over the texts of an inference, within its time, and notes what could not be read.

import type { DetectorRun } from './answer.ts';
import { actionFor, isWanted, type CompiledPolicy, type PolicyDetector } from './policy/compile.ts';
import { LOOKAHEAD, ownedFrom, placeAfter, restAt, sliceAt, START, type Slice } from './slices.ts';
import { locate, type View } from './text/view.ts';
import { settledEnd, viewsOf } from './text/views.ts';
import type { Action, AnchorHits, AnyDetector, Candidate, CompareContext, DetectContext, Part, WholeDetector } from './types.ts';

/** A candidate that the policy does not ignore, placed in its text. Offsets are UTF-16 units, end exclusive. */
export interface Hit {
  readonly candidate: Candidate;
  readonly detector: { readonly id: string; readonly version: string };
  readonly part: Part;
  /** Index of the part. */
  readonly order: number;
  start: number;
  end: number;
  readonly action: Exclude<Action, 'ignore'>;
}

export type FailureStatus = 'error' | 'timed_out';

/** A text that a detector should have read and has not, or not to its end. */
export interface Failure {
  readonly owner: PolicyDetector;
  readonly part: Part;
  readonly order: number;
  readonly status: FailureStatus;
  /** True when the detector met a bound of its own: it has read the text, but for what lies beyond that bound. */
  readonly isTruncation: boolean;
}

/** What came of reading all texts. */
export interface Scan {
  readonly hits: readonly Hit[];
  /** The first per detector and direction. */
  readonly failures: readonly Failure[];
  readonly runs: DetectorRun[];
  /** UTF-16 units of the texts that all detectors concerned have read. */
  readonly charsScanned: number;
}

/** Milliseconds, from any start, never going back. */
export type Clock = () => number;

/** A text, or a slice of a long one, as it is read. */
interface Reading {
  /** With the text to read. */
  readonly part: Part;
  /** The text it is of, its index, and where it starts there. */
  readonly whole: Part;
  readonly order: number;
  readonly offset: number;
}

const NO_HITS: AnchorHits = { rules: [], ends: [] };

/**
 * Reads `parts`. Detectors run one after another, each over all texts, so the first ones finish when time runs out. A long text that a model
 * wrote is read in slices, the first with the other texts and the rest one by one.
 */
export function scanParts(parts: readonly Part[], policy: CompiledPolicy, clock: Clock, deadlineAt: number): Scan {
  const scanner = new Scanner(policy, clock, deadlineAt);
  const slices = parts.map(({ target, text }) => (target === 'output' ? sliceAt(START, text) : null));
  const readings = parts.map((part, order) => readingOf(part, order, slices[order]!));
  const { hits: first, settledTo } = scanner.read(readings, parts);
  const hits = [...scanner.compared, ...first.filter(({ order }) => slices[order] === null)];
  slices.forEach((slice, order) => {
    if (slice !== null) {
      const found = { hits: first.filter((hit) => hit.order === order), settledTo: settledTo(order) };
      hits.push(...readOn(parts[order]!.text, found, (next) => scanner.readOne(readingOf(parts[order]!, order, next))));
    }
  });
  const charsScanned = parts.reduce((sum, { text }, order) => (scanner.unread.has(order) ? sum : sum + text.length), 0);
  return { hits, failures: scanner.failures, runs: scanner.runs, charsScanned };
}

/** Reads the rest of a text, `found` being what its first slice held. Answers what the slices own. */
function readOn(text: string, found: SliceScan, read: (slice: Slice) => SliceScan): Hit[] {
  const owned: Hit[] = [];
  let place = START;
  for (let inSlice = found; ;) {
    const { from } = place;
    place = placeAfter(place, inSlice);
    owned.push(...ownedFrom(from, inSlice.hits).filter(({ start }) => start < place.from));
    const slice = sliceAt(place, text);
    inSlice = read(slice ?? restAt(place, text));
    if (slice === null) return [...owned, ...ownedFrom(place.from, inSlice.hits)];
  }
}

/** Reads a slice of a text, with the detectors that read windows. Offsets are those of the text. */
export function scanSlice(
  part: Part,
  slice: Slice,
  policy: CompiledPolicy,
  clock: Clock,
  deadlineAt: number,
): SliceScan & Pick<Scan, 'failures'> {
  const scanner = new Scanner(policy, clock, deadlineAt);
  return { ...scanner.readOne(readingOf(part, 0, slice)), failures: scanner.failures };
}

/** What came of reading a slice. */
export interface SliceScan {
  readonly hits: readonly Hit[];
  /** Up to where that is settled, whatever follows on the slice. */
  readonly settledTo: number;
}

/** The scan of an inference that was given up as a whole: nothing read, `status` for all that should have. */
export function unreadScan(parts: readonly Part[], policy: CompiledPolicy, status: FailureStatus): Scan {
  const scanner = new Scanner(policy, () => 0, 0);
  scanner.giveUp(parts, status);
  const charsScanned = parts.reduce((sum, { text }, order) => (scanner.unread.has(order) ? sum : sum + text.length), 0);
  return { hits: [], failures: scanner.failures, runs: scanner.runs, charsScanned };
}

function readingOf(part: Part, order: number, slice: Slice | null): Reading {
  if (slice === null) return { part, whole: part, order, offset: 0 };
  return { part: { ...part, text: part.text.slice(slice.start, slice.end) }, whole: part, order, offset: slice.start };
}

class Scanner implements DetectContext {
  /** What detectors that compare texts have found. */
  readonly compared: Hit[] = [];
  readonly failures: Failure[] = [];
  readonly runs: DetectorRun[] = [];
  /** Indices of the texts that some detector has not read to the end. */
  readonly unread = new Set<number>();
  private readonly policy: CompiledPolicy;
  private readonly clock: Clock;
  private readonly deadlineAt: number;

  private readings: readonly Reading[] = [];
  private views: (readonly View[] | FailureStatus)[] = [];
  private hits: Hit[] = [];

  // What is being read; `report` is called by detectors, which know nothing of policies.
  private reading: Reading = NOTHING;
  private view: View | null = null;
  private owner: PolicyDetector | null = null;
  private hasGivenUp = false;
  private isTruncated = false;

  constructor(policy: CompiledPolicy, clock: Clock, deadlineAt: number) {
    this.policy = policy;
    this.clock = clock;
    this.deadlineAt = deadlineAt;
  }

  get part(): Part {
    return this.reading.part;
  }

  /** Runs the detectors that read windows, and with `compared` those that compare these texts too. Answers what was read out of `readings`. */
  read(
    readings: readonly Reading[],
    compared: readonly Part[] | null = null,
  ): { hits: readonly Hit[]; settledTo: (index: number) => number } {
    this.readings = readings;
    this.views = readings.map(({ part }) => this.viewsOf(part));
    const { views } = this;
    const settledTo = (index: number): number => {
      const read = views[index]!;
      return typeof read === 'string' ? Infinity : readings[index]!.offset + settledEnd(read, LOOKAHEAD);
    };
    return { hits: this.runAll(compared), settledTo };
  }

  readOne(reading: Reading): SliceScan {
    const { hits, settledTo } = this.read([reading]);
    return { hits, settledTo: settledTo(0) };
  }

  giveUp(parts: readonly Part[], status: FailureStatus): void {
    for (const owner of this.policy.detectors) {
      const { id, version } = owner.detector;
      const isDue = owner.enabled && parts.some(({ target }) => owner.appliesTo[target]);
      this.runs.push({ id, version, status: isDue ? status : 'skipped', latency_ms: 0 });
      if (isDue) parts.forEach((part, order) => owner.appliesTo[part.target] && this.fail(owner, part, order, status));
    }
  }

  private runAll(compared: readonly Part[] | null): readonly Hit[] {
    this.hits = [];
    const isFirst = this.runs.length === 0;
    let now = this.clock();
    this.policy.detectors.forEach((owner, index) => {
      const startedAt = now;
      const status = this.run(owner, compared, startedAt);
      now = this.clock();
      const latency_ms = Math.round((now - startedAt) * 1_000) / 1_000;
      const { id, version } = owner.detector;
      if (isFirst) this.runs.push({ id, version, status, latency_ms });
      else this.runs[index] = bothRuns(this.runs[index]!, { status, latency_ms });
    });
    return this.hits;
  }

  private viewsOf(part: Part): readonly View[] | FailureStatus {
    if (!this.policy.detectors.some(({ enabled, appliesTo }) => enabled && appliesTo[part.target])) return [];
    if (this.clock() >= this.deadlineAt) return 'timed_out';
    try {
      return viewsOf(part.text, this.policy.automaton);
    } catch {
      return 'error';
    }
  }

  /** Runs a detector over all texts it applies to. `startedAt`: the clock's last reading, so that the first text needs none. */
  private run(owner: PolicyDetector, compared: readonly Part[] | null, startedAt: number): DetectorRun['status'] {
    let status: DetectorRun['status'] = 'skipped';
    let now: number | null = startedAt;
    if (!owner.enabled) return status;
    if ('compare' in owner.detector) return compared === null ? status : this.compare(owner, owner.detector, compared, startedAt);
    for (let i = 0; i < this.readings.length; i++) {
      const { whole, order } = this.readings[i]!;
      if (!owner.appliesTo[whole.target]) continue;
      const result = this.detectIn(owner, i, now ?? this.clock());
      now = null;
      if (result !== 'ok') this.fail(owner, whole, order, result);
      // The worst of several texts: an error says more about a detector than a want of time.
      if (status === 'skipped' || result === 'error' || status === 'ok') status = result;
    }
    return status;
  }

  private compare(owner: PolicyDetector, detector: WholeDetector, parts: readonly Part[], now: number): DetectorRun['status'] {
    const isJudged = (part: Part): boolean => owner.appliesTo[part.target];
    if (!parts.some(isJudged)) return 'skipped';
    const status = this.comparison(owner, detector, parts, isJudged, now);
    if (status !== 'ok') parts.forEach((part, order) => isJudged(part) && this.fail(owner, part, order, status));
    return status;
  }

  private comparison(
    owner: PolicyDetector,
    detector: WholeDetector,
    parts: readonly Part[],
    isJudged: CompareContext['isJudged'],
    now: number,
  ): 'ok' | FailureStatus {
    this.begin(owner);
    const unread = this.views.find((views) => typeof views === 'string');
    if (typeof unread === 'string') return unread;
    if (now >= this.deadlineAt) return 'timed_out';
    const report = (order: number, candidate: Candidate): void => {
      const whole = parts[order]!;
      this.add({ part: whole, whole, order, offset: 0 }, null, candidate, this.compared);
    };
    try {
      detector.compare(parts, { isJudged, report, expired: this.expired, truncated: this.truncated });
    } catch {
      return 'error';
    }
    return this.hasGivenUp || this.isTruncated ? 'timed_out' : 'ok';
  }

  private detectIn(owner: PolicyDetector, index: number, now: number): 'ok' | FailureStatus {
    this.begin(owner);
    const views = this.views[index]!;
    if (typeof views === 'string') return views;
    if (now >= this.deadlineAt) return 'timed_out';
    this.reading = this.readings[index]!;
    try {
      for (const view of views) this.detect(owner.detector, owner.slot, view);
    } catch {
      // What it threw may quote the text, so it is not kept; the status and the tests of the detector have to do.
      return 'error';
    }
    return this.hasGivenUp || this.isTruncated ? 'timed_out' : 'ok';
  }

  private begin(owner: PolicyDetector): void {
    this.owner = owner;
    this.hasGivenUp = false;
    this.isTruncated = false;
  }

  private detect(detector: AnyDetector, slot: number, view: View): void {
    if ('compare' in detector || !detector.reads.includes(view.kind)) return;
    this.view = view;
    detector.detect(view, view.survey.hits[slot] ?? NO_HITS, this);
  }

  private fail(owner: PolicyDetector, part: Part, order: number, status: FailureStatus): void {
    this.unread.add(order);
    const isKnown = this.failures.some(
      (known) => known.owner === owner && (known.part.target === 'output') === (part.target === 'output'),
    );
    const isTruncation = status === 'timed_out' && this.isTruncated && !this.hasGivenUp;
    if (!isKnown) this.failures.push({ owner, part, order, status, isTruncation });
  }

  get flagAt(): number {
    return this.owner?.flagAt ?? 0;
  }

  // Functions of their own, not methods, because detectors may take them out of the context.
  readonly report = (candidate: Candidate): void => this.add(this.reading, this.view, candidate, this.hits);

  private add({ part, whole, order, offset }: Reading, view: View | null, reported: Candidate, hits: Hit[]): void {
    const owner = this.owner!;
    const candidate = withRoundedScore(reported);
    const action = actionFor(owner, candidate);
    if (action === 'ignore') return;
    if (candidate.start > candidate.end) throw new RangeError('span that ends before it starts');
    const { start, end } = view === null ? candidate : locate(view, candidate.start, candidate.end);
    // What stands between two pieces of a decoded view stands nowhere in the text.
    if (start === end && candidate.start < candidate.end) return;
    // A span outside of the text would redact the wrong thing: the detector is broken, and counts as failed.
    if (!(start >= 0 && start <= end && end <= part.text.length)) throw new RangeError('span outside of the text');
    const from = start - halfAt(part.text, start);
    const to = end + (start === end ? 0 : halfAt(part.text, end));
    hits.push({ candidate, detector: owner.detector, part: whole, order, start: from + offset, end: to + offset, action });
  }

  readonly isWanted = (type: string): boolean => isWanted(this.owner!, type);

  readonly expired = (): boolean => {
    if (this.clock() < this.deadlineAt) return false;
    this.hasGivenUp = true;
    return true;
  };

  readonly truncated = (): void => {
    this.isTruncated = true;
  };
}

const NO_PART: Part = { pointer: '', text: '', target: 'input', role: null };
const NOTHING: Reading = { part: NO_PART, whole: NO_PART, order: 0, offset: 0 };

/** 1 inside of a character of two units, which no finding may cut; else 0. */
function halfAt(text: string, at: number): 0 | 1 {
  return isSurrogate(text.charCodeAt(at - 1), 0xd800) && isSurrogate(text.charCodeAt(at), 0xdc00) ? 1 : 0;
}

function isSurrogate(code: number, first: number): boolean {
  return code >= first && code < first + 0x400;
}

const STATUSES = ['skipped', 'ok', 'timed_out', 'error'] as const;

/** What came of a detector in two slices. */
function bothRuns(before: DetectorRun, { status, latency_ms }: Pick<DetectorRun, 'status' | 'latency_ms'>): DetectorRun {
  const worse = STATUSES.indexOf(status) > STATUSES.indexOf(before.status) ? status : before.status;
  return { ...before, status: worse, latency_ms: Math.round((before.latency_ms + latency_ms) * 1_000) / 1_000 };
}

/** Three decimals: sums of shares are written 0.7999999999999999, and thresholds must see what the answer says. */
function withRoundedScore(candidate: Candidate): Candidate {
  const score = Math.round(candidate.score * 1_000) / 1_000;
  return score === candidate.score ? candidate : { ...candidate, score };
}
