// The sentence around a place, and whether someone else is speaking in it.

const BACK_MAX = 200;
const FORWARD_MAX = 300;
const ENDS = new Set([...'.!?\n。！？।؟'].map((end) => end.charCodeAt(0)));

/** The sentence that holds the character at `at`, at most 500 units. `start`, `end`: UTF-16 offsets, end exclusive. */
export function sentenceAt(text: string, at: number): { start: number; end: number } {
  const first = Math.max(0, at - BACK_MAX);
  const last = Math.min(text.length, at + FORWARD_MAX);
  let start = at;
  while (start > first && !isEnd(text, start - 1)) start--;
  let end = at + 1;
  while (end < last && !isEnd(text, end - 1)) end++;
  return { start, end };
}

function isEnd(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (!ENDS.has(code)) return false;
  // `3.5`, `example.com`: a full stop ends a sentence before a blank only.
  return code >= 0x80 || code === 0x0a || !(text.charCodeAt(index + 1) > 0x20);
}

const QUOTES_BEFORE = /["“„«「『‹`][^"”“»」』›`\n]{0,200}$/u;
const REPORTED = /(?:\bsaid|\bsays|\bsaying|\breplied|\btold (?:me|him|her|them|us)|\banswered|\bwrote|\bthat|:)\s{0,2}$/iu;
/** "I told them that I can't help": the speaker reports. A colon before a refusal is an introduction only after such a verb. */
const REPORTING =
  /\b(?:said|says|saying|replied|told|answered|wrote|example|e\.g\.|translat\w{1,5}|means|phrase|sentence|reply|responds?|response)\b/iu;

/** Whether `[at]` stands inside quotation marks, a quoted line, code, or another's words. `start`: where its sentence starts. */
export function isQuoted(text: string, at: number, start: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  if (QUOTES_BEFORE.test(before) && isOpen(before)) return true;
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (/^\s*(?:>|\/\/|#|(?!I )\p{Lu}[\p{L}.]{0,20}(?: [\p{L}.]{1,20})?:\s)/u.test(line)) return true;
  const sentence = text.slice(start, at);
  return REPORTED.test(sentence) && REPORTING.test(sentence);
}

/** Whether the last quotation mark before a place opens: straight ones open and close in turn. */
function isOpen(before: string): boolean {
  const straight = before.split('"').length - 1;
  const ticks = before.split('`').length - 1;
  const last = Math.max(before.lastIndexOf('"'), before.lastIndexOf('`'));
  const curly = Math.max(...[...'“„«「『‹'].map((mark) => before.lastIndexOf(mark)));
  if (curly > last) return true;
  return before[last] === '"' ? straight % 2 === 1 : ticks % 2 === 1;
}
