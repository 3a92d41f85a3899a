// Dates and times of day: in digits, and with the name of a month in a dozen languages.

import { isAlphanumeric, isDigit } from './chars.ts';
import { isDate } from './checksums.ts';
import type { Find } from './finds.ts';
import { KIND, type Tokens } from './tokens.ts';

const TIME = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?: ?[AaPp]\.?[Mm]\b\.?)?(?:Z|[+-]\d{2}:?\d{2})?`;
const NUMERIC = new RegExp(
  [
    String.raw`(?<y1>\d{4})(?<s1>[-/.])(?<m1>\d{1,2})\k<s1>(?<d1>\d{1,2})(?!\d)(?:(?:T|,? )${TIME})?`,
    String.raw`(?<a>\d{1,2})(?<s2>[-/.])(?<b>\d{1,2})\k<s2>(?<y2>\d{4}|\d{2})(?!\d)(?:,? ${TIME})?`,
    String.raw`(?<y3>\d{4}) ?年(?: ?\d{1,2} ?月(?: ?\d{1,2} ?日)?)?`,
    String.raw`(?<t>${TIME})(?!\d)`,
    String.raw`(?<h>\d{1,2}) ?[AaPp]\.?[Mm]\b`,
  ].join('|'),
  'y',
);
/** The longest of `NUMERIC`. */
const NUMERIC_MAX = 48;

/** Judges the digits of token `i` as the beginning of a date or a time. */
export function findNumericDate(text: string, tokens: Tokens, i: number): Find | null {
  const start = tokens.starts[i]!;
  if (isJoined(text, start) || (!isDateSign(text.charCodeAt(tokens.ends[i]!)) && tokens.kinds[i] !== KIND.numbered)) return null;
  NUMERIC.lastIndex = 0;
  const match = NUMERIC.exec(text.slice(start, start + NUMERIC_MAX));
  if (match === null || !isReal(match.groups!)) return null;
  const end = start + match[0].length;
  return isAlphanumeric(text.charCodeAt(end)) || isFraction(text, end)
    ? null
    : { kind: 'date_time', start, end, score: 0.75, method: 'pattern' };
}

/** What a date goes on with after its first digits: `/`, `-`, `.`, `:`, a space before `pm`, 年. */
function isDateSign(code: number): boolean {
  return (code >= 45 && code <= 47) || code === 58 || code === 32 || code === 0x5e74;
}

/** Part of a longer number, a version or an amount. */
function isJoined(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  return isAlphanumeric(before) || '$€£+#/.:-_'.includes(text[start - 1] ?? ' ');
}

function isFraction(text: string, end: number): boolean {
  const next = text.charCodeAt(end + 1);
  return text[end] === ':' ? isAlphanumeric(next) : '.-/'.includes(text[end] ?? ' ') && isDigit(next);
}

type Named = Readonly<Record<string, string | undefined>>;

function isReal({ y1, m1, d1, s2, a, b, y2, y3, t, h }: Named): boolean {
  if (y1 !== undefined) return isYear(y1) && isDay(y1, m1, d1);
  // `10.4.20` may be a version.
  if (y2 !== undefined) return (y2.length === 4 ? isYear(y2) : s2 !== '.') && (isDay(y2, a, b) || isDay(y2, b, a));
  if (y3 !== undefined) return isYear(y3);
  if (t !== undefined) return Number(t.split(':')[0]) < 25 && Number(t.slice(t.indexOf(':') + 1).slice(0, 2)) < 60;
  return Number(h) >= 1 && Number(h) <= 12;
}

function isYear(year: string): boolean {
  return Number(year) >= 1500 && Number(year) <= 2200;
}

function isDay(year: string, month: string | undefined, day: string | undefined): boolean {
  return isDate(year.length === 2 ? 0 : Number(year), Number(month), Number(day));
}

const DAY_BEFORE = /(?<![\d.,$€£])\d{1,2}(?:st|nd|rd|th|\.|er|º)?(?: of| de| d['’])? $/;
const AFTER = new RegExp(
  String.raw`(?<day>\.? \d{1,2}(?:st|nd|rd|th)?(?![\d:%]|[.,]\d))?(?<year>\.?,? (?:de |del )?'?(?:1[5-9]|20|21)\d{2}(?!\d))?(?:,? (?:at )?${TIME})?`,
  'y',
);
const SHORT_MONTHS = new Set(['may', 'mar', 'mai', 'march', 'mars', 'dec', 'sat', 'sun', 'august']);
const WEEKDAY =
  /^(?:mon|tue|wed|thu|fri|sat|sun|montag|dienst|mittw|donner|freit|samst|sonnt|lun|mardi|merc|jeu|vend|sam|dim|tod|tom|yest|toni|chri|east|than|hall|rama)/i;

/** Judges token `i`, a word of the calendar, with the day and the year beside it. */
export function findMonth(text: string, tokens: Tokens, i: number): Find | null {
  const [start, end] = [tokens.starts[i]!, tokens.ends[i]!];
  const word = text.slice(start, end);
  if (WEEKDAY.test(word) && !/^mar(?:ch|s|zo)?$/i.test(word)) return null;
  const before = DAY_BEFORE.exec(text.slice(Math.max(0, start - 10), start))?.[0] ?? '';
  AFTER.lastIndex = 0;
  const after = AFTER.exec(text.slice(end, end + NUMERIC_MAX));
  const isDated = before !== '' || after?.groups!['day'] !== undefined || after?.groups!['year'] !== undefined;
  // "may 5 people come": words that are also months need a capital or a year.
  if (!isDated || (SHORT_MONTHS.has(word) && after?.groups!['year'] === undefined)) return null;
  const last = end + (after?.[0].length ?? 0);
  return { kind: 'date_time', start: start - before.length, end: last, score: 0.75, method: 'pattern' };
}
