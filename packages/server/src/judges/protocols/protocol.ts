// How judges are asked and understood. All of it is pure: no network, no clock.

import type { JudgeQuestion, JudgeVerdict } from '@svc/engine';

/** A message of the chat-completions API. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What one kind of judge is sent and answers. */
export interface Protocol {
  /** `instructions`: the organization's own; `null`: those built in. */
  messages(question: JudgeQuestion, instructions: string | null): readonly ChatMessage[];
  /** Bound on the tokens of an answer, where all answers are short; `null`: models that think before they answer set their own. */
  readonly tokensMax: number | null;
  /** The violations that an answer names, empty: none; `null`: it cannot be understood. Keeps nothing of its words. */
  read(answer: string, instructions: string | null): readonly JudgeVerdict[] | null;
}

/** For a judge that says yes or no, and not how sure it is. */
export const PLAIN_SCORE = 0.9;
