// Postal codes that stand alone: after a word for them, after a state of the US, or in the British form.

import { isWord } from './chars.ts';
import type { Find } from './finds.ts';
import { KIND, type Tokens } from './tokens.ts';

const LABEL =
  /(?:\b(?:zip|zip ?code|zip_code|postcode|post code|postal ?code|postal_code|plz|postleitzahl|code postal|código postal|codigo postal|c\.?p\.?|cep|cap|postcode|kod pocztowy|postnummer|индекс|郵便番号|邮编)(?: is| ist| est| es| è| é)?["']? ?[:=]? ?["'#]?|〒)$/iu;
const VALUE = /^(?:\d{5}-\d{4}|\d{5}-\d{3}|\d{3}-\d{4}|\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2}|\d{4,6})(?![\p{L}\d-])/u;
const STATES =
  'A[LKZRAEP]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|V[TAI]|W[AVIY]';
const STATE = new RegExp(String.raw`(?:^|[\s,])(?:${STATES}),? $`);
const BRITISH = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?![A-Z\d])/;
const BEFORE_MAX = 28;
const VALUE_MAX = 12;

/** Judges token `i`, which begins with a digit, as a postal code. */
export function findZipCode(text: string, tokens: Tokens, i: number): Find | null {
  const start = tokens.starts[i]!;
  if (isWord(text.charCodeAt(start - 1)) || '-/.$€£#'.includes(text[start - 1] ?? ' ')) return null;
  const value = VALUE.exec(text.slice(start, start + VALUE_MAX))?.[0];
  if (value === undefined) return null;
  const before = text.slice(Math.max(0, start - BEFORE_MAX), start);
  const isLabelled = LABEL.test(before);
  if (!isLabelled && !(/^\d{5}(?:-\d{4})?$/.test(value) && STATE.test(before))) return null;
  return { kind: 'zip_code', start, end: start + value.length, score: isLabelled ? 0.85 : 0.7, method: 'pattern+context' };
}

/** Judges token `i`, letters and digits, as the first half of a British postcode. */
export function findBritishPostcode(text: string, tokens: Tokens, i: number): Find | null {
  const start = tokens.starts[i]!;
  if (tokens.kinds[i] !== KIND.wordWithDigit || tokens.ends[i]! - start > 4 || tokens.kinds[i + 1] !== KIND.numbered) return null;
  const match = BRITISH.exec(text.slice(start, start + VALUE_MAX));
  return match === null ? null : { kind: 'zip_code', start, end: start + match[0].length, score: 0.65, method: 'pattern' };
}
