// What encodings inside a text say: base64, hexadecimal, escapes, moved or reversed letters. One reading a layer.

import { isUtf8 } from 'node:buffer';
import { HINTS, type HintedLayer } from './hints.ts';
import { readBinary, readHexPairs, readMorse } from './number-codes.ts';
import type { Survey } from './survey.ts';
import type { Reading } from './view.ts';
import { originEnd, originStart, ReadingWriter } from './writer.ts';

/** What decoding one text may still cost. Shared by all its layers and nestings. */
export interface DecodeBudget {
  /** Encoded pieces still to decode. */
  pieces: number;
  /** Tokens still to look at. */
  attempts: number;
  /** Characters still to write. */
  characters: number;
}

/** A fresh budget: 16 pieces, 64 kB. */
export function decodeBudget(): DecodeBudget {
  return { pieces: 16, attempts: 1000, characters: 65_536 };
}

const BASE64_LENGTH_MIN = 16;
const PROBE_LENGTH = 16; // Twelve bytes: random base64 is printable there once in 150 000.
const PRINTABLE_SHARE_MIN = 0.9;
const ESCAPES_MIN = 3;

/** The decoded readings of `source`, at most one a layer. `budget` is used up. */
export function decode(source: Reading, survey: Survey, budget: DecodeBudget): Reading[] {
  const readings: Reading[] = [];
  const add = (reading: Reading | null) => {
    if (reading === null || reading.text.length === 0) return;
    budget.characters -= reading.text.length;
    readings.push(reading);
  };
  if (survey.tokens.length > 0) for (const reading of readTokens(source, survey.tokens, budget)) add(reading);
  for (const layer of new Set(survey.hints.rules.map((rule) => HINTS[rule]!.layer))) {
    if (budget.characters <= 0) break;
    add(READERS[layer](source, budget));
  }
  return readings;
}

const READERS: Record<HintedLayer, (source: Reading, budget: DecodeBudget) => Reading | null> = {
  percent: (source, budget) => readEscapes(source, 'percent', /%([0-9a-f]{2})/gi, budget),
  html_entities: (source, budget) => readEscapes(source, 'html_entities', /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, budget),
  escapes: (source, budget) =>
    readEscapes(source, 'escapes', /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, budget),
  rot13: (source, budget) => mapped(source, 'rot13', rot13, budget),
  reversed,
  binary: readBinary,
  hex_pairs: readHexPairs,
  morse: readMorse,
};

/** Base64 and hexadecimal tokens, a line each, each encoding in a reading of its own. */
function readTokens(source: Reading, tokens: Survey['tokens'], budget: DecodeBudget): Reading[] {
  const writers = { base64: new ReadingWriter(0), hex: new ReadingWriter(0) };
  for (const { start, end } of pieces(source.text, tokens, budget)) {
    if (budget.pieces <= 0 || budget.characters <= writers.base64.length + writers.hex.length) break;
    const token = source.text.slice(start, Math.min(end, start + budget.characters));
    const encoding = HEX.test(token) ? 'hex' : 'base64';
    const said = decodeToken(token, encoding);
    if (said === null) continue;
    budget.pieces--;
    const writer = writers[encoding];
    if (writer.length > 0) writer.push(10, originStart(source, start), originStart(source, start));
    writer.pushText(said, originStart(source, start), originEnd(source, end - 1));
  }
  return (['base64', 'hex'] as const).flatMap((layer) => {
    return writers[layer].length === 0 ? [] : [writers[layer].reading('decoded', layer)];
  });
}

const HEX = /^(?:[0-9a-f]{2})+$/i;

/** Parts of the tokens that may be encodings by themselves: between dots, and after an equals sign as in `q=aWdub3Jl`. */
function* pieces(text: string, tokens: Survey['tokens'], budget: DecodeBudget): Generator<{ start: number; end: number }> {
  for (let i = 0; i < tokens.length; i += 2) {
    let start = tokens[i]!;
    let end = tokens[i + 1]!;
    // Lines of a wrapped encoding belong together.
    while (i + 2 < tokens.length && isWrapped(text, start, end, tokens[i + 2]!)) {
      i += 2;
      end = tokens[i + 1]!;
    }
    for (let at = start; at <= end; at++) {
      const code = at < end ? text.charCodeAt(at) : 46;
      if (code !== 46 && !(code === 61 && isBody(text.charCodeAt(at + 1)))) continue;
      if (at - start >= BASE64_LENGTH_MIN) {
        if (budget.attempts-- <= 0) return;
        yield { start, end: at };
      }
      start = at + 1;
    }
  }
}

function isWrapped(text: string, start: number, end: number, nextStart: number): boolean {
  return end - start >= 60 && nextStart - end <= 2 && text.charCodeAt(nextStart - 1) === 10;
}

function isBody(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function decodeToken(token: string, encoding: 'base64' | 'hex'): string | null {
  if (encoding === 'hex') return readable(Buffer.from(token, 'hex'));
  if (!isPrintableStart(Buffer.from(token.slice(0, PROBE_LENGTH), 'base64'))) return null;
  return readable(Buffer.from(token, 'base64'));
}

function isPrintableStart(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}

// Asked first whether it can: most tokens are no encodings, and an exception costs as much as reading 1 000 characters.
const UTF8 = new TextDecoder('utf-8');

/** The text that bytes hold; `null` unless they are UTF-8 and mostly printable. A cut last character is forgiven. */
function readable(bytes: Uint8Array): string | null {
  if (bytes.length < 8) return null;
  for (let cut = 0; cut < 4; cut++) {
    const whole = bytes.subarray(0, bytes.length - cut);
    if (isUtf8(whole)) {
      const text = UTF8.decode(whole);
      return printableShare(text) >= PRINTABLE_SHARE_MIN ? text : null;
    }
    if (bytes[bytes.length - 1 - cut]! < 0x80) return null; // Broken before its end.
  }
  return null;
}

/** Share of letters, digits, spaces and ordinary signs. Unassigned and private characters are what noise decodes to. */
function printableShare(text: string): number {
  const sample = text.slice(0, 2000);
  return (sample.match(/[\p{L}\p{M}\p{N}\p{P}\p{S}\s]/gu)?.length ?? 0) / Array.from(sample).length;
}

/** The whole text with its escapes undone; `null` when fewer than three stand for letters or spaces. */
function readEscapes(source: Reading, layer: HintedLayer, pattern: RegExp, budget: DecodeBudget): Reading | null {
  const text = source.text.slice(0, budget.characters);
  const matches = [...text.matchAll(pattern)];
  const codes = matches.map((match) =>
    Number.parseInt(match[1] ?? match[2] ?? match[3]!, match[0].startsWith('&') && match[1] === undefined ? 10 : 16),
  );
  if (codes.filter((code) => code === 32 || isBody(code)).length < ESCAPES_MIN) return null;
  const writer = new ReadingWriter(text.length);
  let at = 0;
  matches.forEach((match, i) => {
    copy(source, writer, at, match.index);
    at = match.index + match[0].length;
    const said = codes[i]! <= 0x10ffff ? String.fromCodePoint(codes[i]!) : '\ufffd';
    writer.pushText(said, originStart(source, match.index), originEnd(source, at - 1));
  });
  copy(source, writer, at, text.length);
  return writer.reading('decoded', layer);
}

function copy(source: Reading, writer: ReadingWriter, start: number, end: number): void {
  for (let i = start; i < end; i++) writer.push(source.text.charCodeAt(i), originStart(source, i), originEnd(source, i));
}

function mapped(source: Reading, layer: HintedLayer, change: (code: number) => number, budget: DecodeBudget): Reading {
  const length = Math.min(source.text.length, budget.characters);
  const writer = new ReadingWriter(length);
  for (let i = 0; i < length; i++) writer.push(change(source.text.charCodeAt(i)), originStart(source, i), originEnd(source, i));
  return writer.reading('decoded', layer);
}

function rot13(code: number): number {
  if ((code >= 65 && code <= 77) || (code >= 97 && code <= 109)) return code + 13;
  return (code >= 78 && code <= 90) || (code >= 110 && code <= 122) ? code - 13 : code;
}

function reversed(source: Reading, budget: DecodeBudget): Reading {
  const { text } = source;
  const last = Math.max(0, text.length - budget.characters);
  const writer = new ReadingWriter(text.length - last);
  for (let i = text.length - 1; i >= last; i--) writer.push(text.charCodeAt(i), originStart(source, i), originEnd(source, i));
  return writer.reading('decoded', 'reversed');
}
