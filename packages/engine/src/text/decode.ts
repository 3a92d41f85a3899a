// What encodings inside a text say: base64, hexadecimal, escapes, moved or reversed letters. Each reading is of a piece of at most 896
// characters, so that what is said of a character depends on nothing farther away.

import { isUtf8 } from 'node:buffer';
import { HINTS, type HintedLayer } from './hints.ts';
import { binaryPieces, hexPairPieces, morsePieces } from './number-codes.ts';
import type { Survey } from './survey.ts';
import type { Reading } from './view.ts';
import { originEnd, originStart, ReadingWriter } from './writer.ts';

/** What decoding one text, or all that was decoded of it, may still cost. Used up in text order. */
export interface DecodeBudget {
  /** Pieces still to read. */
  pieces: number;
  /** Tokens, or parts of long ones, still to look at. */
  attempts: number;
  /** Characters still to write. */
  characters: number;
}

/** A fresh budget: 64 pieces, 64 kB. */
export function decodeBudget(): DecodeBudget {
  return { pieces: 64, attempts: 1000, characters: 65_536 };
}

/** A stretch of the source, end exclusive, and what it says, `null` when it says nothing. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly read: () => Reading | null;
}

/** What one reading may stand for, in characters of the source. */
const PIECE_CHARS = 896;
const BASE64_LENGTH_MIN = 16;
const PROBE_LENGTH = 16; // Twelve bytes: random base64 is printable there once in 150 000.
const PRINTABLE_SHARE_MIN = 0.9;
const ESCAPES_MIN = 3;

/** The decoded readings of `source`, in the order of their pieces. `budget` is used up. */
export function decode(source: Reading, survey: Survey, budget: DecodeBudget): Reading[] {
  const readings: Reading[] = [];
  for (const piece of piecesOf(source, survey, budget)) {
    if (budget.pieces <= 0 || budget.characters <= 0) break;
    const reading = piece.read();
    if (reading === null || reading.text.length === 0) continue;
    budget.pieces--;
    budget.characters -= reading.text.length;
    readings.push(reading);
  }
  return readings;
}

function piecesOf(source: Reading, { tokens, hints }: Survey, budget: DecodeBudget): Piece[] {
  const pieces = tokens.length === 0 ? [] : tokenPieces(source, tokens, budget);
  if (hints.rules.length === 0) return pieces;
  const endsByLayer = new Map<HintedLayer, number[]>();
  hints.rules.forEach((rule, i) => {
    const { layer } = HINTS[rule]!;
    const ends = endsByLayer.get(layer);
    if (ends === undefined) endsByLayer.set(layer, [hints.ends[i]!]);
    else ends.push(hints.ends[i]!);
  });
  for (const [layer, ends] of endsByLayer) pieces.push(...FINDERS[layer](source, ends));
  return pieces.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** By layer, the pieces about its hints; `ends`: offsets just after them, ascending. */
const FINDERS: Record<HintedLayer, (source: Reading, ends: readonly number[]) => Iterable<Piece>> = {
  percent: escapes('percent', /%([0-9a-f]{2})/gi),
  html_entities: escapes('html_entities', /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi),
  escapes: escapes('escapes', /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi),
  rot13: (source, ends) => around(source, ends, (start, end) => rotated(source, start, end)),
  reversed: (source, ends) => around(source, ends, (start, end) => reversed(source, start, end)),
  binary: binaryPieces,
  hex_pairs: hexPairPieces,
  morse: morsePieces,
};

/** How much before the first hint a piece takes in, and how much two pieces that follow each other share at least. */
const BEFORE_CHARS = 384;
const SHARED_CHARS = 384;
const HINT_CHARS_MAX = 16;
/** So far a piece is moved or shortened for its ends to stand between words: half a number may look like another one. */
const SNAP_CHARS = 64;

/** Pieces of running text about hints. Where one begins is decided by what stands before it and the first hint in it. */
function* around(
  { text }: Reading,
  ends: readonly number[],
  read: (start: number, end: number) => Reading | null,
): Generator<Piece> {
  let readTo = 0;
  for (const hintEnd of ends) {
    if (hintEnd <= readTo) continue;
    const last = Math.max(0, hintEnd - HINT_CHARS_MAX);
    const from = Math.min(last, Math.max(hintEnd - BEFORE_CHARS, readTo));
    const start = from === 0 ? 0 : wordStart(text, from, Math.min(last, from + SNAP_CHARS));
    const end = start + PIECE_CHARS < text.length ? wordEnd(text, start + PIECE_CHARS) : text.length;
    readTo = start + PIECE_CHARS - SHARED_CHARS;
    yield { start, end, read: () => read(start, end) };
  }
}

function wordStart(text: string, from: number, to: number): number {
  for (let at = from; at <= to; at++) if (text.charCodeAt(at - 1) <= 32) return at;
  return from;
}

function wordEnd(text: string, from: number): number {
  for (let at = from; at > from - SNAP_CHARS; at--) if (text.charCodeAt(at) <= 32) return at;
  return from;
}

interface Decoded {
  readonly layer: 'base64' | 'hex';
  readonly start: number;
  readonly end: number;
  readonly write: (writer: ReadingWriter) => void;
}

/** Base64 and hexadecimal tokens. Those that stand close together make one piece, a line each. */
function tokenPieces(source: Reading, tokens: Survey['tokens'], budget: DecodeBudget): Piece[] {
  const groups: Decoded[][] = [];
  const last: Record<Decoded['layer'], Decoded[] | null> = { base64: null, hex: null };
  for (const stretch of stretches(source.text, tokens, budget)) {
    const decoded = decodeStretch(source, stretch);
    if (decoded === null) continue;
    const group = last[decoded.layer];
    if (group !== null && decoded.end - group[0]!.start <= PIECE_CHARS) group.push(decoded);
    else {
      // As many as will be read; a text full of encodings costs no more memory.
      if (groups.length >= budget.pieces) break;
      groups.push((last[decoded.layer] = [decoded]));
    }
  }
  return groups.map((group) => {
    const { layer, start } = group[0]!;
    return { start, end: group.at(-1)!.end, read: () => lines(source, layer, group) };
  });
}

function lines(source: Reading, layer: string, group: readonly Decoded[]): Reading {
  const writer = new ReadingWriter(0);
  for (const { start, write } of group) {
    if (writer.length > 0) writer.push(10, originStart(source, start), originStart(source, start));
    write(writer);
  }
  return writer.reading('decoded', layer);
}

/** A stretch of a token that is decoded by itself. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Whether it is a stretch of a longer one, and whether it is its first. */
  readonly isPart: boolean;
  readonly isFirst: boolean;
}

/** Characters of a long encoding that are decoded together, and after how many the next stretch begins: whole groups of 4 and of 2. */
const STRETCH_CHARS = 768;
const STRETCH_STEP = 576;

/** What of the tokens may be an encoding by itself: between dots, and after an equals sign as in `q=aWdub3Jl`. Long ones in stretches. */
function* stretches(text: string, tokens: Survey['tokens'], budget: DecodeBudget): Generator<Stretch> {
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
        for (const stretch of cut(text, start, at)) {
          if (budget.attempts-- <= 0) return;
          yield stretch;
        }
      }
      start = at + 1;
    }
  }
}

function* cut(text: string, start: number, end: number): Generator<Stretch> {
  if (end - start <= STRETCH_CHARS) {
    yield { start, end, isPart: false, isFirst: true };
    return;
  }
  for (let from = start; ;) {
    let to = from;
    let next = from;
    for (let count = 0; to < end && count < STRETCH_CHARS; to++) {
      if (!isLineBreak(text.charCodeAt(to))) count++;
      if (count <= STRETCH_STEP) next = to + 1;
    }
    yield { start: from, end: to, isPart: true, isFirst: from === start };
    if (to >= end) return;
    from = next;
  }
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

function isWrapped(text: string, start: number, end: number, nextStart: number): boolean {
  return end - start >= 60 && nextStart - end <= 2 && text.charCodeAt(nextStart - 1) === 10;
}

function isBody(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const HEX = /^(?:[0-9a-f]{2})+$/i;

/** What a stretch says. A whole encoding stands for itself as a whole; in a long one each character has its own place. */
function decodeStretch(source: Reading, { start, end, isPart, isFirst }: Stretch): Decoded | null {
  const token = source.text.slice(start, end);
  const layer = HEX.test(token) ? 'hex' : 'base64';
  if (layer === 'base64' && !isPrintableStart(Buffer.from(token.slice(0, PROBE_LENGTH), 'base64'))) return null;
  const bytes = Buffer.from(token, layer);
  const skipped = isFirst ? 0 : continuationLength(bytes);
  const said = readable(bytes.subarray(skipped));
  if (said === null) return null;
  const write = isPart
    ? (writer: ReadingWriter) => writePlaced(writer, said, skipped, placesOf(source, start, token), layer === 'hex' ? 2 : 4)
    : (writer: ReadingWriter) => writer.pushText(said, originStart(source, start), originEnd(source, end - 1));
  return { layer, start, end, write };
}

/** Bytes of a character that began in the stretch before. */
function continuationLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < 3 && (bytes[length]! & 0xc0) === 0x80) length++;
  return length;
}

/** Starts and ends, in the original, of the encoded characters of a token. */
function placesOf(source: Reading, start: number, token: string): number[] {
  const places: number[] = [];
  for (let i = 0; i < token.length; i++) {
    if (!isLineBreak(token.charCodeAt(i))) places.push(originStart(source, start + i), originEnd(source, start + i));
  }
  return places;
}

/** Writes `said`, whose first byte is byte `at` of an encoding; a group of `groupLength` characters stands for three bytes, or for one. */
function writePlaced(writer: ReadingWriter, said: string, at: number, places: readonly number[], groupLength: number): void {
  const bytesPerGroup = groupLength === 4 ? 3 : 1;
  const lastPlace = places.length / 2 - 1;
  for (const char of said) {
    const bytes = Buffer.byteLength(char);
    const first = Math.floor(at / bytesPerGroup) * groupLength;
    const last = Math.min(lastPlace, Math.ceil((at + bytes) / bytesPerGroup) * groupLength - 1);
    writer.pushText(char, places[2 * first]!, places[2 * last + 1]!);
    at += bytes;
  }
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

/** Reads the escapes of a stretch. Fewer than three letters or spaces say nothing. */
function escapes(layer: HintedLayer, pattern: RegExp): (source: Reading, ends: readonly number[]) => Iterable<Piece> {
  return (source, ends) => around(source, ends, (start, end) => unescaped(source, start, end, layer, pattern));
}

function unescaped(source: Reading, start: number, end: number, layer: HintedLayer, pattern: RegExp): Reading | null {
  const matches = [...source.text.slice(start, end).matchAll(pattern)];
  const codes = matches.map((match) =>
    Number.parseInt(match[1] ?? match[2] ?? match[3]!, match[0].startsWith('&') && match[1] === undefined ? 10 : 16),
  );
  if (codes.filter((code) => code === 32 || isBody(code)).length < ESCAPES_MIN) return null;
  const writer = new ReadingWriter(end - start);
  let at = start;
  matches.forEach((match, i) => {
    const from = start + match.index;
    copy(source, writer, at, from);
    at = from + match[0].length;
    const said = codes[i]! <= 0x10ffff ? String.fromCodePoint(codes[i]!) : '\ufffd';
    writer.pushText(said, originStart(source, from), originEnd(source, at - 1));
  });
  copy(source, writer, at, end);
  return writer.reading('decoded', layer);
}

function copy(source: Reading, writer: ReadingWriter, start: number, end: number): void {
  for (let i = start; i < end; i++) writer.push(source.text.charCodeAt(i), originStart(source, i), originEnd(source, i));
}

function rotated(source: Reading, start: number, end: number): Reading {
  const writer = new ReadingWriter(end - start);
  for (let i = start; i < end; i++) writer.push(rot13(source.text.charCodeAt(i)), originStart(source, i), originEnd(source, i));
  return writer.reading('decoded', 'rot13');
}

function rot13(code: number): number {
  if ((code >= 65 && code <= 77) || (code >= 97 && code <= 109)) return code + 13;
  return (code >= 78 && code <= 90) || (code >= 110 && code <= 122) ? code - 13 : code;
}

function reversed(source: Reading, start: number, end: number): Reading {
  const writer = new ReadingWriter(end - start);
  for (let i = end - 1; i >= start; i--) writer.push(source.text.charCodeAt(i), originStart(source, i), originEnd(source, i));
  return writer.reading('decoded', 'reversed');
}
