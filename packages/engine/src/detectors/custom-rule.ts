// What a policy's patterns and terms have in common: who they are, where they apply, what they report.

import type { Candidate, Category, Severity, Target } from '../types.ts';

/** A rule of the policy's own, defaults filled in. */
export interface CustomRule {
  readonly id: string;
  readonly category: Category;
  readonly severity: Exclude<Severity, 'none'>;
  readonly appliesTo: readonly Target[];
  readonly explanation: string;
}

/** The finding of a rule at `[start, end)` of a view's `text`. */
export function candidateOf(
  rule: CustomRule,
  method: 'pattern' | 'lexicon',
  text: string,
  start: number,
  end: number,
): Candidate {
  return {
    category: rule.category,
    type: rule.id,
    start,
    end,
    score: 1,
    severity: rule.severity,
    method,
    explanation: rule.explanation,
    // One character: what the organization looks for may be what it must not show.
    preview: `${String.fromCodePoint(text.codePointAt(start)!)}…`,
    ruleId: rule.id,
  };
}
