// Reads `name = value` in the ways people and programs write it: code, configuration, markup, command lines, prose, tables.

import { literalInside } from './expression.ts';
import type { Value } from './value.ts';

/** A name around an anchor, as offsets of the text. `start`, `end`: the identifier; `word*`: the anchor in it. */
export interface Name {
  readonly start: number;
  readonly end: number;
  /** What stands in the identifier before and after the anchor, in snake_case: `csrfToken` has the head `csrf_`. */
  readonly head: string;
  readonly tail: string;
}

/** A value and where it stands. `end` is exclusive; quotes are not part of it. */
export interface PlacedValue extends Value {
  readonly start: number;
  readonly end: number;
}

const HEAD_MAX = 48;
const TAIL_MAX = 32;

/** The identifier that holds the anchor `text.slice(start, end)`; `null` when it runs on for more than 32 characters after it. */
export function readName(text: string, start: number, end: number): Name | null {
  let last = end;
  while (last - end <= TAIL_MAX && isNameCode(text.charCodeAt(last)) && text.charCodeAt(last) !== 46) last++;
  if (last - end > TAIL_MAX) return null;
  let first = start;
  while (first > 0 && start - first < HEAD_MAX && isNameCode(text.charCodeAt(first - 1))) first--;
  return { start: first, end: last, head: headOf(text, first, start), tail: tailOf(text, end, last) };
}

function headOf(text: string, first: number, start: number): string {
  if (first === start) return '';
  const isCamel = isCapital(text.charCodeAt(start)) && isSmall(text.charCodeAt(start - 1));
  return snake(text.slice(first, start)) + (isCamel ? '_' : '');
}

function tailOf(text: string, end: number, last: number): string {
  if (end === last) return '';
  const isCamel = isCapital(text.charCodeAt(end)) && isSmall(text.charCodeAt(end - 1));
  return (isCamel ? '_' : '') + snake(text.slice(end, last));
}

function snake(camel: string): string {
  const small = camel.toLowerCase();
  return small === camel || camel === camel.toUpperCase() ? small : camel.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** A–Z a–z 0–9 `_` `-` `.` */
function isNameCode(code: number): boolean {
  if (code < 58) return code === 45 || code === 46 || code >= 48;
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

const MAY_TIE = ' \t\n\r"\'`]\\:=>|?!,(<).';

// After the name, what may stand before the value. All sticky, all bounded.
const ASSIGN =
  /["'`\]]{0,2}\\?["']?(?:(?:\s{0,4}:\s{0,4}|[ \t](?:As[ \t])?)[&\w.<>[\]?]{1,24}(?=\s{0,4}=[^=>]))?[ \t]{0,24}(?:=>|:=|\?\?=|\|\|=|\?=|[!=]==?|=|:-(?=\w)|:|\||<-)[ \t]{0,24}/y;
const ATTRIBUTE =
  /["'],?\s{1,20}["']?(?:value|content|default)["']?\s{0,2}[=:]\s{0,2}(?=["'])|\s{0,2}\n\s{1,20}value:[ \t]{1,4}/iy;
const ELEMENT = />(?=[^<\s])/y;
/** `name="db.password">x<`, also with `<value>` between. */
const NAMED_ELEMENT = /["'][^<>\n]{0,40}>(?:<value>)?(?=[^<\s])/y;
const COMPARED = /(?:\(\))?\)?\.(?:equals\w{0,10}|to_?be|to_?equal|to_?eq|is_?equal_?to|contentEquals|compareTo)\(\s?(?=["'])/iy;
/** `find(By.id("password")).sendKeys("x")`, `fill('#password', 'x')`. */
const TYPED = /["'`\])]{0,5}(?:\.|,\s?)(?:send_?keys|type|fill|val|setValue|with:?)(?:\(|\s)\s?(?=["'])/iy;
const ARGUMENT = /\\?["'`\]]{0,2}\s{0,2}[,(]\s{0,4}(?=[rbuf@]?\\?["'`]|(?:[\w]{1,20}\.){1,3}(?:getbytes|from)\()/iy;
const PROSE =
  /s?(?:[ \t](?:for|to|of|on)[ \t][\w.-]{1,30}(?:[ \t][\w.-]{1,30})?)?(?:[ \t](?:is|was|are|=|lautet|est|es)|\s?:)[ \t]{1,4}(?:now |set to )?/y;
const SPACE = /[ \t]{1,8}/y;
const SPACE_QUOTE = /[ \t]{1,4}(?:-String[ \t])?(?=["'])/iy;
/** All that is left of a line, and one word: `bindpw x`. */
const LAST_WORD = /[ \t]{1,8}(?=[^\s"'`()[\]{}<>,;]{4,64}[ \t]{0,4}(?:[\r\n]|$))/y;
const COMMAND_BEFORE = /(?:^|[\s"'])(?:-{1,2}|(?:ENV|ARG|setx?|login[ \t]\S{1,48})[ \t]{1,4})$/;

/** How a value is tied to its name; prose and arguments tie it less firmly. */
export type Tie = 'assigned' | 'attribute' | 'element' | 'compared' | 'typed' | 'argument' | 'command' | 'prose';

type TiedAt = { readonly tie: Tie; readonly at: number };

/** Where the value of the name that ends at `end` starts, or `null` when nothing ties one to it. */
export function readTie(text: string, name: Name): TiedAt | null {
  const { end } = name;
  if (end >= text.length || !MAY_TIE.includes(text[end]!)) return null;
  return readFirm(text, name) ?? readBlank(text, name) ?? tiedBy(PROSE, 'prose', text, end);
}

function readFirm(text: string, { start, end }: Name): TiedAt | null {
  return (
    tiedBy(ASSIGN, 'assigned', text, end) ??
    tiedBy(ATTRIBUTE, 'attribute', text, end) ??
    (text.charCodeAt(start - 1) === LESS_THAN
      ? tiedBy(ELEMENT, 'element', text, end)
      : tiedBy(NAMED_ELEMENT, 'attribute', text, end)) ??
    tiedBy(COMPARED, 'compared', text, end) ??
    tiedBy(TYPED, 'typed', text, end) ??
    tiedBy(ARGUMENT, 'argument', text, end)
  );
}

const LESS_THAN = 60;

/** Nothing but blanks between name and value: options of commands, lines of configuration. */
function readBlank(text: string, name: Name): TiedAt | null {
  const code = text.charCodeAt(name.end);
  if (code !== 32 && code !== 9) return null;
  if (isCommand(text, name)) return tiedBy(SPACE, 'assigned', text, name.end);
  return (
    tiedBy(SPACE_QUOTE, 'command', text, name.end) ??
    (startsLine(text, name.start) ? tiedBy(LAST_WORD, 'command', text, name.end) : null)
  );
}

function startsLine(text: string, start: number): boolean {
  let i = start - 1;
  while (i >= 0 && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9) && start - i < 16) i--;
  return i < 0 || text.charCodeAt(i) === 10;
}

function tiedBy(pattern: RegExp, tie: Tie, text: string, end: number): TiedAt | null {
  const at = after(pattern, text, end);
  return at === null ? null : { tie, at };
}

/** Only the ties of a table or a plain assignment: for names that alone promise nothing. */
export function readFirmTie(text: string, end: number): number | null {
  return after(ASSIGN, text, end);
}

function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function isWordCode(code: number): boolean {
  return isNameCode(code) && code !== 45 && code !== 46;
}

/** True for `--password x`, `ENV API_KEY x`, `login me password x`. */
function isCommand(text: string, name: Name): boolean {
  if (text.charCodeAt(name.end) !== 32) return false;
  if (name.head.startsWith('-') && !isWordCode(text.charCodeAt(name.start - 1))) return true;
  return COMMAND_BEFORE.test(text.slice(Math.max(0, name.start - 64), name.start));
}

const VALUE_MAX = 512;
// No `=` or `:` inside: what follows one is another assignment, which has its own anchor.
const UNQUOTED = /[^\s"'`<>,;|=:\\]{1,300}/y;
const PADDING = /={1,2}(?![^\s"'`<>,;|)}\]])/y;
// `"Bearer x"`: the scheme is not part of the secret, nor is the name of an encoding.
const SCHEME = /(?:(?:Bearer|Basic|Token|ApiKey|Api-Key|SSWS) {1,4}|\{noop\}|base64:)(?=\S)/iy;

/** The value that starts at `at`, or `null` for none. Reads at most 512 characters. */
export function readValue(text: string, at: number): PlacedValue | null {
  const start = openingQuote(text, at);
  if (start < 0) {
    const literal = literalInside(text, at);
    return literal === null ? readUnquoted(text, afterScheme(text, at)) : readQuoted(text, openingQuote(text, literal));
  }
  return readQuoted(text, start);
}

/** `start`: just after the opening quote; -1 for none. */
function readQuoted(text: string, start: number): PlacedValue | null {
  if (start < 0) return null;
  const end = closingQuote(text, start, text.charCodeAt(start - 1));
  if (end < 0) return null;
  // `\"x\"` inside another string: the closing quote is escaped too.
  const isEscaped = text.charCodeAt(start - 2) === BACKSLASH && text.charCodeAt(end - 1) === BACKSLASH;
  return placed(text, afterScheme(text, start), isEscaped ? end - 1 : end, true);
}

const BACKSLASH = 92;
const STRING_PREFIXES = 'rbufL@$';

/** The offset just after the quote that opens a string at `at`, past prefixes such as `b` and `\`; -1 when there is none. */
function openingQuote(text: string, at: number): number {
  let i = at;
  while (i - at < 2 && i < text.length && STRING_PREFIXES.includes(text[i]!)) i++;
  if (text.charCodeAt(i) === BACKSLASH) i++;
  return isQuote(text.charCodeAt(i)) ? i + 1 : -1;
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

function closingQuote(text: string, start: number, quote: number): number {
  const max = Math.min(text.length, start + VALUE_MAX);
  for (let i = start; i < max; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i;
    if (code === 10) return -1;
  }
  return -1;
}

function readUnquoted(text: string, at: number): PlacedValue | null {
  UNQUOTED.lastIndex = at;
  if (!UNQUOTED.test(text)) return null;
  const end = UNQUOTED.lastIndex;
  const padded = after(PADDING, text, end);
  if (padded !== null) return placed(text, at, padded, false);
  // `token=x&next=y`: the value ends where the next parameter starts.
  const cut = text.charCodeAt(end) === 61 ? text.slice(at, end).lastIndexOf('&') : -1;
  return placed(text, at, cut > 0 ? at + cut : withoutClosers(text, at, end), false);
}

/** `end` moved back over the full stop and the brackets that close around a value. */
function withoutClosers(text: string, at: number, end: number): number {
  let last = end;
  while (last > at && '.)]}'.includes(text[last - 1]!)) last--;
  return last;
}

function afterScheme(text: string, at: number): number {
  return after(SCHEME, text, at) ?? at;
}

function placed(text: string, start: number, end: number, quoted: boolean): PlacedValue | null {
  return start >= end ? null : { text: text.slice(start, end), start, end, quoted };
}
