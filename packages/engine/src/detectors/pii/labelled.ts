// Values that only the word before them gives away: passports, licences, medical records, bank accounts, user names.

import type { Method } from '../../types.ts';
import { isLetter, isWord } from './chars.ts';
import { isRepeated } from './checksums.ts';
import { type Cue, cueStart, isCued, type Near } from './cues.ts';
import type { Find } from './finds.ts';
import type { Kind } from './kinds.ts';
import type { NumberRecogniser } from './numbers.ts';

/** How far after its word a value can begin, and how long it can be. */
const FILLER_MAX = 32;
const VALUE_MAX = 40;

/** What may stand between a word and its value: "passport number is: ", `"mrn" = "`. */
const FILLER =
  /^(?:[\s:=#"'`*|>(–-]+|(?:numbers?|num|no|nr|id|code|card|is|was|of|for|my|the|issued|n[º°]|№|num[eé]ro|número|nummer|ist|lautet|est|es|è|é|ending in)(?![\p{L}\d])[.:]?)*/iu;

/** Where the value after a word begins. */
export function skipFiller(text: string, end: number): number {
  return end + FILLER.exec(text.slice(end, end + FILLER_MAX))![0].length;
}

interface Label {
  readonly cue: Cue;
  readonly kind: Kind;
  readonly value: RegExp;
  readonly score: number;
  readonly digitsMin: number;
}

const LABELS: readonly Label[] = [
  { cue: 'passport', kind: 'passport', value: /^[A-Z]{0,3}\d{6,9}[A-Z]?/, score: 0.9, digitsMin: 6 },
  { cue: 'passport', kind: 'passport', value: /^[CFGHJK][A-Z\d]{8,9}/, score: 0.85, digitsMin: 3 },
  {
    cue: 'license',
    kind: 'driver_license',
    value: /^[A-Z\d]+(?:[- ]?[A-Z\d]+)*?(?=[^A-Z\d -]|-?$| [^A-Z\d]| [A-Z][A-Z]| \d{1,2}[^\d])/,
    score: 0.85,
    digitsMin: 5,
  },
  { cue: 'medical', kind: 'medical_record', value: /^[A-Z]{0,4}-?\d{5,12}(?:-\d{1,4})?/, score: 0.9, digitsMin: 5 },
  { cue: 'id:de', kind: 'national_id', value: /^[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ\d]{8}\d?/, score: 0.85, digitsMin: 3 },
  { cue: 'bank', kind: 'bank_account', value: /^\d(?:[ -]?\d){5,17}/, score: 0.85, digitsMin: 6 },
];

/** The value that the cue ending at `end` labels, if it is there. */
export function findLabelled(text: string, cue: Cue, rule: number, end: number): Find | null {
  if (cue === 'medical') {
    const joined = joinedRecord(text, rule, end);
    if (joined !== null) return joined;
  }
  for (const label of LABELS) {
    if (label.cue !== cue) continue;
    const find = labelledBy(text, label, skipFiller(text, end));
    if (find !== null) return find;
  }
  return null;
}

function labelledBy(text: string, label: Label, start: number): Find | null {
  const match = label.value.exec(text.slice(start, start + VALUE_MAX));
  if (match === null || isWord(text.charCodeAt(start - 1))) return null;
  const end = start + match[0].length;
  const digits = match[0].replace(/\D/g, '');
  if (isWord(text.charCodeAt(end)) || digits.length < label.digitsMin || isRepeated(digits) || isDateOrAmount(text, start, end))
    return null;
  return { kind: label.kind, start, end, score: label.score, method: 'pattern+context' };
}

/** A number that goes on as a date, a sort code or an amount: `2024-05-01`, `20-00-00`, `123456.78`. */
function isDateOrAmount(text: string, start: number, end: number): boolean {
  return /^[.,]\d/.test(text.slice(end, end + 2)) || /^(?:(?:19|20)\d\d-\d\d-\d\d|\d\d-\d\d-\d\d$)/.test(text.slice(start, end));
}

/** `MRN-5046142`: the word is part of the number. */
function joinedRecord(text: string, rule: number, end: number): Find | null {
  const match = /^-\d{5,12}/.exec(text.slice(end, end + 14));
  if (match === null || isWord(text.charCodeAt(end + match[0].length))) return null;
  return {
    kind: 'medical_record',
    start: cueStart(rule, end),
    end: end + match[0].length,
    score: 0.95,
    method: 'pattern+context',
  };
}

/** "account" alone may be anyone's; the number after it counts beside another word of banking. */
export function findAccount(text: string, end: number, near: Near): Find | null {
  const isBanking = near.before.includes('bank') || near.after.includes('bank') || near.before.includes('iban');
  if (!isBanking) return null;
  return labelledBy(text, LABELS.at(-1)!, skipFiller(text, end));
}

/** Bare numbers in a note about a patient: weak, but notes are full of them. */
export const patientNumbers: NumberRecogniser = {
  shapes: ['7', '8'],
  recognise({ near }) {
    const isNote = near.before.includes('patient') && (near.before[0] === 'patient' || near.before[0] === 'birth');
    return isNote ? { kind: 'medical_record', score: 0.55, method: 'pattern+context' } : null;
  },
};

/** `P811337` in a note about a patient. */
export function isPatientCode(word: string, near: () => Near): boolean {
  return /^[A-Z]{1,2}\d{5,8}$/.test(word) && near().before.includes('patient');
}

const USERNAME = /^@?[\p{L}\d_][\p{L}\d_.+-]{1,30}[\p{L}\d_]/u;
const ASSIGNMENT = /^[^\n]*[:=][^\n]*$|^\s(?:is|est|ist|lautet|es|è|é)\s/iu;

/** What stands for a name in code, forms and manuals. */
const NOT_NAMES = new Set(
  (
    'string str text null none undefined nil true false required optional input varchar char int integer username user name password passwd admin root ' +
    'administrator postgres mysql default test guest anonymous nobody localhost your the this that not unknown empty example system service and or ' +
    'invalid already taken self value request response session current_user field case unique email hidden public private const let var new return'
  ).split(' '),
);

/** A user name after `username: `, `user=` or "user name is". */
export function findUsername(text: string, cue: Cue, end: number): Find | null {
  const start = skipFiller(text, end);
  const between = text.slice(end, start);
  const isAssigned = cue === 'user' ? isTight(text, end, between) : ASSIGNMENT.test(between) || isPostedAs(text, end);
  const match = isAssigned ? USERNAME.exec(text.slice(start, start + VALUE_MAX)) : null;
  // An assignment with spaces and no quotes is code: the value is a variable.
  if (match === null || /^\s+=\s+$/.test(between) || isPlaceholder(match[0].toLowerCase()) || match[0].includes('@', 1))
    return null;
  const last = start + match[0].length;
  if (isCodeAfter(text, last) || text[last] === '@' || (cue === 'user' && match[0].includes('.'))) return null;
  const method: Method = 'pattern+context';
  return { kind: 'username', start, end: last, score: cue === 'user' ? 0.6 : 0.75, method };
}

/** "user" and such need `=` and no space (`user=ada`), a colon and a digit (`owner: ada42`), a shell option, or "password for" and a name with a digit. */
function isTight(text: string, end: number, between: string): boolean {
  if (/^: ?$/.test(between)) return /^: ?(?:@|[\p{L}_.-]*\d)/u.test(text.slice(end, end + VALUE_MAX));
  if (between === '=' || between === "='" || between === '="') return true;
  const cue = text.slice(Math.max(0, end - 12), end).toLowerCase();
  if (cue.endsWith('curl -u')) return /^ \S+?:/.test(text.slice(end, end + VALUE_MAX));
  const after = text.slice(end, end + VALUE_MAX + 16);
  return cue.endsWith('password for') && /^ @?[\p{L}\d_.-]+(?: and (?:the )?e-?mail\b|(?<=[\d_])(?:\s|$))/u.test(after);
}

function isPlaceholder(name: string): boolean {
  return NOT_NAMES.has(name) || /user_?name|^your|example|passw/.test(name);
}

/** "tweeted as ada": a name of at least four characters, since "as a …" goes on otherwise. */
function isPostedAs(text: string, end: number): boolean {
  return (
    /\bas$/i.test(text.slice(end - 3, end)) &&
    /^ @?[\p{L}\d_.]{4,}(?: (?:from|on|at|in|and|that|:)|[.,:]|$)/u.test(text.slice(end, end + VALUE_MAX))
  );
}

/** Calls, members and templates are code that handles names, not names. */
function isCodeAfter(text: string, end: number): boolean {
  const next = text[end] ?? ' ';
  return '([{<$)'.includes(next) || text.startsWith('::', end) || (next === '-' && isLetter(text.charCodeAt(end + 1)));
}

/** An @handle whose at-sign is at `at`, beside a word of social media. */
export function findHandle(text: string, at: number, near: () => Near): Find | null {
  const before = text.charCodeAt(at - 1);
  if (isWord(before) || text[at - 1] === '@' || text[at - 1] === '/') return null;
  const match = /^@[A-Za-z0-9_][A-Za-z0-9_.]{1,29}/.exec(text.slice(at, at + 31));
  if (match === null) return null;
  const handle = match[0].replace(/\.+$/, '');
  if ('/@('.includes(text[at + handle.length] ?? ' ') || !isCued(near(), 'social')) return null;
  return { kind: 'username', start: at, end: at + handle.length, score: 0.75, method: 'pattern+context' };
}
