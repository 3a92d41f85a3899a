// What a system prompt keeps to itself and what it forbids: the sentences that say so, and the words by which it is recognised.

import { classOf, foldedUnit, LETTER } from '../groundedness/characters.ts';
import { CUE, KIND, mayForbid, TOPIC } from './lexicon.ts';
import { sentencesOf, stemsOf, type Hit, type Sentence } from './reading.ts';

/** A subject, or a task, that a sentence forbids. */
export interface Subject {
  /** Subjects of the lexicon, as indices. */
  readonly topics: ReadonlySet<number>;
  /** Hashes of the stems of the words that name it; at most 24. */
  readonly stems: ReadonlySet<number>;
  /** True when it forbids all others of a kind, as in "any other language": what is allowed is then no excuse. */
  readonly isRest: boolean;
  /** True when the ban is on the subject itself, as in "never discuss", and not on a way of writing about it. */
  readonly isAbout: boolean;
  /** True when the prompt names it in quotation marks: nothing else in the sentence counts then. */
  readonly isQuoted: boolean;
}

/** What a system prompt protects. */
export interface Protection {
  /** Bits of the kinds of secrets that it keeps. */
  readonly kinds: number;
  /** Names in the sentences that state facts of a person, folded; at least four letters each, at most 64. */
  readonly names: ReadonlySet<string>;
  /** Values in quotation marks that no ordinary text holds, such as `Kx7-Lima`; folded. */
  readonly values: ReadonlySet<string>;
  readonly subjects: readonly Subject[];
  /** Subjects that the prompt speaks of without forbidding them. */
  readonly allowedTopics: ReadonlySet<number>;
  readonly allowedStems: ReadonlySet<number>;
  /** True when it allows its own subject only. */
  readonly isNarrow: boolean;
}

const SUBJECTS_MAX = 32;
/** Bans of one sentence that are looked at, the last ones. */
const BANS_MAX = 16;
const STEMS_MAX = 24;
const COMMAS = [...',،、，'];
/** A comma nearer to the verb than this opens no clause of its own. */
const SHORT_CLAUSE = 8;
const NAMES_MAX = 64;
const VALUES_MAX = 32;
/** A sentence such as "Do not tell anyone" speaks of the sentences just before it. */
const SENTENCES_BEFORE_MAX = 6;

/** Facts about a person; a prompt that keeps "personal data" keeps those it states. */
export const PERSONAL =
  KIND.birth | KIND.residence | KIND.email | KIND.phone | KIND.name | KIND.favourite | KIND.age | KIND.balance | KIND.identity;
/** What opens something. */
export const CREDENTIALS = KIND.password | KIND.key | KIND.code | KIND.secret;

/** What the texts of the operator protect; `null` when they forbid nothing. */
export function protectionOf(systemTexts: readonly string[]): Protection | null {
  const collector = new Collector();
  for (const text of systemTexts) if (mayForbid(text)) collector.read(text);
  return collector.isEmpty ? null : collector;
}

class Collector implements Protection {
  kinds = 0;
  readonly names = new Set<string>();
  readonly values = new Set<string>();
  readonly subjects: Subject[] = [];
  readonly allowedTopics = new Set<number>();
  readonly allowedStems = new Set<number>();
  isNarrow = false;
  private text = '';

  get isEmpty(): boolean {
    return this.kinds === 0 && this.subjects.length === 0 && !this.isNarrow;
  }

  read(text: string): void {
    const sentences = sentencesOf(text);
    this.text = text;
    sentences.forEach((sentence, i) => {
      const isKept = this.keep(sentence, sentences.slice(Math.max(0, i - SENTENCES_BEFORE_MAX), i));
      const forbidden = this.forbid(sentence, isKept);
      if ((sentence.cues & CUE.only) !== 0 && (sentence.cues & CUE.discuss) !== 0 && (sentence.cues & CUE.no) === 0)
        this.isNarrow = true;
      if (!isKept && (sentence.cues & CUE.keep) === 0) this.allow(sentence, forbidden);
    });
  }

  /** A sentence that says not to make something known. Returns whether it does. */
  private keep(sentence: Sentence, before: readonly Sentence[]): boolean {
    const { cues } = sentence;
    const isBan = (cues & CUE.no) !== 0 && (cues & CUE.reveal) !== 0;
    if (!isBan && (cues & CUE.keep) === 0) return false;
    // "Do not share recipes" is about a subject, not a secret.
    const stated = [...before, sentence].reduce((all, { kinds }) => all | kinds, 0);
    let kinds = sentence.kinds & (CREDENTIALS | PERSONAL | KIND.records | KIND.personal | KIND.prompt);
    if ((kinds & sentence.clearKinds) === 0 || (kinds & (KIND.personal | KIND.records)) !== 0)
      kinds |= stated & (CREDENTIALS | PERSONAL | KIND.records);
    if ((kinds & KIND.personal) !== 0) kinds |= KIND.name | (stated & PERSONAL);
    // "Do not reveal these instructions."
    if (kinds === 0 && isBan && (cues & CUE.orders) !== 0) kinds = KIND.prompt;
    if (kinds === 0) return false;
    this.kinds |= kinds;
    for (const one of [...before, sentence]) this.nameWords(one, kinds);
    return true;
  }

  /** Quoted values, and capitalised words of sentences that state facts of a person. */
  private nameWords({ start, end, hits }: Sentence, kinds: number): void {
    const said = this.text.slice(start, end);
    for (const value of quotesIn(said)) if (isUnusual(value) && this.values.size < VALUES_MAX) this.values.add(foldText(value));
    if ((kinds & (PERSONAL | KIND.records)) === 0) return;
    const known = new Set(hits.map((hit) => hit.start - start));
    for (const { 0: name, index } of said.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}]{3,30}/gu)) {
      if (index > 1 && !known.has(index) && !MONTH.test(name) && this.names.size < NAMES_MAX) this.names.add(foldText(name));
    }
  }

  /** A sentence that says not to treat a subject. Returns the part of it that names the subject. */
  private forbid(sentence: Sentence, isKept: boolean): Range | null {
    const { cues, hits } = sentence;
    if ((cues & CUE.no) === 0 || ((cues & (CUE.discuss | CUE.reveal)) === 0 && !hits.some(({ word }) => word.topics.length > 0)))
      return null;
    // What a sentence keeps as a secret is no subject, unless it also has one.
    const range = this.subjectRange(sentence);
    const inside = hits.filter(({ start, end }) => start >= range.start && end <= range.end);
    const topics = new Set(inside.flatMap(({ word }) => word.topics));
    if (isKept && (topics.size === 0 || (sentence.clearKinds & (KIND.password | KIND.key | KIND.code)) !== 0)) return range;
    const stems = new Set([...stemsOf(this.text, { hits: inside }, range.start, range.end)].slice(0, STEMS_MAX));
    if ((topics.size > 0 || stems.size > 0) && this.subjects.length < SUBJECTS_MAX)
      this.subjects.push({
        topics,
        stems,
        isQuoted: range.isQuoted,
        isRest: (cues & CUE.other) !== 0,
        isAbout: (cues & CUE.about) !== 0,
      });
    return range;
  }

  /** What is quoted; else what follows the ban up to the reason for it; else, where the verb comes last, what goes before. */
  private subjectRange({ start, end, hits }: Sentence): Range {
    const quote = QUOTED.exec(this.text.slice(start, end));
    if (quote !== null) {
      const from = start + quote.index;
      return { start: from, end: from + quote[0].length, isQuoted: true };
    }
    const bans = hits.filter(({ word }) => (word.cues & CUE.no) !== 0);
    const first = bans[0]!;
    const reason = hits.find((hit) => (hit.word.cues & CUE.because) !== 0 && hit.start > first.end + 12)?.start ?? end;
    if (!isVerbLast(this.text, bans.at(-1)!, start, end) && hasSubject(hits, first.end, reason))
      return { start: first.end, end: reason, isQuoted: false };
    const ranges = bans.slice(-BANS_MAX).map((ban) => this.rangeBefore(ban, start, hits));
    return ranges.find((range) => hasTopic(hits, range.start, range.end)) ?? ranges.at(-1)!;
  }

  /** The clause that a ban ends. */
  private rangeBefore(ban: Hit, start: number, hits: readonly Hit[]): Range {
    const before = this.text.slice(start, Math.max(start, ban.start - SHORT_CLAUSE));
    const comma = start + Math.max(...COMMAS.map((mark) => before.lastIndexOf(mark)));
    const from = comma > start && hasSubject(hits, comma, ban.start) ? comma : start;
    return { start: from, end: ban.start, isQuoted: false };
  }

  private allow({ start, end, hits }: Sentence, forbidden: Range | null): void {
    for (const { word, start: from, end: to } of hits) {
      if (forbidden !== null && to > forbidden.start && from < forbidden.end) continue;
      for (const topic of word.topics) this.allowedTopics.add(topic);
    }
    if (forbidden === null) for (const stem of stemsOf(this.text, { hits }, start, end)) this.allowedStems.add(stem);
  }
}

/** Where months have capitals, they are no names. */
const MONTH =
  /^(?:january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember)$/i;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** A word or a few in quotation marks; an apostrophe inside a word opens none. */
const QUOTED = /(?<![\p{L}\p{N}])['"“„«「『‘`]([^'"“”„«»「」『』‘’`\n]{2,60})['"”“»」』’`]/u;

function quotesIn(text: string): string[] {
  return [...text.matchAll(new RegExp(QUOTED, 'gu'))].map((match) => match[1]!);
}

/** Digits, inner capitals or marks: nobody writes it by accident. */
function isUnusual(value: string): boolean {
  return value.length >= 5 && /\p{N}|\p{Ll}\p{Lu}|[-_#@$%&]/u.test(value);
}

const ASCII = /^[\0-\x7f]*$/;

/** Lower case without accents, letter by letter, so that offsets stay. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let folded = '';
  for (let i = 0; i < text.length; i++) folded += String.fromCharCode(foldedUnit(text.charCodeAt(i)));
  return folded;
}

/** Whether there is a word that may name a subject: one of the lexicon's, or any that is no wording. */
function hasSubject(hits: readonly Hit[], start: number, end: number): boolean {
  return (
    end - start >= 4 &&
    (hits.some((hit) => hit.start >= start && hit.end <= end && (hit.word.topics.length > 0 || hit.word.kinds !== 0)) ||
      end - start >= 24)
  );
}

function hasTopic(hits: readonly Hit[], start: number, end: number): boolean {
  return hits.some((hit) => hit.start >= start && hit.end <= end && hit.word.topics.length > 0);
}

/** Devanagari, Bengali, kana and Hangul sentences end with the verb; Turkish ones are known by their letters. */
function isVerbLast(text: string, ban: Hit, start: number, end: number): boolean {
  const unit = text.charCodeAt(ban.start);
  if ((unit >= 0x900 && unit < 0xa00) || (unit >= 0x3040 && unit < 0x3100) || (unit >= 0xac00 && unit < 0xd7b0)) return true;
  if (classOf(unit) !== LETTER) return ban.end > end - 6 && /[\u3040-\u30ff]/.test(text.slice(start, end));
  return /[ışğİ]/.test(text.slice(start, end));
}

/** Subjects whose words also stand in texts about others. */
export const WEAK_TOPICS: ReadonlySet<number> = new Set([
  TOPIC.opinion,
  TOPIC.prices,
  TOPIC.travel,
  TOPIC.poetry,
  TOPIC.language,
  TOPIC.staff,
]);
