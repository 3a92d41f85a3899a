// Exceptions that somebody may take for something else than they are.

import { BUILT_IN } from '../detectors/index.ts';
import { KINDS } from '../detectors/pii/kinds.ts';
import { SECRET_TYPES } from '../detectors/secrets/types.ts';
import type { Problem } from '../inference.ts';
import type { ExceptionDocument, PolicyDocument } from './document.ts';
import { nearestNames } from './nearest.ts';

/** Categories of our own detectors and judges. */
const CATEGORIES = [
  'attack.injection',
  'attack.indirect',
  'attack.obfuscation',
  'attack.extraction',
  'data.secret',
  'data.pii',
  'data.confidential',
  'content.hate',
  'content.harassment',
  'content.violence',
  'content.sexual',
  'content.self_harm',
  'content.minors',
  'content.illicit',
  'content.profanity',
  'quality.ungrounded',
  'quality.irrelevant',
  'quality.refusal',
  'quality.empty',
  'quality.truncated',
  'output.unsafe_link',
  'output.unsafe_code',
  'output.markup',
  'output.schema',
  'agency.tool_denied',
  'agency.loop',
  'usage.size',
] as const;

/** Types of categories whose types are all known. */
const TYPES: Readonly<Record<string, readonly string[]>> = { 'data.pii': Object.keys(KINDS), 'data.secret': SECRET_TYPES };

/** `nowMs`: `null` to say nothing of those that have expired. */
export function exceptionWarnings(policy: PolicyDocument, nowMs: number | null): Problem[] {
  const known = namesOf(policy);
  return (policy.exceptions ?? []).flatMap(({ match, expires_at }, i): Problem[] => {
    const pointer = `/exceptions/${i}`;
    const warnings = matchWarnings(match, `${pointer}/match`, known);
    if (nowMs !== null && Date.parse(expires_at) <= nowMs)
      warnings.push({ pointer: `${pointer}/expires_at`, message: 'has expired and excuses nothing' });
    return warnings;
  });
}

/** What findings may be called under a policy. */
interface Names {
  readonly ruleIds: readonly string[];
  readonly categories: readonly string[];
  readonly detectors: readonly string[];
}

function namesOf({ custom = {}, rules = [], judges = [] }: PolicyDocument): Names {
  const own = [...(custom.patterns ?? []), ...(custom.terms ?? [])];
  return {
    ruleIds: [...own, ...rules].map(({ id }) => id),
    categories: [...CATEGORIES, ...own.map(({ category }) => category), ...rules.map(({ category = 'policy.rule' }) => category)],
    detectors: [
      ...BUILT_IN.detectors.map(({ id }) => id),
      'patterns',
      'terms',
      'rules',
      ...judges.map(({ judge_id: id }) => `judge:${id}`),
    ],
  };
}

function matchWarnings(match: ExceptionDocument['match'], pointer: string, names: Names): Problem[] {
  const warnings: Problem[] = [];
  const check = (member: 'category' | 'type' | 'detector' | 'rule_id', known: readonly string[] | undefined) => {
    const name = match[member];
    if (name === undefined || known === undefined || known.includes(name)) return;
    const nearest = known.length === 0 ? '' : `; nearest: ${nearestNames(name, known).join(', ')}`;
    warnings.push({ pointer: `${pointer}/${member}`, message: `nothing that this policy finds is called so${nearest}` });
  };
  const families = names.categories.map((category) => category.slice(0, category.indexOf('.')));
  check('category', match.category?.includes('.') === false ? families : names.categories);
  check('type', typesOf(match, names));
  check('detector', names.detectors);
  check('rule_id', names.ruleIds);
  if (match.value !== undefined && /^\**$/.test(match.value))
    warnings.push({ pointer: `${pointer}/value`, message: 'is true of every value' });
  return warnings;
}

/** `undefined` where a type may have any name. */
function typesOf({ category = '' }: ExceptionDocument['match'], { ruleIds }: Names): readonly string[] | undefined {
  const types = TYPES[category];
  return types === undefined ? undefined : [...types, ...ruleIds];
}
