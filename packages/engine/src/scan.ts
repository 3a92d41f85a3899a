// Runs a policy's detectors over the texts of an inference, within its time, and notes what could not be read.

import type { DetectorRun } from './answer.ts';
import { actionFor, isWanted, type CompiledPolicy, type PolicyDetector } from './policy/compile.ts';
import { locate, type View } from './text/view.ts';
import { viewsOf } from './text/views.ts';
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
  readonly hits: Hit[];
  /** The first per detector and direction. */
  readonly failures: Failure[];
  readonly runs: DetectorRun[];
  /** UTF-16 units of the texts that all detectors concerned have read. */
  readonly charsScanned: number;
}

/** Milliseconds, from any start, never going back. */
export type Clock = () => number;

const NO_HITS: AnchorHits = { rules: [], ends: [] };

/** Reads `parts`. Detectors run one after another, each over all texts, so the first ones finish when time runs out. */
export function scanParts(parts: readonly Part[], policy: CompiledPolicy, clock: Clock, deadlineAt: number): Scan {
  const scanner = new Scanner(parts, policy, clock, deadlineAt);
  scanner.prepareViews();
  let now = clock();
  for (const owner of policy.detectors) {
    const startedAt = now;
    const status = scanner.run(owner, startedAt);
    now = clock();
    const { id, version } = owner.detector;
    scanner.runs.push({ id, version, status, latency_ms: Math.round((now - startedAt) * 1_000) / 1_000 });
  }
  return scanner;
}

/** The scan of an inference that was given up as a whole: nothing read, `status` for all that should have. */
export function unreadScan(parts: readonly Part[], policy: CompiledPolicy, status: FailureStatus): Scan {
  const scanner = new Scanner(parts, policy, () => 0, 0);
  parts.forEach((_part, i) => (scanner.views[i] = status));
  for (const owner of policy.detectors) {
    const { id, version } = owner.detector;
    scanner.runs.push({ id, version, status: scanner.run(owner, 0), latency_ms: 0 });
  }
  return scanner;
}

class Scanner implements Scan, DetectContext {
  readonly hits: Hit[] = [];
  readonly failures: Failure[] = [];
  readonly runs: DetectorRun[] = [];
  readonly views: (readonly View[] | FailureStatus)[] = [];
  readonly parts: readonly Part[];
  readonly policy: CompiledPolicy;
  readonly clock: Clock;
  readonly deadlineAt: number;
  private readonly incomplete: boolean[];

  // What is being read; `report` is called by detectors, which know nothing of policies.
  part: Part;
  private order = 0;
  private view: View | null = null;
  private owner: PolicyDetector | null = null;
  private hasGivenUp = false;
  private isTruncated = false;

  constructor(parts: readonly Part[], policy: CompiledPolicy, clock: Clock, deadlineAt: number) {
    this.parts = parts;
    this.policy = policy;
    this.clock = clock;
    this.deadlineAt = deadlineAt;
    this.part = parts[0]!;
    this.incomplete = parts.map(() => false);
  }

  get charsScanned(): number {
    return this.parts.reduce((sum, { text }, i) => (this.incomplete[i] ? sum : sum + text.length), 0);
  }

  prepareViews(): void {
    for (let i = 0; i < this.parts.length; i++) this.views[i] = this.viewsAt(this.parts[i]!);
  }

  private viewsAt(part: Part): readonly View[] | FailureStatus {
    if (!this.policy.detectors.some(({ enabled, appliesTo }) => enabled && appliesTo[part.target])) return [];
    if (this.clock() >= this.deadlineAt) return 'timed_out';
    try {
      return viewsOf(part.text, this.policy.automaton);
    } catch {
      return 'error';
    }
  }

  /** Runs a detector over all texts it applies to. `startedAt`: the clock's last reading, so that the first text needs none. */
  run(owner: PolicyDetector, startedAt: number): DetectorRun['status'] {
    let status: DetectorRun['status'] = 'skipped';
    let now: number | null = startedAt;
    if (!owner.enabled) return status;
    if ('compare' in owner.detector) return this.compare(owner, owner.detector, startedAt);
    for (let i = 0; i < this.parts.length; i++) {
      if (!owner.appliesTo[this.parts[i]!.target]) continue;
      const result = this.read(owner, i, now ?? this.clock());
      now = null;
      if (result !== 'ok') this.fail(owner, i, result);
      // The worst of several texts: an error says more about a detector than a want of time.
      if (status === 'skipped' || result === 'error' || status === 'ok') status = result;
    }
    return status;
  }

  private compare(owner: PolicyDetector, detector: WholeDetector, now: number): DetectorRun['status'] {
    const isJudged = (part: Part): boolean => owner.appliesTo[part.target];
    if (!this.parts.some(isJudged)) return 'skipped';
    const status = this.comparison(owner, detector, isJudged, now);
    if (status !== 'ok') this.parts.forEach((part, i) => isJudged(part) && this.fail(owner, i, status));
    return status;
  }

  private comparison(
    owner: PolicyDetector,
    detector: WholeDetector,
    isJudged: CompareContext['isJudged'],
    now: number,
  ): 'ok' | FailureStatus {
    this.hasGivenUp = false;
    this.isTruncated = false;
    const unread = this.views.find((views) => typeof views === 'string');
    if (typeof unread === 'string') return unread;
    if (now >= this.deadlineAt) return 'timed_out';
    this.owner = owner;
    this.view = null;
    const report = (order: number, candidate: Candidate): void => {
      this.order = order;
      this.part = this.parts[order]!;
      this.report(candidate);
    };
    try {
      detector.compare(this.parts, { isJudged, report, expired: this.expired, truncated: this.truncated });
    } catch {
      return 'error';
    }
    return this.hasGivenUp || this.isTruncated ? 'timed_out' : 'ok';
  }

  private read(owner: PolicyDetector, order: number, now: number): 'ok' | FailureStatus {
    this.hasGivenUp = false;
    this.isTruncated = false;
    const views = this.views[order]!;
    if (typeof views === 'string') return views;
    this.part = this.parts[order]!;
    this.order = order;
    this.owner = owner;
    if (now >= this.deadlineAt) return 'timed_out';
    try {
      for (const view of views) this.detect(owner.detector, owner.slot, view);
    } catch {
      // What it threw may quote the text, so it is not kept; the status and the tests of the detector have to do.
      return 'error';
    }
    return this.hasGivenUp || this.isTruncated ? 'timed_out' : 'ok';
  }

  private detect(detector: AnyDetector, slot: number, view: View): void {
    if ('compare' in detector || !detector.reads.includes(view.kind)) return;
    this.view = view;
    detector.detect(view, view.survey.hits[slot] ?? NO_HITS, this);
  }

  private fail(owner: PolicyDetector, order: number, status: FailureStatus): void {
    this.incomplete[order] = true;
    const part = this.parts[order]!;
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
  readonly report = (reported: Candidate): void => {
    const owner = this.owner!;
    const candidate = withRoundedScore(reported);
    const action = actionFor(owner, candidate);
    if (action === 'ignore') return;
    if (candidate.start > candidate.end) throw new RangeError('span that ends before it starts');
    const { start, end } = this.view === null ? candidate : locate(this.view, candidate.start, candidate.end);
    // A span outside of the text would redact the wrong thing: the detector is broken, and counts as failed.
    if (!(start >= 0 && start <= end && end <= this.part.text.length)) throw new RangeError('span outside of the text');
    this.hits.push({ candidate, detector: owner.detector, part: this.part, order: this.order, start, end, action });
  };

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

/** Three decimals: sums of shares are written 0.7999999999999999, and thresholds must see what the answer says. */
function withRoundedScore(candidate: Candidate): Candidate {
  const score = Math.round(candidate.score * 1_000) / 1_000;
  return score === candidate.score ? candidate : { ...candidate, score };
}
