// Text on a terminal: how wide it is, how it is cut, and what of it must not reach the terminal.

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// Unicode 17, East Asian Width W and F, in blocks; unassigned places between them count as wide, as terminals have it.
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

/** Columns that `text` takes on a terminal. It holds no control characters. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

function widthOfGrapheme(grapheme: string): number {
  if (/^[\p{Mark}\u200b-\u200d\ufeff]+$/u.test(grapheme)) return 0;
  // Emoji, those made of several and those that U+FE0F asks for among them.
  if (/^\p{Emoji_Presentation}|^\p{Emoji}\p{Emoji_Modifier}|\ufe0f|^\p{Regional_Indicator}{2}/u.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0)!;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}

/** The beginning of `text` in at most `width` columns, with an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let keptWidth = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = keptWidth + widthOfGrapheme(segment);
    if (next > width - 1) break;
    kept += segment;
    keptWidth = next;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** `text` with blanks up to `width` columns. */
export function pad(text: string, width: number, side: 'start' | 'end' = 'end'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'end' ? text + blanks : blanks + text;
}

/**
 * Makes a text of others safe to show: what could steer the terminal, turn the direction of writing or hide is written out, as `\x1b` or
 * `\u202e`. Line feeds and tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (character, offset: number) => {
    if (character === '\n' || character === '\t') return character;
    // Within a word of letters or an emoji of several they are how it is written.
    if (/[\u200c\u200d]/.test(character) && /[\p{L}\p{M}\p{Emoji}\ufe0f]$/u.test(text.slice(Math.max(0, offset - 2), offset)))
      return character;
    return escapeOf(character.codePointAt(0)!);
  });
}

/** JSON in which what `harmless` writes out is written as `\u009b`: the same value for programs, and nothing for a terminal to obey. */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

function escapeOf(point: number): string {
  const hex = point.toString(16);
  return point <= 0xff ? `\\x${hex.padStart(2, '0')}` : point <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** `harmless`, and in one line. */
export function oneLine(text: string): string {
  return harmless(text).replace(/\n/g, '↵').replace(/\t/g, ' ');
}

/** Lines of at most `width` columns, broken between words; a word that is longer has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** `3 min ago`, `in 2 h`, `now`; beyond 60 days the date. `iso`: a time of the API; `null` is a dash. */
export function ago(iso: string | null | undefined, nowMs: number = Date.now()): string {
  if (iso === null || iso === undefined) return '–';
  const ms = nowMs - Date.parse(iso);
  if (Number.isNaN(ms)) return iso;
  if (Math.abs(ms) > 60 * 86_400_000) return iso.slice(0, 10);
  const unit = UNITS.find(([, size]) => Math.abs(ms) >= size);
  if (unit === undefined) return 'now';
  const span = `${Math.floor(Math.abs(ms) / unit[1])} ${unit[0]}`;
  return ms < 0 ? `in ${span}` : `${span} ago`;
}

/** `1 key`, `2 keys`. */
export function count(n: number, one: string, many: string = `${one}s`): string {
  return `${n.toLocaleString('en-GB').replaceAll(',', ' ')} ${n === 1 ? one : many}`;
}

/** The word of `known` that was probably meant, if there is one. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((candidate) => ({
      candidate,
      distance: candidate.startsWith(word) && word.length > 1 ? 0.5 : distanceOf(word, candidate),
    }))
    .filter(({ distance, candidate }) => distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

/** Letters to insert, delete, replace or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
