// Answers that came as a whole: each assessed, redacted or replaced.

import type { Evaluation } from '@svc/engine';
import type { Exchange } from '../exchange.ts';
import { answerOf, isObject, putAnswer, readAnswer, readPlainAnswer, type Json, type Turn } from './exchange.ts';

/** One of a model's answers, with the way to put the policy's sentence in its place. */
interface Answer {
  readonly turn: Turn;
  /** Takes away what would still tell what was said, once something was changed. */
  readonly strip: () => void;
  readonly block: (message: string) => void;
}

/** Decides about all answers in `json` and changes them as the policy says. True: something has changed. */
export async function assessAnswers(exchange: Exchange, json: Json): Promise<boolean> {
  let hasChanged = false;
  for (const answer of answersIn(json)) {
    const evaluation = await exchange.decide(answerOf(answer.turn));
    if (exchange.isEnforced && apply(answer, evaluation)) hasChanged = true;
  }
  return hasChanged;
}

function apply({ turn, strip, block }: Answer, { outcome, enforcement, redacted }: Evaluation): boolean {
  if (outcome === 'blocked') block(sentenceOf(enforcement.message));
  else if (!putAnswer(turn, redacted)) return false;
  strip();
  return true;
}

/** What stands in the place of an answer that is blocked. */
export function sentenceOf(message: string | null): string {
  return message ?? 'Blocked by policy.';
}

/** Whether `json` is an answer of one of the shapes that are read. */
export function isAnswer(json: unknown): json is Json {
  return isObject(json) && (Array.isArray(json['choices']) || Array.isArray(json['output']));
}

function answersIn(json: Json): Answer[] {
  const { choices, output } = json;
  const chosen = Array.isArray(choices) ? (choices as unknown[]).filter(isObject).map(choiceOf) : [];
  if (!Array.isArray(output)) return chosen;
  const items = (output as unknown[]).filter(isObject);
  // What a client's library puts together of the items.
  const strip = () => void delete json['output_text'];
  return [...chosen, { turn: readAnswer(items), strip, block: (message) => void Object.assign(json, blockedResponse(message)) }];
}

function choiceOf(choice: Json): Answer {
  const { message } = choice;
  // The tokens are the text once more.
  const strip = () => void (choice['logprobs'] = null);
  if (!isObject(message)) {
    const block = (sentence: string) => void Object.assign(choice, { text: sentence, finish_reason: 'content_filter' });
    return { turn: readPlainAnswer(choice), strip, block };
  }
  const block = (sentence: string) =>
    void Object.assign(choice, { message: blockedMessage(sentence), finish_reason: 'content_filter' });
  return { turn: readAnswer([message]), strip, block };
}

function blockedMessage(sentence: string): Json {
  return { role: 'assistant', content: sentence, refusal: null };
}

/** The members of a response that is blocked. */
export function blockedResponse(sentence: string): Json {
  return {
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    output: [
      {
        id: 'msg_blocked',
        type: 'message',
        role: 'assistant',
        status: 'incomplete',
        content: [{ type: 'output_text', text: sentence, annotations: [] }],
      },
    ],
  };
}
