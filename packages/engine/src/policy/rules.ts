// The rules of a policy: CEL expressions over an inference and its findings, compiled once and evaluated at the end.

import { Environment, ParseError, TypeError as CelTypeError, type ParseResult } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import type { Problem } from '../inference.ts';
import type { Category, Severity } from '../types.ts';
import type { PolicyDocument, RuleDocument } from './document.ts';
import { measureRule, RuleError, SIZE_FUNCTION, type RuleCost, type RuleRead } from './rule-cost.ts';

/** All rules of a policy together, on the largest inference: some 15 ms. */
const POLICY_STEPS_MAX = 1_000_000;

/** What a rule is evaluated over. Those that it does not read may be left out. */
export interface RuleVariables {
  readonly input: string;
  readonly output: string;
  readonly context: string;
  readonly tool_calls: readonly RuleToolCall[];
  readonly model: RuleModel;
  readonly subject: RuleSubject;
  readonly metadata: ReadonlyMap<string, string>;
  readonly findings: readonly RuleFinding[];
  readonly score: number;
}

// Classes, because CEL knows types by their constructors.

/** A tool call as rules see it. */
export class RuleToolCall {
  declare readonly name: string;
  /** Objects inside are Maps, so that no member's name means anything. */
  declare readonly arguments: ReadonlyMap<string, unknown>;

  constructor(fields: RuleToolCall) {
    Object.assign(this, fields);
  }
}

/** The model as rules see it; what was not sent is ''. */
export class RuleModel {
  declare readonly provider: string;
  declare readonly name: string;
  declare readonly version: string;

  constructor(fields: RuleModel) {
    Object.assign(this, fields);
  }
}

/** On whose behalf the model works, as rules see it; what was not sent is ''. */
export class RuleSubject {
  declare readonly user: string;
  declare readonly session: string;
  declare readonly agent: string;

  constructor(fields: RuleSubject) {
    Object.assign(this, fields);
  }
}

/** A finding as rules see it. */
export class RuleFinding {
  declare readonly category: string;
  declare readonly type: string;
  declare readonly score: number;
  declare readonly severity: string;
  declare readonly outcome: string;
  declare readonly action: string;
  declare readonly detector: string;
  /** '' where no rule of the policy's own matched. */
  declare readonly rule_id: string;
  declare readonly pointer: string;
  /** '' where it stands in no text. */
  declare readonly target: string;
  /** The tool in whose arguments it stands; '' elsewhere. */
  declare readonly tool: string;

  constructor(fields: RuleFinding) {
    Object.assign(this, fields);
  }
}

/** Names of the members that hold texts. */
const MODEL_FIELDS = ['provider', 'name', 'version'] satisfies (keyof RuleModel)[];
const SUBJECT_FIELDS = ['user', 'session', 'agent'] satisfies (keyof RuleSubject)[];
const FINDING_FIELDS = [
  'category',
  'type',
  'severity',
  'outcome',
  'action',
  'detector',
  'rule_id',
  'pointer',
  'target',
  'tool',
] satisfies (keyof RuleFinding)[];

/** A rule ready to evaluate. */
export interface PolicyRule extends RuleCost {
  readonly id: string;
  readonly category: Category;
  readonly outcome: 'flagged' | 'blocked';
  readonly severity: Exclude<Severity, 'none'>;
  readonly explanation: string;
  /** Throws for what the expression cannot mean of these values, such as a member of a map that is not there. */
  readonly holds: (variables: Partial<RuleVariables>) => boolean;
}

/** Of what comes to be with the model's answer. The rest is known before it. */
const OUTPUT_READS: readonly RuleRead[] = ['output', 'findings', 'tool_calls', 'score'];

/** True for a rule that cannot be decided before the model has answered. */
export function ruleNeedsOutput({ reads }: Pick<PolicyRule, 'reads'>): boolean {
  return OUTPUT_READS.some((read) => reads.has(read));
}

const strings = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'string']));
const synchronous = { async: false };

// Members have declared types, so that a misspelt one is found before the rule is stored.
const ENVIRONMENT = new Environment({ limits: { maxAstNodes: 1_000, maxDepth: 50 } })
  .registerType('ToolCall', { ctor: RuleToolCall, fields: { name: 'string', arguments: 'map<string, dyn>' } })
  .registerType('Model', { ctor: RuleModel, fields: strings(MODEL_FIELDS) })
  .registerType('Subject', { ctor: RuleSubject, fields: strings(SUBJECT_FIELDS) })
  .registerType('Finding', { ctor: RuleFinding, fields: { ...strings(FINDING_FIELDS), score: 'double' } })
  .registerType('Pattern', { ctor: RE2JS, fields: {} })
  .registerVariable('input', 'string')
  .registerVariable('output', 'string')
  .registerVariable('context', 'string')
  .registerVariable('tool_calls', 'list<ToolCall>')
  .registerVariable('model', 'Model')
  .registerVariable('subject', 'Subject')
  .registerVariable('metadata', 'map<string, string>')
  .registerVariable('findings', 'list<Finding>')
  .registerVariable('score', 'double')
  // The library's own takes a text for its pattern and may run for ever; a rule's pattern is compiled before it comes here.
  .registerFunction('string.matches(Pattern): bool', (of: string, pattern: RE2JS) => pattern.test(of), synchronous)
  .registerFunction(`${SIZE_FUNCTION}(dyn): int`, sizeOf, synchronous)
  .registerFunction(`dyn.${SIZE_FUNCTION}(): int`, sizeOf, synchronous);

/** Code points of a text, as CEL counts; entries of a list or map. */
function sizeOf(value: unknown): bigint {
  if (typeof value === 'string') return BigInt(countCodePoints(value));
  if (Array.isArray(value)) return BigInt(value.length);
  if (value instanceof Map) return BigInt(value.size);
  throw new TypeError('no size');
}

const PAIR = /[\ud800-\udbff]/;

function countCodePoints(text: string): number {
  if (!PAIR.test(text)) return text.length;
  let count = 0;
  for (let i = 0; i < text.length; i++, count++) {
    const isPair = (text.charCodeAt(i) & 0xfc_00) === 0xd8_00 && (text.charCodeAt(i + 1) & 0xfc_00) === 0xdc_00;
    if (isPair) i++;
  }
  return count;
}

/** Compiles a rule. Throws a `RuleError` with a sentence for the policy's author when it is refused. */
export function compileRule(rule: RuleDocument): PolicyRule {
  const parsed = parse(rule.when);
  const cost = measureRule(parsed.ast);
  const { valid, type, error } = parsed.check();
  if (!valid) throw asRuleError(error);
  if (type !== 'bool') throw new RuleError(`must be true or false, and is of type ${type}`);
  return {
    ...cost,
    id: rule.id,
    category: (rule.category ?? 'policy.rule') as Category,
    outcome: rule.outcome,
    severity: rule.severity ?? 'medium',
    explanation: rule.message ?? `The policy's rule '${rule.id}' holds.`,
    holds: (variables) => isTrue(parsed(variables)),
  };
}

function parse(when: string): ParseResult {
  try {
    return ENVIRONMENT.parse(when);
  } catch (error) {
    throw asRuleError(error);
  }
}

/** The library's messages name types and names of the expression, and where in it. */
function asRuleError(error: unknown): RuleError {
  if (!(error instanceof ParseError || error instanceof CelTypeError)) return new RuleError('is not CEL', { cause: error });
  const at = error.range === undefined ? '' : ` at character ${error.range.start + 1}`;
  return new RuleError(`is not CEL that fits its variables${at}: ${error.summary}`, { cause: error });
}

function isTrue(result: unknown): boolean {
  if (typeof result !== 'boolean') throw new TypeError('a rule came to no answer');
  return result;
}

/** The rules of a document that has been linted. */
export function compileRules(rules: readonly RuleDocument[] = []): PolicyRule[] {
  return rules.map(compileRule);
}

/** Families of what rules may say they found: not those of our detectors' findings in texts. */
const RULE_CATEGORY = /^(?:policy|brand|usage|agency)\.[a-z][a-z0-9_]{0,39}$/;

/** What the schema cannot say of rules. `ids`: those of the policy's other own rules; the rules' are added. */
export function ruleErrors({ rules = [] }: PolicyDocument, ids: Set<string>): Problem[] {
  const errors: Problem[] = [];
  let steps = 0;
  rules.forEach((rule, i) => {
    const pointer = `/rules/${i}`;
    if (ids.has(rule.id)) errors.push({ pointer: `${pointer}/id`, message: `'${rule.id}' is the id of an earlier rule` });
    ids.add(rule.id);
    if (rule.category !== undefined && !RULE_CATEGORY.test(rule.category)) {
      const message = 'must be policy., brand., usage. or agency. and a name of a–z, 0–9 and _, such as policy.models';
      errors.push({ pointer: `${pointer}/category`, message });
    }
    try {
      steps += compileRule(rule).steps;
    } catch (error) {
      errors.push({ pointer: `${pointer}/when`, message: (error as Error).message });
    }
  });
  if (steps > POLICY_STEPS_MAX) {
    const message = `may take ${steps} steps together on the largest inference, at most ${POLICY_STEPS_MAX} are allowed`;
    errors.push({ pointer: '/rules', message });
  }
  return errors;
}
