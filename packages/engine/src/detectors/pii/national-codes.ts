// National identity codes with letters in them, such as a codice fiscale, a DNI or an NRIC.

import { digitAt, isDate, isRepeated, remainder, weighted } from './checksums.ts';
import { type Cue, isCalledNational, isClaimed, isCued, isNoise, type Near } from './cues.ts';
import { isChinese, rutCheck } from './national-numbers.ts';
import type { Verdict } from './numbers.ts';

interface NationalCode {
  readonly country: string;
  readonly cue: Cue;
  readonly lengths: readonly number[];
  /** Of the compact code in upper case. */
  readonly pattern: RegExp;
  /** Score without a word that names it; 0: not without one. */
  readonly score: number;
  readonly hasChecksum: boolean;
  check(code: string): boolean;
}

const CODES: readonly NationalCode[] = [
  { country: 'Spain, DNI', cue: 'id:es', lengths: [9], pattern: /^\d{8}[A-Z]$/, score: 0.85, hasChecksum: true, check: isDni },
  {
    country: 'Spain, NIE',
    cue: 'id:es',
    lengths: [9],
    pattern: /^[XYZ]\d{7}[A-Z]$/,
    score: 0.88,
    hasChecksum: true,
    check: (c) => isDni(c.replace(/^[XYZ]/, (l) => String('XYZ'.indexOf(l)))),
  },
  {
    country: 'Italy',
    cue: 'id:it',
    lengths: [16],
    pattern: /^[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]$/,
    score: 0.92,
    hasChecksum: true,
    check: isCodiceFiscale,
  },
  {
    country: 'Germany, identity card',
    cue: 'id:de',
    lengths: [10],
    pattern: /^[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ\d]{8}\d$/,
    score: 0,
    hasChecksum: true,
    check: isGermanCard,
  },
  {
    country: 'Finland',
    cue: 'id:fi',
    lengths: [10, 11],
    pattern: /^\d{6}[A-FU-Y]?\d{3}[\dA-FHJ-NPR-Y]$/,
    score: 0.85,
    hasChecksum: true,
    check: isFinnish,
  },
  {
    country: 'Ireland',
    cue: 'id:ie',
    lengths: [8, 9],
    pattern: /^\d{7}[A-W][A-IW]?$/,
    score: 0.7,
    hasChecksum: true,
    check: isIrish,
  },
  {
    country: 'India, PAN',
    cue: 'id:in',
    lengths: [10],
    pattern: /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/,
    score: 0.7,
    hasChecksum: false,
    check: () => true,
  },
  {
    country: 'India, PAN',
    cue: 'id:in',
    lengths: [10],
    pattern: /^[A-Z]{5}\d{4}[A-Z]$/,
    score: 0,
    hasChecksum: false,
    check: () => true,
  },
  {
    country: 'Mexico, CURP',
    cue: 'id:mx',
    lengths: [18],
    pattern: /^[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z\d]\d$/,
    score: 0.9,
    hasChecksum: true,
    check: isCurp,
  },
  {
    country: 'Mexico, RFC',
    cue: 'id:mx',
    lengths: [12, 13],
    pattern: /^[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}$/,
    score: 0,
    hasChecksum: false,
    check: (c) => isYearFirst(c, c.length - 9),
  },
  {
    country: 'Chile',
    cue: 'id:cl',
    lengths: [8, 9],
    pattern: /^\d{7,8}K$/,
    score: 0.75,
    hasChecksum: true,
    check: (c) => rutCheck(c.slice(0, -1)) === 'K',
  },
  { country: 'China', cue: 'id:cn', lengths: [18], pattern: /^\d{17}X$/, score: 0.9, hasChecksum: true, check: isChinese },
  {
    country: 'Singapore',
    cue: 'id:sg',
    lengths: [9],
    pattern: /^[STFGM]\d{7}[A-Z]$/,
    score: 0.85,
    hasChecksum: true,
    check: isSingaporean,
  },
  {
    country: 'Hong Kong',
    cue: 'id:hk',
    lengths: [8, 9],
    pattern: /^[A-Z]{1,2}\d{6}[\dA]$/,
    score: 0.6,
    hasChecksum: true,
    check: isHongKong,
  },
  {
    country: 'United Kingdom, national insurance',
    cue: 'id:gb',
    lengths: [9],
    pattern: /^[A-Z]{2}\d{6}[A-D]$/,
    score: 0.8,
    hasChecksum: false,
    check: isNino,
  },
];

/** Codes by length, so that one word is tried on few. */
const BY_LENGTH = new Map<number, NationalCode[]>();
for (const code of CODES) {
  for (const length of code.lengths) BY_LENGTH.set(length, [...(BY_LENGTH.get(length) ?? []), code]);
}

/** Judges a word of 8 to 18 letters and digits. `word` is as it stands in the text, separators included. */
export function recogniseCode(word: string, near: () => Near): Verdict {
  const compact = word.replace(/[ .()/-]/g, '').toUpperCase();
  const candidates = BY_LENGTH.get(compact.length);
  if (candidates === undefined) return null;
  let isShaped = false;
  for (const code of candidates) {
    if (!code.pattern.test(compact)) continue;
    isShaped = true;
    const verdict = code.check(compact) ? scored(code, word, compact, near()) : null;
    if (verdict !== null) return verdict;
  }
  return isShaped ? mistyped(near()) : null;
}

function scored(code: NationalCode, word: string, compact: string, near: Near): Verdict {
  const method = code.hasChecksum ? 'pattern+checksum' : 'pattern';
  const verdict = { kind: 'national_id', method, note: code.country } as const;
  if (isCued(near, code.cue)) return { ...verdict, score: 0.95 };
  if (isCalledNational(near)) return { ...verdict, score: 0.88 };
  const isPlain = isNoise(near) || isClaimed(near) || isRepeated(compact.replace(/\D/g, '')) || word !== word.toUpperCase();
  return isPlain ? null : { ...verdict, score: code.score };
}

/** The right shape and a word that names it, but a wrong check character. */
function mistyped(near: Near): Verdict {
  return isCalledNational(near) && !isClaimed(near) ? { kind: 'national_id', score: 0.65, method: 'pattern+context' } : null;
}

function isYearFirst(code: string, at: number): boolean {
  return isDate(0, Number(code.slice(at + 2, at + 4)), Number(code.slice(at + 4, at + 6)));
}

function isDni(code: string): boolean {
  return code[8] === 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(code.slice(0, 8)) % 23];
}

/** Value of a character in an odd place of a codice fiscale, by its value in an even one (DM 23/12/1976). */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isCodiceFiscale(code: string): boolean {
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const even = /\d/.test(code[i]!) ? digitAt(code, i) : code.charCodeAt(i) - 65;
    sum += i % 2 === 0 ? ITALIAN_ODD[even]! : even;
  }
  return sum % 26 === code.charCodeAt(15) - 65;
}

/** Weights 7, 3, 1 over digits and letters (A is 10), modulo 10, as on machine-readable cards (ICAO 9303). */
function isGermanCard(code: string): boolean {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += valueOf(code, i) * [7, 3, 1][i % 3]!;
  return sum % 10 === digitAt(code, 9) && /\d/.test(code.slice(1, 9));
}

/** The separator has gone with the others where it was a hyphen; a letter stays. */
function isFinnish(code: string): boolean {
  const digits = code.slice(0, 6) + code.slice(-4, -1);
  const isDay = isDate(0, Number(code.slice(2, 4)), Number(code.slice(0, 2)));
  return isDay && code.at(-1) === '0123456789ABCDEFHJKLMNPRSTUVWXY'[remainder(digits, 31)];
}

function isIrish(code: string): boolean {
  const second = code.length === 9 && code[8] !== 'W' ? (code.charCodeAt(8) - 64) * 9 : 0;
  return code[7] === 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(code, [8, 7, 6, 5, 4, 3, 2]) + second) % 23];
}

const CURP_ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

function isCurp(code: string): boolean {
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += CURP_ALPHABET.indexOf(code[i]!) * (18 - i);
  return isYearFirst(code, 4) && (10 - (sum % 10)) % 10 === digitAt(code, 17);
}

/** Offset and letters by series: born before and since 2000, foreigners the same, and M since 2022. */
function isSingaporean(code: string): boolean {
  const offset = { S: 0, F: 0, T: 4, G: 4, M: 3 }[code[0]!]!;
  const rest = (weighted(code.slice(1), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  const letters = 'ST'.includes(code[0]!) ? 'JZIHGFEDCBA' : code[0] === 'M' ? 'XWUTRQPNJLK' : 'XWUTRQPNMLK';
  return code[8] === letters[rest];
}

/** A space counts 36 in front of a single letter; `A` is the check character ten. */
function isHongKong(code: string): boolean {
  let sum = code.length === 8 ? 36 * 9 : 0;
  for (let i = 0; i < code.length; i++) sum += valueOf(code, i) * (code.length - i);
  return sum % 11 === 0;
}

/** Digits as they are, letters from 10 on. */
function valueOf(code: string, i: number): number {
  const unit = code.charCodeAt(i);
  return unit < 58 ? unit - 48 : unit - 55;
}

/** Letters that are never used, and prefixes never given out (HMRC NIM39110). */
function isNino(code: string): boolean {
  return /^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]/.test(code) && !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(code);
}
