// The shape of a rule, and how one is tried at an anchor.

import type { Severity } from '../../types.ts';

/** What a rule says of code that it matches. */
export interface Verdict {
  /** 0–1. From 0.5 on the code harms who runs it; below, it is a practice that others could exploit. */
  readonly score: number;
  readonly severity: Exclude<Severity, 'none'>;
}

/** One thing that code should not do. */
export interface Rule {
  /** snake_case, shared by rules about the same harm. */
  readonly type: string;
  /** Lower-case literals, one of which stands in everything the pattern matches. */
  readonly anchors: readonly string[];
  /** Bounded. Searched near an anchor, or at it when `before` is 0; a match counts when it covers the anchor. */
  readonly pattern: RegExp;
  /** What must follow the match in this order, each within 800 characters; the span ends with the last. Empty for most. */
  readonly following: readonly RegExp[];
  /** How many characters before and after the anchor the pattern sees; with the anchor at most 960, so that this is settled so far behind a match's start. */
  readonly before: number;
  readonly after: number;
  /** One sentence for a person. */
  readonly explanation: string;
  readonly verdict: Verdict | ((match: RegExpExecArray) => Verdict | null);
}

/** Harms at once, and is hardly ever meant well. */
export const HARMFUL: Verdict = { score: 0.9, severity: 'high' };
/** Destroys or opens something; at times it is what was asked for. */
export const RISKY: Verdict = { score: 0.6, severity: 'medium' };
/** Makes an attack possible; too common in examples to report by default. */
export const INSECURE: Verdict = { score: 0.35, severity: 'low' };

interface Options extends Partial<Pick<Rule, 'before' | 'after'>> {
  /** Sources of `following`. */
  readonly following?: readonly string[];
}

/** Makes a rule from a pattern's source; letters match in both cases. */
export function rule(
  type: string,
  anchors: readonly string[],
  source: string,
  verdict: Rule['verdict'],
  explanation: string,
  { before = 200, after = 300, following = [] }: Options = {},
): Rule {
  const parts = following.map((part) => new RegExp(part, 'i'));
  // Sticky where nothing stands before the anchor: one place to try instead of all that follow it.
  const pattern = new RegExp(source, before === 0 ? 'yi' : 'gi');
  return { type, anchors, pattern, following: parts, before, after, explanation, verdict };
}

/** A match with its offsets in the text, or `null` where the pattern does not cover the anchor. */
export function matchNear(rule: Rule, text: string, start: number, end: number): RegExpExecArray | null {
  const from = Math.max(0, start - rule.before);
  const window = text.slice(from, end + rule.after);
  rule.pattern.lastIndex = 0;
  for (let tries = 0; tries < MATCHES_MAX; tries++) {
    const match = rule.pattern.exec(window);
    if (match === null || from + match.index > start) return null;
    const length = rule.following.length === 0 ? match[0].length : lengthWith(rule.following, window, match);
    if (from + match.index + length < end) continue;
    match[0] = window.slice(match.index, match.index + length);
    match.index += from;
    return match;
  }
  return null;
}

const REACH = 800;

/** The length of the match with what follows it; 0 when a part is missing. One step a part, where one pattern would try all pairs. */
function lengthWith(following: readonly RegExp[], window: string, match: RegExpExecArray): number {
  let at = match.index + match[0].length;
  for (const part of following) {
    const next = part.exec(window.slice(at, at + REACH));
    if (next === null) return 0;
    at += next.index + next[0].length;
  }
  return at - match.index;
}

const MATCHES_MAX = 4;

/** Where programs read what strangers send. */
export const STRANGER = String.raw`(?:\brequest\.(?:args|form|GET|POST|params|query|json|values|cookies|headers|body|data|files)\b|\breq\.(?:body|query|params|cookies|headers)\b|\bctx\.(?:query|params|request)\b|\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\bparams\[|\binput\(|\bsys\.argv|\bargv\[|\bgetParameter\(|\blocation\.(?:hash|search|href)|\bURLSearchParams|\bwindow\.name\b|\bdocument\.(?:URL|referrer)\b|\bRequest\.(?:QueryString|Form|Params)|\br\.(?:FormValue|URL\.Query)|\bgets\b|\breadline\()`;
