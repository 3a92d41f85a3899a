// Places on the globe as latitude and longitude in decimal degrees.

import type { AnchorHits } from '../../types.ts';
import { cuesNear, isCued, isNoise } from './cues.ts';
import type { Find } from './finds.ts';
import type { Groups } from './shapes.ts';

const FULL_STOP_GAP = 3;
/** Signs, degrees, a comma and a second number: more than fits here is no pair. */
const PAIR_LENGTH_MAX = 48;

const PAIR =
  /^(-?\d{1,2}\.\d{3,10})(°? ?[NS])?[,;]? {0,2}(?:"?(?:lon|lng|long|longitude)"?[:=]? ?)?(-?\d{1,3}\.\d{3,10})(?:°? ?[EWO](?!\p{L}))?/u;

/** Finds a pair whose latitude begins with group `i`. */
export function findCoordinates(text: string, groups: Groups, i: number, hits: AnchorHits): Find | null {
  if (groups.gaps[i + 1] !== FULL_STOP_GAP || groups.ends[i]! - groups.starts[i]! > 2) return null;
  if (groups.ends[i + 1]! - groups.starts[i + 1]! < 3) return null;
  if (!',;° '.includes(text[groups.ends[i + 1]!] ?? '.')) return null;
  const start = text[groups.starts[i]! - 1] === '-' ? groups.starts[i]! - 1 : groups.starts[i]!;
  if (/[\w.,]/.test(text[start - 1] ?? ' ') || /[\d.], ?$/.test(text.slice(Math.max(0, start - 3), start))) return null;
  const match = PAIR.exec(text.slice(start, start + PAIR_LENGTH_MAX));
  if (match === null || Math.abs(Number(match[1])) > 90 || Math.abs(Number(match[3])) > 180) return null;
  const end = start + match[0].length;
  if (/^[\w]|^[.,] ?-?\d/.test(text.slice(end, end + 4))) return null;
  const near = cuesNear(text, hits, start, end);
  if (isCued(near, 'geo')) return { kind: 'geo_coordinates', start, end, score: 0.92, method: 'pattern+context' };
  return isNoise(near) || !isExact(match) ? null : { kind: 'geo_coordinates', start, end, score: 0.6, method: 'pattern' };
}

/** Without a word beside it, a pair needs four decimals (eleven metres), or its hemispheres, and must not be a pair of fractions. */
function isExact(match: RegExpExecArray): boolean {
  const decimals = (number: string): number => number.length - number.indexOf('.') - 1;
  if (match[2] !== undefined) return true;
  const isFraction = Math.abs(Number(match[1])) < 1 || Math.abs(Number(match[3])) < 1;
  return !isFraction && decimals(match[1]!) >= 4 && decimals(match[3]!) >= 4 && match[0].includes(',');
}
