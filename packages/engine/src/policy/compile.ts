// Turns a policy document into what an assessment needs: detectors ready to run and the decision about each finding.

import { BUILT_IN, type Registry } from '../detectors/index.ts';
import type { CustomRule } from '../detectors/custom-rule.ts';
import { createLinksDetector } from '../detectors/links/detector.ts';
import { compilePattern } from '../detectors/patterns/compile.ts';
import { createPatternsDetector } from '../detectors/patterns/detector.ts';
import { createSizeDetector } from '../detectors/size/detector.ts';
import { createTermsDetector } from '../detectors/terms/detector.ts';
import type { Automaton } from '../text/anchors.ts';
import { TARGETS, type Action, type AnyDetector, type Candidate, type Category, type Detector, type Target } from '../types.ts';
import { DEFAULT_POLICY, type DetectorSettings } from './default.ts';
import { policyDigest } from './digest.ts';
import type { DetectorsDocument, PatternDocument, PolicyDocument, TermsDocument } from './document.ts';
import { compileExceptions, type PolicyException } from './exceptions.ts';
import { compileJudges, type PolicyJudge } from './judges.ts';
import { lintPolicy } from './lint.ts';
import { compileRules, type PolicyRule } from './rules.ts';

type OnError = 'allow' | 'flag' | 'block';

/** A detector with what the policy says about it. */
export interface PolicyDetector {
  readonly detector: AnyDetector;
  /** Its index in the automaton; -1 for detectors made of the policy's own rules, which have no anchors. */
  readonly slot: number;
  readonly enabled: boolean;
  readonly appliesTo: Readonly<Record<Target, boolean>>;
  readonly flagAt: number;
  readonly blockAt: number | null;
  /** Actions by type (of credential, of personal data) or by id of the policy's own rule, written in the document. */
  readonly chosen: ReadonlyMap<string, Action>;
  /** Actions by type where the document says nothing. */
  readonly usual: ReadonlyMap<string, Action>;
  readonly action: Action;
}

/** A policy ready to assess with. Immutable; any number of assessments may share it. */
export interface CompiledPolicy {
  /** As stored: what the user sent, defaults not filled in. */
  readonly document: PolicyDocument;
  readonly version: number;
  readonly digest: string;
  readonly mode: 'enforce' | 'monitor';
  readonly onError: Readonly<Record<'input' | 'output', OnError>>;
  readonly deadlineMs: number;
  readonly detectors: readonly PolicyDetector[];
  readonly automaton: Automaton;
  /** In the order of the document: the first that matches a finding excuses it. */
  readonly exceptions: readonly PolicyException[];
  readonly rules: readonly PolicyRule[];
  /** Whether text of an answer waits, while it is being written, for what can only be decided at its end. */
  readonly stream: 'hold' | 'release';
  /** Asked by the service, not by the engine: `assess` knows nothing of them. */
  readonly judges: readonly PolicyJudge[];
}

/**
 * Compiles a document. Throws an Error that lists the lint errors of a document that is refused.
 * `registry`: other detectors, for tests.
 */
export function compilePolicy(document: PolicyDocument, version: number, registry: Registry = BUILT_IN): CompiledPolicy {
  const { errors } = lintPolicy(document);
  if (errors.length > 0)
    throw new Error(`policy refused: ${errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`);
  return {
    document,
    version,
    digest: policyDigest(document),
    mode: document.mode ?? DEFAULT_POLICY.mode,
    onError: { ...DEFAULT_POLICY.on_error, ...document.on_error },
    deadlineMs: document.deadline_ms ?? DEFAULT_POLICY.deadline_ms,
    detectors: [...builtInDetectors(document.detectors ?? {}, registry), ...customDetectors(document.custom ?? {})],
    automaton: registry.automaton,
    exceptions: compileExceptions(document.exceptions),
    rules: compileRules(document.rules),
    stream: document.stream ?? DEFAULT_POLICY.stream,
    judges: compileJudges(document.judges),
  };
}

/**
 * What the policy does about a candidate. From strongest to weakest: below `flag_at` nothing; an action that the document
 * gives to its type or rule; `block` from `block_at` on, unless the type is one to ignore; the detector's usual action.
 */
export function actionFor(policy: PolicyDetector, { type, score, ruleId }: Pick<Candidate, 'type' | 'score' | 'ruleId'>): Action {
  if (score < policy.flagAt) return 'ignore';
  const chosen = policy.chosen.get(ruleId ?? type);
  if (chosen !== undefined) return chosen;
  const usual = policy.usual.get(type) ?? policy.action;
  return usual !== 'ignore' && policy.blockAt !== null && score >= policy.blockAt ? 'block' : usual;
}

/** Whether findings of a type, if sure enough, come to anything. */
export function isWanted({ chosen, usual, action }: PolicyDetector, type: string): boolean {
  return (chosen.get(type) ?? usual.get(type) ?? action) !== 'ignore';
}

/** For detectors that the default policy does not know: those that tests bring. */
const FALLBACK: DetectorSettings = { enabled: true, applies_to: TARGETS, flag_at: 0.5, block_at: null, action: 'flag' };
const NO_ACTIONS: ReadonlyMap<string, Action> = new Map();

function builtInDetectors(document: DetectorsDocument, { detectors }: Registry): PolicyDetector[] {
  const defaults: Readonly<Record<string, DetectorSettings>> = DEFAULT_POLICY.detectors;
  const written: Readonly<Record<string, Partial<DetectorSettings>>> = document;
  return detectors.map((detector, slot): PolicyDetector => {
    const settings = { ...(defaults[detector.id] ?? FALLBACK), ...written[detector.id] };
    const chosen = chosenActions(detector.id, document);
    const usual = usualActions(detector.id, document);
    // What would all be ignored is not looked for: then nothing about it can fail either.
    const isWanted = [settings.action, ...chosen.values(), ...usual.values()].some((action) => action !== 'ignore');
    return {
      detector: configured(detector, document),
      slot,
      enabled: settings.enabled && isWanted,
      appliesTo: targetsOf(settings.applies_to),
      flagAt: settings.flag_at,
      blockAt: settings.block_at,
      chosen,
      usual,
      action: settings.action,
    };
  });
}

/** Detectors whose own settings change what they look for. Anchors stay the same, and with them the slot. */
function configured(detector: AnyDetector, { links, size }: DetectorsDocument): AnyDetector {
  if (detector.id === 'links') return createLinksDetector((links?.allow_hosts ?? []).map((host) => host.toLowerCase()));
  if (detector.id !== 'size') return detector;
  const defaults = DEFAULT_POLICY.detectors.size;
  return createSizeDetector({
    maxChars: size?.max_chars ?? defaults.max_chars,
    maxMessages: size?.max_messages ?? defaults.max_messages,
  });
}

function chosenActions(id: string, { pii, secrets, harm }: DetectorsDocument): ReadonlyMap<string, Action> {
  if (id === 'pii') return actionMap(pii?.entities);
  if (id === 'harm') return actionMap(harm?.categories);
  return id === 'secrets' ? actionMap(secrets?.types) : NO_ACTIONS;
}

/** An organization that sets `action` means all types, so the default policy's table no longer counts. */
function usualActions(id: string, { pii, harm }: DetectorsDocument): ReadonlyMap<string, Action> {
  if (id === 'harm' && harm?.action === undefined) return actionMap(DEFAULT_POLICY.detectors.harm.categories);
  return id === 'pii' && pii?.action === undefined ? actionMap(DEFAULT_POLICY.detectors.pii.entities) : NO_ACTIONS;
}

function actionMap(actions: Readonly<Record<string, Action | undefined>> = {}): ReadonlyMap<string, Action> {
  return new Map(Object.entries(actions).filter((entry): entry is [string, Action] => entry[1] !== undefined));
}

function targetsOf(targets: readonly Target[]): Record<Target, boolean> {
  return {
    input: targets.includes('input'),
    output: targets.includes('output'),
    context: targets.includes('context'),
    tool: targets.includes('tool'),
  };
}

type CustomDocument = NonNullable<PolicyDocument['custom']>;

function customDetectors({ terms = [], patterns = [] }: CustomDocument): PolicyDetector[] {
  const detectors: PolicyDetector[] = [];
  if (terms.length > 0) {
    detectors.push(ownDetector(createTermsDetector(terms.map((rule) => ({ ...ruleOf(rule), any: rule.any }))), terms));
  }
  if (patterns.length > 0) {
    const rules = patterns.map((rule) => ({ ...ruleOf(rule), regex: rule.regex, compiled: compilePattern(rule.regex) }));
    detectors.push(ownDetector(createPatternsDetector(rules), patterns));
  }
  return detectors;
}

function ruleOf(rule: PatternDocument | TermsDocument): CustomRule {
  return {
    id: rule.id,
    category: rule.category as Category,
    severity: rule.severity ?? 'medium',
    appliesTo: rule.applies_to ?? TARGETS,
    explanation: rule.description ?? `Matches the policy's rule '${rule.id}'.`,
  };
}

function ownDetector(detector: Detector, rules: readonly (PatternDocument | TermsDocument)[]): PolicyDetector {
  const targets = TARGETS.filter((target) => rules.some((rule) => (rule.applies_to ?? TARGETS).includes(target)));
  const chosen = new Map<string, Action>(rules.map((rule) => [rule.id, rule.action ?? 'flag']));
  return {
    detector,
    slot: -1,
    enabled: true,
    appliesTo: targetsOf(targets),
    flagAt: 0,
    blockAt: null,
    chosen,
    usual: NO_ACTIONS,
    action: 'flag',
  };
}
