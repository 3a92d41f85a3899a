// Names that promise a credential (`password`, `api_key`, `client secret`) and what stands beside them.

import { readFirmTie, readName, readTie, readValue } from './assignment.ts';
import type { Name, PlacedValue, Tie } from './assignment.ts';
import { RANK } from './match.ts';
import type { Match } from './match.ts';
import type { Near } from './near.ts';
import { isPlaceholder } from './placeholder.ts';
import { entropy } from './strangeness.ts';
import { judge } from './value.ts';
import type { Kind } from './value.ts';
import { VENDORS } from './vendors.ts';
import type { VendorFormat } from './vendors.ts';

/** A word of names and what it promises. */
interface NameWord {
  readonly type: string;
  readonly label: string;
  readonly kind: Kind;
  /** False when the word may follow letters directly, as in `dbpassword`. */
  readonly whole: boolean;
}

function word(type: string, label: string, kind: Kind, whole = false): NameWord {
  return { type, label, kind, whole };
}

/** By anchor, what a name with it promises. */
export const NAME_WORDS: Readonly<Record<string, NameWord>> = {
  password: word('password', 'a password', 'password'),
  passwd: word('password', 'a password', 'password'),
  passwort: word('password', 'a password', 'password'),
  passphrase: word('password', 'a passphrase', 'password'),
  contraseña: word('password', 'a password', 'password'),
  'mot de passe': word('password', 'a password', 'password'),
  kennwort: word('password', 'a password', 'password', true),
  wachtwoord: word('password', 'a password', 'password', true),
  senha: word('password', 'a password', 'password', true),
  пароль: word('password', 'a password', 'password', true),
  密码: word('password', 'a password', 'password'),
  pwd: word('password', 'a password', 'password'),
  pass: word('password', 'a password', 'password', true),
  psw: word('password', 'a password', 'password', true),
  credential: word('credential', 'a credential', 'password'),
  creds: word('credential', 'a credential', 'password', true),
  secret: word('secret', 'a secret', 'key'),
  token: word('token', 'a token', 'key'),
  key: word('api_key', 'a key', 'key', true),
  authorization: word('authorization_header', 'an authorization header', 'key', true),
  auth: word('token', 'an authentication value', 'weak', true),
};

const KEY_HEAD =
  /(?:api|access|secret|private|auth|account|service|encrypt|encryption|signing|sign|master|admin|app|licen[sc]e|storage|shared|subscription|client|deploy|bot|session|webhook|crypto|hmac|aes|jwt|root|server|write|crypt)[_. -]{0,2}$/;
// In the name before the word, these say that the value is public or no credential.
const HEAD_REFUSED =
  /(?:^|[_. -])(?:public|pub|primary|foreign|sort|cache|partition|csrf|xsrf|page|next|prev|continuation|cursor|sync|pad|eos|bos|unk|sep|cls|mask|special|hash|object|bucket|translation|i18n|idempotency|dedupe|row|group|index|host|map|dict|hot|short|no|reset|forgot|confirm|verify|changed?|react|authenticity|request|trace|version)[_. -]{0,2}$/;
const TAIL_REFUSED =
  /(?:^|[_-])(?:hash|hashed|digest|checksum|sha\d*|md5|fingerprint|count|counts|length|len|size|limit|min|max|expir\w{0,8}|ttl|timeout|age|type|types|url|uri|endpoint|path|file|files|filename|dir|name|names|field|label|placeholder|hint|policy|rule|rules|regex|pattern|format|prefix|suffix|header|param|parameter|column|table|index|error|message|msg|reset|title|text|id|ids|arn|ref|strength|usage|manager|provider|factory|service|version|source|location|class|encoder|generator|validator|callback|method|algorithm|alg|input|box|screen|page|view|form|button|link|email|date|time|at|ring|store|alias|vault|chain)\d{0,2}$/;
// A later word of the name decides: `auth_token` is a token.
const LATER_WORD = /pass|pwd|secret|token|key|credential/;
const TAIL_START = /^s?(?:[_\d-]|$)/;

/** What the name `word` at `[start, end)` is given as value, or `null` when nothing there looks like a credential. */
export function probeName(anchor: string, text: string, start: number, end: number, near: Near): Match | null {
  if (end <= near.nameEnd && text.charCodeAt(end) !== 95) return null;
  const next = text.charCodeAt(end);
  if (next >= 97 && next <= 122 && next !== 115) return null;
  const promise = NAME_WORDS[anchor]!;
  const name = readName(text, start, end);
  if (name === null || !isNameOf(promise, name)) return null;
  const tied = readTie(text, name);
  // Words after the noun (`secret sauce is …`) say that it is not about a credential.
  if (tied === null || (tied.tie === 'prose' && name.tail.length > 1)) return null;
  near.nameEnd = name.end;
  const value = readValue(text, tied.at);
  if (value === null || (tied.tie !== 'assigned' && value.text.length < 6)) return null;
  return matchVendor(value, name, near, text) ?? matchGeneric(promise, anchor, value, name, tied.tie, text);
}

function isNameOf(promise: NameWord, { head, tail }: Name): boolean {
  if (!TAIL_START.test(tail) || LATER_WORD.test(tail) || (promise.whole && !startsWord(head))) return false;
  return !TAIL_REFUSED.test(tail) && !HEAD_REFUSED.test(head);
}

/** True where a word starts: after no letter, or after a word that often stands before it. */
function startsWord(head: string): boolean {
  return !/[a-z]$/.test(head) || KEY_HEAD.test(head) || /(?:db|user|my|smtp|mail|ftp|mysql|sql|x|o)$/.test(head);
}

function matchGeneric(promise: NameWord, anchor: string, value: PlacedValue, name: Name, tie: Tie, text: string): Match | null {
  const kind = anchor === 'key' && !isKeyName(name, text) ? 'weak' : promise.kind;
  let score = judge({ text: value.text, quoted: isLiteral(value, tie, text) }, kind);
  // In prose only what cannot be a word counts, and what is passed to a call is often a label.
  if (tie === 'prose' && !value.quoted && !/\d/.test(value.text) && score < 0.7) score = 0;
  if (tie === 'argument') score -= 0.1;
  if (score < 0.5) return null;
  return {
    type: promise.type,
    start: value.start,
    end: value.end,
    score,
    severity: score >= 0.7 ? 'high' : 'medium',
    method: 'pattern+entropy',
    explanation: `Stands where ${promise.label} is given, and looks like one.`,
    preview: null,
    rank: RANK.generic,
  };
}

/** True when `value` is itself and no variable: quoted, said in prose, or alone at the end of a line of configuration. */
function isLiteral({ quoted, start, end }: PlacedValue, tie: Tie, text: string): boolean {
  if (quoted || tie === 'prose') return true;
  const endsLine = end === text.length || text.charCodeAt(end) === 10 || text.charCodeAt(end) === 13;
  return endsLine && !text.startsWith('= ', start - 2);
}

function isKeyName(name: Name, text: string): boolean {
  if (KEY_HEAD.test(name.head)) return true;
  return /(?:api|access|secret|private|auth|account|service|new|my|\bmy \w{2,20}|the \w{2,20}) $/i.test(
    text.slice(Math.max(0, name.start - 32), name.start),
  );
}

const VENDOR_REACH = 40;

function matchVendor(value: PlacedValue, name: Name, near: Near, text: string): Match | null {
  const { vendor, vendorEnd } = near;
  if (vendor === null || value.start - vendorEnd > VENDOR_REACH + name.end - name.start) return null;
  const found = formatOf(vendor, value.text);
  if (found === undefined || text.slice(vendorEnd, value.start).includes('\n')) return null;
  return vendorMatch(found, value, 0.85);
}

function formatOf(vendor: string, value: string): VendorFormat | undefined {
  if (isPlaceholder(value) || entropy(value) < 2.6) return undefined;
  return VENDORS[vendor]!.find(({ pattern }) => pattern.test(value) && (/\d/.test(value) || value.length > 30));
}

/** Notes the vendor for the names that follow; answers a value given to the vendor's bare name: `| okta | 00x… |`. */
export function probeVendor(vendor: string, text: string, start: number, end: number, near: Near): Match | null {
  near.vendor = vendor;
  near.vendorEnd = end;
  const before = text.charCodeAt(start - 1) | 32;
  const next = text.charCodeAt(end);
  if ((before >= 97 && before <= 122) || (next >= 97 && next <= 122)) return null;
  const name = readName(text, start, end);
  const at = name === null ? null : readFirmTie(text, name.end);
  const value = at === null ? null : readValue(text, at);
  if (value === null || value.text.length < 14) return null;
  const found = formatOf(vendor, value.text);
  if (found !== undefined) return vendorMatch(found, value, 0.65);
  const score = judge(value, 'weak');
  const bare: VendorFormat = { type: 'api_key', label: 'API key', pattern: /$/ };
  return score < 0.5 ? null : { ...vendorMatch(bare, value, 0.6), rank: RANK.generic };
}

function vendorMatch(found: VendorFormat, value: PlacedValue, score: number): Match {
  return {
    type: found.type,
    start: value.start,
    end: value.end,
    score,
    severity: 'high',
    method: 'pattern+context',
    explanation: `Stands beside the vendor's name and has the format of this kind: ${found.label}.`,
    preview: null,
    rank: RANK.vendor,
  };
}
