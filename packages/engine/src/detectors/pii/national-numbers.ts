// National identity numbers made of digits: their shapes, check digits and how much they say without a word beside them.

import { digitAt, isDate, isRepeated, luhn, mod1110, remainder, verhoeff, weighted } from './checksums.ts';
import { type Cue, isCalledNational, isClaimed, isCued, isNoise } from './cues.ts';
import type { NumberRecogniser, NumberValue, Verdict } from './numbers.ts';

/** One country's number. */
interface NationalNumber {
  readonly country: string;
  readonly cue: Cue;
  /** Shapes so particular that, with a right checksum, they need no word beside them; and the score they then have. */
  readonly alone: readonly string[];
  readonly score: number;
  /** Shapes that count only beside a word that names them. */
  readonly cued: readonly string[];
  check(digits: string): boolean;
}

const NUMBERS: readonly NationalNumber[] = [
  {
    country: 'United Kingdom, NHS',
    cue: 'id:gb',
    alone: [],
    score: 0,
    cued: ['10', '3 3 4', '3-3-4'],
    check: (d) => mod11(d, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
  },
  {
    country: 'Canada',
    cue: 'id:ca',
    alone: [],
    score: 0,
    cued: ['9', '3-3-3', '3 3 3'],
    check: (d) => d[0] !== '0' && d[0] !== '8' && luhn(d),
  },
  {
    country: 'Australia, tax file',
    cue: 'id:au',
    alone: [],
    score: 0,
    cued: ['9', '3 3 3', '3-3-3'],
    check: (d) => mod11(d, [1, 4, 3, 7, 5, 8, 6, 9, 10]),
  },
  {
    country: 'Australia, Medicare',
    cue: 'id:au',
    alone: [],
    score: 0,
    cued: ['10', '4 5 1', '11', '4 5 1-1'],
    check: isMedicare,
  },
  {
    country: 'Germany, tax',
    cue: 'id:de',
    alone: [],
    score: 0,
    cued: ['11', '2 3 3 3'],
    check: (d) => d[0] !== '0' && mod1110(d),
  },
  { country: 'France', cue: 'id:fr', alone: ['1 2 2 2 3 3 2', '15', '13 2'], score: 0.88, cued: [], check: isFrench },
  {
    country: 'Netherlands',
    cue: 'id:nl',
    alone: [],
    score: 0,
    cued: ['9', '4.2.3', '4 2 3', '3 3 3'],
    check: (d) => mod11(d, [9, 8, 7, 6, 5, 4, 3, 2, -1]),
  },
  {
    country: 'Belgium',
    cue: 'id:be',
    alone: ['2.2.2-3.2', '2.2.2 3.2'],
    score: 0.88,
    cued: ['11', '2 2 2 3 2', '6 3 2'],
    check: isBelgian,
  },
  { country: 'Poland', cue: 'id:pl', alone: [], score: 0, cued: ['11'], check: isPolish },
  { country: 'Sweden', cue: 'id:se', alone: ['8-4'], score: 0.75, cued: ['6-4', '10', '12'], check: isSwedish },
  { country: 'Norway', cue: 'id:no', alone: [], score: 0, cued: ['11', '6 5'], check: isNorwegian },
  { country: 'Denmark', cue: 'id:dk', alone: [], score: 0, cued: ['6-4', '10', '6 4'], check: (d) => isDayFirst(d) },
  { country: 'Switzerland', cue: 'id:ch', alone: ['3.4.4.2'], score: 0.9, cued: ['13', '3 4 4 2'], check: isSwiss },
  { country: 'Portugal', cue: 'id:pt', alone: [], score: 0, cued: ['9', '3 3 3'], check: isPortuguese },
  { country: 'Brazil, CPF', cue: 'id:br', alone: ['3.3.3-2'], score: 0.9, cued: ['11', '3 3 3 2', '9-2'], check: isCpf },
  { country: 'Brazil, CNPJ', cue: 'id:br', alone: ['2.3.3/4-2'], score: 0.9, cued: ['14'], check: isCnpj },
  { country: 'Argentina', cue: 'id:ar', alone: ['2-8-1'], score: 0.85, cued: ['11'], check: isArgentine },
  {
    country: 'Chile',
    cue: 'id:cl',
    alone: ['2.3.3-1', '1.3.3-1'],
    score: 0.75,
    cued: ['8-1', '7-1', '9', '8'],
    check: (d) => rutCheck(d.slice(0, -1)) === d.at(-1),
  },
  {
    country: 'India, Aadhaar',
    cue: 'id:in',
    alone: [],
    score: 0,
    cued: ['12', '4 4 4', '4-4-4'],
    check: (d) => d[0]! > '1' && verhoeff(d),
  },
  { country: 'China', cue: 'id:cn', alone: ['18'], score: 0.88, cued: [], check: isChinese },
  { country: 'South Korea', cue: 'id:kr', alone: ['6-7'], score: 0.75, cued: ['13'], check: isKorean },
  { country: 'Japan', cue: 'id:jp', alone: [], score: 0, cued: ['12', '4 4 4', '4-4-4'], check: isJapanese },
  { country: 'Turkey', cue: 'id:tr', alone: [], score: 0, cued: ['11'], check: isTurkish },
  { country: 'South Africa', cue: 'id:za', alone: ['6 4 2 1', '6 4 3'], score: 0.85, cued: ['13'], check: isSouthAfrican },
  { country: 'Croatia', cue: 'id:hr', alone: [], score: 0, cued: ['11'], check: mod1110 },
  { country: 'Romania', cue: 'id:ro', alone: [], score: 0, cued: ['13'], check: isRomanian },
  {
    country: 'Bulgaria',
    cue: 'id:bg',
    alone: [],
    score: 0,
    cued: ['10'],
    check: (d) => (weighted(d, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digitAt(d, 9),
  },
  { country: 'Czechia or Slovakia', cue: 'id:cz', alone: ['6/4'], score: 0.75, cued: ['10'], check: isCzech },
  { country: 'Estonia', cue: 'id:ee', alone: [], score: 0, cued: ['11'], check: isBaltic },
  { country: 'Israel', cue: 'id:il', alone: [], score: 0, cued: ['9'], check: luhn },
];

/** One recogniser a number, in the shapes that may stand alone. */
export const nationalNumbers: readonly NumberRecogniser[] = NUMBERS.map((number) => recogniserOf(number, number.alone));

/** The same numbers in the shapes that need a word beside them. */
export const cuedNationalNumbers: readonly NumberRecogniser[] = NUMBERS.map((number) => recogniserOf(number, number.cued));

function recogniserOf(number: NationalNumber, shapes: readonly string[]): NumberRecogniser {
  return {
    shapes,
    recognise: (value) => judge(number, value),
  };
}

function judge(number: NationalNumber, value: NumberValue): Verdict {
  const { digits, shape } = value;
  if (isRepeated(digits) || !number.check(digits)) return null;
  const { near } = value;
  const isNamed = isCued(near, number.cue);
  const isCalled = isCalledNational(near);
  if (isClaimed(near)) return null;
  if (!isNamed && !isCalled && (isNoise(near) || !number.alone.includes(shape))) return null;
  const score = isNamed ? 0.95 : isCalled ? 0.85 : number.score;
  return { kind: 'national_id', score, method: 'pattern+checksum', note: number.country };
}

/** What people call their number though no checksum we know bears it out: mistyped, or of a country not above. */
export const calledNumbers: NumberRecogniser = {
  shapes: [
    '8',
    '9',
    '10',
    '11',
    '12',
    '13',
    '3-3-3',
    '3 3 3',
    '3.3.3',
    '3.3.3-2',
    '6-4',
    '6-5',
    '6/4',
    '4-4-4',
    '4 4 4',
    '2.3.3',
    '1 2 2 2 3 3 2',
    '3.4.4.2',
  ],
  recognise({ digits, near }) {
    const isCalled = isCalledNational(near) && !isClaimed(near) && !isRepeated(digits);
    return isCalled ? { kind: 'national_id', score: 0.65, method: 'pattern+context' } : null;
  },
};

/** Weighted sum divisible by 11. */
function mod11(digits: string, weights: readonly number[]): boolean {
  return weighted(digits, weights) % 11 === 0;
}

/** A day at `at`: `yymmdd`, the century unknown. */
function isYearFirst(digits: string, at = 0): boolean {
  return isDate(0, Number(digits.slice(at + 2, at + 4)), Number(digits.slice(at + 4, at + 6)));
}

/** A day in front: `ddmmyy`, the century unknown. */
function isDayFirst(digits: string): boolean {
  return isDate(0, Number(digits.slice(2, 4)), Number(digits.slice(0, 2)));
}

/** Check digit in ninth place; an issue number and a reference may follow. */
function isMedicare(digits: string): boolean {
  return digits[0]! >= '2' && digits[0]! <= '6' && weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digitAt(digits, 8);
}

/** Sex, year, month, department, commune, order, and 97 minus the remainder of it all. */
function isFrench(digits: string): boolean {
  const month = Number(digits.slice(3, 5));
  const isShaped = /^[12]/.test(digits) && ((month >= 1 && month <= 12) || month >= 20);
  return isShaped && 97 - remainder(digits.slice(0, 13), 97) === Number(digits.slice(13));
}

/** Since 2000 the check is taken with a 2 in front. */
function isBelgian(digits: string): boolean {
  const check = Number(digits.slice(9));
  const body = digits.slice(0, 9);
  return isYearFirst(digits) && (97 - remainder(body, 97) === check || 97 - remainder(`2${body}`, 97) === check);
}

/** The month tells the century: 1–12, 21–32, 41–52, 61–72, 81–92. */
function isPolish(digits: string): boolean {
  const isDay = isDate(0, Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6)));
  return isDay && weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

/** Luhn over the last ten digits; co-ordination numbers add 60 to the day. */
function isSwedish(digits: string): boolean {
  const last = digits.slice(-10);
  const century = digits.length === 12 ? digits.slice(0, 2) : '19';
  const day = Number(last.slice(4, 6));
  const isDay = isDate(0, Number(last.slice(2, 4)), day > 60 ? day - 60 : day);
  return isDay && (century === '19' || century === '20') && luhn(last);
}

/** Two check digits modulo 11; D numbers add 40 to the day. */
function isNorwegian(digits: string): boolean {
  const day = Number(digits.slice(0, 2));
  if (!isDate(0, Number(digits.slice(2, 4)), day > 40 ? day - 40 : day)) return false;
  return mod11(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) && mod11(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]);
}

/** An EAN-13 with the country code 756. */
function isSwiss(digits: string): boolean {
  return digits.startsWith('756') && weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

function isPortuguese(digits: string): boolean {
  const rest = 11 - (weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return /^[1235689]/.test(digits) && (rest > 9 ? 0 : rest) === digitAt(digits, 8);
}

/** Both check digits of a Brazilian number: modulo 11 with the weights, the second over the first. */
function isBrazilian(digits: string, weights: readonly number[]): boolean {
  const check = (from: number): number => {
    const rest = weighted(digits, weights.slice(from)) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  return check(1) === digitAt(digits, weights.length - 1) && check(0) === digitAt(digits, weights.length);
}

function isCpf(digits: string): boolean {
  return isBrazilian(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
}

function isCnpj(digits: string): boolean {
  return isBrazilian(digits, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
}

function isArgentine(digits: string): boolean {
  return /^(?:2[03457]|3[034])/.test(digits) && mod11(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]);
}

/** Check character of a Chilean RUT: modulo 11, the weights 2 to 7 from the right, `K` for ten. */
export function rutCheck(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) sum += digitAt(body, body.length - 1 - i) * ((i % 6) + 2);
  return '0K987654321'[sum % 11]!;
}

/** GB 11643: region, birth date, order, check character modulo 11. `id` has 17 digits and a digit or `X`. */
export function isChinese(id: string): boolean {
  const year = Number(id.slice(6, 10));
  if (year < 1900 || year > 2100 || !isDate(year, Number(id.slice(10, 12)), Number(id.slice(12, 14)))) return false;
  const rest = weighted(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11;
  return /^[1-9]/.test(id) && id[17] === '10X98765432'[rest];
}

/** Numbers given out since October 2020 have no check digit, so date and century digit must do. */
function isKorean(digits: string): boolean {
  return isYearFirst(digits) && digits[6]! >= '1' && digits[6]! <= '8';
}

function isJapanese(digits: string): boolean {
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === digitAt(digits, 11);
}

function isTurkish(digits: string): boolean {
  const odd = weighted(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const ninth = (((odd * 7 - even) % 10) + 10) % 10;
  return digits[0] !== '0' && ninth === digitAt(digits, 9) && (odd + even + ninth) % 10 === digitAt(digits, 10);
}

function isSouthAfrican(digits: string): boolean {
  return isYearFirst(digits) && digits[10]! <= '2' && luhn(digits);
}

function isRomanian(digits: string): boolean {
  const rest = weighted(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return digits[0] !== '0' && isYearFirst(digits, 1) && (rest === 10 ? 1 : rest) === digitAt(digits, 12);
}

/** Months of women are higher by 50, and by 20 where numbers ran out; the whole is divisible by 11. */
function isCzech(digits: string): boolean {
  const month = (Number(digits.slice(2, 4)) % 50) % 20;
  return isDate(0, month, Number(digits.slice(4, 6))) && remainder(digits, 11) === 0;
}

/** Modulo 11, with other weights where the first give ten. Lithuania has the same. */
function isBaltic(digits: string): boolean {
  const first = weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weighted(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  const check = first < 10 ? first : second % 10;
  return /^[1-6]/.test(digits) && isYearFirst(digits, 1) && check === digitAt(digits, 10);
}
