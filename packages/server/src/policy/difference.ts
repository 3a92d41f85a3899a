// What another policy would have made of an inference, beside what was made of it.

import type { Finding, Location, Outcome } from '@svc/engine';

/** What two policies are compared by. */
export interface Decision {
  readonly outcome: Outcome;
  readonly findings: readonly Pick<Finding, 'category' | 'type' | 'location' | 'outcome'>[];
}

/** A finding that one of two policies has and the other has not. */
interface Difference {
  readonly category: string;
  readonly type: string;
  readonly location: Location;
}

export interface Comparison {
  /** True when the outcomes differ. */
  readonly changed: boolean;
  /** What only `after` finds. At most 200, as `removed`. */
  readonly added: readonly Difference[];
  /** What only `before` finds. */
  readonly removed: readonly Difference[];
}

const LISTED_MAX = 200;

/** Compares by outcome, and findings by category, type and place. Findings that an exception excused count as not found. */
export function compareDecisions(before: Decision, after: Decision): Comparison {
  return {
    changed: before.outcome !== after.outcome,
    added: missingIn(before, after),
    removed: missingIn(after, before),
  };
}

/** Findings of `other` that `decision` has not; of several at the same place as many as are too few. */
function missingIn(decision: Decision, other: Decision): Difference[] {
  if (other.findings.length === 0) return [];
  const known = new Map<string, number>();
  for (const finding of decision.findings) if (counts(finding)) known.set(keyOf(finding), (known.get(keyOf(finding)) ?? 0) + 1);
  const missing: Difference[] = [];
  for (const finding of other.findings) {
    if (!counts(finding)) continue;
    const left = known.get(keyOf(finding)) ?? 0;
    if (left > 0) known.set(keyOf(finding), left - 1);
    else if (missing.length < LISTED_MAX)
      missing.push({ category: finding.category, type: finding.type, location: finding.location });
  }
  return missing;
}

function counts({ outcome }: Decision['findings'][number]): boolean {
  return outcome !== 'allowed';
}

function keyOf({ category, type, location: { pointer, start, end } }: Difference): string {
  return `${category} ${type} ${start} ${end} ${pointer}`;
}
