// The visible reading of a text: compatibility forms composed (NFKC), what nobody can see dropped, and what the dropped said.

import {
  BIDI_MARK,
  codePointBefore,
  isEmojiPart,
  isJoiningScript,
  isKeycapBase,
  isRightToLeft,
  JOINER,
  kindOf,
  MARK,
  TAG,
  tagFlagLength,
  VARIATION,
} from './characters.ts';
import type { Reading } from './view.ts';
import { originEnd, originStart, ReadingWriter } from './writer.ts';

/** What normalising a text gave. */
export interface Normalised {
  /** The visible reading; `null` when it is the text itself. */
  readonly visible: Reading | null;
  /** Messages in characters that nobody can see: tag characters, bytes as variation selectors. */
  readonly hidden: readonly Reading[];
}

// Scripts stack up to four marks on a letter (Vietnamese 2, Hebrew with cantillation 3, Tibetan 4); more is decoration or noise.
const MARKS_MAX = 4;
const HIDDEN_LENGTH_MIN = 3; // Fewer hidden characters cannot say anything.
const CLUSTER_LENGTH_MAX = 32;
const BLOCK_LENGTH = 2000;
// One character can become 18; a text full of them must not grow without bound.
const GROWTH_MAX = 20_000;

/** Normalises `text`. Linear; the result is at most 20 000 units longer than the text, but for one cluster. */
export function normalise(text: string): Normalised {
  const { stripped, hidden } = isClean(text) ? { stripped: null, hidden: [] } : strip(text);
  const source: Reading = stripped ?? { kind: 'visible', layer: null, text, origins: null };
  // Only after the marks are bounded: sorting a run of marks takes quadratic time in the number of marks.
  if (isComposed(source.text)) return { visible: stripped, hidden };
  return { visible: compose(source), hidden };
}

/** True when NFKC changes nothing. Looks at overlapping blocks, so that a text that grows much is noticed early. */
function isComposed(text: string): boolean {
  for (let start = 0; start < text.length; start += BLOCK_LENGTH) {
    const block = text.slice(start, start + BLOCK_LENGTH + CLUSTER_LENGTH_MAX);
    if (block.normalize('NFKC') !== block) return false;
  }
  return true;
}

/** True when there is nothing to drop. */
function isClean(text: string): boolean {
  let marks = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xa0) {
      marks = 0;
      continue;
    }
    const codePoint = code >= 0xd800 && code < 0xdc00 ? text.codePointAt(i)! : code;
    const kind = kindOf(codePoint);
    if (kind === MARK) {
      if (++marks > MARKS_MAX) return false;
    } else {
      marks = 0;
      if (kind !== 0 && !isKept(text, i, kind)) return false;
      if (codePoint === 0x1f3f4) i += Math.max(0, tagFlagLength(text, i) - 2);
    }
    if (codePoint > 0xffff) i++;
  }
  return true;
}

function strip(text: string): { stripped: Reading; hidden: Reading[] } {
  const writer = new ReadingWriter(text.length);
  const tags = new HiddenCodes();
  const bytes = new HiddenCodes();
  let marks = 0;
  for (let i = 0; i < text.length;) {
    const codePoint = text.codePointAt(i)!;
    let width = codePoint > 0xffff ? 2 : 1;
    const kind = codePoint < 0xa0 ? 0 : kindOf(codePoint);
    marks = kind === MARK ? marks + 1 : 0;
    if (kind === 0 || (kind === MARK && marks <= MARKS_MAX) || (kind !== MARK && isKept(text, i, kind))) {
      if (codePoint === 0x1f3f4) width = tagFlagLength(text, i) || 2;
      for (let unit = i; unit < i + width; unit++) writer.push(text.charCodeAt(unit), unit, unit + 1);
    } else if (kind === TAG && codePoint >= 0xe0020 && codePoint < 0xe007f) {
      tags.add(codePoint - 0xe0000, i, i + width);
    } else if (kind === VARIATION) {
      const byte = byteOfSelector(codePoint);
      // What is no character of a text ends a message.
      if (byte >= 9 && byte <= 126) bytes.add(byte, i, i + width);
      else bytes.end();
    }
    i += width;
  }
  const hidden = [...tags.readings('unicode_tags'), ...bytes.readings('variation_selectors')];
  return { stripped: writer.reading('visible', null), hidden };
}

/** So many units of the text are read together, and after so many the next reading begins: what hides in a long text is read in parts. */
const HIDDEN_SPAN = 768;
const HIDDEN_STEP = 576;
const HIDDEN_READINGS_MAX = 96;

/** What characters that nobody can see say: codes with the places they stand at, and where messages end. */
class HiddenCodes {
  readonly #codes: number[] = [];
  readonly #places: number[] = [];
  readonly #ends: number[] = [];

  add(code: number, start: number, end: number): void {
    this.#codes.push(code);
    this.#places.push(start, end);
  }

  end(): void {
    if (this.#codes.length > (this.#ends.at(-1) ?? 0)) this.#ends.push(this.#codes.length);
  }

  readings(layer: string): Reading[] {
    this.end();
    const readings: Reading[] = [];
    let first = 0;
    for (const end of this.#ends) {
      while (first < end && readings.length < HIDDEN_READINGS_MAX) {
        const start = this.#places[2 * first]!;
        const last = this.#lastWithin(first, end, start + HIDDEN_SPAN);
        if (last + 1 - first >= HIDDEN_LENGTH_MIN) readings.push(this.#read(first, last, layer));
        first = last + 1 === end ? end : Math.max(first + 1, this.#lastWithin(first, end, start + HIDDEN_STEP));
      }
    }
    return readings;
  }

  /** Index of the last code, before `end`, that ends at `place` at the latest. */
  #lastWithin(first: number, end: number, place: number): number {
    let last = first;
    while (last + 1 < end && this.#places[2 * last + 3]! <= place) last++;
    return last;
  }

  #read(first: number, last: number, layer: string): Reading {
    const writer = new ReadingWriter(last + 1 - first);
    for (let i = first; i <= last; i++) writer.push(this.#codes[i]!, this.#places[2 * i]!, this.#places[2 * i + 1]!);
    return writer.reading('decoded', layer);
  }
}

/** True for the invisible character of `kind` at `index` when it belongs to the spelling of its neighbours. */
export function isKept(text: string, index: number, kind: number): boolean {
  const before = codePointBefore(text, index);
  if (kind === VARIATION) return isVariant(before, text.codePointAt(index)!);
  const after = text.codePointAt(index + 1) ?? -1;
  if (kind === JOINER) {
    if (isJoiningScript(before)) return true;
    return (isEmojiPart(before) || kindOf(before) === VARIATION) && isEmojiPart(after);
  }
  return kind === BIDI_MARK && (isRightToLeft(before) || isRightToLeft(after));
}

/** True where a variant of `base` exists: emoji and Mongolian with the first selectors, ideographs with all of them. */
function isVariant(base: number, selector: number): boolean {
  if ((base >= 0x3400 && base <= 0x9fff) || (base >= 0x20000 && base <= 0x3ffff)) return true;
  return selector <= 0xffff && (isEmojiPart(base) || isKeycapBase(base) || (base >= 0x1800 && base <= 0x18af));
}

/** Bytes are smuggled as variation selectors 1–256: U+FE00… for 0–15, U+E0100… for 16–255. */
function byteOfSelector(codePoint: number): number {
  return codePoint >= 0xe0100 ? codePoint - 0xe0100 + 16 : codePoint - 0xfe00;
}

/** NFKC, cluster by cluster, so that every character knows where it came from. */
function compose(source: Reading): Reading {
  const { text } = source;
  const writer = new ReadingWriter(text.length);
  const memo = new Map<string, string>();
  for (let start = 0; start < text.length;) {
    const end = clusterEnd(text, start);
    const single = end - start === 1 && text.charCodeAt(start) < 0xa0;
    const composed = single || writer.length - start > GROWTH_MAX ? null : composedOf(text.slice(start, end), memo);
    if (composed === null) {
      for (let i = start; i < end; i++) writer.push(text.charCodeAt(i), originStart(source, i), originEnd(source, i));
    } else {
      writer.pushText(composed, originStart(source, start), originEnd(source, end - 1));
    }
    start = end;
  }
  return writer.reading('visible', null);
}

/** The NFKC form of a cluster; `null` when it is the cluster. */
function composedOf(cluster: string, memo: Map<string, string>): string | null {
  let composed = memo.get(cluster);
  if (composed === undefined) {
    composed = cluster.normalize('NFKC');
    if (cluster.length <= 2) memo.set(cluster, composed);
  }
  return composed === cluster ? null : composed;
}

/** End of the cluster at `start`: one code point and what may compose with it. */
function clusterEnd(text: string, start: number): number {
  const endMax = Math.min(text.length, start + CLUSTER_LENGTH_MAX);
  let end = start + (text.codePointAt(start)! > 0xffff ? 2 : 1);
  while (end < endMax) {
    const code = text.charCodeAt(end);
    if (code < 0x300) break;
    const codePoint = text.codePointAt(end)!;
    if (kindOf(codePoint) !== MARK && !isTrailing(codePoint)) break;
    end += codePoint > 0xffff ? 2 : 1;
  }
  return end;
}

/** Characters that compose with the one before though they are no marks: Hangul vowels and finals, half-width kana voicing. */
function isTrailing(codePoint: number): boolean {
  return (codePoint >= 0x1161 && codePoint <= 0x11ff) || codePoint === 0xff9e || codePoint === 0xff9f;
}
