// What the tokeniser needs to know of a character: its class, and the letter it is read as.

/** Classes of UTF-16 units. */
export const LETTER = 0;
export const SPACE = 1;
export const NEWLINE = 2;
export const DIGIT = 3;
const SIGN = 4;
/** Scripts without spaces, in which each character is a token. */
export const IDEOGRAPH = 5;
/** Half of a pair; the pair is a token. */
export const SURROGATE = 6;
/** Marks and invisible characters, passed over. */
export const NOTHING = 7;

const SPACE_PATTERN = /[\p{Zs}\t\u2028\u2029]/u;
const NOTHING_PATTERN = /[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\p{Cf}\p{Cc}]/u;
const DIGIT_PATTERN = /\p{Nd}/u;
const LETTER_PATTERN = /[\p{L}\p{M}\p{N}]/u;
const IDEOGRAPH_PATTERN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** By UTF-16 unit: its class. */
export const CLASSES = new Uint8Array(65_536);
/** By UTF-16 unit: the unit it is read as, lower-case and without accents. */
export const FOLDED = new Uint16Array(65_536);

for (let unit = 0; unit < 65_536; unit++) {
  FOLDED[unit] = unit;
  CLASSES[unit] = classOf(unit);
  // Hangul syllables, Han and private characters have neither case nor accents, and are most of the plane.
  if (unit < 0x2e80 || (unit >= 0xa640 && unit < 0xabc0) || unit >= 0xff00) FOLDED[unit] = foldedOf(unit);
}

function classOf(unit: number): number {
  if (unit === 10 || unit === 13) return NEWLINE;
  if (unit >= 0xd800 && unit < 0xe000) return SURROGATE;
  if (unit >= 0xac00 && unit < 0xd7a4) return LETTER;
  if (unit >= 0x4e00 && unit < 0xa000) return IDEOGRAPH;
  const char = String.fromCharCode(unit);
  if (SPACE_PATTERN.test(char)) return SPACE;
  if (NOTHING_PATTERN.test(char)) return NOTHING;
  if (DIGIT_PATTERN.test(char)) return DIGIT;
  if (IDEOGRAPH_PATTERN.test(char)) return IDEOGRAPH;
  return LETTER_PATTERN.test(char) ? LETTER : SIGN;
}

function foldedOf(unit: number): number {
  const char = String.fromCharCode(unit);
  const base = char.normalize('NFKD').toLowerCase();
  const bare = base.replace(/[\u0300-\u036f]/g, '');
  return bare.length === 1 ? bare.charCodeAt(0) : unit;
}
