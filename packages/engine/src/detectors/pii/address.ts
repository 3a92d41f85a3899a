// Postal addresses: a street and a house number, with the town behind them where it is there.

import { isDigit, isLetter, isUpper, isWord } from './chars.ts';
import { type Find } from './finds.ts';
import { skipFiller } from './labelled.ts';

/** How a street is written with its number. */
type Form = 'number-first' | 'number-last' | 'romance' | 'box';

const STREETS: Readonly<Record<Form, string>> = {
  'number-first':
    ' street| st| road| rd| avenue| ave| drive| dr| lane| ln| court| ct| boulevard| blvd| way| place| pl| square| sq| terrace| crescent| close| parkway| pkwy| highway| hwy| circle| cir| trail| grove| gardens',
  'number-last':
    'straße|strasse|stasse|str.|gasse|platz|allee|weg|straat|laan|gracht|plein|gatan|vägen|vegen|veien|vej|gade|katu|ntie|kuja|gyden|gürtel| allé| utca| út|ulica|damm|ufer|singel| u.| tér| rakpart',
  romance:
    'rue |avenue |boulevard |chemin |impasse |quai |allée |route |via |viale |vicolo |corso |piazza |calle |avenida |avda. |av. |paseo |plaza |carrer |rua |travessa |praça |largo |ulica |ul. |c/ ',
  box: 'p.o. box|po box|postfach|apartado',
};

interface Street {
  readonly literal: string;
  readonly form: Form;
}

const STREET_WORDS: readonly Street[] = (Object.entries(STREETS) as [Form, string][]).flatMap(([form, list]) =>
  list.split('|').map((literal) => ({ literal, form })),
);

/** Anchors that can be part of a street. */
export const STREET_ANCHORS: readonly string[] = STREET_WORDS.map((street) => street.literal);

/** A house number stands at most so far from the word for its street. */
const STREET_MAX = 48;
/** What may follow the house number: town, district, country. */
const TAIL_MAX = 96;

/** A stop within a name belongs to an abbreviation; else it ends the sentence. */
const ABBREVIATION = String.raw`(?:Ste|Sta|Sto|Mt|Ft|Gen|Prof|\p{Lu})\.`;
const NAME = String.raw`(?:${ABBREVIATION}|\p{Lu}[\p{L}\p{M}'’-]*|\d{1,3}(?:st|nd|rd|th))`;
const PARTICLE = String.raw`(?:de|del|della|dello|dei|degli|delle|des|du|da|do|dos|das|di|la|le|les|los|las|el|en|of|the|van|von|der|den|et|y|e|l['’]\p{L}+|d['’]\p{L}+)`;
const BEFORE_STREET = new RegExp(
  String.raw`(?<![\p{L}\d.,$€£#:/-])\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?,? (?:${NAME} |of |the ){0,3}${NAME}$`,
  'u',
);
const HOUSE_AFTER = /^,? (?:n[º°.o]\.? ?)?\d{1,4}(?: ?[a-zA-Z](?!\p{L})|[-/]\d{1,4})?\.?(?![\p{L}\d])/u;
const HOUSE_BEFORE = /(?<![\p{L}\d.,$€£-])\d{1,4}(?: ?(?:bis|ter|quater|[A-D]))?,? $/u;
const ROMANCE_NAME = new RegExp(
  String.raw`^(?:${PARTICLE} ){0,3}(?:${NAME}|l['’]\p{L}+|d['’]\p{L}+|\d{1,2}(?= (?:de |${NAME})))(?: (?:${PARTICLE} ){0,2}${NAME}){0,4}`,
  'u',
);

/** Judges the anchor `index` of `STREET_ANCHORS` that ends at `end`. */
export function findStreet(text: string, index: number, end: number): Find | null {
  const { literal, form } = STREET_WORDS[index]!;
  const start = end - literal.length;
  const core = CORES[form](text, start, end);
  if (core === null) return null;
  const find = withTown(text, core[0], core[1], 0.7);
  return AMBIGUOUS.has(literal) && find.end === core[1] ? null : find;
}

/** Endings of many other words too (`Brigade 3`): they need a town. */
const AMBIGUOUS = new Set(['gade', 'vej', 'weg', 'damm', 'ufer', 'plein', ' u.', ' st']);

type Core = readonly [start: number, end: number] | null;

const CORES: Readonly<Record<Form, (text: string, start: number, end: number) => Core>> = {
  'number-first': numberFirst,
  'number-last': numberLast,
  romance,
  box: (text, start, end) => {
    const match = /^:? ?\d{1,6}(?!\d)/.exec(text.slice(end, end + 12));
    return match === null || isWord(text.charCodeAt(start - 1)) ? null : [start, end + match[0].length];
  },
};

/** `27 Dunmow Road`. */
function numberFirst(text: string, start: number, end: number): Core {
  if (isWord(text.charCodeAt(end)) || !isUpper(text.charCodeAt(start + 1)) || !isLetterOrStop(text, start - 1)) return null;
  const from = Math.max(0, start - STREET_MAX);
  if (!hasDigit(text, from, start)) return null;
  const match = BEFORE_STREET.exec(text.slice(from, start));
  if (match === null) return null;
  const direction = /^\.?,? (?:[NSEW]|NW|NE|SW|SE|North|South|East|West)\b\.?(?=[\s,])/.exec(text.slice(end, end + 8));
  const unit = /^\.?,? (?:Apt|Suite|Ste|Unit|Apartment|Flat|#)\.? ?#?[A-Z]?\d{1,5}[A-Z]?\b/.exec(text.slice(end, end + 24));
  return [from + match.index, end + (unit ?? direction ?? [''])[0].length];
}

function isLetterOrStop(text: string, at: number): boolean {
  return isLetter(text.charCodeAt(at)) || text[at] === '.' || isDigit(text.charCodeAt(at));
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** `Riedbergstrasse 50`, `Graaf Willem II Straat 99`. */
function numberLast(text: string, start: number, end: number): Core {
  const house = text[end] === ' ' || text[end] === ',' ? HOUSE_AFTER.exec(text.slice(end, end + 16)) : null;
  if (house === null) return null;
  let from = text[start] === ' ' ? start + 1 : start;
  while (from > 0 && end - from < STREET_MAX && (isLetter(text.charCodeAt(from - 1)) || text[from - 1] === '-')) from--;
  const isOwnWord = from >= start;
  const names = isOwnWord ? /(?:\p{Lu}[\p{L}.'’-]* ){1,3}$/u.exec(text.slice(Math.max(0, from - STREET_MAX), from)) : null;
  if (isOwnWord && names === null) return null;
  from -= names?.[0].length ?? 0;
  // "Umweg 3" is no street, but nobody writes that either: a capital and some length must do.
  const isStreet = isUpper(text.charCodeAt(from)) && end - from >= 6 && !isWord(text.charCodeAt(from - 1));
  return isStreet
    ? [from, end + house[0].length - (house[0].endsWith('.') && !text.startsWith(',', end + house[0].length) ? 1 : 0)]
    : null;
}

/** `12 bis rue de la Paix`, `Rue du Stade 399`, `Calle de Alcalá, 45`. */
function romance(text: string, start: number, end: number): Core {
  if (isWord(text.charCodeAt(start - 1))) return null;
  const name = ROMANCE_NAME.exec(text.slice(end, end + STREET_MAX));
  if (name === null) return null;
  const nameEnd = end + name[0].length;
  const before = HOUSE_BEFORE.exec(text.slice(Math.max(0, start - 14), start));
  // "2012 via Qualcomm": in Italian the number stands behind.
  if (before !== null && !text.startsWith('via ', start)) return [start - before[0].length, nameEnd];
  if (!isUpper(text.charCodeAt(start)) && !text.startsWith('ul', start)) return null;
  const after = HOUSE_AFTER.exec(text.slice(nameEnd, nameEnd + 16));
  return after === null ? null : [start, nameEnd + after[0].replace(/\.$/, '').length];
}

const TOWN_WORD = String.raw`(?:${ABBREVIATION}|St\.|[\p{Lu}\d][\p{L}\p{M}\d'’-]*|\(\p{Lu}[\p{L} ]*\))`;
const TOWN = new RegExp(
  String.raw`^(?:,[ \n]?| |\n)(${TOWN_WORD}(?:[ ](?:(?:am|an|der|de|la|sur|upon|di|do|del) )?${TOWN_WORD}){0,4})(?= ?[,;:?!"')|\]\n]|\.+(?:\s|$)|$)`,
  'u',
);
const POSTCODE = /\b(?:\d{4,6}|\d{3} \d{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)\b/;
const SEGMENTS_MAX = 3;

/** Takes the town, postcode and country that follow into the span: the more there is, the surer. */
function withTown(text: string, start: number, coreEnd: number, score: number): Find {
  let end = coreEnd;
  for (let i = 0; i < SEGMENTS_MAX; i++) {
    const match = TOWN.exec(text.slice(end, Math.min(end + TAIL_MAX, coreEnd + TAIL_MAX)));
    // Without a comma, only a postcode tells a town from the next sentence.
    if (match === null || (!match[0].startsWith(',') && !POSTCODE.test(match[1]!)) || isPhoneLike(match[1]!)) break;
    end += match[0].length;
  }
  const bonus = POSTCODE.test(text.slice(coreEnd, end)) ? 0.2 : end > coreEnd ? 0.08 : 0;
  return { kind: 'address', start, end, score: Math.min(0.95, score + bonus), method: bonus > 0.1 ? 'pattern' : 'heuristic' };
}

function isPhoneLike(segment: string): boolean {
  return segment.replace(/\D/g, '').length > 8;
}

const NAMED_FIRST = new RegExp(
  String.raw`^\d{1,5}[A-Za-z]?,? (?!(?:AM|PM|A\.M|P\.M)\b)(?:${NAME}|${PARTICLE})(?: (?:${PARTICLE} )?${NAME}){0,5}`,
  'u',
);
const NAMED_LAST = new RegExp(
  String.raw`^(?:ul\. )?\p{Lu}[\p{L}\p{M}'’.-]*(?: (?:${PARTICLE} )?[\p{L}\p{M}'’.-]{1,}){0,5},? \d{1,5} ?(?:[a-zA-Z](?!\p{L}))?`,
  'u',
);

/** What follows "lives at", "address:", "wohnhaft in": number and names, or names and number. */
export function findNamedAddress(text: string, cueEnd: number): Find | null {
  const start = skipPreposition(text, skipFiller(text, cueEnd));
  const slice = text.slice(start, start + STREET_MAX + 16);
  const match = NAMED_FIRST.exec(slice) ?? NAMED_LAST.exec(slice);
  if (match === null) return null;
  const core = match[0].replace(/[ .,]+$/, '');
  const end = start + core.length + (text.startsWith('.,', start + core.length) ? 1 : 0);
  if (isWord(text.charCodeAt(end)) || isMonthDay(core)) return null;
  return { ...withTown(text, start, end, 0.72), method: 'pattern+context' };
}

function skipPreposition(text: string, at: number): number {
  const match = /^(?:to|in|at|auf|en|à|au|a|em|na|op|an):?\s/i.exec(text.slice(at, at + 8));
  return at + (match?.[0].length ?? 0);
}

/** `12 May 2024`, `May 12`: dates follow such words too. */
function isMonthDay(value: string): boolean {
  return /\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b/.test(
    value,
  );
}
