// Numbers of the United States: social security (SSN), individual taxpayer (ITIN), employer (EIN).

import { isRepeated } from './checksums.ts';
import { isCued, isLedBy, isNoise } from './cues.ts';
import type { NumberRecogniser, NumberValue, Verdict } from './numbers.ts';

export const usNumbers: NumberRecogniser = { shapes: ['3-2-4', '3 2 4', '3.2.4', '9'], recognise: recogniseSsn };

/** Area, group and serial are never zero, the area never 666 or from 900 on (SSA, randomisation of 2011). */
function recogniseSsn(value: NumberValue): Verdict {
  const { digits, shape } = value;
  if (digits.startsWith('9')) return recogniseItin(value);
  const isIssued = !/^(?:000|666)|^...00|0000$/.test(digits) && !isRepeated(digits);
  if (!isIssued) return null;
  const { near } = value;
  if (isCued(near, 'ssn')) return { kind: 'us_ssn', score: shape === '9' ? 0.85 : 0.97, method: 'pattern+context' };
  if (shape === '9' || isNoise(near)) return null;
  return { kind: 'us_ssn', score: shape === '3-2-4' ? 0.85 : 0.55, method: 'pattern' };
}

/** Fourth and fifth digit of an ITIN (IRS): 50–65, 70–88, 90–92, 94–99. */
function recogniseItin(value: NumberValue): Verdict {
  const { digits, shape } = value;
  const group = Number(digits.slice(3, 5));
  const isIssued = group >= 50 && !(group > 65 && group < 70) && group !== 89 && group !== 93;
  if (!isIssued || isRepeated(digits)) return null;
  const { near } = value;
  if (isCued(near, 'itin')) return { kind: 'us_itin', score: 0.95, method: 'pattern+context' };
  return shape === '3-2-4' && !isNoise(near) ? { kind: 'us_itin', score: 0.75, method: 'pattern' } : null;
}

/** Prefixes the IRS never gave out (Publication 1635). */
const EIN_UNUSED = new Set('00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'.split(' '));

export const usEmployers: NumberRecogniser = {
  shapes: ['2-7'],
  recognise({ digits, near }) {
    const isEin = (isLedBy(near, 'ein') || isCued(near, 'ein')) && !EIN_UNUSED.has(digits.slice(0, 2));
    return isEin ? { kind: 'us_ein', score: 0.9, method: 'pattern+context' } : null;
  },
};
