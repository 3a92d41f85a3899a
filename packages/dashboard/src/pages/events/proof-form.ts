// Whether an answer is a proof at all: a service that is doubted may send anything.

import type { EventProof } from '@svc/client';

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const FORM: Readonly<Record<keyof EventProof, (value: unknown) => boolean>> = {
  event_id: isText,
  sequence: isCount,
  leaf_index: isCount,
  leaf_hash: isText,
  leaf_matches: (value) => typeof value === 'boolean',
  envelope: isText,
  disclosures: isTexts,
  erased: isTexts,
  tree_size: isCount,
  root: isText,
  hashes: isTexts,
  checkpoint: isText,
};

/** A sentence on what is not in its form; `null`: all members are there, whether or not they prove anything. */
export function faultOfForm(proof: unknown): string | null {
  if (typeof proof !== 'object' || proof === null) return 'The answer is no proof.';
  const wrong = Object.entries(FORM)
    .filter(([name, isWell]) => !isWell((proof as Readonly<Record<string, unknown>>)[name]))
    .map(([name]) => name);
  return wrong.length === 0 ? null : `The proof is not in its form. Missing, or not what it should be: ${wrong.join(', ')}.`;
}
