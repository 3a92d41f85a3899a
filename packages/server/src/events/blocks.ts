// What a block of the trail holds, as Bloom filters: a list reads only the blocks that may have what it looks for. A filter may say that something is
// there which is not, and never the other way round. Why: docs/adr/0022-blocks.md.

/** Block `b` has the sequences `[b * 1024, (b + 1) * 1024)`. */
export const BLOCK_EVENTS = 1024;
/** Two events in three with a user and a session of their own fill a quarter of the bits: one block in 250 is read in vain. */
const TERM_BITS = 32_768;
const TERM_HASHES = 4;
const TRIGRAM_BITS = 16_384;
const TRIGRAM = 3;

/** The columns of an event by which lists are filtered. `categories` as they are stored: ` data.pii security.injection `. */
export interface ListedEvent {
  readonly kind: string;
  readonly actor_id: string | null;
  readonly model: string | null;
  readonly subject_user: string | null;
  readonly subject_session: string | null;
  readonly subject_agent: string | null;
  readonly probe_id: string | null;
  readonly categories: string | null;
  /** What `q` is looked for in, in lower case. */
  readonly searched: string;
}

/** The two filters of a block, 4 096 and 2 048 bytes. */
export class BlockFilters {
  readonly terms = Buffer.alloc(TERM_BITS / 8);
  readonly trigrams = Buffer.alloc(TRIGRAM_BITS / 8);

  add(event: ListedEvent): void {
    this.#addTerm('kind', event.kind);
    this.#addTerm('actor', event.actor_id);
    this.#addTerm('model', event.model);
    this.#addTerm('probe', event.probe_id);
    for (const subject of [event.subject_user, event.subject_session, event.subject_agent]) this.#addTerm('subject', subject);
    for (const category of event.categories?.split(' ') ?? []) {
      this.#addTerm('category', category);
      this.#addTerm('category', category.split('.')[0]!);
    }
    for (const bit of trigramBits(event.searched)) setBit(this.trigrams, bit);
  }

  #addTerm(name: TermName, value: string | null): void {
    if (value !== null) for (const bit of termBits(name, value)) setBit(this.terms, bit);
  }
}

export type TermName = 'kind' | 'actor' | 'model' | 'probe' | 'subject' | 'category';

/** SQL that is false only for a block `b` without an event of which `name` is one of `values`. */
export function mayHave(name: TermName, values: readonly string[]): string {
  if (values.length === 0) return 'false';
  return `(${values.map((value) => allSet('b.terms', termBits(name, value))).join(' OR ')})`;
}

/** SQL that is false only for a block `b` without an event in which `searched`, in lower case, is found. */
export function maySay(searched: string): string {
  const bits = trigramBits(searched);
  return bits.size === 0 ? 'true' : allSet('b.trigrams', bits);
}

/** Bits are numbered as `get_bit` does: from the least significant of the first byte. */
function setBit(bytes: Buffer, bit: number): void {
  bytes[bit >> 3]! |= 1 << (bit & 7);
}

function allSet(column: string, bits: Iterable<number>): string {
  return `(${Array.from(bits, (bit) => `get_bit(${column}, ${bit}) = 1`).join(' AND ')})`;
}

function termBits(name: TermName, value: string): Set<number> {
  const term = `${name}:${value}`;
  const [first, step] = [hash(term, 0x811c9dc5), hash(term, 0x9747b28c) | 1];
  return new Set(Array.from({ length: TERM_HASHES }, (_, i) => ((first + i * step) >>> 0) % TERM_BITS));
}

function trigramBits(text: string): Set<number> {
  const bits = new Set<number>();
  for (let at = 0; at + TRIGRAM <= text.length; at++) bits.add(hash(text.slice(at, at + TRIGRAM), 0x811c9dc5) % TRIGRAM_BITS);
  return bits;
}

/** FNV-1a over UTF-16 code units, mixed so that each bit of it can be used. */
function hash(text: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
