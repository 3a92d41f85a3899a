// What an answer may hold beside what is read in it: words, ids and numbers, each of a strict pattern. All else is left out.

import type { Exchange } from '../exchange.ts';
import { isObject, stringsIn, type Json } from './exchange.ts';
import { ID, LABEL, ROLE, WORD } from './words.ts';

type Check = (value: unknown) => boolean;
/** Members by name, and what each may be. */
type Shape = ReadonlyMap<string, Check>;

const NESTED_MAX = 3;
const QUANTITY_MAX = 1e12;

const matching =
  (pattern: RegExp): Check =>
  (value) =>
    value === null || (typeof value === 'string' && pattern.test(value));
const isLabel = matching(LABEL);
const isId = matching(ID);
const isWord = matching(WORD);
const isNumber: Check = (value) => value === null || (typeof value === 'number' && Math.abs(value) <= QUANTITY_MAX);
const isFlag: Check = (value) => value === null || typeof value === 'boolean';
/** What is read, or pruned, by itself. */
const isReadElsewhere: Check = () => true;

/** Numbers with names of the API's kind, such as those of tokens. */
function isCounts(value: unknown, levels = NESTED_MAX): boolean {
  if (!isObject(value)) return isNumber(value) || isFlag(value);
  return levels > 0 && Object.entries(value).every(([name, inner]) => WORD.test(name) && isCounts(inner, levels - 1));
}

const FRAME: readonly (readonly [string, Check])[] = [
  ['id', isId],
  ['object', isWord],
  ['created', isNumber],
  ['model', isLabel],
  ['system_fingerprint', isId],
  ['service_tier', isWord],
  ['provider', isLabel],
];

/** What all chunks of a stream share. */
const CHUNK: Shape = new Map(FRAME);
const COMPLETION: Shape = new Map([...FRAME, ['usage', isCounts], ['choices', isReadElsewhere], ['error', isReadElsewhere]]);
const CHOICE: Shape = new Map<string, Check>([
  ['index', isNumber],
  ['finish_reason', isWord],
  ['message', isReadElsewhere],
  ['logprobs', isReadElsewhere],
]);
const PLAIN_CHOICE: Shape = new Map<string, Check>([
  ['index', isNumber],
  ['finish_reason', isWord],
  ['text', (value) => typeof value === 'string'],
  ['logprobs', isReadElsewhere],
]);

/** What a response repeats of its request: read as one, and left out where anything is found in it. */
const ECHOES = [
  'instructions',
  'tools',
  'tool_choice',
  'text',
  'metadata',
  'reasoning',
  'prompt',
  'conversation',
  'user',
] as const;

const RESPONSE: Shape = new Map<string, Check>([
  ['id', isId],
  ['object', isWord],
  ['created_at', isNumber],
  ['completed_at', isNumber],
  ['status', isWord],
  ['model', isLabel],
  ['service_tier', isWord],
  ['previous_response_id', isId],
  ['prompt_cache_key', isId],
  ['prompt_cache_retention', isWord],
  ['safety_identifier', isId],
  ['truncation', isWord],
  ['background', isFlag],
  ['store', isFlag],
  ['parallel_tool_calls', isFlag],
  ['temperature', isNumber],
  ['top_p', isNumber],
  ['top_logprobs', isNumber],
  ['max_output_tokens', isNumber],
  ['max_tool_calls', isNumber],
  ['frequency_penalty', isNumber],
  ['presence_penalty', isNumber],
  ['usage', isCounts],
  [
    'incomplete_details',
    (value) => value === null || (isObject(value) && isWord(value['reason']) && Object.keys(value).length === 1),
  ],
  ['output', isReadElsewhere],
  ['error', isReadElsewhere],
  ...ECHOES.map((name) => [name, isReadElsewhere] as const),
]);

/** Takes out of `json` what is not in the shape. True: something is gone. */
function prune(json: Json, shape: Shape): boolean {
  const unknown = Object.entries(json).filter(([name, value]) => shape.get(name)?.(value) !== true);
  for (const [name] of unknown) delete json[name];
  return unknown.length > 0;
}

/** What a chunk says of its stream. */
export function frameOf(chunk: Json): Json {
  const frame = { ...chunk };
  prune(frame, CHUNK);
  return frame;
}

/** How many tokens a chunk tells of; `null`: it does not, or tells of something else. */
export function usageOf({ usage }: Json): Json | null {
  return isObject(usage) && isCounts(usage) ? usage : null;
}

/** Why a choice ends, in one word; `null`: it does not end. */
export function finishOf(reason: unknown): string | null {
  if (typeof reason !== 'string' || reason === '') return null;
  return WORD.test(reason) ? reason : 'stop';
}

export function isRole(role: unknown): role is string {
  return typeof role === 'string' && ROLE.test(role);
}

export function isIdOfCall(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id);
}

/** Leaves of a completion what is known. True: something is gone. */
export async function pruneCompletion(exchange: Exchange, json: Json): Promise<boolean> {
  const isShorter = prune(json, COMPLETION);
  const { choices } = json;
  const kept = Array.isArray(choices) ? (choices as unknown[]).filter(isObject) : [];
  const isFewer = Array.isArray(choices) && kept.length < choices.length;
  if (isFewer) json['choices'] = kept;
  const isAnyShorter = kept.map(pruneChoice).includes(true);
  return (await reduceError(exchange, json)) || isShorter || isFewer || isAnyShorter;
}

function pruneChoice(choice: Json): boolean {
  const { message } = choice;
  const hasEnd = typeof choice['finish_reason'] === 'string';
  const isPlain = !isObject(message);
  const isShorter = prune(choice, isPlain ? PLAIN_CHOICE : CHOICE);
  if (hasEnd) choice['finish_reason'] ??= 'stop';
  const texts = isPlain ? [choice['text']] : [message['content'], message['refusal']];
  if ((choice['logprobs'] ?? null) === null || isTokensOf(choice['logprobs'], texts)) return isShorter;
  choice['logprobs'] = null;
  return true;
}

/** Whether tokens are these texts once more. */
function isTokensOf(logprobs: unknown, texts: readonly unknown[]): boolean {
  if (!isObject(logprobs)) return false;
  const { content, refusal, tokens, ...rest } = logprobs;
  const written = [content, refusal].map((list) => (Array.isArray(list) ? (list as unknown[]).map(tokenOf).join('') : ''));
  const plain = Array.isArray(tokens) ? tokens.join('') : '';
  const isSame = tokens === undefined ? written.every((text, i) => text === (texts[i] ?? '') || text === '') : plain === texts[0];
  return (
    isSame &&
    [...stringsIn({ ...rest, content, refusal })].every((text) => text.length <= TOKEN_CHARS_MAX || texts.includes(text))
  );
}

/** Longer ones are no tokens, and shorter ones no secrets. */
const TOKEN_CHARS_MAX = 16;

function tokenOf(each: unknown): string {
  return isObject(each) ? String(each['token']) : '';
}

/** Leaves of a response what is known, and what it repeats of its request only where nothing is found in it. True: something is gone. */
export async function pruneResponse(exchange: Exchange, response: Json): Promise<boolean> {
  let hasChanged = prune(response, RESPONSE);
  const { output } = response;
  if (Array.isArray(output) && !(output as unknown[]).every(isObject)) {
    response['output'] = (output as unknown[]).filter(isObject);
    hasChanged = true;
  }
  const echoes = ECHOES.filter((name) => (response[name] ?? null) !== null);
  const texts = new Set(echoes.flatMap((name) => [...stringsIn(response[name])]));
  if (!(await exchange.mayShow([[...texts].join('\n')], true))) {
    for (const name of echoes) delete response[name];
    hasChanged = true;
  }
  return (await reduceError(exchange, response)) || hasChanged;
}

/** Puts in the place of an error what of it may be shown. True: that is less. */
async function reduceError(exchange: Exchange, json: Json): Promise<boolean> {
  const { error } = json;
  if (error === undefined || error === null) return false;
  json['error'] = await errorShown(exchange, error);
  return JSON.stringify(error) !== JSON.stringify(json['error']);
}

const NO_SENTENCE = 'The model’s server tells of an error.';

/** An error as it may be shown: message, type, parameter and code, each where it may be. */
export async function errorShown(exchange: Exchange, error: unknown): Promise<Json> {
  const told: Json = isObject(error) ? error : { message: error };
  const shown: Json = {};
  for (const [name, value] of Object.entries(told)) {
    if (name === 'message') continue;
    const isTold = name === 'code' || name === 'type' || name === 'param' || name === 'status';
    if (isTold && (isNumber(value) || (isLabel(value) && (await exchange.mayShow([String(value)], true))))) shown[name] = value;
  }
  const { message } = told;
  const isSentence = typeof message === 'string' && (await exchange.mayShow([message], true));
  return { message: isSentence ? message : NO_SENTENCE, ...shown };
}

/** The body of an answer that is none but an error, as it may be shown. */
export async function errorBody(exchange: Exchange, json: unknown): Promise<Json> {
  const told = isObject(json) ? (json['error'] ?? json) : null;
  return { error: await errorShown(exchange, told) };
}
