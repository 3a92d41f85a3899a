// Finds a policy's own words and phrases: whole words, whatever their case, in one pass over the text.

import type { Detector } from '../../types.ts';
import { candidateOf, type CustomRule } from '../custom-rule.ts';
import { characterTable, OTHER, SPACE, WORD } from './characters.ts';
import { addTerm, createTrie, type Trie } from './trie.ts';

export const TERMS_VERSION = '1.1.0';

/** How many blanks, line breaks and the like may stand where a phrase has one space. */
const BLANKS_MAX = 8;
const STEPS_PER_CLOCK_READ = 1_024;

/** A list of terms of a policy. */
export interface TermsRule extends CustomRule {
  readonly any: readonly string[];
}

/** Builds the detector of a policy's terms. The time per text does not depend on how many there are. */
export function createTermsDetector(rules: readonly TermsRule[]): Detector {
  const trie = createTrie();
  rules.forEach((rule, index) => rule.any.forEach((term) => addTerm(trie, term, index)));

  return {
    id: 'terms',
    version: TERMS_VERSION,
    anchors: [],
    reads: ['visible', 'decoded'],
    detect({ text }, _hits, ctx) {
      const { kinds, folded } = characterTable();
      let before = OTHER;
      for (let i = 0, steps = 1; i < text.length; i++) {
        const code = text.charCodeAt(i);
        const kind = kinds[code]!;
        const inWord = before === WORD && kind === WORD;
        before = kind;
        if (inWord || trie.starts[folded[code]!] === 0) continue;
        const found = longestAt(text, i, trie);
        if (found !== null) {
          for (const index of found.rules) {
            const rule = rules[index]!;
            if (rule.appliesTo.includes(ctx.part.target)) ctx.report(candidateOf(rule, 'lexicon', text, i, found.end));
          }
          i = found.end - 1;
          before = kinds[text.charCodeAt(i)]!;
        }
        if (steps++ % STEPS_PER_CLOCK_READ === 0 && ctx.expired()) return;
      }
    },
  };
}

/** The longest term that starts at `start` and ends at the end of a word. */
function longestAt(text: string, start: number, trie: Trie): { end: number; rules: readonly number[] } | null {
  const { kinds, folded } = characterTable();
  let node = 0;
  let found: { end: number; rules: readonly number[] } | null = null;
  for (let i = start; i < text.length;) {
    const code = text.charCodeAt(i);
    const kind = kinds[code]!;
    node = trie.next.get(node * 65_536 + (kind === SPACE ? 32 : folded[code]!)) ?? 0;
    if (node === 0) break;
    i = kind === SPACE ? blanksEnd(text, i, kinds) : i + 1;
    const rules = trie.rules[node];
    const splitsWord = kind === WORD && i < text.length && kinds[text.charCodeAt(i)] === WORD;
    if (rules !== undefined && !splitsWord) found = { end: i, rules };
  }
  return found;
}

function blanksEnd(text: string, start: number, kinds: Uint8Array): number {
  let end = start + 1;
  while (end < text.length && end - start < BLANKS_MAX && kinds[text.charCodeAt(end)] === SPACE) end++;
  return end;
}
