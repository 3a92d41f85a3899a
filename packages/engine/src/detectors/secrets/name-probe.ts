// Names that promise a credential (`password`, `api_key`, `client secret`) and what stands beside them.

import { readFirmTie, readName, readTie, readValue } from './assignment.ts';
import type { Name, PlacedValue } from './assignment.ts';
import { matchClue } from './clue-match.ts';
import type { Clue } from './clue.ts';
import { RANK } from './match.ts';
import type { Match } from './match.ts';
import { NAME_WORDS, type NameWord } from './names.ts';
import type { Near } from './near.ts';
import { isPlaceholder } from './placeholder.ts';
import { entropy } from './strangeness.ts';
import { judge } from './value.ts';
import { VENDORS } from './vendors.ts';
import type { VendorFormat } from './vendors.ts';

const KEY_HEAD =
  /(?:api|access|secret|private|auth|account|service|encrypt|encryption|signing|sign|master|admin|app|licen[sc]e|storage|shared|subscription|client|deploy|bot|session|webhook|crypto|hmac|aes|des|jwt|root|server|write|crypt|serial|cipher)[_. -]{0,2}$/;
// In the name before the word, these say that the value is public or no credential.
const HEAD_REFUSED =
  /(?:^|[_. -])(?:public|pub|primary|foreign|sort|cache|partition|csrf|xsrf|page|next|prev|continuation|cursor|sync|pad|eos|bos|unk|sep|cls|mask|special|hash|object|bucket|translation|i18n|idempotency|dedupe|row|group|index|map|dict|hot|short|no|forgot|react|authenticity|request|trace|version)[_. -]{0,2}$/;
const TAIL_REFUSED =
  /(?:^|[_-])(?:hash|hashed|digest|checksum|sha\d*|md5|fingerprint|count|counts|length|len|size|limit|min|max|expir\w{0,8}|ttl|timeout|age|type|types|url|uri|endpoint|path|file|files|filename|dir|name|names|label|placeholder|hint|policy|rule|rules|regex|pattern|format|prefix|suffix|header|param|parameter|column|table|index|error|message|msg|reset|title|text|id|ids|arn|ref|strength|usage|manager|provider|factory|service|version|source|location|class|encoder|generator|validator|callback|method|algorithm|alg|screen|page|view|form|button|link|email|date|time|at|ring|store|alias|vault|chain)\d{0,2}$/;
/** What one types into: `passwordField.sendKeys("x")`. */
const TAIL_INPUT = /(?:^|[_-])(?:field|input|box|edit|element|locator)s?$/;
// A later word of the name decides: `auth_token` is a token.
const LATER_WORD = /pass|pwd|secret|token|key|credential|salt|nonce|seed/;
const TAIL_START = /^s?(?:[_\d-]|$)/;

/** What the name `word` at `[start, end)` is given as value, or `null` for none. */
export function findNamed(anchor: string, text: string, start: number, anchorEnd: number, near: Near): Clue | null {
  const promise = NAME_WORDS[anchor]!;
  const end = anchorEnd - promise.trim;
  if (end <= near.nameEnd && text.charCodeAt(end) !== UNDERSCORE) return null;
  const next = text.charCodeAt(end);
  if (next >= 97 && next <= 122 && next !== 115) return null;
  const name = readName(text, start, end);
  if (name === null || !isNameOf(promise, name)) return null;
  const tied = readTie(text, name);
  // Words after the noun (`secret sauce is …`) say that it is not about a credential.
  if (tied === null || (tied.tie === 'prose' && name.tail.length > 1)) return null;
  // The verb: `you can pass 'x'`.
  if (tied.tie === 'command' && anchor === 'pass' && name.head === '') return null;
  if (TAIL_INPUT.test(name.tail) && tied.tie !== 'typed') return null;
  near.nameEnd = name.end;
  const value = readValue(text, tied.at);
  if (value === null) return null;
  const kind = anchor === 'key' && !isKeyName(name, text) ? 'weak' : promise.kind;
  return {
    kind,
    place: tied.tie,
    word: anchor.slice(0, anchor.length - promise.trim),
    head: name.head,
    tail: name.tail,
    value: value.text,
    quoted: value.quoted,
    text,
    nameStart: name.start,
    start: value.start,
    end: value.end,
  };
}

const UNDERSCORE = 95;

/** The value of the name at the anchor, when a vendor's format or the model says that it is a credential. */
export function probeName(anchor: string, text: string, start: number, end: number, near: Near): Match | null {
  const clue = findNamed(anchor, text, start, end, near);
  if (clue === null) return null;
  const { type, label } = NAME_WORDS[anchor]!;
  return matchVendor(clue, near) ?? matchClue(clue, type, label);
}

function isNameOf(promise: NameWord, { head, tail }: Name): boolean {
  if (!TAIL_START.test(tail) || LATER_WORD.test(tail) || (promise.whole && !startsWord(head, promise))) return false;
  const isRefused = TAIL_REFUSED.test(tail) && !(tail === '_id' && head.endsWith('access_'));
  return !isRefused && !HEAD_REFUSED.test(head);
}

const WORD_HEAD =
  /(?:db|user|my|smtp|mail|ftp|mysql|sql|x|o|sess|root|bind|admin|store|key|sa|ssh|wifi|test|default|new|old|login|ldap|proxy|web|site|app|sudo|require|rpc|pg|mongo|redis|jdbc|sys|super|guest|zip|cert|ssl|phpsess|jsess|c|oauth|client|str|the)$/;

/** True where a word starts: after no letter, or after a word that often stands before it. */
function startsWord(head: string, { kind, trim }: NameWord): boolean {
  if (!/[a-z]$/.test(head)) return true;
  // `arXiv:`, `shipping:`: of the short words only `pw` is written together with others.
  return trim === 0 || kind === 'password' ? KEY_HEAD.test(head) || WORD_HEAD.test(head) : false;
}

function isKeyName(name: Name, text: string): boolean {
  if (KEY_HEAD.test(name.head)) return true;
  return /(?:api|access|secret|private|auth|account|service|new|my|\bmy \w{2,20}|the \w{2,20}) $/i.test(
    text.slice(Math.max(0, name.start - 32), name.start),
  );
}

const VENDOR_REACH = 40;

function matchVendor(clue: Clue, near: Near): Match | null {
  const { vendor, vendorEnd } = near;
  if (vendor === null || clue.start - vendorEnd > VENDOR_REACH + near.nameEnd - clue.nameStart) return null;
  const found = formatOf(vendor, clue.value);
  if (found === undefined || clue.text.slice(vendorEnd, clue.start).includes('\n')) return null;
  return vendorMatch(found, clue, 0.85);
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

function vendorMatch(found: VendorFormat, value: Pick<PlacedValue, 'start' | 'end'>, score: number): Match {
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
