// What kind of character a code point is, as far as reading a text needs it: invisible, joining, combining, look-alike.

/** Kinds of code points; 0 is an ordinary visible character. */
export const ZERO_WIDTH = 1; // Takes no room and joins nothing: zero-width space, word joiner, soft hyphen, BOM, Hangul filler …
export const JOINER = 2; // ZWNJ and ZWJ: invisible, but part of the spelling in Persian, Indic scripts and emoji.
export const BIDI_MARK = 3; // LRM, RLM, ALM: ordinary in right-to-left text.
export const BIDI_CONTROL = 4; // Embeddings, overrides and isolates.
export const VARIATION = 5; // Variation selectors.
export const TAG = 6; // U+E0000–U+E007F.
export const MARK = 7; // Combining marks.

const TABLE_SIZE = 0x20000; // Two planes hold every mark but the variation selectors of plane 14.
const KINDS = new Uint8Array(TABLE_SIZE);

fillMarks();
fill(ZERO_WIDTH, [0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x3164, 0xfeff, 0xffa0]);
fillRange(ZERO_WIDTH, 0x2060, 0x2064);
fillRange(ZERO_WIDTH, 0x206a, 0x206f);
fillRange(ZERO_WIDTH, 0xfff9, 0xfffb);
fill(JOINER, [0x200c, 0x200d]);
fill(BIDI_MARK, [0x200e, 0x200f, 0x61c]);
fillRange(BIDI_CONTROL, 0x202a, 0x202e);
fillRange(BIDI_CONTROL, 0x2066, 0x2069);
fillRange(VARIATION, 0x180b, 0x180d);
fillRange(VARIATION, 0xfe00, 0xfe0f);

/** The kind of a code point (or of a lone surrogate: 0). */
export function kindOf(codePoint: number): number {
  if (codePoint < TABLE_SIZE) return KINDS[codePoint]!;
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return TAG;
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return VARIATION;
  return 0;
}

/** True for letters of scripts that use ZWNJ and ZWJ in spelling: Arabic to Myanmar, Khmer, Mongolian. */
export function isJoiningScript(codePoint: number): boolean {
  return (codePoint >= 0x600 && codePoint <= 0x109f) || (codePoint >= 0x1780 && codePoint <= 0x18af);
}

/** True for letters that are written from right to left. */
export function isRightToLeft(codePoint: number): boolean {
  return (codePoint >= 0x590 && codePoint <= 0x8ff) || (codePoint >= 0xfb1d && codePoint <= 0xfefc);
}

/** True for characters that may start or continue an emoji sequence. */
export function isEmojiPart(codePoint: number): boolean {
  return (
    (codePoint >= 0x1f000 && codePoint <= 0x1faff) ||
    (codePoint >= 0x2190 && codePoint <= 0x2bff) ||
    codePoint === 0x203c ||
    codePoint === 0x2049 ||
    codePoint === 0x2122 ||
    codePoint === 0x2139 ||
    codePoint === 0x3030 ||
    codePoint === 0x303d ||
    codePoint === 0x3297 ||
    codePoint === 0x3299 ||
    codePoint === 0xa9 ||
    codePoint === 0xae
  );
}

/** True for `#`, `*` and digits: with a variation selector they make keycaps. */
export function isKeycapBase(codePoint: number): boolean {
  return codePoint === 0x23 || codePoint === 0x2a || (codePoint >= 0x30 && codePoint <= 0x39);
}

/** The code point that ends just before `index`; -1 at the start. */
export function codePointBefore(text: string, index: number): number {
  if (index <= 0) return -1;
  const low = text.charCodeAt(index - 1);
  if (low < 0xdc00 || low > 0xdfff || index < 2) return low;
  const high = text.charCodeAt(index - 2);
  return high >= 0xd800 && high <= 0xdbff ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : low;
}

/** Length in UTF-16 units of the flag that starts with a black flag at `index` (England, Scotland, Wales …); 0 when none does. */
export function tagFlagLength(text: string, index: number): number {
  if (text.codePointAt(index) !== 0x1f3f4) return 0;
  for (let at = index + 2, tags = 0; tags <= 6; at += 2, tags++) {
    const codePoint = text.codePointAt(at) ?? 0;
    if (codePoint === 0xe007f) return tags >= 3 ? at + 2 - index : 0;
    if (codePoint < 0xe0030 || codePoint > 0xe007a) return 0;
  }
  return 0;
}

function fill(kind: number, codePoints: readonly number[]): void {
  for (const codePoint of codePoints) KINDS[codePoint] = kind;
}

function fillRange(kind: number, first: number, last: number): void {
  KINDS.fill(kind, first, last + 1);
}

/** Marks come from the Unicode data of the runtime; one search over all characters takes about 3 ms, once. */
function fillMarks(): void {
  for (let block = 0; block < TABLE_SIZE; block += 0x800) {
    if (block >= 0xd800 && block < 0xe000) continue;
    const characters = String.fromCodePoint(...Array.from({ length: 0x800 }, (_, i) => block + i));
    for (const [mark] of characters.matchAll(/\p{M}/gu)) KINDS[mark.codePointAt(0)!] = MARK;
  }
}
