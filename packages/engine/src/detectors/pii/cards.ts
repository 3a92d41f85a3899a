// Payment cards: the issuer's prefix and length (ISO/IEC 7812) and the Luhn digit.

import { isRepeated, luhn } from './checksums.ts';
import { isCued, isLedBy, isNoise } from './cues.ts';
import type { NumberRecogniser, NumberValue, Verdict } from './numbers.ts';

interface Issuer {
  readonly name: string;
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
}

const ISSUERS: readonly Issuer[] = [
  { name: 'Visa', prefix: /^4/, lengths: [13, 16, 19] },
  { name: 'Mastercard', prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { name: 'American Express', prefix: /^3[47]/, lengths: [15] },
  { name: 'Discover', prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { name: 'Diners Club', prefix: /^3(?:0[0-5]|[689])/, lengths: [14] },
  { name: 'JCB', prefix: /^35(?:2[89]|[3-8])/, lengths: [16] },
  { name: 'UnionPay', prefix: /^62/, lengths: [16, 17, 18, 19] },
  { name: 'Maestro', prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { name: 'RuPay', prefix: /^(?:60|81|82|508)/, lengths: [16] },
  { name: 'Mir', prefix: /^220[0-4]/, lengths: [16] },
];

export const cards: NumberRecogniser = {
  shapes: '12|13|14|15|16|17|18|19|4 4 4 4|4-4-4-4|4.4.4.4|4 6 5|4-6-5|4 6 4|4-6-4|4 4 4 4 3|4-4-4-4-3|4 4 4 3|6 13'.split('|'),
  recognise,
};

function recognise(value: NumberValue): Verdict {
  const { digits, shape } = value;
  if (!luhn(digits) || isRepeated(digits)) return null;
  const issuer = issuerOf(digits);
  if (issuer === null) return null;
  const { near } = value;
  const verdict = { kind: 'credit_card', method: 'pattern+checksum', note: issuer } as const;
  if (isCued(near, 'card') && !isNoise(near)) return { ...verdict, score: 0.98 };
  const isGrouped = shape !== String(digits.length);
  if (isGrouped) return { ...verdict, score: 0.95 };
  // One in ten random numbers passes Luhn: other lengths than 14 to 16, and numbers said to be something else, need a cue.
  if (isNoise(near) || isLedBy(near, 'phone') || digits.length < 14 || digits.length > 16) return null;
  return { ...verdict, score: digits.length === 14 ? 0.6 : 0.88 };
}

function issuerOf(digits: string): string | null {
  const issuer = ISSUERS.find(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits));
  return issuer?.name ?? null;
}
