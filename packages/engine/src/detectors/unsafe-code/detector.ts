// Finds code and commands that harm who runs them, and practices that others could exploit.

import type { View } from '../../text/view.ts';
import type { AnchorHits, Candidate, DetectContext, Detector } from '../../types.ts';
import { matchNear, type Rule, type Verdict } from './rule.ts';
import { INJECTION_RULES } from './rules/injection.ts';
import { PROGRAM_RULES } from './rules/programs.ts';
import { SHELL_RULES } from './rules/shell.ts';
import { SYSTEM_RULES } from './rules/system.ts';
import { WINDOWS_RULES } from './rules/windows.ts';
import { isWarnedOf } from './warning.ts';

/** All rules. */
export const RULES: readonly Rule[] = [...SHELL_RULES, ...SYSTEM_RULES, ...WINDOWS_RULES, ...PROGRAM_RULES, ...INJECTION_RULES];

const WAITERS = RULES.flatMap((rule) => rule.anchors.map((anchor) => ({ anchor, rule })));
const HITS_PER_CLOCK_READ = 8;
/** As many as an answer of the engine holds; a text with more has said enough. */
const FINDINGS_MAX = 200;
/** How much of its score a finding keeps that the text itself warns of: enough to be seen, too little to be reported by default. */
const WARNED_SHARE = 0.5;

/** Reads what a model or a tool has written. Looks at most 960 characters behind the start of what it finds. */
export const detector: Detector = {
  id: 'unsafe_code',
  version: '1.1.0',
  anchors: WAITERS.map(({ anchor }) => anchor),
  reads: ['visible', 'decoded'],
  detect(view, hits, ctx) {
    if (hits.ends.length === 0) return;
    for (const found of withoutOverlaps(collect(view, hits, ctx))) ctx.report(found);
  },
};

function collect({ text }: View, hits: AnchorHits, ctx: DetectContext): Candidate[] {
  const found: Candidate[] = [];
  // By rule, where its last match ends: anchors inside are part of it.
  const readTo = new Map<Rule, number>();
  for (let i = 0; i < hits.ends.length; i++) {
    if (i % HITS_PER_CLOCK_READ === HITS_PER_CLOCK_READ - 1 && ctx.expired()) break;
    if (found.length === FINDINGS_MAX) {
      ctx.truncated();
      break;
    }
    const { anchor, rule } = WAITERS[hits.rules[i]!]!;
    const end = hits.ends[i]!;
    if (end <= (readTo.get(rule) ?? 0)) continue;
    const match = matchNear(rule, text, end - anchor.length, end);
    if (match === null) continue;
    readTo.set(rule, match.index + match[0].length);
    const verdict = typeof rule.verdict === 'function' ? rule.verdict(match) : rule.verdict;
    if (verdict === null) continue;
    const candidate = toCandidate(rule, verdict, text, match.index, match[0]);
    if (candidate.score >= ctx.flagAt) found.push(candidate);
  }
  return found;
}

function toCandidate(
  { type, explanation }: Rule,
  { score, severity }: Verdict,
  text: string,
  at: number,
  matched: string,
): Candidate {
  const start = at + matched.length - matched.trimStart().length;
  return {
    category: 'output.unsafe_code',
    type,
    start,
    end: at + matched.trimEnd().length,
    score: isWarnedOf(text, start) ? score * WARNED_SHARE : score,
    severity,
    method: 'pattern',
    explanation,
    preview: null,
  };
}

/** From left to right, of findings that overlap the one with the higher score, then the first. */
function withoutOverlaps(found: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of found.toSorted((a, b) => a.start - b.start || b.score - a.score)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= candidate.start) kept.push(candidate);
    else if (candidate.score > last.score) kept[kept.length - 1] = candidate;
  }
  return kept;
}
