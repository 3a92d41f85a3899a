// A policy's terms as one tree of characters, so that a text is compared with all of them at once.

import { characterTable, SPACE } from './characters.ts';

export interface Trie {
  /** `node * 65 536 + folded unit` -> next node. Node 0 is the root. */
  readonly next: Map<number, number>;
  /** Node -> the rules whose term ends there. */
  readonly rules: (number[] | undefined)[];
  /** Folded unit -> 1 where a term starts with it. */
  readonly starts: Uint8Array;
}

/** An empty tree. */
export function createTrie(): Trie {
  return { next: new Map(), rules: [undefined], starts: new Uint8Array(65_536) };
}

/** Adds a term of rule `rule`. Case, blanks around it and the kind and number of blanks inside do not count. */
export function addTerm(trie: Trie, term: string, rule: number): void {
  let node = 0;
  for (const code of unitsOf(term)) {
    if (node === 0) trie.starts[code] = 1;
    const key = node * 65_536 + code;
    const known = trie.next.get(key);
    node = known ?? trie.rules.push(undefined) - 1;
    if (known === undefined) trie.next.set(key, node);
  }
  const rules = (trie.rules[node] ??= []);
  if (!rules.includes(rule)) rules.push(rule);
}

function unitsOf(term: string): number[] {
  const { kinds, folded } = characterTable();
  const units: number[] = [];
  // Texts are read in NFKC, so terms are too.
  for (const char of term.normalize('NFKC').trim().split('')) {
    const code = char.charCodeAt(0);
    const unit = kinds[code] === SPACE ? 32 : folded[code]!;
    if (unit !== 32 || units.at(-1) !== 32) units.push(unit);
  }
  return units;
}
