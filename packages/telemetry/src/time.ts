// Times as events write them: ISO 8601 with an offset or Z.

const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Pattern of such a time. It lets through dates that no calendar has, such as 31 February: `timeMs` tells. */
export const TIME_PATTERN = TIME.source;

const MS_OF_MINUTE = 60_000;
const MS_OF_HOUR = 60 * MS_OF_MINUTE;
const MS_OF_DAY = 24 * MS_OF_HOUR;

// The end of the year 9999: the offset can move a time out of the years of four digits, and beyond them ISO 8601 is written in another form.
const MS_MAX = Date.UTC(10_000, 0) - 1;

/**
 * Unix milliseconds of an ISO 8601 time with an offset or Z, cut to the millisecond; `NaN` where `text` is none, or one that is not in the years
 * 1970 to 9999 of UTC.
 */
export function timeMs(text: string): number {
  const usualMs = usualTimeMs(text);
  const ms = Number.isNaN(usualMs) ? anyTimeMs(text) : usualMs;
  return ms >= 0 && ms <= MS_MAX ? ms : Number.NaN;
}

/** The form that nearly all events are written in, `2026-03-01T12:00:00.000Z`, in half the time that `Date.parse` alone takes. */
function usualTimeMs(text: string): number {
  if (text.length !== 24 || text.charCodeAt(23) !== 0x5a || text.charCodeAt(19) !== 0x2e || text.charCodeAt(10) !== 0x54)
    return Number.NaN;
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d || text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a)
    return Number.NaN;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const ms = 10 * twoDigits(text, 20) + digit(text, 22);
  // Comparisons with NaN are false. Days that only some months have are left to the calendar.
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
  return daysSinceEpoch(year, month, day) * MS_OF_DAY + hour * MS_OF_HOUR + minute * MS_OF_MINUTE + second * 1000 + ms;
}

function twoDigits(text: string, at: number): number {
  return 10 * digit(text, at) + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

/** Days from 1970-01-01 in the Gregorian calendar (H. Hinnant, https://howardhinnant.github.io/date_algorithms.html#days_from_civil). */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

/** `Date.parse` alone also takes `1` and `March 1`, and rolls 31 February over to March. */
function anyTimeMs(text: string): number {
  if (!TIME.test(text)) return Number.NaN;
  const day = Number(text.slice(8, 10));
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return day <= lastDay ? Date.parse(text) : Number.NaN;
}
