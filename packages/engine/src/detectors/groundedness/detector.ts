// Finds answers that their evidence does not support. It reads all texts of an inference together.

import type { Candidate, Part, WholeDetector } from '../../types.ts';
import { judge, type Segment } from './judge.ts';

/** Compares what a model said with the documents it was given; see `judge`. Without documents it says nothing. */
export const detector: WholeDetector = {
  id: 'groundedness',
  version: '1.0.0',
  compare(parts, ctx) {
    const evidence = parts.filter(isEvidence).map(({ text }) => text);
    if (evidence.length === 0) return;
    const question = parts.findLast(isQuestion)?.text;
    parts.forEach((part, i) => {
      if (!ctx.isJudged(part) || part.target !== 'output' || ctx.expired()) return;
      const judgement = judge(part.text, evidence, question);
      if (judgement.isTruncated) ctx.truncated();
      for (const segment of judgement.segments) ctx.report(i, candidateOf(segment));
    });
  },
};

/** Documents and results of tools; the arguments of a tool call are the model's own words. */
function isEvidence({ target, role, pointer }: Part): boolean {
  return target === 'context' || (target === 'tool' && (role === 'tool' || pointer.startsWith('/context/')));
}

/** What the user asked last, if it is a question. */
function isQuestion({ target, role, text }: Part): boolean {
  return target === 'input' && (role === null || role === 'user') && /[?？؟]\s*$/.test(text);
}

/** The probability from which on an answer is flagged: less is common among summaries that only use other words. */
const FLAGGED_FROM = 0.7;

function candidateOf({ start, end, score, reasons }: Segment): Candidate {
  return {
    category: 'quality.ungrounded',
    type: 'ungrounded',
    start,
    end,
    // Bent so that 0.5 is where the default policy flags, as for every other detector.
    score: score < FLAGGED_FROM ? (score * 0.5) / FLAGGED_FROM : 0.5 + ((score - FLAGGED_FROM) * 0.5) / (1 - FLAGGED_FROM),
    severity: 'medium',
    method: 'classifier',
    explanation: explain(reasons),
    preview: null,
  };
}

function explain(reasons: Segment['reasons']): string {
  if (reasons.length === 0) return 'The documents do not support this passage.';
  return `The documents do not support this passage: ${reasons.slice(0, 3).join(', ').replaceAll('_', ' ')}.`;
}
