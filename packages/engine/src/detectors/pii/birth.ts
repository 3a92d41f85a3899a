// Dates of birth: a date soon after a word for birth.

import { isDigit } from './chars.ts';
import { isDate } from './checksums.ts';
import type { Find } from './finds.ts';

/** A date begins at most so far after the word: "born in Kuala Lumpur on the 3rd of …". */
const DISTANCE_MAX = 40;
const DATE_MAX = 32;
/** The longest name of a month in `DATE`, with what stands before the day. */
const MONTH_MAX = 15;

const DATE = new RegExp(
  [
    String.raw`(?<y1>\d{4})(?<s1>[-/.])(?<m1>\d{1,2})\k<s1>(?<d1>\d{1,2})`,
    String.raw`(?<a>\d{1,2})(?<s2>[-/.]| ?\. ?| )(?<b>\d{1,2})\k<s2>(?<y2>\d{4}|\d{2})`,
    String.raw`(?<d3>\d{1,2})(?:st|nd|rd|th|er|[.ºª])?[ -](?:of |de |d['’])?(?<w3>\p{L}{3,12})[., -]{1,2}(?:de |del |do )?(?<y3>\d{4})`,
    String.raw`(?<w4>\p{L}{3,12})\.? (?<d4>\d{1,2})(?:st|nd|rd|th)?,? (?<y4>\d{4})`,
    String.raw`(?<y5>\d{4}) ?年 ?(?<m5>\d{1,2}) ?月 ?(?<d5>\d{1,2}) ?日`,
  ].join('|'),
  'u',
);

/** The first three letters of the months of a dozen languages. */
const MONTHS = new Set(
  (
    'jan feb mar apr may jun jul aug sep oct nov dec mär mai mrz okt dez mei maa des ene abr ago dic fév fev avr jui aoû aou déc gen mag giu lug set ott ' +
    'out maj kwi sty lut cze lip sie wrz paź lis gru ock şub nis haz tem ağu eyl eki kas ara tam hel huh tou kes hei elo syy lok mar jou ' +
    'янв фев мар апр мая май июн июл авг сен окт ноя дек'
  ).split(' '),
);

/** The date that follows the cue ending at `end`, if it does. */
export function findBirthDate(text: string, end: number): Find | null {
  if (!hasDigitSoon(text, end)) return null;
  const tail = text.slice(end, end + DISTANCE_MAX + DATE_MAX);
  const match = DATE.exec(tail);
  if (match === null || match.index > DISTANCE_MAX || !isNear(tail.slice(0, match.index))) return null;
  const start = end + match.index;
  const last = start + match[0].length;
  if (/[\p{L}\d]/u.test(text.slice(last, last + 1)) || /\d/.test(text[start - 1] ?? ' ') || !isBirthDate(match.groups!))
    return null;
  return { kind: 'date_of_birth', start, end: last, score: 0.9, method: 'pattern+context' };
}

/** Every date holds a digit at most a month's name after its start; most words for birth have none near. */
function hasDigitSoon(text: string, from: number): boolean {
  const to = Math.min(text.length, from + DISTANCE_MAX + MONTH_MAX);
  for (let at = from; at < to; at++) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** A date in the cell before a social security number: `… | 1984-02-29 | 078-05-1120 | …`. What else would it be? */
export function findDateBeside(text: string, start: number): Find | null {
  const slice = text.slice(Math.max(0, start - DATE_MAX), start);
  const match = BESIDE.exec(slice);
  if (match === null) return null;
  const from = start - slice.length + match.index + match[1]!.length;
  const find = findBirthDate(text, from);
  return find !== null && find.start === from && text.slice(find.end, start).length <= 3 ? { ...find, score: 0.6 } : null;
}

const BESIDE = /((?:^|[|,;\t]) ?)[\p{L}\d][^|;\t]{5,}? ?[|,;\t] ?$/u;

/** No sentence ends between word and date; the stop of `geb. ` ends none. */
function isNear(between: string): boolean {
  return (
    !/[.!?;]\s|\d{4}/.test(between.slice(2)) &&
    !/^[.!?;]\s+\p{Lu}\p{L}*\s+\p{L}{2}/u.test(between) &&
    between.split('\n').length <= 2
  );
}

type Named = Readonly<Record<string, string | undefined>>;

function isBirthDate({ y1, m1, d1, a, b, y2, d3, w3, y3, w4, d4, y4, y5, m5, d5 }: Named): boolean {
  if (y1 !== undefined) return isDay(y1, m1, d1);
  if (y2 !== undefined) return isDay(y2, b, a) || isDay(y2, a, b);
  if (y3 !== undefined) return isMonth(w3) && isDay(y3, '1', d3);
  if (y4 !== undefined) return isMonth(w4) && isDay(y4, '1', d4);
  return isDay(y5, m5, d5);
}

function isMonth(word: string | undefined): boolean {
  return MONTHS.has((word ?? '').slice(0, 3).toLowerCase());
}

/** A real day from 1850 on; of two-digit years any. */
function isDay(year: string | undefined, month: string | undefined, day: string | undefined): boolean {
  const full = Number(year);
  const isSane = year?.length === 2 || (full >= 1850 && full <= 2100);
  return isSane && isDate(year?.length === 2 ? 0 : full, Number(month), Number(day));
}
