// Personal data: values that identify people, by shape, checksum and the words around them.
// It looks only where the survey points: at-signs, runs of digits, long tokens, and its anchors.

import type { AnchorHits, DetectContext, Detector } from '../../types.ts';
import type { View } from '../../text/view.ts';
import { findNamedAddress, findStreet, STREET_ANCHORS } from './address.ts';
import { findAge } from './ages.ts';
import { findBirthDate, findDateBeside } from './birth.ts';
import { cards } from './cards.ts';
import { isAlphanumeric, isWord } from './chars.ts';
import { type Cue, CUE_ANCHORS, cuesNear, cuesOf, isWholeWord, type Near } from './cues.ts';
import { findMonth, findNumericDate } from './dates.ts';
import { findDomain } from './domains.ts';
import { findEmail } from './email.ts';
import { candidateOf, type Find, Finds } from './finds.ts';
import { findCoordinates } from './geo.ts';
import { findIban } from './iban.ts';
import { findAccount, findHandle, findLabelled, findUsername, isPatientCode, patientNumbers } from './labelled.ts';
import type { Kind } from './kinds.ts';
import { NAMES_MODEL } from './names-model.ts';
import { recogniseCode } from './national-codes.ts';
import { calledNumbers, cuedNationalNumbers, nationalNumbers } from './national-numbers.ts';
import { findAtColon, findIpv4, findMac } from './network.ts';
import { canBegin, findNumbers, shapeTreeOf } from './numbers.ts';
import { findPerson, PERSON_ANCHORS } from './person.ts';
import { americanPhones, findInternational, findNamedPhone, trunkPhones, withBracket } from './phone.ts';
import { type Groups, groupsOf } from './shapes.ts';
import { Tagger } from './tagger.ts';
import { EDGES, KIND, KNOWN, type Tokens } from './tokens.ts';
import { usEmployers, usNumbers } from './us-numbers.ts';
import { findVehicle, VIN_LENGTH } from './vehicle.ts';
import { eachWord, findWallet } from './wallet.ts';
import { findBritishPostcode, findZipCode } from './zip-codes.ts';

const STREETS_FROM = CUE_ANCHORS.length;
const PERSONS_FROM = STREETS_FROM + STREET_ANCHORS.length;
const SIGNS_FROM = PERSONS_FROM + PERSON_ANCHORS.length;
const COLON = SIGNS_FROM;
const HYPHEN = SIGNS_FROM + 1;

/** What a cue sets off besides being context for what stands near it. */
type Trigger = 'labelled' | 'account' | 'username' | 'birth' | 'address';
const TRIGGERS: Partial<Record<Cue, Trigger>> = {
  passport: 'labelled',
  license: 'labelled',
  medical: 'labelled',
  bank: 'labelled',
  'id:de': 'labelled',
  account: 'account',
  username: 'username',
  user: 'username',
  birth: 'birth',
  address: 'address',
};

const NUMBERS = shapeTreeOf([cards, usNumbers, ...nationalNumbers, americanPhones, trunkPhones]);
/** Numbers that count only beside words for them: asked only where the text holds one. */
const CUED_NUMBERS = shapeTreeOf([usEmployers, ...cuedNationalNumbers, calledNumbers, patientNumbers]);

/**
 * Patterns over streets and names cost the most: up to a place so many of each are tried, 1 000 and one for every so many of the
 * characters before it, fewer than the shortest value takes. Beyond that only a flood of lures is left: what is found cheaply is still
 * found, and the coverage tells. Of words for birth only those count that no date follows: the search for one takes 10 µs.
 */
const TRIES_MIN = 1_000;
const CHARS_PER_TRY = { streets: 5, persons: 4, labels: 8, ibans: 10, births: 100 };
type Tried = keyof typeof CHARS_PER_TRY;
const STEPS_PER_CLOCK = 64;

/** Its arrays are used again for every text: one text is read at a time. */
const TAGGER = new Tagger(NAMES_MODEL);

/** What reading every word finds. None of it displaces a find that has a reason, so it can be left out where a policy ignores it. */
export const FOUND_AMONG_WORDS: readonly Kind[] = [
  'person',
  'address',
  'location',
  'organization',
  'title',
  'nrp',
  'date_time',
  'age',
  'domain',
  'zip_code',
];

/** The PII detector. */
export const detector: Detector = {
  id: 'pii',
  version: '1.2.0',
  anchors: [...CUE_ANCHORS, ...STREET_ANCHORS, ...PERSON_ANCHORS, ':', '-'],
  reads: ['visible', 'decoded'],
  detect(view, hits, ctx) {
    const scan = new Scan(view, hits, ctx);
    scan.emails();
    scan.numbers();
    scan.tokens();
    scan.anchors();
    if (FOUND_AMONG_WORDS.some(ctx.isWanted)) scan.names();
    if (scan.isCut()) ctx.truncated();
    for (const find of scan.finds.settled()) ctx.report(candidateOf(find, view.text));
  },
};

/** The cues that `CUED_NUMBERS` wait for. */
function isNumberCue(cue: Cue): boolean {
  return cue.startsWith('id:') || cue === 'national' || cue === 'ein' || cue === 'patient';
}

/** One pass of the recognisers over one view. */
class Scan {
  readonly finds = new Finds();
  readonly #view: View;
  readonly #text: string;
  readonly #hits: AnchorHits;
  readonly #ctx: DetectContext;
  readonly #tries: Record<Tried, number> = { streets: 0, persons: 0, labels: 0, ibans: 0, births: 0 };
  /** True when more tries were wanted than are made. */
  #isOutOfTries = false;
  readonly #report = (find: Find): void => {
    this.finds.add(find.kind === 'phone' ? withBracket(this.#text, find) : find);
    if (find.kind === 'us_ssn' && !this.finds.isFull('date_of_birth')) this.#add(findDateBeside(this.#text, find.start));
  };
  readonly #hasNumberCue: boolean;
  #steps = 0;
  #isOver = false;

  constructor(view: View, hits: AnchorHits, ctx: DetectContext) {
    this.#view = view;
    this.#text = view.text;
    this.#hits = hits;
    this.#ctx = ctx;
    this.#hasNumberCue = hits.rules.some((rule) => cuesOf(rule).some(isNumberCue));
  }

  /** True when a bound left something unread. */
  isCut(): boolean {
    return this.finds.isAnyFull() || this.#isOutOfTries;
  }

  #mayTry(sort: Tried, at: number): boolean {
    const isLeft = this.#tries[sort] < TRIES_MIN + at / CHARS_PER_TRY[sort];
    if (isLeft) this.#tries[sort]++;
    else this.#isOutOfTries = true;
    return isLeft;
  }

  emails(): void {
    for (const at of this.#view.survey.ats) {
      if (this.#isLate()) return;
      if (!isWord(this.#text.charCodeAt(at + 1))) continue;
      if (!this.finds.isFull('email')) this.#add(findEmail(this.#text, at));
      if (!this.finds.isFull('username')) this.#add(findHandle(this.#text, at, () => this.#near(at, at + 1)));
    }
  }

  numbers(): void {
    const { digitRuns } = this.#view.survey;
    for (let i = 0; i < digitRuns.length; i += 2) {
      if (this.#isLate()) return;
      const [start, end] = [digitRuns[i]!, digitRuns[i + 1]!];
      if (!this.finds.isFull('iban')) this.#add(findIban(this.#text, start, this.#hits, () => this.#mayTry('ibans', start)));
      this.#codes(start, end);
      this.#groups(groupsOf(this.#text, start, end));
    }
  }

  /** Values that begin with a group of digits. */
  #groups(groups: Groups): void {
    for (let i = 0; i < groups.starts.length; i++) {
      if (this.#isLate()) return;
      if (!this.finds.isFull('ip_address')) this.#add(findIpv4(this.#text, groups, i, this.#hits));
      if (!this.finds.isFull('geo_coordinates')) this.#add(findCoordinates(this.#text, groups, i, this.#hits));
      this.#phone(groups, i);
      if (!canBegin(this.#text, groups, i)) continue;
      findNumbers(NUMBERS, this.#text, groups, i, this.#hits, this.#report);
      if (this.#hasNumberCue) findNumbers(CUED_NUMBERS, this.#text, groups, i, this.#hits, this.#report);
    }
  }

  #phone(groups: Groups, i: number): void {
    if (this.finds.isFull('phone')) return;
    const international = findInternational(this.#text, groups, i, this.#hits);
    this.#add(international ?? (i === 0 ? findNamedPhone(this.#text, groups, i, this.#hits) : null));
  }

  /** Codes of letters and digits: the words that the ends of a run of digits are part of. */
  #codes(start: number, end: number): void {
    if (this.finds.isFull('national_id')) return;
    const text = this.#text;
    let from = start;
    let to = end;
    while (start - from <= CODE_LENGTH_MAX && isAlphanumeric(text.charCodeAt(from - 1))) from--;
    while (to - end <= CODE_LENGTH_MAX && isCodePart(text, to)) to++;
    if (text[to] === ')' && text.slice(from, to).includes('(')) to++;
    if (to - from > CODE_LENGTH_MAX * 2 || to - from < INSURANCE_LENGTH_MIN) return;
    if (to - from >= CODE_LENGTH_MIN && (from < start || to > end)) this.#code(from, to);
    this.#insuranceNumber(start, end);
  }

  #code(from: number, to: number): void {
    const word = this.#text.slice(from, to);
    const near = (): Near => this.#near(from, to);
    const verdict = recogniseCode(word, near);
    if (verdict !== null) this.#add({ ...verdict, start: from, end: to });
    else if (isPatientCode(word, near))
      this.#add({ kind: 'medical_record', start: from, end: to, score: 0.55, method: 'pattern+context' });
  }

  /** A national insurance number as it is printed: `QQ 12 34 56 C`. */
  #insuranceNumber(start: number, end: number): void {
    if (end - start !== 8 && end - start !== 6) return;
    const text = this.#text;
    const value = /^[A-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-D]$/;
    const from = start - (text[start - 1] === ' ' ? 3 : 2);
    const to = end + (text[end] === ' ' ? 2 : 1);
    if (
      from < 0 ||
      !value.test(text.slice(from, to)) ||
      isAlphanumeric(text.charCodeAt(from - 1)) ||
      isAlphanumeric(text.charCodeAt(to))
    )
      return;
    const verdict = recogniseCode(text.slice(from, to), () => this.#near(from, to));
    if (verdict !== null) this.#add({ ...verdict, start: from, end: to });
  }

  tokens(): void {
    const { tokens } = this.#view.survey;
    for (let i = 0; i < tokens.length; i += 2) {
      if (this.#isLate()) return;
      eachWord(this.#text, tokens[i]!, tokens[i + 1]!, (start, end) => this.#word(start, end));
    }
  }

  #word(start: number, end: number): void {
    const length = end - start;
    if (length === VIN_LENGTH && !this.finds.isFull('vehicle_id')) this.#add(findVehicle(this.#text, start, this.#hits));
    if (length === CODICE_FISCALE_LENGTH && !this.finds.isFull('national_id')) this.#code(start, end);
    if (length > 25 && !this.finds.isFull('crypto_wallet')) this.#add(findWallet(this.#text, start, end, this.#hits));
  }

  anchors(): void {
    const { rules, ends } = this.#hits;
    for (let i = 0; i < rules.length; i++) {
      if (this.#isLate()) return;
      const [rule, end] = [rules[i]!, ends[i]!];
      if (rule === COLON || rule === HYPHEN) this.#sign(rule, end - 1);
      else if (rule >= PERSONS_FROM) this.#person(rule - PERSONS_FROM, end);
      else if (rule >= STREETS_FROM) this.#street(rule - STREETS_FROM, end);
      else this.#cue(rule, end);
    }
  }

  #sign(rule: number, at: number): void {
    if (rule === HYPHEN) this.#add(findMac(this.#text, at, '-'));
    else this.#add(findAtColon(this.#text, at));
  }

  #person(index: number, end: number): void {
    if (!this.finds.isFull('person') && this.#mayTry('persons', end)) this.#add(findPerson(this.#text, index, end));
  }

  #street(index: number, end: number): void {
    if (!this.finds.isFull('address') && this.#mayTry('streets', end)) this.#add(findStreet(this.#text, index, end));
  }

  #cue(rule: number, end: number): void {
    for (const cue of cuesOf(rule)) {
      const trigger = TRIGGERS[cue];
      if (trigger === undefined || !isWholeWord(this.#text, rule, end)) continue;
      if (this.#mayTry('labels', end)) this.#add(this.#triggered(trigger, cue, rule, end));
    }
  }

  #triggered(trigger: Trigger, cue: Cue, rule: number, end: number): Find | null {
    switch (trigger) {
      case 'labelled':
        return findLabelled(this.#text, cue, rule, end);
      case 'account':
        return findAccount(this.#text, end, this.#near(end, end));
      case 'username':
        return findUsername(this.#text, cue, end);
      case 'birth':
        return this.#birthDate(end);
      case 'address':
        return findNamedAddress(this.#text, end);
    }
  }

  #birthDate(end: number): Find | null {
    if (!this.#mayTry('births', end)) return null;
    const find = findBirthDate(this.#text, end);
    if (find !== null) this.#tries.births--;
    return find;
  }

  /** Names in running text, and the softer values that stand among words. */
  names(): void {
    if (this.#isOver) return;
    const tokens = TAGGER.read(this.#text);
    for (let i = EDGES; i < tokens.count + EDGES; i++) {
      if (this.#isLate()) return;
      this.#token(tokens, i);
    }
    TAGGER.tag(this.#text, tokens, this.#report, () => this.#isLate());
  }

  #token(tokens: Tokens, i: number): void {
    const kind = tokens.kinds[i]!;
    if (kind < KIND.digits2) {
      if ((tokens.known[i]! & KNOWN.date) !== 0) this.#add(findMonth(this.#text, tokens, i));
    } else if (kind <= KIND.wordWithDigit) this.#number(tokens, i);
    else if (kind === KIND.stop) this.#add(findDomain(this.#text, tokens, i));
  }

  #number(tokens: Tokens, i: number): void {
    if (tokens.kinds[i] === KIND.wordWithDigit) {
      this.#add(findBritishPostcode(this.#text, tokens, i));
      return;
    }
    this.#add(findNumericDate(this.#text, tokens, i));
    this.#add(findAge(this.#text, tokens, i));
    this.#add(findZipCode(this.#text, tokens, i));
  }

  #near(start: number, end: number): Near {
    return cuesNear(this.#text, this.#hits, start, end);
  }

  #add(find: Find | null): void {
    if (find !== null) this.#report(find);
  }

  /** Asks the clock every so many steps; once late, always late. */
  #isLate(): boolean {
    if (this.#steps++ % STEPS_PER_CLOCK === 0) this.#isOver ||= this.#ctx.expired();
    return this.#isOver;
  }
}

/** The shortest run of digits in a printed national insurance number, and the shortest code with letters. */
const INSURANCE_LENGTH_MIN = 6;
const CODE_LENGTH_MIN = 7;
/** The longest code with letters is a CURP of 18. */
const CODE_LENGTH_MAX = 20;
const CODICE_FISCALE_LENGTH = 16;

/** Letters and digits, and the hyphen or bracket before a check character: `12.345.678-K`, `A123456(7)`. */
function isCodePart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isAlphanumeric(code)) return true;
  const next = text.charCodeAt(at + 1);
  return text[at] === '-' && isAlphanumeric(next) && !isAlphanumeric(text.charCodeAt(at + 2));
}
