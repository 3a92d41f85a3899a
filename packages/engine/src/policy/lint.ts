// Says what is wrong with a policy document before it decides about anything.

import { compilePattern } from '../detectors/patterns/compile.ts';
import { SECRET_TYPES } from '../detectors/secrets/types.ts';
import type { Problem } from '../inference.ts';
import { pointerTo } from '../json/pointer.ts';
import { CUSTOM_CATEGORY } from '../taxonomy.ts';
import { DEFAULT_POLICY } from './default.ts';
import { DOCUMENT_BYTES_MAX, PolicySchema, TERMS_MAX, type PolicyDocument } from './document.ts';
import { driftWarnings } from './drift.ts';
import { exceptionErrors } from './exceptions.ts';
import { exceptionWarnings } from './exception-warnings.ts';
import { judgeErrors } from './judges.ts';
import { nearestNames } from './nearest.ts';
import { ruleErrors } from './rules.ts';
import { createSchemaChecker } from '../json/schema-check.ts';

/** What `lintPolicy` found. A document with errors is refused, one with warnings is not. */
export interface LintResult {
  readonly errors: Problem[];
  readonly warnings: Problem[];
}

const checkSchema = createSchemaChecker(PolicySchema);

/** Nesting of a policy document stays below 6; the walks over it need a bound. */
const DEPTH_MAX = 32;

/**
 * Checks a parsed document: what it is made of, then its shape; when that is right, what the shape cannot say. Never throws. `nowMs`: Unix
 * milliseconds, to warn of exceptions that have expired; without it nothing is said of them.
 */
export function lintPolicy(document: unknown, nowMs: number | null = null): LintResult {
  // First, because the schema's validator walks as deep as the document goes.
  const unfit = valueProblem(document, '', DEPTH_MAX) ?? sizeProblem(document);
  if (unfit !== null) return { errors: [unfit], warnings: [] };
  const errors = checkSchema(document);
  if (errors.length > 0) return { errors, warnings: [] };
  const policy = document as PolicyDocument;
  const ids = new Set<string>();
  return {
    errors: [
      ...detectorErrors(policy),
      ...customErrors(policy, ids),
      ...ruleErrors(policy, ids),
      ...exceptionErrors(policy),
      ...judgeErrors(policy),
    ],
    warnings: [...warningsOf(policy), ...driftWarnings(policy), ...exceptionWarnings(policy, nowMs)],
  };
}

/** The first place that is nested deeper than `levels` or cannot be stored; else `null`. */
function valueProblem(value: unknown, pointer: string, levels: number): Problem | null {
  if (typeof value === 'string') return isStorable(value) ? null : { pointer, message: UNSTORABLE };
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return { pointer, message: `is nested too deep: at most ${DEPTH_MAX} levels are allowed` };
  // Telling all that is wrong with half a million terms would take half a second.
  const width = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (width > TERMS_MAX) return { pointer, message: `must hold at most ${TERMS_MAX}` };
  for (const [name, member] of Object.entries(value)) {
    // What names the place has to be storable itself.
    const place = pointerTo(pointer, name.toWellFormed().replaceAll('\0', '\ufffd'));
    const problem = isStorable(name) ? valueProblem(member, place, levels - 1) : { pointer: place, message: UNSTORABLE };
    if (problem !== null) return problem;
  }
  return null;
}

/** Neither has a form that PostgreSQL stores as text. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

const UNSTORABLE = 'must hold no NUL and no lone surrogates (half of a character)';

function sizeProblem(document: unknown): Problem | null {
  const text = JSON.stringify(document) ?? '';
  // UTF-8 needs at least one byte a unit, so most documents are decided without encoding them.
  const isTooLong = text.length > DOCUMENT_BYTES_MAX || Buffer.byteLength(text) > DOCUMENT_BYTES_MAX;
  return isTooLong ? { pointer: '', message: `must be at most ${DOCUMENT_BYTES_MAX} bytes as JSON` } : null;
}

type DetectorId = keyof typeof DEFAULT_POLICY.detectors;

function detectorErrors({ detectors = {} }: PolicyDocument): Problem[] {
  const errors: Problem[] = [];
  for (const id of Object.keys(detectors) as DetectorId[]) {
    const pointer = `/detectors/${id}`;
    const settings = detectors[id]!;
    const flagAt = settings.flag_at ?? DEFAULT_POLICY.detectors[id].flag_at;
    const blockAt = settings.block_at === undefined ? DEFAULT_POLICY.detectors[id].block_at : settings.block_at;
    if (blockAt !== null && blockAt < flagAt) {
      errors.push({
        pointer: `${pointer}/${settings.block_at === undefined ? 'flag_at' : 'block_at'}`,
        message: `block_at (${blockAt}) must not be below flag_at (${flagAt})`,
      });
    }
  }
  if (detectors.size?.action === 'redact') {
    errors.push({ pointer: '/detectors/size/action', message: 'size cannot redact: use flag, block or ignore' });
  }
  return [
    ...errors,
    ...allowedHostErrors(detectors.links?.allow_hosts ?? []),
    ...secretTypeErrors(Object.keys(detectors.secrets?.types ?? {})),
  ];
}

function secretTypeErrors(types: readonly string[]): Problem[] {
  return types
    .filter((type) => !SECRET_TYPES.includes(type))
    .map((type) => ({
      pointer: pointerTo('/detectors/secrets/types', type),
      message: `unknown type of credential '${type}'; nearest: ${nearestNames(type, SECRET_TYPES).join(', ')}`,
    }));
}

const HOST = /^(?=.{1,253}$)[a-z0-9_\p{L}-]+(?:\.[a-z0-9_\p{L}-]+)*$/iu;

function allowedHostErrors(hosts: readonly string[]): Problem[] {
  return hosts.flatMap((host, i) =>
    HOST.test(host)
      ? []
      : [
          {
            pointer: `/detectors/links/allow_hosts/${i}`,
            message: 'must be a host name such as example.com, without scheme, port, path or *',
          },
        ],
  );
}

/** `ids`: to which the rules' are added. */
function customErrors({ custom = {} }: PolicyDocument, ids: Set<string>): Problem[] {
  const errors: Problem[] = [];
  let terms = 0;
  custom.patterns?.forEach((rule, i) => {
    errors.push(...ownRuleErrors(rule, `/custom/patterns/${i}`, ids), ...regexErrors(rule.regex, `/custom/patterns/${i}/regex`));
  });
  custom.terms?.forEach((rule, i) => {
    errors.push(...ownRuleErrors(rule, `/custom/terms/${i}`, ids), ...termErrors(rule.any, `/custom/terms/${i}/any`));
    terms += rule.any.length;
  });
  if (terms > TERMS_MAX)
    errors.push({ pointer: '/custom/terms', message: `holds ${terms} terms; at most ${TERMS_MAX} are allowed in total` });
  return errors;
}

function ownRuleErrors(rule: { readonly id: string; readonly category: string }, pointer: string, ids: Set<string>): Problem[] {
  const errors: Problem[] = [];
  if (ids.has(rule.id)) errors.push({ pointer: `${pointer}/id`, message: `'${rule.id}' is the id of an earlier rule` });
  ids.add(rule.id);
  if (!CUSTOM_CATEGORY.test(rule.category)) {
    errors.push({
      pointer: `${pointer}/category`,
      message: 'must be data., brand., policy. or content. and a name of a–z, 0–9 and _, such as data.confidential',
    });
  }
  return errors;
}

function regexErrors(regex: string, pointer: string): Problem[] {
  try {
    compilePattern(regex);
    return [];
  } catch (error) {
    return [{ pointer, message: (error as Error).message }];
  }
}

function termErrors(terms: readonly string[], pointer: string): Problem[] {
  return terms.flatMap((term, i) =>
    /[\p{L}\p{N}]/u.test(term) ? [] : [{ pointer: `${pointer}/${i}`, message: 'must hold a letter or a digit' }],
  );
}

/** Things that are allowed and that somebody may not have meant. */
function warningsOf(policy: PolicyDocument): Problem[] {
  const warnings: Problem[] = [];
  const warn = (pointer: string, message: string) => warnings.push({ pointer, message });
  if (policy.data?.store === 'full') warn('/data/store', 'the texts of inferences are kept');
  if (policy.stream === 'release')
    warn('/stream', 'text of a streamed answer is shown before rules, judges and groundedness have decided about it');
  if (policy.mode === 'monitor') warn('/mode', 'nothing is redacted or blocked in monitor mode');
  for (const direction of ['input', 'output'] as const) {
    if (policy.on_error?.[direction] === 'allow')
      warn(`/on_error/${direction}`, `${direction} passes unread when a detector fails`);
  }
  for (const [id, settings] of Object.entries(policy.detectors ?? {})) {
    if (settings.enabled === false && isOnByDefault(id)) warn(`/detectors/${id}/enabled`, 'the detector is off');
    else if (settings.flag_at === 0) warn(`/detectors/${id}/flag_at`, 'every finding counts, however weak');
  }
  policy.custom?.terms?.forEach((rule, i) =>
    rule.any.forEach((term, j) => {
      if (/^[\x21-\x7e]{1,2}$/.test(term)) warn(`/custom/terms/${i}/any/${j}`, 'is so short that it will match much');
    }),
  );
  return warnings;
}

function isOnByDefault(id: string): boolean {
  const defaults: Readonly<Record<string, { readonly enabled: boolean } | undefined>> = DEFAULT_POLICY.detectors;
  return defaults[id]?.enabled ?? true;
}
