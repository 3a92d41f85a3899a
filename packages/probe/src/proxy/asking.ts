// A request as it goes to the model: read, assessed, and with what the policy redacts taken out.

import type { Inference } from '@svc/engine';
import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { label } from '../label.ts';
import type { Probe } from '../probe.ts';
import { isObject, putTexts, readRequest, type Json, type ReadRequest } from './exchange.ts';
import { readJson, rewritten, type WrittenJson } from './json.ts';
import { Refusal } from './refusal.ts';

/** A request that may go to the model. */
export interface Asked {
  readonly exchange: Exchange;
  /** To be sent. The same text as came, unless the policy redacts. */
  readonly text: string;
  /** How many answers were asked for. */
  readonly answers: number;
}

/** What came of a request: it may go out, or the policy's sentence is the answer. */
export type Asking = Asked | { readonly exchange: Exchange; readonly sentence: string };

/** Reads and assesses a request. Throws a `Refusal` for what cannot be read. */
export async function ask(probe: Probe, text: string, headers: IncomingHttpHeaders): Promise<Asking> {
  const written = readJson(text);
  if (written === null || !isObject(written.value))
    throw new Refusal(400, 'The body is no JSON object, or nested too deep.', { code: 'invalid_body' });
  const body = written.value;
  const isEnforced = probe.deciding().policy.compiled.mode === 'enforce';
  if (written.hasDuplicates && isEnforced)
    throw new Refusal(400, 'The body names a member twice, which readers of JSON take differently.', { code: 'invalid_body' });
  const read = readRequest(body);
  if (read.isExcessive && isEnforced)
    throw new Refusal(400, 'The body holds too many texts to be read, or is nested too deep.', { code: 'invalid_body' });
  const exchange = await probe.begin({ ...read.inference, ...sentBy(body, headers) });
  const { outcome, enforcement } = exchange.question;
  if (outcome === 'blocked') return { exchange, sentence: enforcement.message ?? 'Blocked by policy.' };
  const redacted = exchange.isEnforced ? await withoutRedacted(exchange, written, read) : text;
  if (redacted === null) {
    exchange.refuse();
    return { exchange, sentence: 'Blocked by policy: it redacts data in names or definitions, where it cannot be replaced.' };
  }
  return { exchange, text: redacted, answers: answersAskedFor(body) };
}

/** Completions answer each of several prompts. */
function answersAskedFor({ n, prompt }: Json): number {
  const isList = Array.isArray(prompt) && prompt.some((each) => typeof each !== 'number');
  return (typeof n === 'number' && n >= 1 ? n : 1) * (isList ? prompt.length : 1);
}

/** The text to send; `null`: something cannot be taken out. */
async function withoutRedacted(exchange: Exchange, written: WrittenJson, read: ReadRequest): Promise<string | null> {
  const { redacted } = exchange.question;
  if (redacted === null) return written.text;
  const hasChanged = putTexts(read.said, redacted.input);
  if (redacted.context === undefined) return hasChanged ? rewritten(written, written.value) : written.text;
  const context = redacted.context as { id: string; content: string }[];
  const isRedacted = (id: string) =>
    context.find((each) => each.id === id)?.content !== read.inference.context!.find((each) => each.id === id)?.content;
  if (isRedacted('names') && !(await isEachHarmless(exchange, read.fixed))) return null;
  if (isRedacted('definitions') && !(await redactDefinitions(exchange, read))) return null;
  return rewritten(written, written.value);
}

/** Names are assessed as one text too, and nothing can stand in their place. */
async function isEachHarmless(exchange: Exchange, fixed: readonly string[]): Promise<boolean> {
  const context = fixed.map((content) => ({ source: 'tool' as const, content }));
  const { redacted, findings_total: total, findings } = await exchange.consider({ input: '', context });
  return redacted === null && total === findings.length;
}

/** Definitions are assessed as one text, because they are many short ones; only where something in them is redacted, each by itself. */
async function redactDefinitions(exchange: Exchange, { definitions }: ReadRequest): Promise<boolean> {
  const context = definitions.map(({ text }) => ({ source: 'tool' as const, content: text }));
  const { redacted } = await exchange.consider({ input: '', context });
  const replaced = (redacted?.context ?? []) as { content: string }[];
  let hasChanged = false;
  definitions.forEach(({ text, put }, i) => {
    const content = replaced[i]?.content ?? text;
    if (content === text) return;
    put(content);
    hasChanged = true;
  });
  return hasChanged;
}

/** The model that is asked for, and on whose behalf: what the body says, and the headers of this request alone. */
function sentBy(body: Json, headers: IncomingHttpHeaders): Pick<Inference, 'model' | 'subject'> {
  const { conversation } = body;
  const name = label(body['model']);
  const subject = {
    user: label(headers['x-svc-user']) ?? label(body['safety_identifier']) ?? label(body['user']),
    session: label(headers['x-svc-session']) ?? label(isObject(conversation) ? conversation['id'] : conversation),
    agent: label(headers['x-svc-agent']),
  };
  const known = Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== undefined));
  return {
    ...(name === undefined ? {} : { model: name }),
    ...(Object.keys(known).length === 0 ? {} : { subject: known }),
  };
}
