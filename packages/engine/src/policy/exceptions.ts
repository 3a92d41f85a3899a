// The exceptions of a policy: findings that it excuses, and until when.

import { isTime, type Inference, type Problem } from '../inference.ts';
import type { Target } from '../types.ts';
import type { ExceptionDocument, PolicyDocument } from './document.ts';

/** Longer values are excused by no exception that names one. */
const VALUE_CHARS_MAX = 1_000;

/** An exception ready to apply. */
export interface PolicyException {
  readonly id: string;
  /** Unix milliseconds; from then on it excuses nothing. */
  readonly expiresAtMs: number;
  /** `valueOf`: what stands at the finding's place in lower case, `null` where that is nothing that could be meant. Asked last, and made once. */
  readonly matches: (finding: Excusable, subject: Inference['subject'], valueOf: () => string | null) => boolean;
}

/** What exceptions look at. */
export interface Excusable {
  readonly category: string;
  readonly type: string;
  readonly detectorId: string;
  readonly ruleId: string | null;
  /** Of the text it stands in; '' and `null` where it stands in none. */
  readonly pointer: string;
  readonly target: Target | null;
  /** The text it stands in, and where. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The exceptions of a document that has been linted, in its order. */
export function compileExceptions(exceptions: readonly ExceptionDocument[] = []): PolicyException[] {
  return exceptions.map(({ id, match, expires_at }) => ({
    id,
    expiresAtMs: Date.parse(expires_at),
    matches: matcherOf(match),
  }));
}

/** Those of `exceptions` that have not expired. `nowMs`: Unix milliseconds. */
export function activeExceptions(exceptions: readonly PolicyException[], nowMs: number): readonly PolicyException[] {
  return exceptions.length === 0 ? exceptions : exceptions.filter(({ expiresAtMs }) => nowMs < expiresAtMs);
}

/** The first of `exceptions` that excuses a finding, or `null`. That a text was not read is never excused. */
export function exceptionFor(
  exceptions: readonly PolicyException[],
  finding: Excusable,
  subject: Inference['subject'],
): string | null {
  if (finding.category === 'system.coverage') return null;
  let value: string | null | undefined;
  const valueOf = () => {
    if (value === undefined) value = valueAt(finding);
    return value;
  };
  return exceptions.find(({ matches }) => matches(finding, subject, valueOf))?.id ?? null;
}

function valueAt({ text, start, end }: Excusable): string | null {
  return start < end && end - start <= VALUE_CHARS_MAX ? text.slice(start, end).toLowerCase() : null;
}

function matcherOf(match: ExceptionDocument['match']): PolicyException['matches'] {
  const isValue = match.value === undefined ? null : compileGlob(match.value.toLowerCase());
  const isPointer = match.pointer === undefined ? null : compileGlob(match.pointer);
  return (finding, subject, valueOf) =>
    isCategory(match.category, finding.category) &&
    isSame(match.type, finding.type) &&
    isSame(match.detector, finding.detectorId) &&
    isSame(match.rule_id, finding.ruleId) &&
    isSame(match.target, finding.target) &&
    isSame(match.subject?.user, subject?.user) &&
    isSame(match.subject?.session, subject?.session) &&
    isSame(match.subject?.agent, subject?.agent) &&
    (isPointer === null || isPointer(finding.pointer)) &&
    (isValue === null || isTrueOf(valueOf(), isValue));
}

function isSame(wanted: string | undefined, found: string | null | undefined): boolean {
  return wanted === undefined || wanted === found;
}

function isCategory(wanted: string | undefined, category: string): boolean {
  return wanted === undefined || wanted === category || (!wanted.includes('.') && category.startsWith(`${wanted}.`));
}

function isTrueOf(value: string | null, isValue: (value: string) => boolean): boolean {
  return value !== null && isValue(value);
}

/**
 * A test for the whole of a text: `*` stands for any characters, `?` for one UTF-16 unit. Each piece between stars is looked for once, from
 * left to right, so a text takes its length times the longest piece at most.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text.length === glob.length && standsAt(text, glob, 0);
  const pieces = rest.filter((piece) => piece !== '');
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !standsAt(text, first, 0) || !standsAt(text, last, end)) return false;
    let from = first.length;
    for (const piece of pieces) {
      while (from + piece.length <= end && !standsAt(text, piece, from)) from++;
      from += piece.length;
      if (from > end) return false;
    }
    return true;
  };
}

function standsAt(text: string, piece: string, at: number): boolean {
  for (let i = 0; i < piece.length; i++) if (piece[i] !== '?' && piece[i] !== text[at + i]) return false;
  return true;
}

/** What the schema cannot say of exceptions. */
export function exceptionErrors({ exceptions = [] }: PolicyDocument): Problem[] {
  const errors: Problem[] = [];
  const ids = new Set<string>();
  exceptions.forEach(({ id, match, expires_at }, i) => {
    const pointer = `/exceptions/${i}`;
    if (ids.has(id)) errors.push({ pointer: `${pointer}/id`, message: `'${id}' is the id of an earlier exception` });
    ids.add(id);
    if (!isTime(expires_at)) {
      const message = 'must be an ISO 8601 time with an offset, such as 2027-01-01T00:00:00Z';
      errors.push({ pointer: `${pointer}/expires_at`, message });
    }
    if (match.category !== undefined && /^system(?:\.|$)/.test(match.category)) {
      const message = 'that a text was not read cannot be excused; on_error decides about it';
      errors.push({ pointer: `${pointer}/match/category`, message });
    }
  });
  return errors;
}
