// Finds inferences beyond the policy's limits of size.

import type { Part, WholeDetector } from '../../types.ts';

/** Limits of one inference. */
export interface SizeLimits {
  /** UTF-16 units of all texts. */
  readonly maxChars: number;
  readonly maxMessages: number;
}

/** Builds the detector. One finding per limit, where it is crossed; a limit is certain, so the score is 1. */
export function createSizeDetector(limits: SizeLimits): WholeDetector {
  return {
    id: 'size',
    version: '1.0.0',
    isCertain: true,
    compare(parts, ctx) {
      parts.forEach((part, i) => {
        const excess = ctx.isJudged(part) ? crossing(part, limits) : null;
        if (excess === null) return;
        ctx.report(i, {
          category: 'usage.size',
          type: excess.type,
          start: 0,
          end: part.text.length,
          score: 1,
          severity: 'medium',
          method: 'limit',
          explanation: excess.explanation,
          preview: null,
        });
      });
    },
  };
}

/** Within the limits of the default policy. */
export const detector = createSizeDetector({ maxChars: 200_000, maxMessages: 200 });

interface Excess {
  readonly type: string;
  readonly explanation: string;
}

/** The limit that is crossed inside `part`, if one is. */
function crossing(part: Part, { maxChars, maxMessages }: SizeLimits): Excess | null {
  const charsBefore = part.charsBefore ?? 0;
  if (charsBefore <= maxChars && charsBefore + part.text.length > maxChars) {
    return { type: 'too_many_characters', explanation: `The texts of the inference hold more than ${maxChars} characters.` };
  }
  if ((part.messagesBefore ?? 0) <= maxMessages && (part.messagesAfter ?? 0) > maxMessages) {
    return { type: 'too_many_messages', explanation: `The conversation has more than ${maxMessages} messages.` };
  }
  return null;
}
