// Texts written as numbers or signs: bytes in binary, hexadecimal pairs set apart, Morse.

import type { Piece } from './decode.ts';
import type { Reading } from './view.ts';
import { originEnd, originStart, ReadingWriter } from './writer.ts';

const CODES_MIN = 6; // Fewer characters say nothing dangerous.
/** Characters of a long run that are read together, and after how many the next part of it begins. */
const PART_CHARS = 768;
const PART_STEP = 576;
/** So much of a text is searched for runs. */
const SEARCHED_CHARS_MAX = 262_144;

/** Runs of eight bits, spaces between them or not. */
export function binaryPieces(source: Reading, hintEnds: readonly number[]): Iterable<Piece> {
  const runs = /(?<![01])0[01]{7}(?: ?0[01]{7}){5,}(?![01])/g;
  return pieces(source, hintEnds, 'binary', runs, /[01]{8}/g, (code) => Number.parseInt(code, 2));
}

/** Runs of hexadecimal bytes with a space, `0x` or `\x` before each. */
export function hexPairPieces(source: Reading, hintEnds: readonly number[]): Iterable<Piece> {
  const runs = /\b(?:0x)?[2-7][0-9a-f](?:,? (?:0x)?[2-7][0-9a-f]\b){5,}/gi;
  return pieces(source, hintEnds, 'hex', runs, /[2-7][0-9a-f]\b/gi, (code) => Number.parseInt(code, 16));
}

/** Runs of Morse letters, `/` between words. */
export function morsePieces(source: Reading, hintEnds: readonly number[]): Iterable<Piece> {
  const runs = /[.-]{1,5}(?: (?:[.-]{1,5}|\/)){5,}/g;
  return pieces(source, hintEnds, 'morse', runs, /[.-]{1,5}|\//g, (code) => MORSE.get(code) ?? 0);
}

const MORSE = new Map<string, number>([['/', 32]]);
'.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
  .split(' ')
  .forEach((code, letter) => MORSE.set(code, 97 + letter));

/** The parts of runs that hold a hint: without one nothing is decoded, so one far behind must not turn it on. */
function* pieces(
  source: Reading,
  hintEnds: readonly number[],
  layer: string,
  runs: RegExp,
  codes: RegExp,
  read: (code: string) => number,
): Generator<Piece> {
  let hint = 0;
  for (const run of source.text.slice(0, SEARCHED_CHARS_MAX).matchAll(runs)) {
    const found = [...run[0].matchAll(codes)];
    for (let first = 0; first < found.length;) {
      const start = run.index + found[first]!.index;
      let last = first;
      let next = first + 1;
      while (last + 1 < found.length && endOf(found[last + 1]!) + run.index - start <= PART_CHARS) {
        last++;
        if (run.index + found[last]!.index - start <= PART_STEP) next = last;
      }
      const end = run.index + endOf(found[last]!);
      const part = found.slice(first, last + 1);
      first = last + 1 === found.length ? found.length : Math.max(next, first + 1);
      while (hint < hintEnds.length && hintEnds[hint]! <= start) hint++;
      // A hint may end with the blank after the last code.
      if (hint === hintEnds.length || hintEnds[hint]! > end + 1) continue;
      yield { start, end, read: () => readPart(source, layer, run.index, part, read) };
    }
  }
}

function endOf(code: RegExpExecArray): number {
  return code.index + code[0].length;
}

/** What the codes say; one that means nothing reads as `?`. */
function readPart(
  source: Reading,
  layer: string,
  runStart: number,
  codes: readonly RegExpExecArray[],
  read: (code: string) => number,
): Reading | null {
  const values = codes.map(([code]) => read(code));
  if (codes.length < CODES_MIN || values.filter((code) => code >= 32 && code < 127).length < 0.9 * codes.length) return null;
  const writer = new ReadingWriter(codes.length);
  codes.forEach((code, i) => {
    const start = runStart + code.index;
    writer.push(values[i]! >= 32 ? values[i]! : 63, originStart(source, start), originEnd(source, start + code[0].length - 1));
  });
  return writer.reading('decoded', layer);
}
