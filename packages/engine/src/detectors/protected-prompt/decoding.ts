// Requests in disguise: what a text says once moved, mirrored, rearranged or numbered letters are read.

import { compileAnchors } from '../../text/anchors.ts';
import { viewsOf } from '../../text/views.ts';

const LENGTH_MAX = 16_384;
const PIECES_MAX = 4;
const PIECE_LENGTH_MIN = 12;
const PIECE_LENGTH_MAX = 400;
const NO_ANCHORS = compileAnchors([[]]);

/** Something that is no ordinary wording: long tokens, rows of bits, hexadecimal pairs, Morse signs. */
const CODED =
  /[01]{7,8}\s+[01]{7}|(?:[0-9a-f]{2}\s+){6}|[.·−–-]{1,6} [.·−–-]{1,6} [.·−–-]|[A-Za-z0-9+/]{20,}={0,2}|(?:\\u[0-9a-f]{4}|%[0-9a-f]{2}|&#\d+;){3}|rot-?13/iu;
const PIG_LATIN = /\b[a-z]+ay\b/gi;
const QUOTED = /['"“„«「]([^'"“”«»「」\n]{12,400})['"”»」]/gu;
/** Words nearly every English sentence has some of: a shift of the alphabet that makes them is the right one. */
const COMMON = /\b(?:the|what|is|are|of|to|and|how|you|can|your|that|in|for|a|do|does|which|tell|give|me|most|was)\b/g;
const COMMON_SHARE_MIN = 0.25;

/** What `text` says when it is decoded; none for ordinary texts. Reads at most 16 384 UTF-16 units. */
export function decodingsOf(text: string): string[] {
  const read = text.slice(0, LENGTH_MAX);
  const decoded: string[] = [];
  const look = lookAt(read);
  if (look.mayBeCoded && CODED.test(read))
    for (const view of viewsOf(read, NO_ANCHORS)) if (view.kind === 'decoded') decoded.push(view.text);
  const pieces = look.hasQuotes ? [...read.matchAll(QUOTED)].slice(0, PIECES_MAX).map((match) => match[1]!) : [];
  for (const piece of [...pieces, read]) {
    if (piece.length < PIECE_LENGTH_MIN || piece.length > PIECE_LENGTH_MAX) continue;
    const said = shifted(piece) ?? mirrored(piece) ?? unpigged(piece);
    if (said !== null) decoded.push(said);
  }
  return decoded;
}

/** A look at the letters that spares ordinary texts the expressions: long tokens, many digits, dots or escapes, quotes. */
function lookAt(text: string): { mayBeCoded: boolean; hasQuotes: boolean } {
  let tokenStart = 0;
  let longest = 0;
  let marks = 0;
  let quotes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20 || unit === 0x0a) {
      if (i - tokenStart > longest) longest = i - tokenStart;
      tokenStart = i + 1;
    }
    if (unit < 0x61 || unit >= 0x7b) {
      // A full stop or dash counts only where no word goes before it; digits, escapes and entities always do.
      const isStop = unit === 0x2e || unit === 0x2d || unit === 0xb7;
      if (
        isStop
          ? i > 0 && text.charCodeAt(i - 1) < 0x2f
          : (unit >= 0x30 && unit <= 0x39) || unit === 0x5c || unit === 0x25 || unit === 0x26
      )
        marks++;
    }
    if (unit === 0x22 || unit === 0x27 || unit === 0xab || unit >= 0x2018) quotes++;
  }
  longest = Math.max(longest, text.length - tokenStart);
  const mayBeCoded = longest >= LONG_TOKEN || marks >= MARKS_MIN || text.includes('rot') || text.includes('ROT');
  return { mayBeCoded, hasQuotes: quotes > 0 };
}

const LONG_TOKEN = 20;
const MARKS_MIN = 12;

/** Undone Caesar: the shift that makes English of letters that are none. */
function shifted(piece: string): string | null {
  if (!/^[\x20-\x7e]+$/.test(piece) || englishShare(piece) > 0.1) return null;
  for (let shift = 1; shift < 26; shift++) {
    const said = piece.replace(/[a-z]/gi, (letter) => moved(letter, shift));
    if (englishShare(said) >= COMMON_SHARE_MIN) return said;
  }
  return null;
}

function moved(letter: string, shift: number): string {
  const first = letter < 'a' ? 65 : 97;
  return String.fromCharCode(first + ((letter.charCodeAt(0) - first + shift) % 26));
}

function mirrored(piece: string): string | null {
  if (englishShare(piece) > 0.1) return null;
  const said = [...piece].toReversed().join('');
  return englishShare(said) >= COMMON_SHARE_MIN ? said : null;
}

/** "owhay" is "how": the first consonants moved to the end, and "ay". */
function unpigged(piece: string): string | null {
  const words = piece.match(/[a-z]+/gi) ?? [];
  if (words.length < 3 || (piece.match(PIG_LATIN) ?? []).length < words.length * 0.6) return null;
  return piece.replace(PIG_LATIN, (word) => readingsOf(word.slice(0, -2)).join(' '));
}

const MOVED_MAX = 3;

/** What a word may have been: how many of the letters at its end once stood in front is not written. */
function readingsOf(body: string): string[] {
  const readings = [body];
  for (let count = 1; count <= MOVED_MAX && count < body.length; count++) {
    if (/[aeiou]/i.test(body[body.length - count]!)) break;
    readings.push(body.slice(-count) + body.slice(0, -count));
  }
  return readings;
}

function englishShare(text: string): number {
  const words = text.split(/\s+/).length;
  return words === 0 ? 0 : (text.toLowerCase().match(COMMON) ?? []).length / words;
}
