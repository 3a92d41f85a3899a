// Finds texts that ask for what the system prompt of the same inference keeps to itself or forbids.

import type { Candidate, Part, WholeDetector } from '../../types.ts';
import { protectionOf } from './protection.ts';
import { requestScore, type Reason, type Request } from './request.ts';

export { protectionOf, type Protection } from './protection.ts';
export { requestScore, type Reason, type Request } from './request.ts';

/** Compares what people and documents say with the operator's texts. Without a ban in those it says nothing. */
export const detector: WholeDetector = {
  id: 'protected_prompt',
  version: '1.0.0',
  compare(parts, ctx) {
    if (!parts.some((part) => ctx.isJudged(part) && isAsker(part))) return;
    const operator = parts.filter(isOperator).map(({ text }) => text);
    const protection = operator.length === 0 ? null : protectionOf(operator);
    if (protection === null) return;
    parts.forEach((part, i) => {
      if (!ctx.isJudged(part) || !isAsker(part)) return;
      for (const { text, offset } of piecesOf(part.text)) {
        if (ctx.expired()) return;
        const request = requestScore(protection, text);
        if (request !== null && request.score >= SCORE_MIN && isOfInterest(part, request))
          ctx.report(i, candidateOf(request, offset));
      }
    });
  },
};

/** Policies may lower their threshold to this. */
const SCORE_MIN = 0.3;
/** Some milliseconds of work, between two looks at the clock. */
const PIECE_LENGTH = 16_384;

function isOperator({ target, role }: Part): boolean {
  return target === 'input' && (role === 'system' || role === 'developer');
}

function isAsker({ target, role }: Part): boolean {
  return target === 'context' || target === 'tool' || (target === 'input' && (role === null || role === 'user'));
}

/** Documents treat all subjects and hold all kinds of data; they have no business asking for secrets. */
function isOfInterest({ target }: Part, { reason }: Request): boolean {
  return target === 'input' || reason === 'secret' || reason === 'prompt';
}

/** Pieces that end with a line or a word where there is one. */
function piecesOf(text: string): { text: string; offset: number }[] {
  const pieces: { text: string; offset: number }[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + PIECE_LENGTH >= text.length ? text.length : breakBefore(text, start, start + PIECE_LENGTH);
    pieces.push({ text: text.slice(start, end), offset: start });
    start = end;
  }
  return pieces;
}

function breakBefore(text: string, start: number, end: number): number {
  const line = text.lastIndexOf('\n', end - 1);
  if (line > start + PIECE_LENGTH / 2) return line + 1;
  const blank = text.lastIndexOf(' ', end - 1);
  return blank > start + PIECE_LENGTH / 2 ? blank + 1 : end;
}

function candidateOf({ reason, score, start, end, isEncoded }: Request, offset: number): Candidate {
  const { type, severity, explanation } = FINDINGS[reason];
  return {
    category: 'attack.extraction',
    type,
    start: start + offset,
    end: end + offset,
    score,
    severity,
    method: 'heuristic',
    explanation: isEncoded ? `Once decoded, the text ${explanation}` : `The text ${explanation}`,
    preview: null,
  };
}

const FINDINGS: Readonly<Record<Reason, Pick<Candidate, 'type' | 'severity' | 'explanation'>>> = {
  secret: { type: 'protected_secret', severity: 'high', explanation: 'asks for a secret that the system prompt keeps.' },
  secret_value: { type: 'protected_secret', severity: 'high', explanation: 'holds a secret that the system prompt keeps.' },
  personal_data: {
    type: 'protected_personal_data',
    severity: 'high',
    explanation: 'asks for personal data that the system prompt keeps.',
  },
  prompt: {
    type: 'protected_instructions',
    severity: 'high',
    explanation: 'asks for the instructions that the model was given.',
  },
  forbidden_subject: {
    type: 'forbidden_subject',
    severity: 'medium',
    explanation: 'asks about a subject, or for a task, that the system prompt forbids.',
  },
  off_subject: {
    type: 'forbidden_subject',
    severity: 'low',
    explanation: 'asks about another subject than the only one that the system prompt allows.',
  },
  override: {
    type: 'protected_instructions',
    severity: 'medium',
    explanation: 'wants the model to set aside instructions that forbid something.',
  },
  flood: {
    type: 'context_flood',
    severity: 'medium',
    explanation: 'repeats a few words until instructions that forbid something fade.',
  },
};
