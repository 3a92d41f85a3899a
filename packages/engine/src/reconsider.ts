// What another policy would have made of an inference, from the assessment that was kept of it, without its text; and what cannot be known so.

import { decided, enforcementFrom } from './added.ts';
import type { Coverage, Evaluation, Finding } from './answer.ts';
import type { Inference } from './inference.ts';
import { actionFor, type CompiledPolicy, type PolicyDetector } from './policy/compile.ts';
import { exceptionFor, type Excusable } from './policy/exceptions.ts';
import { judgedAction } from './policy/judges.ts';
import {
  keyOf,
  openQuestion,
  planFor,
  STRENGTH,
  type DetectorPlan,
  type OpenException,
  type OpenQuestion,
  type Plan,
  type Question,
} from './reconsider-plan.ts';
import { withRules } from './ruled.ts';
import { severityRank } from './taxonomy.ts';
import type { Action, Outcome, Severity, Target } from './types.ts';

/** What is kept of an assessment. */
export interface KeptAssessment {
  readonly created_at: string;
  readonly findings: readonly Finding[];
  readonly findings_total: number;
  readonly coverage: Coverage;
  readonly model: { readonly provider: string | null; readonly name: string | null; readonly version: string | null } | null;
  readonly subject: { readonly user: string | null; readonly session: string | null; readonly agent: string | null } | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What is known. With open questions outcome and action are what the kept findings alone come to. */
export interface Reconsidered {
  readonly outcome: Outcome;
  /** What would be done, or in monitor mode would have been: the strongest of the findings' actions. */
  readonly action: 'none' | 'redact' | 'block';
  /** Those that the policy would have, in the order they were kept. */
  readonly findings: readonly Finding[];
  /** Empty: outcome and action are certain. Each question once. */
  readonly open: readonly OpenQuestion[];
}

/**
 * Decides about a kept assessment by `candidate`. `then`: the policy that decided it, `null` when it cannot be compiled any more. `nowMs`: Unix
 * milliseconds as of which the candidate's exceptions have expired or have not. Pure; some 50 µs.
 */
export function reconsider(
  kept: KeptAssessment,
  then: CompiledPolicy | null,
  candidate: CompiledPolicy,
  nowMs: number,
): Reconsidered {
  return new Reconsideration(kept, planFor(then ?? candidate, candidate), then === null, nowMs).decide();
}

/** A finding as the candidate sees it. */
interface Seen {
  readonly finding: Finding;
  readonly action: Exclude<Action, 'ignore'>;
  /** Whether an open question concerns this very finding. */
  readonly isCertain: boolean;
  readonly exceptionId: string | null;
}

class Reconsideration {
  private readonly kept: KeptAssessment;
  private readonly plan: Plan;
  private readonly isThenUnknown: boolean;
  private readonly nowMs: number;
  private readonly active: readonly OpenException[];
  private readonly questions = new Set<Question>();

  constructor(kept: KeptAssessment, plan: Plan, isThenUnknown: boolean, nowMs: number) {
    this.kept = kept;
    this.plan = plan;
    this.isThenUnknown = isThenUnknown;
    this.nowMs = nowMs;
    this.active = plan.exceptions.filter(({ expiresAtMs }) => nowMs < expiresAtMs);
    if (isThenUnknown) this.questions.add('policy_unreadable');
  }

  decide(): Reconsidered {
    const { kept, plan } = this;
    const isEnforced = plan.candidate.mode === 'enforce';
    for (const question of plan.questions) this.questions.add(question);
    for (const detector of plan.detectors) this.askAbout(detector);
    this.askAboutFailures();
    if (kept.coverage.detectors.some(({ id }) => this.hasTimedOut(id) && this.isStillRun(id))) this.questions.add('deadline');
    if (kept.findings_total > kept.findings.length) this.questions.add('findings_cut');
    const seen = kept.findings.flatMap((finding) => this.see(finding) ?? []);
    const counting = seen.filter(({ exceptionId }) => exceptionId === null);
    const evaluation = this.ruled(seen, counting, isEnforced);
    const { action, would } = evaluation.enforcement;
    // Nothing that is not known takes away what is certain, and no more than to block can come of it.
    const isBlocked = !this.isThenUnknown && counting.some((one) => one.isCertain && one.action === 'block');
    return {
      outcome: evaluation.outcome,
      action: would ?? action,
      findings: evaluation.findings,
      open: [...this.questions].filter((question) => !isBlocked || this.isOpenWhenBlocked(question)).map(openQuestion),
    };
  }

  private isOpenWhenBlocked(question: Question): boolean {
    return question === 'deadline' && this.plan.isDeadlineShorter;
  }

  /** What is not known of a detector because it was set otherwise, or is another. */
  private askAbout({
    id,
    version,
    isAdded,
    areTextsAdded,
    isThresholdLowered,
    isTypeUnignored,
    isSetOtherwise,
  }: DetectorPlan): void {
    const run = this.kept.coverage.detectors.find((one) => one.id === id);
    if (isAdded || run === undefined) {
      this.questions.add('detector_added');
      return;
    }
    if (areTextsAdded) this.questions.add('texts_added');
    // There was nothing for it to read.
    if (run.status === 'skipped') return;
    if (run.version !== version) this.questions.add('detector_version_changed');
    if (isThresholdLowered) this.questions.add('threshold_lowered');
    if (isTypeUnignored) this.questions.add('type_unignored');
    if (isSetOtherwise) this.questions.add('setting_changed');
  }

  /** A failure that came to no finding then may come to one now, if it was on a text of that direction. */
  private askAboutFailures(): void {
    const { former, candidate } = this.plan;
    const isLost = (['input', 'output'] as const).some(
      (direction) => former.onError[direction] === 'allow' && candidate.onError[direction] !== 'allow',
    );
    if (!isLost) return;
    const failed = this.kept.coverage.detectors.filter(({ status }) => status === 'error' || status === 'timed_out');
    if (failed.some(({ id }) => id !== 'rules' && this.isStillRun(id))) this.questions.add('failure_unplaced');
  }

  /** Rules have no deadline: what they call so is that they are not given all there is. */
  private hasTimedOut(id: string): boolean {
    return id !== 'rules' && this.kept.coverage.detectors.some((run) => run.id === id && run.status === 'timed_out');
  }

  private isStillRun(id: string): boolean {
    const { candidate } = this.plan;
    if (id.startsWith(JUDGE)) return candidate.judges.some(({ judgeId }) => JUDGE + judgeId === id);
    return candidate.detectors.some(({ detector, enabled }) => enabled && detector.id === id);
  }

  private see(finding: Finding): Seen | null {
    const { id } = finding.detector;
    // Rules are decided anew.
    if (id === 'rules') return null;
    if (finding.category === 'system.coverage') return this.seeFailure(finding);
    if (id.startsWith(JUDGE)) return this.seeOpinion(finding);
    const owner = this.plan.candidate.detectors.find(({ detector, enabled }) => enabled && detector.id === id);
    if (owner === undefined) return this.dropped(finding);
    const targets = this.targetsOf(finding, owner);
    if (targets.length === 0) return this.dropped(finding);
    const rule = finding.rule_id === null ? null : (this.plan.customRules.get(finding.rule_id) ?? null);
    if (finding.rule_id !== null && rule === null) return this.dropped(finding);
    const action = actionFor(owner, candidateOf(finding));
    if (action === 'ignore') return this.dropped(finding);
    const changed = rule === null ? finding : { ...finding, severity: rule.severity };
    const isSure = targets.every((target) => owner.appliesTo[target]) && !this.plan.uncertainDetectors.has(id);
    if (!targets.every((target) => owner.appliesTo[target])) this.questions.add('text_role');
    const isSameVersion = this.kept.coverage.detectors.some((run) => run.id === id && run.version === owner.detector.version);
    this.askWhatIsHidden(finding, action);
    return this.excused(changed, action, targets, isSure && isSameVersion && (rule === null || rule.isSame));
  }

  private dropped(finding: Finding): null {
    this.askWhatIsHidden(finding, 'ignore');
    return null;
  }

  /** A finding stands for all that overlapped it. `action`: what the candidate does about it. */
  private askWhatIsHidden(finding: Finding, action: Action): void {
    const before = this.plan.former.detectors.find(({ detector }) => detector.id === finding.detector.id);
    if (before === undefined) return;
    const strengthThen = STRENGTH[actionFor(before, candidateOf(finding))];
    const strength = STRENGTH[action];
    const own = `${finding.detector.id} ${keyOf(before, candidateOf(finding))}`;
    const { areFindingsRead } = this.plan;
    const isHidden = this.plan
      .treatmentsOf(finding.category)
      .some(
        (other) =>
          other.name !== own &&
          other.leastThen <= strengthThen &&
          (areFindingsRead ? other.mostNow >= strength && other.mostNow > 0 : other.mostNow > strength) &&
          (other.isChanged || strength < strengthThen),
      );
    if (isHidden) this.questions.add('finding_hidden');
  }

  private seeFailure(finding: Finding): Seen | null {
    const { id } = finding.detector;
    const { candidate } = this.plan;
    if (!this.isStillRun(id)) return null;
    const owner = candidate.detectors.find(({ detector }) => detector.id === id);
    const targets = targetsAt(finding.location.pointer);
    const read = owner === undefined ? targets : targets.filter((target) => owner.appliesTo[target]);
    if (read.length === 0) return null;
    const actions = new Set(read.map((target) => candidate.onError[target === 'output' ? 'output' : 'input']));
    const isCertain = actions.size === 1 && read.length === targets.length;
    if (!isCertain) this.questions.add('text_role');
    const action = [...actions].toSorted((a, b) => STRENGTH_ON_ERROR[b] - STRENGTH_ON_ERROR[a])[0]!;
    return action === 'allow' ? null : { finding, action, isCertain: isCertain && !this.hasTimedOut(id), exceptionId: null };
  }

  private seeOpinion(finding: Finding): Seen | null {
    const judge = this.plan.candidate.judges.find(({ judgeId }) => JUDGE + judgeId === finding.detector.id);
    if (judge === undefined) return null;
    const action = judgedAction(judge, finding.score);
    if (action === 'ignore') return null;
    return this.excused(finding, action, targetsAt(finding.location.pointer), true);
  }

  /** Targets that the text of a finding may be of, of those that its detector read then. */
  private targetsOf({ location, detector }: Finding, owner: PolicyDetector): readonly Target[] {
    const before = this.plan.former.detectors.find((one) => one.detector.id === detector.id);
    const possible = targetsAt(location.pointer).filter((target) => before === undefined || before.appliesTo[target]);
    return possible.some((target) => owner.appliesTo[target]) ? possible : [];
  }

  private excused(finding: Finding, action: Seen['action'], targets: readonly Target[], isSure: boolean): Seen {
    const excuses = targets.map((target) => this.excuseOf(finding, target));
    const exceptionId = excuses[0]?.exceptionId ?? null;
    if (excuses.some((excuse) => excuse.exceptionId !== exceptionId)) this.questions.add('text_role');
    const isValueOpen = excuses.some((excuse) => excuse.isValueOpen);
    if (isValueOpen) this.questions.add('exception_by_value');
    if (excuses.some((excuse) => excuse.isNarrow)) this.askWhatIsHidden(finding, 'ignore');
    const isCertain = isSure && !isValueOpen && excuses.every((excuse) => excuse.exceptionId === exceptionId);
    return { finding, action, isCertain, exceptionId };
  }

  private excuseOf(finding: Finding, target: Target): { exceptionId: string | null; isValueOpen: boolean; isNarrow: boolean } {
    let isValueOpen = false;
    for (const exception of this.active) {
      if (exceptionFor([exception], excusableOf(finding, target), this.subject()) === null) continue;
      if (exception.hasValue && !this.matchedThen(exception, finding)) {
        isValueOpen ||= !this.wasRefusedThen(exception, finding);
        continue;
      }
      return { exceptionId: exception.id, isValueOpen, isNarrow: exception.isNarrow };
    }
    return { exceptionId: null, isValueOpen, isNarrow: false };
  }

  /** True where the same exception excused the finding then. */
  private matchedThen({ id, wasThere }: OpenException, { exception_id: then }: Finding): boolean {
    return wasThere && then === id;
  }

  /** True where the same exception was in force then and did not excuse the finding, nor did another. */
  private wasRefusedThen({ wasThere, expiresAtMs }: OpenException, { exception_id: then, location }: Finding): boolean {
    // Of findings that were merged one may have had the value.
    return wasThere && then === null && Date.parse(this.kept.created_at) < expiresAtMs && location.pointer !== '';
  }

  private subject(): Inference['subject'] {
    return withoutNulls(this.kept.subject ?? {});
  }

  /** With what the candidate's rules find, those that can be decided. */
  private ruled(seen: readonly Seen[], counting: readonly Seen[], isEnforced: boolean): Evaluation {
    const { plan, kept } = this;
    const action = strongestOf(counting.map((one) => one.action));
    const evaluation: Evaluation = {
      outcome: outcomeOf(counting, isEnforced),
      enforcement: enforcementFrom(action, [], isEnforced),
      score: counting.reduce((score, { finding }) => Math.max(score, finding.score), 0),
      severity: counting.reduce(worseSeverity, 'none'),
      findings: seen.map((one) => decided(one.finding, one.action, one.exceptionId, isEnforced, one.finding.id)),
      findings_total: seen.length + (kept.findings_total - kept.findings.length),
      redacted: null,
      coverage: kept.coverage,
    };
    if (plan.rules.rules.length === 0) return evaluation;
    const inference = {
      ...(kept.model === null ? {} : { model: withoutNulls(kept.model) }),
      subject: this.subject(),
      metadata: { ...kept.metadata },
    } as Inference;
    return withRules(evaluation, inference, plan.rules, { clock: () => 0, nowMs: this.nowMs });
  }
}

const JUDGE = 'judge:';
const STRENGTH_ON_ERROR = { allow: 0, flag: 1, block: 3 } as const;

function strongestOf(actions: readonly Action[]): 'none' | 'redact' | 'block' {
  if (actions.includes('block')) return 'block';
  return actions.includes('redact') ? 'redact' : 'none';
}

function outcomeOf(counting: readonly Seen[], isEnforced: boolean): Outcome {
  if (counting.length === 0) return 'allowed';
  return isEnforced && counting.some(({ action }) => action === 'block') ? 'blocked' : 'flagged';
}

function worseSeverity(worst: Severity, { finding }: Seen): Severity {
  return severityRank(finding.severity) > severityRank(worst) ? finding.severity : worst;
}

function candidateOf({ type, score, rule_id: ruleId }: Finding) {
  return { type, score, ...(ruleId === null ? {} : { ruleId }) };
}

function excusableOf({ category, type, detector, rule_id: ruleId, location }: Finding, target: Target): Excusable {
  return { category, type, detectorId: detector.id, ruleId, pointer: location.pointer, target, text: '', start: 0, end: 0 };
}

/** What a text at a pointer may count as: a message may be a tool's, and so may a document. */
function targetsAt(pointer: string): readonly Target[] {
  if (pointer === '/input' || pointer === '/output') return [pointer.slice(1) as Target];
  if (pointer.startsWith('/input/')) return ['input', 'tool'];
  if (pointer.startsWith('/output/')) return ['output', 'tool'];
  return pointer.startsWith('/context/') ? ['context', 'tool'] : ['tool'];
}

function withoutNulls<Value extends Readonly<Record<string, string | null>>>(value: Value): Record<string, string> {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => entry[1] !== null));
}
