// What a policy's rules find in an inference and its findings: the last step of an evaluation.

import { withAdded, withRuns, type Addition } from './added.ts';
import type { DetectorRun, Evaluation, Finding } from './answer.ts';
import { ARGUMENT_DEPTH_MAX, type Inference } from './inference.ts';
import { partsOf, type Parts } from './parts.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { RULE_BOUNDS, type RuleRead } from './policy/rule-cost.ts';
import {
  RuleFinding,
  RuleModel,
  ruleNeedsOutput,
  RuleSubject,
  RuleToolCall,
  type PolicyRule,
  type RuleVariables,
} from './policy/rules.ts';
import type { Clock, FailureStatus } from './scan.ts';
import { frameworksOf } from './taxonomy.ts';

const DETECTOR = { id: 'rules', version: '1.0.0' } as const;

/** A rule that could not be decided. */
interface Undecided {
  readonly rule: PolicyRule;
  readonly status: FailureStatus;
}

/**
 * The evaluation with what the policy's rules find. They see what was found before, excused or not, and not one another. A rule that cannot be
 * decided is a failed check: the coverage tells, and the policy's `on_error` decides. `nowMs`: Unix milliseconds.
 */
export function withRules(
  evaluation: Evaluation,
  inference: Inference,
  policy: CompiledPolicy,
  { clock, nowMs }: { readonly clock: Clock; readonly nowMs: number },
): Evaluation {
  const { rules: all } = policy;
  if (all.length === 0) return evaluation;
  // What an answer must hold cannot be said before there is one.
  const hasOutput = (inference.output ?? null) !== null;
  const rules = hasOutput ? all : all.filter(({ reads }) => !reads.has('output'));
  const startedAt = clock();
  const given = variablesOf(evaluation, inference, new Set(rules.flatMap(({ reads }) => [...reads])));
  const decisions = rules.map((rule) => decide(rule, given));
  const additions = rules.flatMap((rule, i) => (decisions[i] === true ? [additionOf(rule)] : []));
  const undecided = rules.flatMap((rule, i): Undecided[] => {
    const decision = decisions[i]!;
    return typeof decision === 'boolean' ? [] : [{ rule, status: decision }];
  });
  const added = withAdded(evaluation, inference, policy, [...additions, ...coverageAdditions(undecided, policy)], nowMs);
  const latency_ms = Math.round((clock() - startedAt) * 1_000) / 1_000;
  const run: DetectorRun = { ...DETECTOR, status: statusOf(undecided), latency_ms };
  return { ...added, coverage: withRuns(evaluation.coverage, [run], undecided.length > 0) };
}

/** What rules are given of an inference, and of what that is not all there is. */
interface Given {
  readonly variables: Partial<RuleVariables>;
  readonly cut: ReadonlySet<RuleRead>;
}

/** Of these a rule that holds for what it is given needs no more: there is something to find, as its author says. */
const DECIDABLE_WHEN_CUT: ReadonlySet<RuleRead> = new Set(['input', 'output', 'context', 'findings']);

function decide(rule: PolicyRule, { variables, cut }: Given): boolean | FailureStatus {
  const missing = [...rule.reads].filter((read) => cut.has(read));
  if (missing.some((read) => !DECIDABLE_WHEN_CUT.has(read))) return 'timed_out';
  try {
    return rule.holds(variables) || (missing.length > 0 ? 'timed_out' : false);
  } catch {
    // What it threw may quote the inference, so it is not kept.
    return 'error';
  }
}

function additionOf(rule: PolicyRule): Addition {
  return {
    action: rule.outcome === 'blocked' ? 'block' : 'flag',
    draft: {
      category: rule.category,
      type: rule.id,
      location: { pointer: '', start: 0, end: 0 },
      // A rule holds or does not.
      score: 1,
      severity: rule.severity,
      rule_id: rule.id,
      detector: { ...DETECTOR, method: 'rule' },
      preview: null,
      frameworks: [...frameworksOf(rule.category)],
      explanation: rule.explanation,
    },
  };
}

/** One for each direction, as of a detector: the first rule is named, and how many there are. */
function coverageAdditions(undecided: readonly Undecided[], { onError }: CompiledPolicy): Addition[] {
  return (['input', 'output'] as const).flatMap((direction): Addition[] => {
    const those = undecided.filter(({ rule }) => ruleNeedsOutput(rule) === (direction === 'output'));
    const action = onError[direction];
    return those.length === 0 || action === 'allow' ? [] : [{ action, draft: coverageDraft(those) }];
  });
}

function coverageDraft(undecided: readonly Undecided[]): Addition['draft'] {
  const { rule, status } = undecided[0]!;
  const others = undecided.length > 1 ? ` So could ${undecided.length - 1} more.` : '';
  const reason =
    status === 'error' ? 'its expression has no value for this inference' : 'the inference holds more than rules are given';
  return {
    category: 'system.coverage',
    type: status === 'error' ? 'rule_error' : 'rule_timed_out',
    location: { pointer: '', start: 0, end: 0 },
    // It says nothing about the inference, so it must not raise the assessment's score.
    score: 0,
    severity: 'medium',
    rule_id: rule.id,
    detector: { ...DETECTOR, method: 'limit' },
    preview: null,
    frameworks: [...frameworksOf('system.coverage')],
    explanation: `The rule '${rule.id}' could not be decided: ${reason}.${others}`,
  };
}

/** The worst: an error says more than a bound. */
function statusOf(undecided: readonly Undecided[]): DetectorRun['status'] {
  if (undecided.some(({ status }) => status === 'error')) return 'error';
  return undecided.length > 0 ? 'timed_out' : 'ok';
}

/** Only what is read is made. */
function variablesOf(evaluation: Evaluation, inference: Inference, reads: ReadonlySet<RuleRead>): Given {
  const cut = new Set<RuleRead>();
  const parts = partsOf(inference);
  const textOf = (member: 'input' | 'output' | 'context'): string => {
    const whole = reads.has(member) ? memberText(parts, member) : '';
    if (whole.length > RULE_BOUNDS.textChars) cut.add(member);
    return whole.slice(0, RULE_BOUNDS.textChars);
  };
  if (evaluation.findings_total > evaluation.findings.length) cut.add('findings');
  const variables: RuleVariables = {
    input: textOf('input'),
    output: textOf('output'),
    context: textOf('context'),
    tool_calls: reads.has('tool_calls') ? toolCallsOf(inference, reads.has('arguments'), cut) : [],
    model: modelOf(inference),
    subject: new RuleSubject({ user: '', session: '', agent: '', ...inference.subject }),
    metadata: new Map(Object.entries(inference.metadata ?? {})),
    findings: reads.has('findings') ? evaluation.findings.map((finding) => findingOf(finding, inference, parts, cut)) : [],
    score: evaluation.score,
  };
  return { variables, cut };
}

/** All texts that stand in a member of the request, one line after another. */
function memberText({ texts }: Parts, member: 'input' | 'output' | 'context'): string {
  const pointer = `/${member}`;
  return texts
    .filter((part) => part.pointer === pointer || part.pointer.startsWith(`${pointer}/`))
    .map(({ text }) => text)
    .join('\n');
}

function modelOf({ model }: Inference): RuleModel {
  const { provider = '', name = '', version = '' } = typeof model === 'string' ? { name: model } : (model ?? {});
  return new RuleModel({ provider, name, version });
}

const TOOL_POINTER = /^\/tool_calls\/(\d+)\//;

function findingOf(finding: Finding, inference: Inference, { texts }: Parts, cut: Set<RuleRead>): RuleFinding {
  const { pointer } = finding.location;
  if (pointer.length > RULE_BOUNDS.pointerChars) cut.add('findings');
  const call = TOOL_POINTER.exec(pointer)?.[1];
  return new RuleFinding({
    category: finding.category,
    type: finding.type,
    score: finding.score,
    severity: finding.severity,
    outcome: finding.outcome,
    action: finding.action,
    detector: finding.detector.id,
    rule_id: finding.rule_id ?? '',
    pointer: pointer.slice(0, RULE_BOUNDS.pointerChars),
    target: texts.find((part) => part.pointer === pointer)?.target ?? '',
    tool: call === undefined ? '' : (inference.tool_calls?.[Number(call)]?.name ?? ''),
  });
}

function toolCallsOf({ tool_calls = [] }: Inference, areArgumentsRead: boolean, cut: Set<RuleRead>): RuleToolCall[] {
  const reader = new ArgumentReader(cut);
  return tool_calls.map(({ name, arguments: args = {} }) => {
    const read = areArgumentsRead ? reader.read(args, ARGUMENT_DEPTH_MAX) : null;
    return new RuleToolCall({ name, arguments: read instanceof Map ? (read as Map<string, unknown>) : new Map() });
  });
}

/** Makes values that CEL can take of JSON, and notes where there is more of them than rules are given. */
class ArgumentReader {
  private readonly cut: Set<RuleRead>;
  private chars = 0;
  private values = 0;

  constructor(cut: Set<RuleRead>) {
    this.cut = cut;
  }

  read(value: unknown, levels: number): unknown {
    this.values++;
    if (typeof value === 'string') this.chars += value.length;
    if (this.chars > RULE_BOUNDS.argumentChars || this.values > RULE_BOUNDS.argumentValues || levels < 0) {
      this.cut.add('arguments');
      return null;
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    if (entries.length > RULE_BOUNDS.argumentEntries) this.cut.add('lists');
    if (Array.isArray(value)) return value.map((item) => this.read(item, levels - 1));
    return new Map(entries.map(([name, member]) => [this.read(name, levels), this.read(member, levels - 1)]));
  }
}
