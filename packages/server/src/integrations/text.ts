// Texts within bounds: what comes from outside is made one visible line, and nothing is cut inside a character.

import { createHash } from 'node:crypto';

// Line ends and other controls, which would break a layout.
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
// Marks that turn the direction of writing: with them one name can look like another.
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const HASH_CHARS = 16; // 64 bits: two conditions of one organization do not meet.
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One line of at most `charsMax` UTF-16 units: controls are spaces, half characters are replaced, directional marks left out. */
export function oneLine(text: string, charsMax: number): string {
  return cut(text.toWellFormed().replace(DIRECTIONS, '').replace(BREAKS, ' ').trim(), charsMax);
}

/** At most `charsMax` UTF-16 units, with `…` where something was cut; what a reader sees as one character stays whole or goes. */
export function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : cutBefore(text, charsMax - 1);
}

/** What stands before the character at `index`, and `…`. */
export function cutBefore(text: string, index: number): string {
  return `${text.slice(0, graphemes.segment(text).containing(index)?.index ?? 0)}…`;
}

/** `key`, or its beginning with a hash of the whole, so that different keys stay different within `charsMax`. */
export function shortKey(key: string, charsMax: number): string {
  if (key.length <= charsMax) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, HASH_CHARS);
  return `${key.slice(0, charsMax - HASH_CHARS - 1)}~${hash}`;
}

/** JSON without half characters, which `JSON.stringify` writes as escapes that vendors' parsers refuse. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
    escape.startsWith('\\ud') ? '\ufffd' : escape,
  );
}
