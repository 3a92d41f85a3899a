// Finds content that harms: hate, harassment, violence, sexual content, abuse of minors, self-harm, crime, profanity.
// One small model scores them all; what it is good for is in models/text/CARD.md.

import { signalsOf, type Signal } from '../../language/signals.ts';
import type { Candidate, Detector, Severity } from '../../types.ts';
import { HARMS, type Harm } from './harms.ts';

const NAMES: Readonly<Record<Harm, string>> = {
  hate: 'hatred of a group',
  harassment: 'abuse or a threat aimed at someone',
  violence: 'violence or its praise',
  sexual: 'sexual content',
  minors: 'sexual content or abuse involving minors',
  self_harm: 'self-harm or suicide',
  illicit: 'a crime or help with one',
  profanity: 'swearing',
};

/** Scores each harm by itself, passage by passage. */
export const detector: Detector = {
  id: 'harm',
  version: '1.1.0',
  anchors: [],
  reads: ['visible', 'folded', 'decoded'],
  detect(view, _hits, ctx) {
    if (ctx.part.target === 'input' && (ctx.part.role === 'system' || ctx.part.role === 'developer')) return;
    const options = { scoreMin: ctx.flagAt, isAnswer: ctx.part.target === 'output', expired: ctx.expired };
    for (const signal of signalsOf(view, 'harm', HARMS, options)) ctx.report(candidateOf(signal));
  },
};

function candidateOf({ output, score, start, end, kinds }: Signal): Candidate {
  const harm = output as Harm;
  return {
    category: `content.${harm}`,
    type: harm,
    start,
    end,
    score,
    severity: severityOf(harm, score),
    method: 'classifier',
    explanation: `The passage reads like ${NAMES[harm]}${because(kinds)}.`,
    preview: null,
  };
}

function because(kinds: readonly string[]): string {
  return kinds.length === 0 ? '' : `; words of ${kinds.join(', ')} weighed most`;
}

function severityOf(harm: Harm, score: number): Exclude<Severity, 'none'> {
  if (harm === 'profanity') return 'low';
  if (harm === 'minors') return score >= 0.5 ? 'critical' : 'high';
  return score >= 0.9 ? 'high' : score >= 0.5 ? 'medium' : 'low';
}
