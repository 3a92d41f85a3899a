// The evidence, indexed so that each word of an answer costs one look.

import { HashSet, Places } from './hash-set.ts';
import { MEANINGS_COUNT, meaningsOf } from './lexicon.ts';
import { Numbers, quantityAt, type Quantity } from './numbers.ts';
import { pairHash } from './stem.ts';
import { lookAt, type Look, type Span } from './look.ts';
import { tokensOf, type Tokens } from './tokens.ts';

/** Words of evidence that are read: some 600 000 characters of English, as many as an inference brings. */
const EVIDENCE_TOKENS_MAX = 120_000;

/** Evidence ready to be asked. Built once per answer, in time linear in its length. */
export interface Evidence {
  readonly tokens: Tokens;
  /** Sentence by token. */
  readonly sentenceOf: Int32Array;
  readonly places: Places;
  readonly beginnings: HashSet;
  /** Stems that stand next to each other. */
  readonly pairs: HashSet;
  /** Stems with one word between. */
  readonly gaps: HashSet;
  /** 1 for each meaning some word has. */
  readonly meanings: Uint8Array;
  readonly numbers: Numbers;
  /** What a sentence of it says, read once each. */
  look(span: Span): Look;
}

/** Indexes the texts. */
export function evidenceOf(texts: readonly string[]): Evidence {
  const tokens = tokensOf(texts, EVIDENCE_TOKENS_MAX);
  const { count, stems, beginnings, sentences } = tokens;
  const looks = new Map<number, Look>();
  const evidence: Evidence = {
    tokens,
    sentenceOf: new Int32Array(count),
    places: new Places(stems, count),
    beginnings: new HashSet(count),
    pairs: new HashSet(count),
    gaps: new HashSet(count),
    meanings: new Uint8Array(MEANINGS_COUNT),
    numbers: new Numbers(quantitiesOf(tokens)),
    look({ sentence, first, last }) {
      let look = looks.get(sentence);
      if (look === undefined) looks.set(sentence, (look = lookAt(tokens, first, last)));
      return look;
    },
  };
  sentences.forEach(({ first, last }, sentence) => evidence.sentenceOf.fill(sentence, first, last));
  for (let i = 0; i < count; i++) {
    if (beginnings[i] !== 0) evidence.beginnings.add(beginnings[i]!);
    if (i + 1 < count) evidence.pairs.add(pairHash(stems[i]!, stems[i + 1]!));
    if (i + 2 < count) evidence.gaps.add(pairHash(stems[i]!, stems[i + 2]!));
    for (const meaning of meaningsOf(stems[i]!)) evidence.meanings[meaning] = 1;
  }
  return evidence;
}

function quantitiesOf(tokens: Tokens): Quantity[] {
  const quantities: Quantity[] = [];
  for (let i = 0; i < tokens.count; i++) {
    const quantity = quantityAt(tokens, i);
    if (quantity !== null) quantities.push(quantity);
  }
  return quantities;
}
