// Reads `name = value` in the ways people and programs write it: code, configuration, markup, command lines, prose, tables.

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

const MAY_TIE = ' \t\n\r"\'`]\\:=>|?!,(';

// After the name, what may stand before the value. All sticky, all bounded.
const ASSIGN =
  /["'`\]]{0,2}\\?["']?(?:\s{0,4}:\s{0,4}[&\w.<>[\]?]{1,24}(?=\s{0,4}=[^=>]))?[ \t]{0,24}(?:=>|:=|\?\?=|\|\|=|\?=|[!=]==?|=|:|\|)[ \t]{0,24}/y;
const ATTRIBUTE = /["']\s{1,8}(?:value|content|default)\s{0,2}=\s{0,2}(?=["'])/y;
const ELEMENT = />(?=[^<\s])/y;
const ARGUMENT = /\\?["'`]?\]?\s{0,2}[,(]\s{0,4}(?=[rbuf@]?\\?["'`])/y;
const PROSE =
  /s?(?:[ \t](?:for|to|of|on)[ \t][\w.-]{1,30}(?:[ \t][\w.-]{1,30})?)?(?:[ \t](?:is|was|are|=)|:)[ \t]{1,4}(?:now |set to )?/y;
const SPACE = /[ \t]{1,8}/y;
const COMMAND_BEFORE = /(?:^|[\s"'])(?:-{1,2}|(?:ENV|ARG|setx?|login[ \t]\S{1,48})[ \t]{1,4})$/;

/** How a value is tied to its name; prose and arguments tie it less firmly. */
export type Tie = 'assigned' | 'attribute' | 'argument' | 'prose';

/** Where the value of the name that ends at `end` starts, or `null` when nothing ties one to it. */
export function readTie(text: string, name: Name): { tie: Tie; at: number } | null {
  const { end } = name;
  if (end >= text.length || !MAY_TIE.includes(text[end]!)) return null;
  const at =
    after(ASSIGN, text, end) ??
    after(ATTRIBUTE, text, end) ??
    (text.charCodeAt(name.start - 1) === 60 ? after(ELEMENT, text, end) : null);
  if (at !== null) return { tie: 'assigned', at };
  const argument = after(ARGUMENT, text, end);
  if (argument !== null) return { tie: 'argument', at: argument };
  const command = isCommand(text, name) ? after(SPACE, text, end) : null;
  if (command !== null) return { tie: 'assigned', at: command };
  const prose = after(PROSE, text, end);
  return prose === null ? null : { tie: 'prose', at: prose };
}

/** Only the ties of a table or a plain assignment: for names that alone promise nothing. */
export function readFirmTie(text: string, end: number): number | null {
  return after(ASSIGN, text, end);
}

function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** True for `--password x`, `ENV API_KEY x`, `login me password x`. */
function isCommand(text: string, name: Name): boolean {
  if (text.charCodeAt(name.end) !== 32) return false;
  if (name.head.startsWith('--')) return true;
  return COMMAND_BEFORE.test(text.slice(Math.max(0, name.start - 64), name.start));
}

const VALUE_MAX = 512;
// No `=` or `:` inside: what follows one is another assignment, which has its own anchor.
const UNQUOTED = /[^\s"'`<>,;|=:\\]{1,300}/y;
const PADDING = /={1,2}(?![^\s"'`<>,;|)}\]])/y;
// `"Bearer x"`: the scheme is not part of the secret.
const SCHEME = /(?:Bearer|Basic|Token|ApiKey|Api-Key|SSWS) {1,4}(?=\S)/iy;

/** The value that starts at `at`, or `null` for none. Reads at most 512 characters. */
export function readValue(text: string, at: number): PlacedValue | null {
  const start = openingQuote(text, at);
  if (start < 0) return readUnquoted(text, afterScheme(text, at));
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
