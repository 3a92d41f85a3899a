// Tries a token format at an anchor.

import { RANK } from './match.ts';
import type { Match, NearProbe } from './match.ts';
import type { Near } from './near.ts';
import { isPlaceholder } from './placeholder.ts';
import { UNCHECKED_SCORE } from './rule.ts';
import type { Rule } from './rule.ts';
import { entropy, isSequence, strangeness } from './strangeness.ts';

/**
 * The probe of `rule`. Reads what the pattern allows, from at most `rule.back` characters before the anchor. Text that fits
 * the pattern without being credible is not read again: `ghp_ghp_…` would be, at every anchor in it.
 */
export function tokenProbe(rule: Rule): NearProbe {
  return (text, start, _end, near) => {
    const at = rule.back === 0 ? start - rule.offset : tokenStart(text, start, rule.back);
    const { rule: refused, end } = near.refused;
    return at < 0 || (refused === rule && at < end) ? null : matchAt(rule, text, at, near);
  };
}

function matchAt(rule: Rule, text: string, at: number, near: Near): Match | null {
  if (!isBoundary(text, at)) return null;
  rule.pattern.lastIndex = at;
  const found = rule.pattern.exec(text);
  if (found === null) return null;
  const end = at + found[0].length;
  const value = found[1] ?? found[0];
  if (isCredible(rule, value) && !isCutShort(text, end)) return toMatch(rule, value, end);
  near.refused = { rule, end };
  return null;
}

/** True where a document shows a token in part: `sk-…abc...`, `xoxp-1234-####`. */
function isCutShort(text: string, end: number): boolean {
  return text.startsWith('...', end) || text.startsWith('***', end) || text.startsWith('###', end + (text[end] === '-' ? 1 : 0));
}

// Random text is above 0.45; this only keeps out names and phrases that happen to have the length.
const STRANGENESS_MIN = 0.28;

function isCredible(rule: Rule, value: string): boolean {
  const body = value.startsWith(rule.prefix) ? value.slice(rule.prefix.length) : value;
  if (rule.check !== null && rule.check(value)) return true;
  if (rule.checkRequired || (rule.entropyMin > 0 && strangeness(body) < STRANGENESS_MIN) || entropy(body) < rule.entropyMin)
    return false;
  return !isSequence(body) && !isPlaceholder(body);
}

function toMatch(rule: Rule, value: string, end: number): Match {
  const checked = rule.check !== null && rule.check(value);
  const failed = rule.check !== null && !checked;
  return {
    type: rule.type,
    start: end - value.length,
    end,
    score: checked ? Math.max(rule.score, 0.99) : failed ? UNCHECKED_SCORE : rule.score,
    severity: rule.severity,
    method: checked ? 'pattern+checksum' : 'pattern',
    explanation: explain(rule, checked, failed),
    preview: rule.prefix === '' ? null : `${rule.prefix}…`,
    rank: checked ? RANK.checked : RANK.format,
  };
}

function explain(rule: Rule, checked: boolean, failed: boolean): string {
  if (checked) return `Has the format and the checksum of this kind: ${rule.label}.`;
  return failed
    ? `Has the format, though not the checksum, of this kind: ${rule.label}.`
    : `Has the format of this kind: ${rule.label}.`;
}

/** True where a token may start: no letter or digit before, unless that belongs to an escape such as `\n` or `%3D`. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || !isAlphanumeric(text.charCodeAt(at - 1))) return true;
  if (text.charCodeAt(at - 2) === 92) return 'nrt'.includes(text[at - 1]!);
  return text.charCodeAt(at - 3) === 37 && /^%[2-7][0-9A-Fa-f]/.test(text.slice(at - 3, at));
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** The offset, at most `back` before `at`, where the run of token characters that `at` stands in begins. */
function tokenStart(text: string, at: number, back: number): number {
  const min = Math.max(0, at - back);
  let start = at;
  while (start > min && isTokenCode(text.charCodeAt(start - 1))) start--;
  return start;
}

function isTokenCode(code: number): boolean {
  return isAlphanumeric(code) || code === 95 || code === 45;
}
