// Says what is wrong with a policy document before it decides about anything.

import { compilePattern } from '../detectors/patterns/compile.ts';
import type { Problem } from '../inference.ts';
import { CUSTOM_CATEGORY } from '../taxonomy.ts';
import { DEFAULT_POLICY } from './default.ts';
import { DOCUMENT_BYTES_MAX, PolicySchema, TERMS_MAX, type PolicyDocument } from './document.ts';
import { createSchemaChecker } from './schema-errors.ts';

/** What `lintPolicy` found. A document with errors is refused, one with warnings is not. */
export interface LintResult {
  readonly errors: Problem[];
  readonly warnings: Problem[];
}

const checkSchema = createSchemaChecker(PolicySchema);

/** Checks a parsed document: its shape first; when that is right, what the shape cannot say. Never throws. */
export function lintPolicy(document: unknown): LintResult {
  // First, because only a document of the right shape is known to be shallow enough to walk.
  const errors = checkSchema(document);
  if (errors.length > 0) return { errors, warnings: [] };
  const unfit = unfitness(document);
  if (unfit !== null) return { errors: [{ pointer: '', message: unfit }], warnings: [] };
  const policy = document as PolicyDocument;
  return { errors: [...detectorErrors(policy), ...customErrors(policy)], warnings: warningsOf(policy) };
}

/** Why a document cannot be stored; `null` when it can. */
function unfitness(document: unknown): string | null {
  const text = JSON.stringify(document);
  // UTF-8 needs at least one byte a unit, so most documents are decided without encoding them.
  if (text.length > DOCUMENT_BYTES_MAX || Buffer.byteLength(text) > DOCUMENT_BYTES_MAX)
    return `must be at most ${DOCUMENT_BYTES_MAX} bytes as JSON`;
  return isWellFormed(document) ? null : 'must hold no lone surrogates (half of a character)';
}

/** Lone surrogates have no UTF-8 form, and so no digest. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
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
  return [...errors, ...allowedHostErrors(detectors.links?.allow_hosts ?? [])];
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

function customErrors({ custom = {} }: PolicyDocument): Problem[] {
  const errors: Problem[] = [];
  const ids = new Set<string>();
  let terms = 0;
  custom.patterns?.forEach((rule, i) => {
    errors.push(...ruleErrors(rule, `/custom/patterns/${i}`, ids), ...regexErrors(rule.regex, `/custom/patterns/${i}/regex`));
  });
  custom.terms?.forEach((rule, i) => {
    errors.push(...ruleErrors(rule, `/custom/terms/${i}`, ids), ...termErrors(rule.any, `/custom/terms/${i}/any`));
    terms += rule.any.length;
  });
  if (terms > TERMS_MAX)
    errors.push({ pointer: '/custom/terms', message: `holds ${terms} terms; at most ${TERMS_MAX} are allowed in total` });
  return errors;
}

function ruleErrors(rule: { readonly id: string; readonly category: string }, pointer: string, ids: Set<string>): Problem[] {
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
  if (policy.mode === 'monitor') warn('/mode', 'nothing is redacted or blocked in monitor mode');
  for (const direction of ['input', 'output'] as const) {
    if (policy.on_error?.[direction] === 'allow')
      warn(`/on_error/${direction}`, `${direction} passes unread when a detector fails`);
  }
  for (const [id, settings] of Object.entries(policy.detectors ?? {})) {
    if (settings.enabled === false) warn(`/detectors/${id}/enabled`, 'the detector is off');
    else if (settings.flag_at === 0) warn(`/detectors/${id}/flag_at`, 'every finding counts, however weak');
  }
  policy.custom?.terms?.forEach((rule, i) =>
    rule.any.forEach((term, j) => {
      if (/^[\x21-\x7e]{1,2}$/.test(term)) warn(`/custom/terms/${i}/any/${j}`, 'is so short that it will match much');
    }),
  );
  return warnings;
}
