// Words, numbers and signs of a text, what the lexicon knows of them, and which of them may be part of a name.
// The twin of `training/pii/tokens.py`: both must see the same tokens and hashes, or the model's weights mean nothing.

import { isDigit } from './chars.ts';

/** Kinds of tokens. */
export const KIND = {
  edge: 0,
  lower: 1,
  title: 2,
  caps: 3,
  initial: 4,
  mixed: 5,
  lowerMixed: 6,
  uncased: 7,
  han: 8,
  hiragana: 9,
  katakana: 10,
  digits2: 11,
  digits4: 12,
  digits5: 13,
  digitsMore: 14,
  numbered: 15,
  wordWithDigit: 16,
  newline: 17,
  comma: 18,
  stop: 19,
  sign: 20,
} as const;

/** What the lexicon knows of a word, a bit each. */
export const KNOWN = {
  given: 1,
  surname: 2,
  place: 4,
  country: 8,
  org: 16,
  nrp: 32,
  job: 64,
  jobHead: 128,
  honorific: 256,
  street: 512,
  common: 1024,
  stop: 2048,
  connector: 4096,
  cue: 8192,
  date: 16384,
} as const;
const NAMEISH = KNOWN.given | KNOWN.surname | KNOWN.place | KNOWN.country | KNOWN.org | KNOWN.nrp;

/** Edges before the first token and after the last, so that neighbours need no bounds. */
export const EDGES = 3;
const EDGE_HASH = 1;

/** Longer words are read in parts, and longer runs of blanks as line breaks: so no token depends on text far behind its start. */
const TOKEN_CHARS_MAX = 64;
/** How the text is written counts as known for so many characters, from its start to as many beyond them. */
const CASE_CHARS = 256;

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 16777619;

// Classes of characters, in the lower bits of `CHARS`; 0 is not asked yet.
const LETTER = 1;
const DIGIT = 2;
const HAN = 3;
const HIRAGANA = 4;
const KATAKANA = 5;
const SPACE = 6;
const NEWLINE = 7;
const SIGN = 8;
const CLASS = 15;
const UPPER = 16;
const SMALL = 32;

/** By UTF-16 unit, filled as they are met: patterns are too slow to ask at every step. */
const CHARS = new Uint8Array(65_536);
const FOLDED = new Uint16Array(65_536);

function charOf(code: number): number {
  return CHARS[code]! || learn(code);
}

function learn(code: number): number {
  const char = String.fromCharCode(code);
  const low = char.toLowerCase();
  FOLDED[code] = low.length === 1 ? low.charCodeAt(0) : code;
  CHARS[code] = classOf(code, char) | (/\p{Lu}/u.test(char) ? UPPER : 0) | (/\p{Ll}/u.test(char) ? SMALL : 0);
  return CHARS[code];
}

function classOf(code: number, char: string): number {
  if (code === 10) return NEWLINE;
  if (isBlank(code)) return SPACE;
  if (isDigit(code)) return DIGIT;
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf) || code === 0x3005) return HAN;
  if (code >= 0x3041 && code <= 0x309f) return HIRAGANA;
  if (code >= 0x30a1 && code <= 0x30ff && code !== 0x30fb) return KATAKANA;
  return /[\p{L}\p{M}]/u.test(char) ? LETTER : SIGN;
}

function isBlank(code: number): boolean {
  return (
    code <= 32 ||
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0x85 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029
  );
}

/** Tokens of one text, `EDGES` edges on either side; token `i` of the text is at `i + EDGES`. */
export class Tokens {
  /** Tokens without edges. */
  count = 0;
  /** UTF-16 offsets, ends exclusive. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Of the word in lower case. */
  readonly hashes: Int32Array;
  readonly kinds: Uint8Array;
  readonly known: Uint16Array;
  /** 1 where the token may be part of a name. */
  readonly candidates: Uint8Array;
  readonly #cases: Uint8Array;

  /** `charsMax`: UTF-16 units of the longest text to be read into it. */
  constructor(charsMax: number) {
    const size = charsMax + 2 * EDGES;
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.hashes = new Int32Array(size);
    this.kinds = new Uint8Array(size);
    this.known = new Uint16Array(size);
    this.candidates = new Uint8Array(size);
    this.#cases = new Uint8Array(Math.floor(charsMax / CASE_CHARS) + 1);
  }

  /** Reads `text` in place of what was there. Linear in its length. */
  read(text: string, lexicon: Uint32Array): void {
    this.#edges(0);
    const end = this.#tokenise(text, lexicon);
    this.count = end - EDGES;
    this.#edges(end);
    this.#setCase(end);
    this.#setCandidates(end);
  }

  #edges(from: number): void {
    this.hashes.fill(EDGE_HASH, from, from + EDGES);
    this.kinds.fill(KIND.edge, from, from + EDGES);
    this.known.fill(0, from, from + EDGES);
    this.candidates.fill(0, from, from + EDGES);
  }

  /** Answers the index after the last token. */
  #tokenise(text: string, lexicon: Uint32Array): number {
    const { length } = text;
    let n = EDGES;
    let at = 0;
    let lastEnd = 0;
    while (at < length) {
      const start = at;
      const first = charOf(text.charCodeAt(at++));
      const klass = first & CLASS;
      if (klass === SPACE && at - lastEnd < TOKEN_CHARS_MAX) continue;
      let hash = FNV_START;
      let kind: number = KIND.sign;
      const limit = Math.min(length, start + TOKEN_CHARS_MAX);
      if (klass === LETTER || klass === DIGIT) {
        at = start;
        let uppers = 0;
        let digits = 0;
        while (at < limit) {
          const code = text.charCodeAt(at);
          const char = charOf(code);
          const next = char & CLASS;
          if (next === LETTER) uppers += (char & UPPER) >> 4;
          else if (next === DIGIT) digits++;
          else if ((first & UPPER) === 0 || !joinsName(text, at, code)) break;
          hash = Math.imul(hash ^ FOLDED[code]!, FNV_PRIME);
          at++;
        }
        kind = klass === DIGIT ? numberKind(at - start, digits) : wordKind(at - start, first, uppers, digits);
      } else if (klass === NEWLINE || klass === SPACE) {
        while (at < limit && isSpace(text.charCodeAt(at))) at++;
        hash = Math.imul(hash ^ 10, FNV_PRIME);
        kind = KIND.newline;
      } else {
        hash = Math.imul(hash ^ FOLDED[text.charCodeAt(start)]!, FNV_PRIME);
        if (klass === HIRAGANA || klass === KATAKANA) {
          while (at < limit && (charOf(text.charCodeAt(at)) & CLASS) === klass)
            hash = Math.imul(hash ^ FOLDED[text.charCodeAt(at++)]!, FNV_PRIME);
        }
        kind = signKind(klass, text.charCodeAt(start));
      }
      this.starts[n] = start;
      this.ends[n] = at;
      this.hashes[n] = hash;
      this.kinds[n] = kind;
      this.known[n] = lookUp(lexicon, hash);
      lastEnd = at;
      n++;
    }
    return n;
  }

  /** How the text up to token `i` and a little beyond is written. 1: hardly a lower case word, 2: no capital at all, 0: as usual. */
  caseAt(i: number): number {
    return this.#cases[Math.floor(this.starts[i]! / CASE_CHARS)]!;
  }

  #setCase(end: number): void {
    let capitals = 0;
    let titles = 0;
    let small = 0;
    let zone = 0;
    for (let i = EDGES; i < end; i++) {
      for (; this.starts[i]! >= (zone + 2) * CASE_CHARS; zone++) this.#cases[zone] = caseOf(capitals, titles, small);
      const kind = this.kinds[i]!;
      if (kind === KIND.lower || kind === KIND.lowerMixed) small++;
      else if (kind === KIND.caps) capitals++;
      else if (kind === KIND.title || kind === KIND.mixed) titles++;
    }
    // The last zones end with the text.
    this.#cases.fill(caseOf(capitals, titles, small), zone, zone + 2);
  }

  #setCandidates(end: number): void {
    const { candidates, kinds, known } = this;
    candidates.fill(0, EDGES, end);
    for (let i = EDGES; i < end; i++) {
      const kind = kinds[i]!;
      if (kind >= KIND.title && kind <= KIND.mixed) candidates[i] = (known[i]! & KNOWN.stop) === 0 ? 1 : 0;
      else if (isSmall(kind)) candidates[i] = this.#isSmallCandidate(i) ? 1 : 0;
      else if (kind === KIND.katakana) candidates[i] = 1;
      else if (kind === KIND.han) this.#setHan(i, end);
    }
    for (let i = end - 2; i >= EDGES; i--) {
      const isJob = candidates[i] === 0 && (known[i]! & KNOWN.job) !== 0 && isSmall(kinds[i]!);
      if (isJob && candidates[i + 1] === 1 && (known[i + 1]! & KNOWN.job) !== 0) candidates[i] = 1;
    }
    for (let i = EDGES + 2; i < end; i++) if (candidates[i] === 1 && (known[i]! & KNOWN.jobHead) !== 0) this.#fillJob(i);
    for (let i = EDGES; i < end; i++) {
      if (candidates[i] === 1 || kinds[i]! < KIND.digits2 || kinds[i]! > KIND.wordWithDigit) continue;
      const isBeside =
        (candidates[i + 1] === 1 && kinds[i + 1]! < KIND.digits2) || (candidates[i - 1] === 1 && kinds[i - 1]! < KIND.digits2);
      candidates[i] = isBeside ? 1 : 0;
    }
    for (let i = EDGES + 1; i < end - 1; i++) {
      if (candidates[i] === 1 || candidates[i - 1] === 0) continue;
      if (candidates[i + 1] === 1) candidates[i] = this.#canJoin(i) ? 1 : 0;
      else if ((known[i]! & known[i + 1]! & KNOWN.connector) !== 0 && candidates[i + 2] === 1) candidates.fill(1, i, i + 2);
    }
  }

  /** Words that no capital gives away: names that are not also ordinary words, or what stands beside a word for a person. */
  #isSmallCandidate(i: number): boolean {
    const { kinds, known } = this;
    const bits = known[i]!;
    if ((bits & KNOWN.stop) !== 0) return false;
    if ((bits & (KNOWN.jobHead | KNOWN.nrp | KNOWN.country)) !== 0) return true;
    if ((bits & KNOWN.common) === 0) {
      if ((bits & NAMEISH) !== 0) return true;
      const isLong = this.ends[i]! - this.starts[i]! > 1;
      const before = known[i - 1]!;
      if (isLong && (before & KNOWN.cue) !== 0) return true;
      if (isLong && (before & KNOWN.given) !== 0 && this.candidates[i - 1] === 1 && isSmall(kinds[i - 1]!)) return true;
    }
    const isSurnameNext = (known[i + 1]! & (KNOWN.surname | KNOWN.common)) === KNOWN.surname;
    return (bits & KNOWN.given) !== 0 && isSurnameNext && isSmall(kinds[i + 1]!);
  }

  /** `Outside order clerk`: what stands between a capital and the word for a job, at `i`. */
  #fillJob(i: number): void {
    const { candidates, kinds } = this;
    let at = i - 1;
    while (at > EDGES && i - at <= JOB_GAP_MAX && candidates[at] === 0 && this.#isJobPart(at)) at--;
    const isCased = kinds[at]! >= KIND.title && kinds[at]! <= KIND.mixed;
    if (candidates[at] === 1 && isCased) candidates.fill(1, at + 1, i);
  }

  #isJobPart(i: number): boolean {
    const bits = this.known[i]!;
    return isSmall(this.kinds[i]!) && ((bits & KNOWN.connector) !== 0 || (bits & (KNOWN.stop | KNOWN.cue)) === 0);
  }

  /** Names follow the sign of a family, places and firms end in one. */
  #setHan(i: number, end: number): void {
    const { candidates, kinds, known } = this;
    if ((known[i]! & (KNOWN.surname | KNOWN.country)) !== 0)
      for (let j = i; j < Math.min(end, i + 4); j++) candidates[j]! |= kinds[j] === KIND.han ? 1 : 0;
    if ((known[i]! & (KNOWN.place | KNOWN.org)) !== 0)
      for (let j = Math.max(EDGES, i - 4); j <= i; j++) candidates[j]! |= kinds[j] === KIND.han ? 1 : 0;
  }

  /** What stands between two parts of one name, or two names of one list. */
  #canJoin(i: number): boolean {
    switch (this.kinds[i]) {
      case KIND.comma:
      case KIND.newline:
        return true;
      case KIND.stop:
        return this.ends[i - 1]! - this.starts[i - 1]! <= 4 || (this.known[i - 1]! & KNOWN.honorific) !== 0;
      case KIND.sign:
        return JOINING.has(this.hashes[i]!);
      default:
        return (this.known[i]! & KNOWN.connector) !== 0;
    }
  }
}

function caseOf(capitals: number, titles: number, small: number): number {
  return capitals > 2 * (small + titles) ? 1 : capitals + titles === 0 && small > 0 ? 2 : 0;
}

/** Words between a capital and the word for a job. */
const JOB_GAP_MAX = 4;
const JOINING = new Set([..."-&/#'’"].map((char) => hashOf(char, 0, 1)));

function isSmall(kind: number): boolean {
  return kind === KIND.lower || kind === KIND.lowerMixed || kind === KIND.uncased;
}

function isSpace(code: number): boolean {
  const klass = charOf(code) & CLASS;
  return klass === SPACE || klass === NEWLINE;
}

/** `O'Brien` is one word, `Brien's` is two: an apostrophe joins when two letters follow. */
function joinsName(text: string, at: number, code: number): boolean {
  return (
    (code === 39 || code === 0x2019) &&
    at + 2 < text.length &&
    (charOf(text.charCodeAt(at + 1)) & CLASS) === LETTER &&
    (charOf(text.charCodeAt(at + 2)) & CLASS) === LETTER
  );
}

function numberKind(length: number, digits: number): number {
  if (digits < length) return KIND.numbered;
  if (digits <= 2) return KIND.digits2;
  if (digits <= 4) return KIND.digits4;
  return digits === 5 ? KIND.digits5 : KIND.digitsMore;
}

function wordKind(length: number, first: number, uppers: number, digits: number): number {
  if (digits > 0) return KIND.wordWithDigit;
  if ((first & UPPER) === 0) {
    if (uppers > 0) return KIND.lowerMixed;
    return (first & SMALL) === 0 ? KIND.uncased : KIND.lower;
  }
  if (length === 1) return KIND.initial;
  if (uppers === 1) return KIND.title;
  return uppers === length ? KIND.caps : KIND.mixed;
}

function signKind(klass: number, code: number): number {
  if (klass === HAN) return KIND.han;
  if (klass === HIRAGANA) return KIND.hiragana;
  if (klass === KATAKANA) return KIND.katakana;
  if (code === 46) return KIND.stop;
  return COMMAS.has(code) ? KIND.comma : KIND.sign;
}

const COMMAS = new Set([...',،、，'].map((char) => char.charCodeAt(0)));

/** What the lexicon knows of the word with this hash; 0 is nothing. */
function lookUp(lexicon: Uint32Array, hash: number): number {
  const mask = lexicon.length - 1;
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const entry = lexicon[at]!;
    if (entry === 0) return 0;
    if (((entry ^ hash) & 0xffff0000) === 0) return entry & 0xffff;
  }
}

/** The hash of `text` from `start` to `end` in lower case. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = FNV_START;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    charOf(code);
    hash = Math.imul(hash ^ FOLDED[code]!, FNV_PRIME);
  }
  return hash | 0;
}
