// Answers that hold nothing, and answers that stop before they end.

/** What is wrong with the end of an answer. `start`: UTF-16 offset of what was left open. */
export interface Break {
  readonly type: 'unclosed_code_fence' | 'cut_sentence' | 'no_full_stop';
  readonly start: number;
  readonly score: number;
  readonly explanation: string;
}

/** Characters at the end that are looked at. */
const TAIL_CHARS = 400;
/** Shorter texts are titles, names and values: they have no full stop to miss. */
const SENTENCE_CHARS_MIN = 60;
/** From here on an answer without a full stop is more often cut than terse. */
const LONG_CHARS_MIN = 400;

/** Whether the text says nothing at all: blanks and invisible characters only. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{C}\p{Zl}\p{Zp}\u3164\uffa0]/u.test(text);
}

/** How the text breaks off; `null` when it ends. `fences`: offsets just after each ``` in the text, ascending. */
export function breakOf(text: string, fences: readonly number[]): Break | null {
  const opened = openFence(text, fences);
  if (opened !== null) {
    return {
      type: 'unclosed_code_fence',
      start: opened,
      score: 0.6,
      explanation: 'A block of code is opened and not closed: the answer seems to have been cut.',
    };
  }
  const end = text.trimEnd().length;
  const tail = text.slice(Math.max(0, end - TAIL_CHARS), end);
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  if (end < SENTENCE_CHARS_MIN || !isProse(line, tail.length === end)) return null;
  const start = end - (line.length - lastSentenceStart(line));
  if (DANGLING.test(line)) {
    return {
      type: 'cut_sentence',
      start,
      score: 0.6,
      explanation: 'The last sentence ends with a word or sign that something must follow.',
    };
  }
  if (end < LONG_CHARS_MIN || !/[\p{Ll}\p{Lo}]$/u.test(line)) return null;
  return { type: 'no_full_stop', start, score: 0.3, explanation: 'A long answer ends without a full stop.' };
}

/** The offset of a code fence that nothing closes; `null` when all are closed. Fences open and close at the start of a line. */
function openFence(text: string, fences: readonly number[]): number | null {
  let opened: number | null = null;
  let before = -1;
  for (const end of fences) {
    const start = end - 3;
    // Of four backticks in a row the automaton finds two threes.
    if (start < before) continue;
    before = end;
    if (!/(?:^|\n)[ \t>]{0,8}(?:[-*\d.]{1,4} {1,3})?$/.test(text.slice(Math.max(0, start - 16), start))) continue;
    opened = opened === null ? start : null;
  }
  return opened;
}

/** Words and signs that something must follow, in the languages that most answers are in. */
const DANGLING =
  /(?:[,:–—(&]|[\p{L}\p{N}]\s-|(?<![\p{L}\p{N}'’])(?:the|an|of|and|or|with|from|which|because|than|such|their|its|your|our|my|between|including|der|die|das|dem|den|ein|eine|einen|und|oder|mit|für|von|weil|dass|zum|zur|le|la|les|un|une|des|du|et|ou|avec|pour|parce|que|el|los|las|una|y|con|para|por|porque|gli|uno|di|um|uma|het|een|van|voor|и|или|для|чтобы))$/u;

/** Lists, tables, headings, code, links and signatures end without a full stop by right. */
function isProse(line: string, isWhole: boolean): boolean {
  if (/^\s*(?:[-*•+|#>`]|\d{1,3}[.)])/.test(line) || /[`|>=}\])]$/.test(line) || /https?:\/\/\S+$/.test(line)) return false;
  if (/[{}=<>]|\(\)|\w\(|::|->|[\w"']\s?;/.test(line)) return false;
  const words = line.trim().split(/\s+/).length;
  const isSpaceless = /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/.test(line);
  return words >= (isWhole ? 6 : 5) || isSpaceless;
}

function lastSentenceStart(line: string): number {
  const end = Math.max(line.lastIndexOf('. '), line.lastIndexOf('! '), line.lastIndexOf('? '), line.lastIndexOf('。'));
  return end < 0 ? line.length - line.trimStart().length : end + (line[end] === '。' ? 1 : 2);
}
