// All words of the detector in one tree of letters, so that a text is compared with all of them in one pass.

import { BREAK, classOf, DIGIT, foldedUnit, LETTER, PAIRED, SILENT } from '../groundedness/characters.ts';
import { CUES, type Cue } from './words-cues.ts';
import { KINDS, type Kind } from './words-kinds.ts';
import { TOPICS, type Topic } from './words-topics.ts';

const CUE_NAMES = Object.keys(CUES) as Cue[];
const KIND_NAMES = Object.keys(KINDS) as Kind[];
const TOPIC_NAMES = Object.keys(TOPICS) as Topic[];

/** Bit of a cue in `Word.cues`. */
export const CUE = Object.fromEntries(CUE_NAMES.map((name, i) => [name, 1 << i])) as Readonly<Record<Cue, number>>;
/** Bit of a kind in `Word.kinds`. */
export const KIND = Object.fromEntries(KIND_NAMES.map((name, i) => [name, 1 << i])) as Readonly<Record<Kind, number>>;
/** Index of a subject in `Word.topics`. */
export const TOPIC = Object.fromEntries(TOPIC_NAMES.map((name, i) => [name, i])) as Readonly<Record<Topic, number>>;

/** What a word of the lexicon may mean. */
export interface Word {
  readonly cues: number;
  readonly kinds: number;
  readonly topics: readonly number[];
}

interface Entry {
  cues: number;
  kinds: number;
  topics: number[];
}

const SPACE = 0x20;
/** Units that words consist of get a number below this; a node and a number make one key. */
const LETTERS_BITS = 11;

/** Words as a tree of letters. */
class Tree {
  private readonly letters = new Uint16Array(65_536);
  private letterCount = 0;
  /** Words that must end where the text's word ends, and words of which only the beginning is given, by node. */
  private readonly wholeWords: (Entry | undefined)[] = [undefined];
  private readonly beginnings: (Entry | undefined)[] = [undefined];
  private readonly edges = new Map<number, number>();
  private keys = new Int32Array(0);
  private nodes = new Int32Array(0);
  /** Where the first letter leads: most words of a text go no further. */
  private readonly roots = new Int32Array(65_536);

  add(words: string, mark: (entry: Entry) => unknown): void {
    for (const word of words.split('|')) {
      if (word === '') continue;
      mark(this.entryFor(word));
      // Thai writes this vowel as one sign or as two.
      if (word.includes('ำ')) mark(this.entryFor(word.replaceAll('ำ', 'ํา')));
    }
  }

  private entryFor(word: string): Entry {
    const isBeginning = word.endsWith('*');
    let node = 0;
    for (const unit of unitsOf(isBeginning ? word.slice(0, -1) : word)) {
      const letter = (this.letters[unit] ||= ++this.letterCount);
      const key = (node << LETTERS_BITS) | letter;
      let next = this.edges.get(key);
      if (next === undefined) {
        next = this.wholeWords.push(undefined) - 1;
        this.beginnings.push(undefined);
        this.edges.set(key, next);
        if (node === 0) this.roots[unit] = next;
      }
      node = next;
    }
    const entries = isBeginning ? this.beginnings : this.wholeWords;
    return (entries[node] ??= { cues: 0, kinds: 0, topics: [] });
  }

  /** To be called once all words are in. */
  seal(): this {
    let size = 1;
    while (size < this.edges.size * 3) size *= 2;
    this.keys = new Int32Array(size);
    this.nodes = new Int32Array(size);
    for (const [key, node] of this.edges) {
      let slot = slotOf(key, size);
      while (this.keys[slot] !== 0) slot = (slot + 1) & (size - 1);
      this.keys[slot] = key;
      this.nodes[slot] = node;
    }
    this.edges.clear();
    return this;
  }

  /** Tells `visit` of every word that begins at `start`, where a word of the text begins. */
  visitAt(text: string, start: number, visit: Visitor): void {
    let node = this.roots[foldedUnit(text.charCodeAt(start))]!;
    let wasSpace = false;
    for (let i = start; node !== 0;) {
      const kind = classOf(text.charCodeAt(i));
      const beginning = this.beginnings[node];
      if (beginning !== undefined) visit(beginning, start, i + 1);
      const word = this.wholeWords[node];
      if (word !== undefined && endsWord(text, i, kind)) visit(word, start, i + 1);
      for (i++; ; i++) {
        if (i >= text.length) return;
        const unit = text.charCodeAt(i);
        const next = classOf(unit);
        if (next === SILENT || (next === BREAK && wasSpace)) continue;
        if (next === BREAK && !joins(unit)) return;
        wasSpace = next === BREAK;
        node = this.step(node, wasSpace ? SPACE : foldedUnit(unit));
        break;
      }
    }
  }

  /** The next node; 0 when no word goes on like this. */
  private step(node: number, unit: number): number {
    const letter = this.letters[unit]!;
    if (letter === 0) return 0;
    const { keys } = this;
    const key = (node << LETTERS_BITS) | letter;
    for (let slot = slotOf(key, keys.length); ; slot = (slot + 1) & (keys.length - 1)) {
      const found = keys[slot]!;
      if (found === key) return this.nodes[slot]!;
      if (found === 0) return 0;
    }
  }
}

function slotOf(key: number, size: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> 12) & (size - 1);
}

function unitsOf(word: string): number[] {
  const units: number[] = [];
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    const kind = classOf(unit);
    if (kind === SILENT) continue;
    if (kind !== BREAK) units.push(foldedUnit(unit));
    else if (units.length > 0 && units.at(-1) !== SPACE) units.push(SPACE);
  }
  return units;
}

/** Told of a word that stands at `[start, end)`. */
export type Visitor = (word: Word, start: number, end: number) => void;

/** All words. */
const all = new Tree();
/** The cues without which a text protects nothing. */
const bans = new Tree();
CUE_NAMES.forEach((name, i) => all.add(CUES[name], (entry) => (entry.cues |= 1 << i)));
KIND_NAMES.forEach((name, i) => all.add(KINDS[name], (entry) => (entry.kinds |= 1 << i)));
TOPIC_NAMES.forEach((name, i) => all.add(TOPICS[name], (entry) => entry.topics.includes(i) || entry.topics.push(i)));
for (const name of ['no', 'keep', 'only'] as const) bans.add(CUES[name], (entry) => (entry.cues |= CUE[name]));
all.seal();
bans.seal();

/** Tells `visit` of every word of the lexicon in `text`, by their beginnings. */
export function visitWords(text: string, start: number, visit: Visitor): void {
  all.visitAt(text, start, visit);
}

/** Whether a text holds a word by which a prompt may forbid something. */
export function mayForbid(text: string): boolean {
  let found = 0;
  const visit = (word: Word): void => {
    found |= word.cues;
  };
  let before = BREAK;
  for (let i = 0; i < text.length; i++) {
    const kind = classOf(text.charCodeAt(i));
    if (beginsWord(text, i, kind, before)) bans.visitAt(text, i, visit);
    if (found !== 0) return true;
    before = kind;
  }
  return false;
}

/** Blanks, hyphens and apostrophes join the parts of an expression; other marks part them. */
function joins(unit: number): boolean {
  return (
    unit === 0x20 ||
    unit === 0x2d ||
    unit === 0x27 ||
    unit === 0x2019 ||
    unit === 0x0a ||
    unit === 0xa0 ||
    unit === 0x2b ||
    unit === 0x28
  );
}

function endsWord(text: string, last: number, kind: number): boolean {
  if (kind === PAIRED || last + 1 >= text.length) return true;
  const next = classOf(text.charCodeAt(last + 1));
  return next !== LETTER && next !== DIGIT && next !== SILENT;
}

/** Written on to an Arabic word: and, so, with, for, like, and the article. */
const ARABIC_PROCLITICS = new Set([0x648, 0x641, 0x628, 0x644, 0x643, 0x627]);

/**
 * Whether a word may begin at `at`: at its first letter, at every letter where there are no spaces, after an Arabic article.
 * `kind`, `before`: classes of the unit at `at` and of the one before it, `BREAK` at the beginning.
 */
export function beginsWord(text: string, at: number, kind: number, before: number): boolean {
  if (kind === PAIRED) return true;
  if (kind !== LETTER && kind !== DIGIT) return false;
  if (before !== LETTER && before !== DIGIT) return true;
  const unit = text.charCodeAt(at);
  return unit >= ARABIC && unit < ARABIC_END && followsProclitic(text, at);
}

const ARABIC = 0x600;
const ARABIC_END = 0x700;
const PROCLITICS_MAX = 3;

function followsProclitic(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && i >= at - PROCLITICS_MAX - 1; i--) {
    const unit = text.charCodeAt(i);
    const kind = classOf(unit);
    if (kind !== LETTER && kind !== DIGIT) return true;
    if (i === at - PROCLITICS_MAX - 1 || !ARABIC_PROCLITICS.has(foldedUnit(unit))) return false;
  }
  return true;
}
