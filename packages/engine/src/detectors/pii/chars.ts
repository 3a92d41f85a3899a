// What one character is, for recognisers that walk texts by hand. Codes are UTF-16 units; halves of pairs are no letters.

const LETTER = /\p{L}|\p{M}/u;
const UPPER = /\p{Lu}/u;

/** `0`–`9`. NaN, as `charCodeAt` gives beyond the ends, is nothing at all; so everywhere here. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `A`–`Z`, `a`–`z`. */
export function isAsciiLetter(code: number): boolean {
  const folded = code | 32;
  return folded >= 97 && folded <= 122;
}

/** A letter of any script, or a mark on one. */
export function isLetter(code: number): boolean {
  if (code < 128) return isAsciiLetter(code);
  return code >= 0xaa && isOtherLetter(code);
}

/** By code: 1 for a letter, 2 for none, 0 for not asked yet; patterns are too slow to ask at every step. */
const KNOWN = new Uint8Array(65_536);

function isOtherLetter(code: number): boolean {
  KNOWN[code] ||= LETTER.test(String.fromCharCode(code)) ? 1 : 2;
  return KNOWN[code] === 1;
}

/** An upper case letter of any script. */
export function isUpper(code: number): boolean {
  if (code < 128) return code >= 65 && code <= 90;
  return code >= 0xc0 && UPPER.test(String.fromCharCode(code));
}

/** An ASCII letter or digit. */
export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || isAsciiLetter(code);
}

/** A letter of any script, a digit or `_`: what no value may touch. */
export function isWord(code: number): boolean {
  return isDigit(code) || code === 95 || isLetter(code);
}

/** `0`–`9`, `A`–`F`, `a`–`f`. */
export function isHex(code: number): boolean {
  const folded = code | 32;
  return isDigit(code) || (folded >= 97 && folded <= 102);
}
