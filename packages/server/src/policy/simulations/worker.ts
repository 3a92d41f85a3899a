// Works on simulations, a turn at a time, beside the requests. Any node may take the next turn: what a turn came to is kept at its end.

import {
  compilePolicy,
  effectiveDeadlineMs,
  openQuestion,
  reconsider,
  withJudgements,
  type CompiledPolicy,
  type Evaluation,
  type Inference,
  type KeptAssessment,
  type OpenQuestion,
  type Outcome,
} from '@svc/engine';
import { findKept, findSealedText, openText } from '../../assessments/texts.ts';
import { newUuid } from '../../ids.ts';
import type { Services } from '../../services.ts';
import { isConnectionFault } from '../../storage/database.ts';
import { compareDecisions } from '../difference.ts';
import { findPolicyByVersion } from '../store.ts';
import type { TrialThread } from '../trial-thread.ts';
import { addSimulated, type Simulated } from './progress.ts';
import { itemPurpose } from './service.ts';
import {
  claimSimulation,
  countSample,
  failTurn,
  findSimulatedItems,
  findSimulatedPolicy,
  finishTurn,
  pageOfTests,
  pageOfTrail,
  type ClaimedSimulation,
  type Page,
  type Sample,
  type StoredAssessment,
} from './store.ts';

type Parts = Pick<Services, 'db' | 'vault' | 'clock' | 'log'>;

type Kept = KeptAssessment & {
  readonly outcome: Outcome;
  readonly policy: { readonly version: number; readonly digest: string };
};

// After it the next simulation has its turn, and what was found is kept.
const TURN_MS = 500;
// As long as requests have to wait for this thread, and how long it is left to them after that: a quarter of it at most.
const SLICE_MS = 4;
const PAUSE_MS = 12;
const POLL_MS = 1_000;
// Nobody waits for it, and time must not decide what a policy would decide.
const DEADLINE_MS = 10_000;
const ATTEMPTS_MAX = 5;
const RETRY_SECONDS = 5;
// Each may be a body long.
const ITEMS_AT_ONCE = 10;
/** Candidates, and versions by which what is looked at was decided. Some are megabytes. */
const POLICIES_MAX = 16;

export class SimulationWorker {
  readonly #parts: Parts;
  readonly #trials: TrialThread;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #isClosed = false;
  readonly #pace = new Pace();
  readonly #policies = new CompiledPolicies();

  constructor(parts: Parts, trials: TrialThread) {
    this.#parts = parts;
    this.#trials = trials;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref();
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** The turn under way ends early, and what it came to is kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      try {
        if (await this.#takeTurn()) this.#isWoken = true;
      } catch (err) {
        this.#parts.log.warn({ err }, 'simulations wait for the database');
      }
    }
  }

  /** False when there was nothing to do. */
  async #takeTurn(): Promise<boolean> {
    const { db } = this.#parts;
    const claim = newUuid();
    const claimed = await claimSimulation(db, claim);
    if (claimed === null) return false;
    try {
      // Whoever worked on it did not come back, again and again: it may be the simulation that ends them.
      if (claimed.attempts > ATTEMPTS_MAX) throw new Error('turns of the simulation end without a word');
      await finishTurn(db, claimed, claim, await this.#work(claimed));
    } catch (err) {
      await this.#fail(claimed, claim, err);
    }
    return true;
  }

  async #fail(claimed: ClaimedSimulation, claim: Buffer, err: unknown): Promise<void> {
    // Whatever it was that failed, it is tried again on another node or later, a few times.
    const isOver = claimed.attempts >= ATTEMPTS_MAX && !isConnectionFault(err);
    this.#parts.log.warn({ err, attempts: claimed.attempts }, 'a turn of a simulation failed');
    const reason = 'It could not be worked on; the log of the service says why.';
    await failTurn(this.#parts.db, claimed, claim, RETRY_SECONDS, isOver ? reason : null);
  }

  async #work(claimed: ClaimedSimulation) {
    const { orgId, id, digest } = claimed;
    const candidate = await this.#policies.get(digest, () => findSimulatedPolicy(this.#parts.db, orgId, id), 0);
    if (candidate === null) throw new Error('the candidate does not compile');
    const turn = new Turn(this.#parts, this.#trials, this.#pace, this.#policies, claimed, candidate);
    const endsAt = performance.now() + TURN_MS;
    const goOn = async () => {
      await this.#pace.rest();
      return performance.now() < endsAt && !this.#isClosed;
    };
    return claimed.sample === null ? turn.workOnItems(goOn) : turn.workOnSample(claimed.sample, goOn);
  }
}

/** Keeps work on this thread to its share. Time in which something is waited for is others' time already. */
class Pace {
  #busyMs = 0;

  /** Does what takes the thread. */
  spend<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#busyMs += performance.now() - startedAt;
    }
  }

  async rest(): Promise<void> {
    if (this.#busyMs < SLICE_MS) return;
    this.#busyMs = 0;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Policies that were compiled last: compiling one may take as long as many assessments. */
class CompiledPolicies {
  readonly #known = new Map<string, CompiledPolicy | null>();

  /** The policy, compiled; `null` where there is none or today's lint refuses it. */
  async get(
    key: string,
    read: () => Promise<CompiledPolicy['document'] | null>,
    version: number,
  ): Promise<CompiledPolicy | null> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const document = await read();
    const policy = document === null ? null : compiledOrNull(document, version);
    if (this.#known.size >= POLICIES_MAX) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, policy);
    return policy;
  }
}

/** Asked after each assessment: false when the turn is over. */
type GoOn = () => Promise<boolean>;

class Turn {
  readonly #parts: Parts;
  readonly #trials: TrialThread;
  readonly #pace: Pace;
  readonly #claimed: ClaimedSimulation;
  readonly #candidate: CompiledPolicy;
  readonly #policies: CompiledPolicies;
  #done: number;

  constructor(
    parts: Parts,
    trials: TrialThread,
    pace: Pace,
    policies: CompiledPolicies,
    claimed: ClaimedSimulation,
    candidate: CompiledPolicy,
  ) {
    this.#parts = parts;
    this.#trials = trials;
    this.#pace = pace;
    this.#policies = policies;
    this.#claimed = claimed;
    this.#candidate = candidate;
    this.#done = claimed.done;
  }

  async workOnItems(goOn: GoOn) {
    const { orgId, id, result, liveVersion, total } = this.#claimed;
    const live = await this.#policyOf(liveVersion);
    if (live === null) throw new Error('the policy in force does not compile');
    for (;;) {
      const from = this.#done;
      const sealed = await findSimulatedItems(this.#parts.db, this.#claimed, from, ITEMS_AT_ONCE);
      for (const [i, one] of sealed.entries()) {
        const item = this.#pace.spend(
          () => JSON.parse(this.#parts.vault.open(itemPurpose(orgId, id, from + i), one)) as Inference,
        );
        addSimulated(result, await this.#simulateItem(item, live, `/items/${from + i}`));
        this.#done++;
        if (this.#done === total) return this.#end(total, null, true);
        if (!(await goOn())) return this.#end(total, null, false);
      }
    }
  }

  async workOnSample(sample: Sample, goOn: GoOn) {
    const total = this.#claimed.total ?? (await this.#count(sample));
    let { cursor } = this.#claimed;
    for (;;) {
      const page = await this.#pageOf(sample, cursor);
      const texts = await this.#keptOf(page);
      for (const stored of page.assessments) {
        addSimulated(this.#claimed.result, await this.#simulateStored(stored, texts.has(stored.uuid.toString('hex'))));
        this.#done++;
        cursor = stored.cursor;
        if (stored !== page.assessments.at(-1) && !(await goOn())) return this.#end(total, cursor, false);
      }
      cursor = page.next;
      // What was counted may have been recorded, or deleted, meanwhile.
      if (cursor === null || this.#done >= sample.limit) return this.#end(this.#done, cursor, true);
      if (!(await goOn())) return this.#end(total, cursor, false);
    }
  }

  #end(total: number | null, cursor: string | null, isOver: boolean) {
    return { total, done: this.#done, cursor, result: this.#claimed.result, isOver };
  }

  /** `null` where counting takes too long. */
  async #count(sample: Sample): Promise<number | null> {
    const { orgId, mode } = this.#claimed;
    return countSample(this.#parts.db.reader, orgId, mode, sample).catch(() => null);
  }

  #pageOf(sample: Sample, cursor: string | null): Promise<Page> {
    const { orgId, mode } = this.#claimed;
    const read = mode === 'live' ? pageOfTrail : pageOfTests;
    return read(this.#parts.db.reader, orgId, sample, cursor, sample.limit - this.#done);
  }

  /** Those whose texts are kept, in hex. */
  async #keptOf({ assessments }: Page): Promise<ReadonlySet<string>> {
    const { orgId, mode } = this.#claimed;
    if (mode === 'test' || assessments.length === 0) return new Set();
    const ids = assessments.map(({ uuid }) => uuid);
    return findKept(this.#parts.db.reader, orgId, ids);
  }

  /**
   * What was decided then beside what the candidate would decide. Where time ran out, the same policy is not decided anew from the text, with
   * time at its leisure: it would differ from itself.
   */
  async #simulateStored({ uuid, id, data }: StoredAssessment, isTextKept: boolean): Promise<Simulated> {
    const kept = this.#pace.spend(() => JSON.parse(data) as Kept);
    // An exception that has expired since was in force then: that it is over is no change that the candidate makes.
    const nowMs = Date.parse(kept.created_at);
    const then = await this.#policyOf(kept.policy.version);
    const isText = isTextKept && !(hasTimedOut(kept) && kept.policy.digest === this.#candidate.digest);
    const sealed = isText ? await findSealedText(this.#parts.db.reader, this.#claimed.orgId, uuid) : null;
    if (sealed !== null) {
      const text = this.#pace.spend(() => openText(this.#parts.vault, this.#claimed.orgId, uuid, sealed));
      const after = await this.#assess(text, this.#candidate, nowMs);
      const isLate = hasTimedOut(kept) || hasTimedOut(after) || isShorter(text, this.#candidate, then);
      const open = openWithText(this.#candidate.judges.length > 0, isLate);
      return { id, outcome: after.outcome, comparison: compareDecisions(kept, after), from: 'texts', open };
    }
    return this.#pace.spend(() => {
      const after = reconsider(kept, then, this.#candidate, nowMs);
      return { id, outcome: after.outcome, comparison: compareDecisions(kept, after), from: 'findings', open: after.open };
    });
  }

  /** What the policy in force decides beside what the candidate would decide. */
  async #simulateItem(item: Inference, live: CompiledPolicy, id: string): Promise<Simulated> {
    const nowMs = this.#parts.clock();
    const before = await this.#assess(item, live, nowMs);
    const after = live.digest === this.#candidate.digest ? before : await this.#assess(item, this.#candidate, nowMs);
    const isLate = hasTimedOut(before) || hasTimedOut(after) || isShorter(item, this.#candidate, live);
    const open = openWithText(live.judges.length + this.#candidate.judges.length > 0, isLate);
    return { id, outcome: after.outcome, comparison: compareDecisions(before, after), from: 'texts', open };
  }

  async #assess(inference: Inference, policy: CompiledPolicy, nowMs: number): Promise<Evaluation> {
    const evaluation = await this.#trials.assess(inference, policy, DEADLINE_MS, nowMs);
    return withJudgements(evaluation, inference, policy, [], { clock: () => performance.now(), nowMs });
  }

  /** A version, compiled; `null` where today's lint refuses it. */
  #policyOf(version: number): Promise<CompiledPolicy | null> {
    const { orgId } = this.#claimed;
    const read = async () => (await findPolicyByVersion(this.#parts.db.reader, orgId, version))?.document ?? null;
    return this.#policies.get(`${orgId.toString('hex')} ${version}`, read, version);
  }
}

/** Whether a detector or judge ran out of time. Rules have no deadline: what they call so is that they are not given all there is. */
function hasTimedOut({ coverage }: Pick<KeptAssessment, 'coverage'>): boolean {
  return coverage.detectors.some(({ id, status }) => id !== 'rules' && status === 'timed_out');
}

/** True where the candidate gives an inference less time than the policy that decided then. */
function isShorter(inference: Inference, candidate: CompiledPolicy, then: CompiledPolicy | null): boolean {
  return then !== null && effectiveDeadlineMs(inference, candidate) < effectiveDeadlineMs(inference, then);
}

function openWithText(isJudged: boolean, isLate: boolean): OpenQuestion[] {
  return [...(isJudged ? [openQuestion('judge_added')] : []), ...(isLate ? [openQuestion('deadline')] : [])];
}

function compiledOrNull(document: CompiledPolicy['document'], version: number): CompiledPolicy | null {
  try {
    return compilePolicy(document, version);
  } catch {
    return null;
  }
}
