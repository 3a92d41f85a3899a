// Phone numbers: international ones by their country code, national ones by shape, any others beside a word for phones.

import type { AnchorHits } from '../../types.ts';
import { isDigit, isWord } from './chars.ts';
import { isRepeated } from './checksums.ts';
import { cuesNear, isCued, isNoise, type Near } from './cues.ts';
import type { Find } from './finds.ts';
import { canBegin, canEnd, type NumberRecogniser, type NumberValue, type Verdict } from './numbers.ts';
import { type Groups, SPACE_GAP } from './shapes.ts';

/** Digits after the country code, fewest and most (ITU-T E.164 and national plans). */
type Plan = readonly [number, number];

const DEFAULT_PLAN: Plan = [7, 12];
/** Plans of countries whose numbers are all of a length, or nearly so. */
const PLANS = new Map<string, Plan>(
  (
    '1:10-10 7:10-10 20:8-10 27:9-9 30:10-10 31:9-9 32:8-9 33:9-9 34:9-9 36:8-9 39:6-11 40:9-9 41:9-9 43:4-13 44:7-10 45:8-8 46:7-10 ' +
    '47:8-8 48:9-9 49:6-11 51:8-9 52:10-10 53:6-8 54:10-11 55:10-11 56:8-9 57:8-10 58:10-10 60:7-10 61:9-9 62:8-12 63:8-10 64:8-10 ' +
    '65:8-8 66:8-9 81:9-10 82:8-11 84:7-10 86:10-11 90:10-10 91:10-10 92:9-10 93:9-9 94:9-9 95:7-10 98:10-10'
  )
    .split(' ')
    .map((entry): [string, Plan] => {
      const [code, low, high] = entry.split(/[:-]/);
      return [code!, [Number(low), Number(high)]];
    }),
);
/** Country codes of three digits begin with one of these pairs (ITU-T E.164 assigned codes). */
const LONG_CODES = /^(?:2[1-69]|3[578]|42|50|59|6[789]|80|8[578]|9[679])/;

/** A number has at most 15 digits (E.164) and hardly fewer than 7, in so many groups. */
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
const GROUPS_MAX = 8;

/** Finds an international number whose country code begins group `i`, after `+` or `00`. */
export function findInternational(text: string, groups: Groups, i: number, hits: AnchorHits): Find | null {
  const start = groups.starts[i]!;
  if (groups.ends.at(-1)! - start < DIGITS_MIN) return null;
  const isPlus = text[start - 1] === '+';
  // Zeros within a run are most often groups of an account.
  if (!isPlus && !(i === 0 && text.startsWith('00', start) && canBegin(text, groups, i))) return null;
  if (isPlus && isWord(text.charCodeAt(start - 2))) return null;
  const last = lastOfInternational(text, groups, i, isPlus ? 0 : 2);
  if (last < 0) return null;
  const end = groups.ends[last]!;
  if (isPlus) return { kind: 'phone', start: start - 1, end, score: 0.92, method: 'pattern' };
  const near = cuesNear(text, hits, start, end);
  if (isNoise(near) || (last === i && !isCued(near, 'phone'))) return null;
  return { kind: 'phone', start, end, score: isCued(near, 'phone') ? 0.92 : 0.6, method: 'pattern' };
}

/** The last group of the number, or −1. `skip` digits of its prefix are left out. */
function lastOfInternational(text: string, groups: Groups, i: number, skip: number): number {
  let digits = '';
  let found = -1;
  for (let g = i; g < groups.starts.length && g < i + GROUPS_MAX; g++) {
    if (g > i && (groups.gaps[g] === 0 || groups.gaps[g] === COLON_GAP)) break;
    if (groups.ends[g]! - groups.starts[g]! > DIGITS_MAX + skip) break;
    digits += text.slice(groups.starts[g], groups.ends[g]);
    const national = digits.slice(skip);
    const code = countryCodeOf(national);
    const [low, high] = PLANS.get(code) ?? DEFAULT_PLAN;
    // A trunk zero in brackets, "+44 (0)20 …", is not counted.
    const length = national.length - code.length - (hasTrunkZero(text, groups, g, i) ? 1 : 0);
    if (length > high || national.length > DIGITS_MAX) break;
    if (length >= low && code !== '' && !isRepeated(national) && canEnd(text, groups, g)) found = g;
  }
  return found;
}

const COLON_GAP = 5;

function hasTrunkZero(text: string, groups: Groups, last: number, first: number): boolean {
  return last > first && text.slice(groups.ends[first], groups.ends[last]).includes('(0)');
}

function countryCodeOf(digits: string): string {
  if (digits[0] === '1' || digits[0] === '7') return digits[0];
  if (digits[0] === '0') return '';
  return digits.slice(0, LONG_CODES.test(digits) ? 3 : 2);
}

/** North American numbers: area and exchange begin with 2 to 9. */
export const americanPhones: NumberRecogniser = {
  shapes: [
    '3-3-4',
    '3.3.4',
    '3)3-4',
    '3)3.4',
    '3)3 4',
    '3 3 4',
    '3 3-4',
    '1-3-3-4',
    '1.3.3.4',
    '1 3 3 4',
    '1(3)3-4',
    '1 3-3-4',
    '10',
  ],
  recognise(value) {
    const { digits, shape, text, start } = value;
    const isLong = digits.length === 11;
    if (isLong && digits[0] !== '1') return null;
    const national = isLong ? digits.slice(1) : digits;
    if (!/^[2-9]\d\d[2-9]/.test(national) || isRepeated(national) || text[start - 1] === '+') return null;
    const { near } = value;
    if (isCued(near, 'phone') && !isNoise(near)) return { kind: 'phone', score: 0.92, method: 'pattern+context' };
    if (isNoise(near) || shape === '10') return null;
    return { kind: 'phone', score: shape.includes('-') ? 0.8 : shape.includes(' ') ? 0.55 : 0.7, method: 'pattern' };
  },
};

/** National numbers with the trunk zero, as written across Europe, Asia and Australia; Brazilian ones with the area in brackets. */
export const trunkPhones: NumberRecogniser = {
  shapes: (
    '2 2 2 2 2|2.2.2.2.2|2-2-2-2-2|2 8|3 7|3 8|4 6|4 7|4 8|5 5|5 6|5 7|4 3 3|4 3 4|3 4 4|5 3 3|3 3 4|' +
    '4 2 2 2|3 3 2 2|3 3 3|2 4 4|2-4-4|3-4-4|4-3-3|2-8|3-7|4-6|4-7|4-8|5-6|4/7|3/7|3/8|4/6|5/6|3)7|4)7|' +
    '5)6|2)4 4|2)4-4|2)5-4|3)4 4|3)3 4|11'
  ).split('|'),
  recognise: recogniseTrunk,
};

function recogniseTrunk(value: NumberValue): Verdict {
  const { digits, shape, text, start } = value;
  const isBrazilian = /^2\)[45]-4$/.test(shape) && text[start - 1] === '(' && digits[0] !== '0';
  if (isBrazilian) return { kind: 'phone', score: 0.8, method: 'pattern' };
  if (!/^0[1-9]/.test(digits) || isRepeated(digits.slice(1))) return null;
  const { near } = value;
  if (isNoise(near)) return null;
  if (isCued(near, 'phone')) return { kind: 'phone', score: 0.92, method: 'pattern+context' };
  if (shape === '11') return /^07[1-9]/.test(digits) ? { kind: 'phone', score: 0.55, method: 'pattern' } : null;
  return { kind: 'phone', score: /^2.2.2.2.2$/.test(shape) ? 0.75 : 0.65, method: 'pattern' };
}

/** Any other number beside a word for phones: from group `i` on, of 7 to 15 digits. */
export function findNamedPhone(text: string, groups: Groups, i: number, hits: AnchorHits): Find | null {
  if (!canBegin(text, groups, i)) return null;
  const last = lastOfNamed(text, groups, i);
  if (last < 0) return null;
  const [start, end] = [groups.starts[i]!, groups.ends[last]!];
  const near = cuesNear(text, hits, start, end);
  if (!isPhoneNamed(near) || isRepeated(text.slice(start, end)) || text.slice(start - near.distance, start).includes('\n'))
    return null;
  return { kind: 'phone', start, end, score: 0.75, method: 'pattern+context' };
}

function isPhoneNamed(near: Near): boolean {
  return near.before[0] === 'phone' && near.distance <= NAMED_DISTANCE_MAX;
}

/** "phone number is: 555 …": nearer than this. */
const NAMED_DISTANCE_MAX = 20;

function lastOfNamed(text: string, groups: Groups, i: number): number {
  let count = 0;
  let found = -1;
  for (let g = i; g < groups.starts.length && g < i + GROUPS_MAX; g++) {
    const length = groups.ends[g]! - groups.starts[g]!;
    if (g > i && !isPhoneGap(groups.gaps[g]!)) break;
    count += length;
    if (count > DIGITS_MAX || length === 1 || isDateLike(text, groups, i, g)) break;
    if (count >= DIGITS_MIN && canEnd(text, groups, g)) found = g;
  }
  return found;
}

function isPhoneGap(gap: number): boolean {
  return gap >= SPACE_GAP && gap !== COLON_GAP;
}

/** `2024-05-01` and `01.05.2024` stand beside phones too. */
function isDateLike(text: string, groups: Groups, i: number, g: number): boolean {
  if (g - i !== 2) return false;
  return /^(?:(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:19|20)\d\d)$/.test(
    text.slice(groups.starts[i], groups.ends[g]),
  );
}

/** Takes the bracket that opens an area code, `(0221) 123`, into the span. */
export function withBracket(text: string, find: Find): Find {
  const opens = text[find.start - 1] === '(' && text.slice(find.start, find.end).includes(')');
  if (!opens) return find;
  const before = text.slice(Math.max(0, find.start - 6), find.start - 1);
  const code = /\+?\d{1,3} ?$/.exec(before);
  const isCode = code !== null && code[0].includes('+') && !isDigit(before.charCodeAt(code.index - 1));
  return { ...find, start: find.start - 1 - (isCode ? code[0].length : 0) };
}
