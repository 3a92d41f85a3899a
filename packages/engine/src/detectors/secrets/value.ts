// Judges whether a value beside a name such as `password` or `api_key` is a credential, by the value alone.

import type { Kind } from './clue.ts';
import { hasPlaceholderWord, isCode, isPlaceholder, isReference } from './placeholder.ts';
import { classCount, distinctCount, entropy, hasDigit, isSequence, strangeness } from './strangeness.ts';

/** A value and how it was written. */
export interface Value {
  readonly text: string;
  readonly quoted: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{16,}$/i;
const LENGTH_MAX = 512;
const WORD_STRANGENESS = 0.45;

/** The score, 0 or 0.5–0.85, of `value` under a name of `kind`. 0: not a credential. */
export function judge(value: Value, kind: Exclude<Kind, 'salt'>): number {
  const { text } = value;
  if (text.length < 5 || text.length > LENGTH_MAX) return 0;
  // Most values beside such names are words; they are let go before anything that costs more.
  if (!hasDigit(text) && strangeness(text) < WORD_STRANGENESS && classCount(text) < 4) return 0;
  if (!isPlausible(value)) return 0;
  if (kind === 'password') return Math.max(judgePassword(value), judgeKey(text));
  const score = judgeKey(text);
  if (kind === 'key') return Math.max(score, judgePhrase(text));
  // A weak name (`key`, `auth`) needs a value that speaks for itself.
  return text.length >= 20 && score >= 0.7 && !UUID.test(text) && (!HEX.test(text) || text.length >= 32) ? score - 0.1 : 0;
}

/** False for what no credential looks like, whatever the name: placeholders, references, code, words of other scripts. */
function isPlausible({ text, quoted }: Value): boolean {
  if (/[^!-~]/.test(text)) return false;
  if (isPlaceholder(text) || isReference(text) || isRepetitive(text)) return false;
  return !isCode(text) || (quoted && strangeness(text) >= 0.4);
}

function isRepetitive(text: string): boolean {
  return distinctCount(text) < Math.min(5, text.length * 0.6) || (isSequence(text) && text.length >= 8);
}

function judgePassword({ text, quoted }: Value): number {
  if (!quoted && /^[A-Za-z_]+$/.test(text) && strangeness(text) < 0.5) return 0;
  if (hasPlaceholderWord(text) && text.length < 16) return 0;
  const strange = strangeness(text);
  const classes = classCount(text);
  const hasLetter = /[A-Za-z]/.test(text);
  if (!hasLetter) return quoted && hasDigit(text) && classes >= 2 && text.length >= 8 ? 0.55 : 0;
  if (classes >= 3 && text.length >= 8 && hasDigit(text)) return 0.75;
  if (text.length >= 8 && strange >= 0.4) return 0.7;
  if (hasDigit(text) && text.length >= 6 && (quoted || classes >= 3 || strange >= 0.3)) return 0.6;
  return quoted && strange >= 0.5 && text.length >= 6 ? 0.55 : 0;
}

/** A password where a key is asked for: words and digits do not say enough, a mark that names never hold does. */
function judgePhrase(text: string): number {
  if (text.length < 8 || text.length > 64 || !/[!#$%&*?@^~]/.test(text) || classCount(text) < 3) return 0;
  return hasDigit(text) || strangeness(text) >= 0.4 ? 0.6 : 0;
}

/** Keys and tokens are drawn by lot: long, and strange all along. */
function judgeKey(text: string): number {
  if (text.length < 10) return 0;
  if (UUID.test(text)) return 0.65;
  const strange = strangeness(text);
  const bits = entropy(text);
  if (!hasDigit(text) && (strange < 0.5 || text.length < 16)) return 0;
  if (HEX.test(text)) return bits >= 2.8 && /[a-f]/i.test(text) ? 0.8 : 0;
  if (text.length >= 24 && strange >= 0.35 && bits >= 3.3) return 0.85;
  if (text.length >= 16 && strange >= 0.38 && bits >= 3) return 0.75;
  return strange >= 0.45 && bits >= 2.8 && /[A-Za-z]/.test(text) ? 0.6 : 0;
}
