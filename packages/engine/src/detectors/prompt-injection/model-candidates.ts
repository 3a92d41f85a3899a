// What the text model says of prompt injection, as candidates.

import { signalsOf, type Signal } from '../../language/signals.ts';
import type { View } from '../../text/view.ts';
import type { Candidate, DetectContext, Severity } from '../../types.ts';

const EXTRACTION_FROM = 0.5;

/** The passages of a view that read like an attack, `scoreMin` or more; in documents, those that read like an instruction planted there. */
export function modelCandidates(view: View, { part: { target }, expired }: DetectContext, scoreMin: number): Candidate[] {
  const options = { scoreMin, isAnswer: target === 'output', expired };
  if (target === 'context' || target === 'tool') return signalsOf(view, 'injection', ['planted'], options).map(plantedCandidate);
  const signals = signalsOf(view, 'injection', ['attack', 'extraction'], options);
  const extractions = signals.filter(({ output, score }) => output === 'extraction' && score >= EXTRACTION_FROM);
  return signals
    .filter(({ output }) => output === 'attack')
    .map((attack) =>
      extractions.some(({ start, end }) => start < attack.end && attack.start < end)
        ? candidateOf(attack, 'attack.extraction', 'prompt_extraction', 'a request for the instructions of the model')
        : candidateOf(attack, 'attack.injection', 'instruction_override', 'an attempt to take over the model'),
    );
}

/** Joins what overlaps: where rule and model err apart from each other, the doubt that remains is the product of theirs. */
export function together(byRules: readonly Candidate[], byModel: readonly Candidate[]): Candidate[] {
  const joined = byRules.map((candidate) => {
    const same = byModel.filter((other) => overlaps(candidate, other));
    if (same.length === 0) return candidate;
    const doubt = same.reduce((least, { score }) => Math.min(least, 1 - score), 1);
    const score = Math.min(SCORE_MAX, 1 - (1 - candidate.score) * doubt);
    return { ...candidate, score, severity: severityOf(score) };
  });
  return [...joined, ...byModel.filter((candidate) => !byRules.some((other) => overlaps(candidate, other)))];
}

const SCORE_MAX = 0.99;

function overlaps(a: Candidate, b: Candidate): boolean {
  return a.start < b.end && b.start < a.end;
}

function plantedCandidate(signal: Signal): Candidate {
  return candidateOf(signal, 'attack.indirect', 'planted_instruction', 'an instruction to the model, planted in a document');
}

function candidateOf(
  { start, end, score, kinds }: Signal,
  category: Candidate['category'],
  type: string,
  what: string,
): Candidate {
  const because = kinds.length === 0 ? '' : `; words of ${kinds.join(', ')} weighed most`;
  return {
    category,
    type,
    start,
    end,
    score,
    severity: severityOf(score),
    method: 'classifier',
    explanation: `The passage reads like ${what}${because}.`,
    preview: null,
  };
}

function severityOf(score: number): Exclude<Severity, 'none'> {
  return score >= 0.9 ? 'critical' : score >= 0.7 ? 'high' : score >= 0.5 ? 'medium' : 'low';
}
