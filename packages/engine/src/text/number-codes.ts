// Texts written as numbers or signs: bytes in binary, hexadecimal pairs set apart, Morse.

import type { DecodeBudget } from './decode.ts';
import type { Reading } from './view.ts';
import { originEnd, originStart, ReadingWriter } from './writer.ts';

const CODES_MIN = 6; // Fewer characters say nothing dangerous.

/** Runs of eight bits, spaces between them or not. */
export function readBinary(source: Reading, budget: DecodeBudget): Reading | null {
  return readCodes(
    source,
    'binary',
    /(?<![01])0[01]{7}(?: ?0[01]{7}){5,}(?![01])/g,
    /[01]{8}/g,
    (code) => Number.parseInt(code, 2),
    budget,
  );
}

/** Runs of hexadecimal bytes with a space, `0x` or `\x` before each. */
export function readHexPairs(source: Reading, budget: DecodeBudget): Reading | null {
  return readCodes(
    source,
    'hex',
    /\b(?:0x)?[2-7][0-9a-f](?:,? (?:0x)?[2-7][0-9a-f]\b){5,}/gi,
    /[2-7][0-9a-f]\b/gi,
    (code) => Number.parseInt(code, 16),
    budget,
  );
}

/** Runs of Morse letters, `/` between words. */
export function readMorse(source: Reading, budget: DecodeBudget): Reading | null {
  return readCodes(
    source,
    'morse',
    /[.-]{1,5}(?: (?:[.-]{1,5}|\/)){5,}/g,
    /[.-]{1,5}|\//g,
    (code) => MORSE.get(code) ?? 0,
    budget,
  );
}

const MORSE = new Map<string, number>([['/', 32]]);
'.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
  .split(' ')
  .forEach((code, letter) => MORSE.set(code, 97 + letter));

/** Each run of codes becomes a line; a code that means nothing reads as `?`. */
function readCodes(
  source: Reading,
  layer: string,
  runs: RegExp,
  codes: RegExp,
  read: (code: string) => number,
  budget: DecodeBudget,
): Reading | null {
  const writer = new ReadingWriter(0);
  for (const run of source.text.slice(0, budget.characters).matchAll(runs)) {
    if (budget.pieces-- <= 0) break;
    const found = [...run[0].matchAll(codes)];
    const values = found.map(([code]) => read(code));
    if (found.length < CODES_MIN || values.filter((code) => code >= 32 && code < 127).length < 0.9 * found.length) continue;
    if (writer.length > 0) writer.push(10, originStart(source, run.index), originStart(source, run.index));
    found.forEach((code, i) => {
      const start = run.index + code.index;
      writer.push(values[i]! >= 32 ? values[i]! : 63, originStart(source, start), originEnd(source, start + code[0].length - 1));
    });
  }
  return writer.length === 0 ? null : writer.reading('decoded', layer);
}
