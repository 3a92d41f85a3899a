// What a UTF-16 unit counts as when texts are compared word by word, and the letter it is compared as.

/** Not part of any word. */
export const BREAK = 0;
/** A letter of a script that puts spaces between words. */
export const LETTER = 1;
/** A digit of any script; folds to ASCII. */
export const DIGIT = 2;
/** A letter of a script without spaces between words, or with particles joined on: compared by pairs of characters. */
export const PAIRED = 3;
/** Joins the word it stands in and is not compared: combining marks, vowel points, joiners. */
export const SILENT = 4;

const UNITS = 0x10000;
const CLASSES = new Uint8Array(UNITS);
const FOLDED = new Uint16Array(UNITS);

/** Accents are taken off these only: further on, marks make other letters (`か` and `が`). */
const ACCENTED_END = 0x590;
const ACCENTED = [
  [0, ACCENTED_END],
  [0x1e00, 0x2000],
] as const;
const ALPHABETS_END = 0x3040;

fillAlphabets();
fillPaired();
fillSilent();
fillDigits();
fillWide();
fillArabic();

/** The class of a UTF-16 unit. */
export function classOf(unit: number): number {
  return CLASSES[unit]!;
}

/** The unit it is compared as: lower case, without accents, digits and wide forms as ASCII. */
export function foldedUnit(unit: number): number {
  return FOLDED[unit]!;
}

function fillAlphabets(): void {
  for (let unit = 0; unit < UNITS; unit++) FOLDED[unit] = unit;
  // One search over all characters: asking for each by itself takes ten times as long, and every thread does this at its start.
  const all = String.fromCharCode(...Array.from({ length: ALPHABETS_END }, (_none, unit) => unit));
  for (const { index } of all.matchAll(/[\p{L}\p{Mc}]/gu)) CLASSES[index] = LETTER;
  for (const { index } of all.matchAll(/[\p{Mn}\p{Me}]/gu)) CLASSES[index] = index < ACCENTED_END ? SILENT : LETTER;
  for (const [first, end] of ACCENTED)
    for (let unit = first; unit < end; unit++)
      if (CLASSES[unit] === LETTER) FOLDED[unit] = all[unit]!.toLowerCase().normalize('NFD').charCodeAt(0);
  CLASSES.fill(LETTER, 0xa000, 0xd800);
  CLASSES.fill(LETTER, 0xf900, 0xfe00);
}

function fillPaired(): void {
  for (const [first, last] of [
    [0xe00, 0xeff], // Thai, Lao.
    [0x1000, 0x109f], // Myanmar.
    [0x1780, 0x17ff], // Khmer.
    [0x3041, 0x30ff], // Kana.
    [0x3400, 0x9fff], // Ideographs.
    [0xac00, 0xd7af], // Hangul: words carry their particles.
    [0xf900, 0xfaff],
  ] as const)
    for (let unit = first; unit <= last; unit++) CLASSES[unit] = PAIRED;
  for (const unit of [0xe2f, 0xe46, 0xe4f, 0x104a, 0x104b, 0x17d4, 0x17d5, 0x30fb]) CLASSES[unit] = BREAK;
}

function fillSilent(): void {
  for (const [first, last] of [
    [0x591, 0x5bd], // Hebrew points.
    [0x610, 0x61a],
    [0x640, 0x640], // Tatweel.
    [0x64b, 0x65f], // Arabic vowels.
    [0x200b, 0x200f],
    [0xfe00, 0xfe0f],
  ] as const)
    for (let unit = first; unit <= last; unit++) CLASSES[unit] = SILENT;
  CLASSES[0xad] = SILENT;
  CLASSES[0xfeff] = SILENT;
}

function fillDigits(): void {
  for (const zero of [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xff10])
    for (let digit = 0; digit < 10; digit++) {
      CLASSES[zero + digit] = DIGIT;
      FOLDED[zero + digit] = 0x30 + digit;
    }
}

/** Full-width ASCII. */
function fillWide(): void {
  for (let unit = 0xff21; unit <= 0xff5a; unit++) {
    const ascii = unit - 0xfee0;
    FOLDED[unit] = FOLDED[ascii]!;
    CLASSES[unit] = CLASSES[ascii]!;
  }
}

/** Spellings of one letter that writers mix: alef with and without hamza, ya and alef maksura, ta marbuta and ha. */
function fillArabic(): void {
  for (const [from, to] of [
    [0x622, 0x627],
    [0x623, 0x627],
    [0x625, 0x627],
    [0x649, 0x64a],
    [0x6cc, 0x64a],
    [0x6a9, 0x643],
    [0x629, 0x647],
  ] as const)
    FOLDED[from] = to;
}
