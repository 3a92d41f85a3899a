// Answers that came as a whole: each assessed, redacted or replaced.

import type { Evaluation } from '@svc/engine';
import { isUtf8 } from 'node:buffer';
import type { Exchange } from '../exchange.ts';
import { answerOf, isObject, putAnswer, readAnswer, readPlainAnswer, type Json, type Turn } from './exchange.ts';
import { readJson } from './json.ts';
import type { Measures } from './measures.ts';
import { errorBody, pruneCompletion, pruneResponse } from './shapes.ts';

/** One of a model's answers, with the way to put the policy's sentence in its place. */
interface Answer {
  readonly turn: Turn;
  /** Takes away what would still tell what was said, once something was changed. */
  readonly strip: () => void;
  readonly block: (message: string) => void;
}

/** An answer as it goes on. */
export interface ReadBody {
  readonly bytes: Buffer;
  /** Why it is no answer. */
  readonly error: string | null;
}

/**
 * Reads, assesses and changes the body of an answer as the policy says: byte for byte the same where nothing is to change, and no body at all
 * (`null`) where it is of no kind that is read.
 */
export async function readBody(exchange: Exchange, measures: Measures, bytes: Buffer): Promise<ReadBody | null> {
  const written = readJson(bytes.toString('utf8'));
  const json = written?.value;
  if (!isAnswer(json)) {
    // Some servers tell of errors with a 200.
    const error = 'no_answer';
    if (!exchange.isEnforced) return { bytes, error };
    const isError = isObject(json) && (isObject(json['error']) || typeof json['error'] === 'string');
    return isError ? { bytes: bytesOf(await errorBody(exchange, json)), error } : null;
  }
  measures.see(json);
  const hasChanged = await assessAnswers(exchange, json);
  // Of two members of one name another reader may take the other; and bytes that are no UTF-8 are read by each in its own way.
  const isAmbiguous = exchange.isEnforced && (written!.hasDuplicates || !isUtf8(bytes));
  return { bytes: hasChanged || isAmbiguous ? bytesOf(json) : bytes, error: null };
}

/** What an error of the server's own says, as far as it may be shown. */
export async function readErrorBody(exchange: Exchange, bytes: Buffer): Promise<Buffer> {
  return bytesOf(await errorBody(exchange, readJson(bytes.toString('utf8'))?.value));
}

function bytesOf(json: Json): Buffer {
  return Buffer.from(JSON.stringify(json));
}

/** Decides about all answers in `json` and changes them as the policy says. True: something has changed. */
async function assessAnswers(exchange: Exchange, json: Json): Promise<boolean> {
  let hasChanged = false;
  if (exchange.isEnforced) {
    const isResponse = Array.isArray(json['output']);
    hasChanged = isResponse ? await pruneResponse(exchange, json) : await pruneCompletion(exchange, json);
  }
  for (const answer of answersIn(json)) {
    const evaluation = await exchange.decide(answerOf(answer.turn));
    const sentence = await sentenceFor(exchange, answer.turn, evaluation);
    if (exchange.isEnforced && apply(answer, evaluation, sentence)) hasChanged = true;
  }
  return hasChanged;
}

/** What stands in the place of an answer that is blocked; `null`: it is not. */
export async function sentenceFor(
  exchange: Exchange,
  { fixed, isExcessive }: Pick<Turn, 'fixed' | 'isExcessive'>,
  { outcome, enforcement }: Evaluation,
): Promise<string | null> {
  if (outcome === 'blocked') return sentenceOf(enforcement.message);
  if (!(await exchange.mayShow(fixed))) return 'Blocked by policy: what it takes out cannot be replaced.';
  if (!isExcessive || !exchange.isEnforced) return null;
  exchange.refuse();
  return 'Blocked: the answer holds too many texts to be read, or is nested too deep.';
}

function apply({ turn, strip, block }: Answer, { redacted }: Evaluation, sentence: string | null): boolean {
  if (sentence !== null) block(sentence);
  else if (!putAnswer(turn, redacted)) return false;
  strip();
  return true;
}

/** What stands in the place of an answer that is blocked. */
function sentenceOf(message: string | null): string {
  return message ?? 'Blocked by policy.';
}

/** Whether `json` is an answer of one of the shapes that are read. */
function isAnswer(json: unknown): json is Json {
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
