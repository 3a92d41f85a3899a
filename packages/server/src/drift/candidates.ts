// Which of many names are heard of often, in bounded memory: those that make up more than a sixty-fifth of all are never lost (Misra and Gries,
// "Finding repeated elements", 1982).

import type { Candidate } from './store.ts';

const CANDIDATES_MAX = 64;

/** The candidates after `n` more inferences of one. Their numbers are at most what was heard of them. */
export function addCandidate(
  candidates: readonly Candidate[],
  { model, group }: Omit<Candidate, 'n'>,
  n: number,
): readonly Candidate[] {
  const isIt = (one: Candidate) => one.model === model && one.group === group;
  if (candidates.some(isIt)) return candidates.map((one) => (isIt(one) ? { ...one, n: one.n + n } : one));
  if (candidates.length < CANDIDATES_MAX) return [...candidates, { model, group, n }];
  // What is new and what is known cancel each other out.
  const lost = Math.min(n, ...candidates.map((one) => one.n));
  const left = [...candidates, { model, group, n }].map((one) => ({ model: one.model, group: one.group, n: one.n - lost }));
  return left.filter((one) => one.n > 0);
}
