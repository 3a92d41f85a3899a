// International bank account numbers (ISO 13616): length by country and the checksum modulo 97.

import type { AnchorHits } from '../../types.ts';
import { isAlphanumeric, isAsciiLetter, isDigit, isWord } from './chars.ts';
import { ibanChecks } from './checksums.ts';
import { cuesNear, isCued } from './cues.ts';
import type { Find } from './finds.ts';

/** Length by country, from the SWIFT registry. */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 ' +
    'FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 ' +
    'LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 ' +
    'SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Countries whose accounts hold no letters. */
const DIGITS_ONLY = new Set('AT BA BE CZ DE DK EE ES FI HR HU IL IS LT ME NO PL PT RS SE SI SK TN XK'.split(' '));

/** Farthest a run of digits can stand from the start of its IBAN: `RO49 AAAA 1B31` and the like. */
const BACK_MAX = 20;
/** The longest IBAN with a space after every fourth character. */
const TEXT_LENGTH_MAX = 44;

/** Finds the IBAN that the run of digits at `runStart` belongs to: letters stand just before it. `mayTry` is asked before each try. */
export function findIban(text: string, runStart: number, hits: AnchorHits, mayTry: () => boolean): Find | null {
  let at = runStart;
  if (text[at - 1] === ' ' || text[at - 1] === '-') at--;
  if (!isAsciiLetter(text.charCodeAt(at - 1))) return null;
  for (; at >= 0 && runStart - at <= BACK_MAX; at--) {
    const code = text.charCodeAt(at);
    if (!isAlphanumeric(code) && code !== 32 && code !== 45 && at < runStart) return null;
    const find = isStart(text, at) && mayTry() ? ibanAt(text, at, hits) : null;
    if (find !== null) return find;
  }
  return null;
}

/** Two letters and two digits, at the start of a word. */
function isStart(text: string, at: number): boolean {
  return (
    at >= 0 &&
    isDigit(text.charCodeAt(at + 2)) &&
    isDigit(text.charCodeAt(at + 3)) &&
    isAsciiLetter(text.charCodeAt(at)) &&
    isAsciiLetter(text.charCodeAt(at + 1)) &&
    !isWord(text.charCodeAt(at - 1))
  );
}

function ibanAt(text: string, start: number, hits: AnchorHits): Find | null {
  const country = text.slice(start, start + 2).toUpperCase();
  const length = LENGTHS.get(country);
  if (length === undefined) return null;
  const isDigitsOnly = DIGITS_ONLY.has(country);
  let count = 0;
  let end = start;
  for (; count < length && end - start < TEXT_LENGTH_MAX; end++) {
    const code = text.charCodeAt(end);
    if (isDigitsOnly && count >= 2 && isAsciiLetter(code)) return null;
    if (isAlphanumeric(code)) count++;
    else if ((code !== 32 && code !== 45) || !isAlphanumeric(text.charCodeAt(end + 1))) return null;
  }
  if (count < length || isWord(text.charCodeAt(end))) return null;
  const compact = text.slice(start, end).replace(/[ -]/g, '');
  if (!ibanChecks(compact.toUpperCase())) return null;
  const isNamed = isCued(cuesNear(text, hits, start, end), 'iban');
  // In lower case it may be a piece of something encoded.
  if (!isNamed && compact !== compact.toUpperCase()) return null;
  return { kind: 'iban', start, end, score: isNamed ? 0.99 : 0.95, method: 'pattern+checksum', note: country };
}
