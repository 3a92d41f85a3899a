// What can be known of kept assessments about a policy, by comparing it with the one that decided them.

import type { Finding } from './answer.ts';
import { canonicalJson } from './json/canonical.ts';
import { isWanted, type CompiledPolicy, type PolicyDetector } from './policy/compile.ts';
import { DEFAULT_POLICY } from './policy/default.ts';
import type { ExceptionDocument, PatternDocument, TermsDocument } from './policy/document.ts';
import { compileExceptions, type PolicyException } from './policy/exceptions.ts';
import type { PolicyRule } from './policy/rules.ts';
import { TARGETS, type Action } from './types.ts';

/** Why the findings that were kept may not tell what the policy would decide. */
const QUESTIONS = {
  policy_unreadable: 'The policy that decided then cannot be read any more, so it is not known what it left out.',
  detector_added: 'A detector is on that was off, or did not exist: what it would find is not known.',
  detector_version_changed: 'A detector is another than it was: what it finds now is not known.',
  setting_changed: 'What a detector looks for is set otherwise: what it would find is not known.',
  texts_added: 'A detector reads texts that it did not read: what it would find there is not known.',
  threshold_lowered: 'A threshold is lower: findings of lower scores were not kept.',
  type_unignored: 'A type of finding counts that was ignored: such findings were not kept.',
  custom_pattern: 'A pattern of the policy is new or another: what it would match is not known.',
  custom_term: 'A list of terms is new or another: what it would match is not known.',
  judge_added: 'A judge is named that was not asked, or is given other texts: its opinion is not known.',
  exception_by_value: 'An exception names a value: what was found was not kept.',
  rule_reads_text: 'A rule reads texts or tool calls, which were not kept.',
  findings_cut: 'There were more findings than an assessment lists.',
  finding_hidden: 'Findings that overlap are kept as one: a weaker one may have been there, which would count now.',
  failure_unplaced: 'A detector failed on a text, and on which was not kept.',
  deadline: 'Time ran out then, or the policy gives less of it: what would be found in time is not known.',
  text_role: 'Whose text it was that a finding stands in was not kept.',
} as const;
export type Question = keyof typeof QUESTIONS;

export interface OpenQuestion {
  readonly question: Question;
  readonly explanation: string;
}

/** The sentence for a question, for those that callers find open themselves. */
export function openQuestion(question: Question): OpenQuestion {
  return { question, explanation: QUESTIONS[question] };
}

/** Orders actions. */
export const STRENGTH: Readonly<Record<Action, number>> = { ignore: 0, flag: 1, redact: 2, block: 3 };

/** What two policies have to do with each other, whatever the assessment. */
export interface Plan {
  /** What decided then. */
  readonly former: CompiledPolicy;
  readonly candidate: CompiledPolicy;
  /** Whether the candidate gives less time: then not even what was found for certain would be found in time for certain. */
  readonly isDeadlineShorter: boolean;
  /** Open for every assessment. */
  readonly questions: readonly Question[];
  /** Those that are on in the candidate. */
  readonly detectors: readonly DetectorPlan[];
  /** Whose findings may not be there any more. */
  readonly uncertainDetectors: ReadonlySet<string>;
  /** The candidate's own patterns and terms, by id. */
  readonly customRules: ReadonlyMap<string, { readonly severity: Finding['severity']; readonly isSame: boolean }>;
  readonly exceptions: readonly OpenException[];
  /** The candidate with those of its rules that need no text. */
  readonly rules: CompiledPolicy;
  /** Whether some of these ask which findings there are, not only how strong the strongest is. */
  readonly areFindingsRead: boolean;
  treatmentsOf(category: string): readonly Treatment[];
}

export interface DetectorPlan {
  readonly id: string;
  readonly version: string;
  readonly isAdded: boolean;
  readonly areTextsAdded: boolean;
  readonly isThresholdLowered: boolean;
  readonly isTypeUnignored: boolean;
  readonly isSetOtherwise: boolean;
}

/** An exception but for the value that it names, which is not known of a kept finding. */
export interface OpenException extends PolicyException {
  readonly hasValue: boolean;
  /** True where not all findings of one category at one place are alike to it. */
  readonly isNarrow: boolean;
  /** True where the policy that decided then had the same one. */
  readonly wasThere: boolean;
}

/** What is done about findings of one type, or of one detector. */
interface Treatment {
  readonly name: string;
  /** Strength of the weakest action that the policy gave it then, and of the strongest that the candidate gives it. */
  readonly leastThen: number;
  readonly mostNow: number;
  readonly isChanged: boolean;
}

/** Plans of policies that are in use; they go with them. */
const plans = new WeakMap<CompiledPolicy, WeakMap<CompiledPolicy, Plan>>();

/** What comes of the two, made once for each pair. */
export function planFor(then: CompiledPolicy, candidate: CompiledPolicy): Plan {
  let known = plans.get(candidate);
  if (known === undefined) plans.set(candidate, (known = new WeakMap()));
  let plan = known.get(then);
  if (plan === undefined) known.set(then, (plan = makePlan(then, candidate)));
  return plan;
}

function makePlan(then: CompiledPolicy, candidate: CompiledPolicy): Plan {
  const detectors = candidate.detectors
    .filter(({ enabled, slot }) => enabled && slot >= 0)
    .map((now) => detectorPlan(now, then, candidate));
  const answerable = candidate.rules.filter((rule) => isAnswerable(rule, candidate));
  const treatments = new Map<string, readonly Treatment[]>();
  return {
    former: then,
    candidate,
    isDeadlineShorter: candidate.deadlineMs < then.deadlineMs,
    questions: [
      ...(candidate.deadlineMs < then.deadlineMs ? (['deadline'] as const) : []),
      ...customQuestions(then, candidate),
      ...judgeQuestions(then, candidate),
      ...(answerable.length < candidate.rules.length ? (['rule_reads_text'] as const) : []),
    ],
    detectors,
    uncertainDetectors: new Set(detectors.filter(({ isSetOtherwise }) => isSetOtherwise).map(({ id }) => id)),
    customRules: customRulesOf(then, candidate),
    exceptions: openExceptions(then, candidate),
    rules: { ...candidate, rules: answerable },
    areFindingsRead: answerable.some(({ reads }) => reads.has('findings') || reads.has('score')),
    treatmentsOf(category) {
      let known = treatments.get(category);
      if (known === undefined) treatments.set(category, (known = treatmentsIn(category, then, candidate)));
      return known;
    },
  };
}

function detectorPlan(now: PolicyDetector, then: CompiledPolicy, candidate: CompiledPolicy): DetectorPlan {
  const { id, version } = now.detector;
  const before = then.detectors.find(({ detector }) => detector.id === id);
  const types = new Set([
    ...now.chosen.keys(),
    ...now.usual.keys(),
    ...(before?.chosen.keys() ?? []),
    ...(before?.usual.keys() ?? []),
    OTHER,
  ]);
  return {
    id,
    version,
    isAdded: before?.enabled !== true,
    areTextsAdded: before !== undefined && TARGETS.some((target) => now.appliesTo[target] && !before.appliesTo[target]),
    isThresholdLowered: before !== undefined && now.flagAt < before.flagAt,
    isTypeUnignored: before !== undefined && [...types].some((type) => isWanted(now, type) && !isWanted(before, type)),
    isSetOtherwise: canonicalJson(ownSettings(id, then)) !== canonicalJson(ownSettings(id, candidate)),
  };
}

/** Stands for the types that neither policy names. */
const OTHER = '';

/** Settings that change what a detector looks for. */
function ownSettings(id: string, { document: { detectors = {} } }: CompiledPolicy): unknown {
  const { links, size } = DEFAULT_POLICY.detectors;
  if (id === 'links') return detectors.links?.allow_hosts ?? links.allow_hosts;
  if (id === 'size') return [detectors.size?.max_chars ?? size.max_chars, detectors.size?.max_messages ?? size.max_messages];
  return null;
}

type CustomDocument = PatternDocument | TermsDocument;

/** What decides where a rule matches, and what is kept of it. */
function matchOf(rule: CustomDocument): string {
  return canonicalJson({
    category: rule.category,
    applies_to: [...(rule.applies_to ?? TARGETS)].sort(),
    ...('regex' in rule ? { regex: rule.regex } : { any: rule.any }),
  });
}

function customOf({ document: { custom = {} } }: CompiledPolicy): ReadonlyMap<string, CustomDocument> {
  return new Map([...(custom.patterns ?? []), ...(custom.terms ?? [])].map((rule) => [rule.id, rule] as const));
}

function customRulesOf(then: CompiledPolicy, candidate: CompiledPolicy): Plan['customRules'] {
  const before = customOf(then);
  return new Map(
    [...customOf(candidate)].map(([id, rule]) => {
      const former = before.get(id);
      return [
        id,
        { severity: rule.severity ?? 'medium', isSame: former !== undefined && matchOf(former) === matchOf(rule) },
      ] as const;
    }),
  );
}

function customQuestions(then: CompiledPolicy, candidate: CompiledPolicy): Question[] {
  const rules = customRulesOf(then, candidate);
  const isNew = ({ id }: CustomDocument) => rules.get(id)?.isSame !== true;
  const { patterns = [], terms = [] } = candidate.document.custom ?? {};
  return [
    ...(patterns.some(isNew) ? (['custom_pattern'] as const) : []),
    ...(terms.some(isNew) ? (['custom_term'] as const) : []),
  ];
}

function judgeQuestions(then: CompiledPolicy, candidate: CompiledPolicy): Question[] {
  return candidate.judges.flatMap((judge): Question[] => {
    const before = then.judges.find(({ judgeId }) => judgeId === judge.judgeId);
    if (before === undefined || canonicalJson(before.appliesTo) !== canonicalJson(judge.appliesTo)) return ['judge_added'];
    return judge.flagAt < before.flagAt ? ['threshold_lowered'] : [];
  });
}

const TEXT_READS = ['input', 'output', 'context', 'tool_calls', 'arguments'] as const;

/** True for a rule that needs no text. Whose text a finding stands in, and to which tool it went, are not kept either. */
function isAnswerable({ id, reads }: PolicyRule, { document: { rules = [] } }: CompiledPolicy): boolean {
  if (TEXT_READS.some((read) => reads.has(read))) return false;
  const { when } = rules.find((rule) => rule.id === id)!;
  return !(reads.has('findings') && /\b(?:target|tool)\b/.test(when));
}

function openExceptions(then: CompiledPolicy, candidate: CompiledPolicy): OpenException[] {
  const before = new Map((then.document.exceptions ?? []).map((exception) => [exception.id, canonicalJson(exception.match)]));
  const documents = candidate.document.exceptions ?? [];
  return compileExceptions(documents.map(withoutValue)).map((exception, i) => {
    const { match } = documents[i]!;
    return {
      id: exception.id,
      expiresAtMs: exception.expiresAtMs,
      matches: exception.matches,
      hasValue: match.value !== undefined,
      isNarrow:
        match.type !== undefined || match.detector !== undefined || match.rule_id !== undefined || match.value !== undefined,
      wasThere: before.get(exception.id) === canonicalJson(match),
    };
  });
}

function withoutValue(exception: ExceptionDocument): ExceptionDocument {
  const { value: _value, ...match } = exception.match;
  return { ...exception, match };
}

/** Detectors that report in a category, so that their findings may be merged. Those of the policy's own rules know theirs. */
const REPORTS: Readonly<Record<string, readonly string[]>> = {
  prompt_injection: ['attack.injection', 'attack.indirect', 'attack.extraction'],
  protected_prompt: ['attack.extraction'],
  obfuscation: ['attack.obfuscation'],
  secrets: ['data.secret'],
  pii: ['data.pii'],
  groundedness: ['quality.ungrounded'],
  refusal: ['quality.refusal', 'quality.empty', 'quality.truncated'],
  unsafe_code: ['output.unsafe_code'],
  links: ['output.unsafe_link'],
  size: ['usage.size'],
};

function treatmentsIn(category: string, then: CompiledPolicy, candidate: CompiledPolicy): readonly Treatment[] {
  return then.detectors
    .filter(({ enabled }) => enabled)
    .flatMap((before) => {
      const now = candidate.detectors.find(({ detector }) => detector.id === before.detector.id);
      return keysIn(category, before, now, then).map((key): Treatment => {
        const [least, most] = strengthsOf(before, key);
        const [leastNow, mostNow] = now === undefined || !now.enabled ? [0, 0] : strengthsOf(now, key);
        const isChanged =
          least !== leastNow || most !== mostNow || before.flagAt !== now?.flagAt || before.blockAt !== now.blockAt;
        return { name: `${before.detector.id} ${key}`, leastThen: least, mostNow, isChanged };
      });
    });
}

/** Keys under which a policy treats what a detector reports in a category, each in its own way. */
function keysIn(
  category: string,
  before: PolicyDetector,
  now: PolicyDetector | undefined,
  then: CompiledPolicy,
): readonly string[] {
  const { id } = before.detector;
  if (before.slot < 0)
    return [...customOf(then)]
      .filter(([rule, { category: of }]) => of === category && before.chosen.has(rule))
      .map(([rule]) => rule);
  if (id === 'harm') return category.startsWith('content.') ? [category.slice('content.'.length)] : [];
  // A detector that is not known here may report anything.
  if (REPORTS[id]?.includes(category) === false) return [];
  return [
    ...new Set([
      ...before.chosen.keys(),
      ...before.usual.keys(),
      ...(now?.chosen.keys() ?? []),
      ...(now?.usual.keys() ?? []),
      OTHER,
    ]),
  ];
}

/** Under which key a policy treats a finding: see `Treatment`. */
export function keyOf(
  { chosen, usual, detector, slot }: PolicyDetector,
  { type, ruleId }: { type: string; ruleId?: string },
): string {
  if (slot < 0) return ruleId ?? type;
  return chosen.has(type) || usual.has(type) || detector.id === 'harm' ? type : OTHER;
}

/** The least and the most that a policy does about what it does not ignore. */
function strengthsOf(owner: PolicyDetector, key: string): [number, number] {
  const chosen = owner.chosen.get(key);
  if (chosen !== undefined) return [STRENGTH[chosen], STRENGTH[chosen]];
  const usual = owner.usual.get(key) ?? owner.action;
  return [STRENGTH[usual], usual !== 'ignore' && owner.blockAt !== null ? STRENGTH.block : STRENGTH[usual]];
}
