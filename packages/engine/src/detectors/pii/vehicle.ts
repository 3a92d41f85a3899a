// Vehicle identification numbers (ISO 3779), with the check digit of North America where there is one.

import type { AnchorHits } from '../../types.ts';
import { digitAt } from './checksums.ts';
import { cuesNear, isCued } from './cues.ts';
import type { Find } from './finds.ts';

export const VIN_LENGTH = 17;

/** Judges a word of seventeen letters and digits at `start`. */
export function findVehicle(text: string, start: number, hits: AnchorHits): Find | null {
  const end = start + VIN_LENGTH;
  const vin = text.slice(start, end);
  if (!/^[A-HJ-NPR-Z\d]{17}$/.test(vin) || !/[A-Z].*[A-Z]/.test(vin) || !/\d/.test(vin)) return null;
  const isNamed = isCued(cuesNear(text, hits, start, end), 'vehicle');
  const isChecked = hasCheckDigit(vin);
  if (!isNamed && !isChecked) return null;
  const method = isChecked ? 'pattern+checksum' : 'pattern+context';
  return { kind: 'vehicle_id', start, end, score: isNamed ? 0.95 : 0.75, method };
}

/** Weights by place; the ninth is the check digit itself (49 CFR 565.15). */
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const LETTER_VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  [...'ABCDEFGHJKLMNPRSTUVWXYZ'].map((letter, i) => [
    letter,
    [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9][i]!,
  ]),
);

function hasCheckDigit(vin: string): boolean {
  let sum = 0;
  for (let i = 0; i < VIN_LENGTH; i++) sum += (LETTER_VALUES[vin[i]!] ?? digitAt(vin, i)) * WEIGHTS[i]!;
  return '0123456789X'[sum % 11] === vin[8];
}
