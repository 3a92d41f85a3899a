// Calls that take a credential by position: `login("me", "x")`, `connect(host, user, "x")`, `jwt.sign(claims, "x")`, rows of SQL.

import { readValue, type PlacedValue } from './assignment.ts';
import type { Clue, Kind } from './clue.ts';

/** Which argument is the credential, given the number of arguments. */
type Position = (count: number) => number;

interface Call {
  readonly kind: Kind;
  readonly position: Position;
}

const first: Position = () => 0;
const second: Position = () => 1;
const third: Position = (count) => (count > 2 ? 2 : -1);
const last: Position = (count) => count - 1;
/** `login(user, password)`, and `login(token)` of chat clients. */
const secondOrOnly: Position = (count) => (count > 1 ? 1 : 0);
/** `create_user(name, email, password)` and `create_user(name, password)`. */
const thirdOrSecond: Position = (count) => (count > 2 ? 2 : 1);

function call(kind: Kind, position: Position): Call {
  return { kind, position };
}

/** By anchor, with its opening bracket. */
export const CALLS: Readonly<Record<string, Call>> = {
  'login(': call('password', secondOrOnly),
  'log_in(': call('password', second),
  'signin(': call('password', second),
  'authenticate(': call('password', second),
  'credentials(': call('password', second),
  'credential(': call('password', second),
  'basicauth(': call('password', second),
  'basic_auth(': call('password', second),
  'auth=(': call('password', second),
  'auth(': call('password', second),
  '.basic(': call('password', second),
  'wifi.begin(': call('password', second),
  'sta.config(': call('password', second),
  'connect(': call('password', third),
  'mysqli(': call('password', third),
  'pdo(': call('password', third),
  'getconnection(': call('password', third),
  'createconnection(': call('password', third),
  'create_user(': call('password', thirdOrSecond),
  'createuser(': call('password', thirdOrSecond),
  'create_superuser(': call('password', thirdOrSecond),
  'register_user(': call('password', second),
  '.run(': call('weak', first),
  'updater(': call('weak', first),
  'telebot(': call('weak', first),
  'slacker(': call('weak', first),
  'webclient(': call('weak', first),
  'jwt.sign(': call('key', second),
  'jwt.verify(': call('key', second),
  'jwt.encode(': call('key', second),
  'jwt.decode(': call('key', second),
  'signwith(': call('key', last),
  'hmac256(': call('key', first),
  'hmac512(': call('key', first),
  'hmac.new(': call('key', first),
  'createhmac(': call('key', second),
  'createcipher(': call('key', second),
  'createcipheriv(': call('key', second),
  'aes.new(': call('key', first),
  'aes.encrypt(': call('key', second),
  'aes.decrypt(': call('key', second),
  'fernet(': call('key', first),
  'totp(': call('key', first),
  'hashids(': call('salt', first),
};

/** The credential among the arguments of the call whose bracket ends at `end`. */
export function findCall(anchor: string, text: string, start: number, end: number): Clue | null {
  const { kind, position } = CALLS[anchor]!;
  const args = readArguments(text, end);
  const value = args[position(args.length)] ?? null;
  return value === null ? null : clueOf(kind, 'call', anchor, value, text, start);
}

function clueOf(kind: Kind, place: Clue['place'], word: string, value: PlacedValue, text: string, nameStart: number): Clue {
  const { text: said, quoted, start, end } = value;
  return { kind, place, word, head: '', tail: '', value: said, quoted, text, nameStart, start, end };
}

const ARGUMENTS_MAX = 8;
const REACH = 320;

/** By argument, its literal, or `null` for any other expression. Stops where the bracket closes or the line ends without a comma. */
function readArguments(text: string, at: number): (PlacedValue | null)[] {
  const args: (PlacedValue | null)[] = [];
  const limit = Math.min(text.length, at + REACH);
  let i = at;
  while (i < limit && args.length < ARGUMENTS_MAX) {
    while (i < limit && isBlank(text.charCodeAt(i))) i++;
    const literal = LITERAL_START.includes(text[i] ?? ' ') ? readLiteral(text, i) : null;
    const end = endOfArgument(text, literal === null ? i : literal.end + 1, limit);
    if (end > i) args.push(literal);
    if (text.charCodeAt(end) !== COMMA) break;
    i = end + 1;
  }
  return args;
}

const LITERAL_START = '"\'`b';
const COMMA = 44;

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

function readLiteral(text: string, at: number): PlacedValue | null {
  const value = readValue(text, at);
  return value !== null && value.quoted ? value : null;
}

/** The offset of the comma or bracket that ends the argument that `at` stands in. */
function endOfArgument(text: string, at: number, limit: number): number {
  let depth = 0;
  for (let i = at; i < limit; i++) {
    const char = text[i]!;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth < 0) return i;
    else if ((char === ',' && depth === 0) || char === ';') return i;
  }
  return limit;
}

const COLUMNS = /\(([^()]{4,240})\)\s{0,4}$/;
const SECRET_COLUMN = /pass|pwd|secret|token|salt|api_?key/i;
const PUBLIC_COLUMN = /hash|digest|_at$|expir|reset_url/i;
const COLUMNS_MAX = 256;

/** The credential in the first row of `INSERT … (login, password) VALUES ('me', 'x')`; `start`: where `VALUES` stands. */
export function findInserted(text: string, start: number, end: number): Clue | null {
  const columns = COLUMNS.exec(text.slice(Math.max(0, start - COLUMNS_MAX), start))?.[1]?.split(',');
  const index = columns?.findIndex((name) => SECRET_COLUMN.test(name) && !PUBLIC_COLUMN.test(name)) ?? -1;
  const value = index < 0 ? null : (readArguments(text, end)[index] ?? null);
  return value === null ? null : clueOf('password', 'column', 'values (', value, text, start);
}
