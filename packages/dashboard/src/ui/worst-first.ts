import type { Finding } from '@svc/client';

const RANKS = ['blocked', 'flagged', 'allowed'];

/** Those that decided come first. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => RANKS.indexOf(a.outcome) - RANKS.indexOf(b.outcome) || b.score - a.score || a.id.localeCompare(b.id),
  );
}
