// The one judge of all languages: has a testee do what a case says, and holds what it said and what the server saw against what is to be. Each
// function resolves with what does not hold, in words.

import type { CheckpointCase } from '../../scripts/clients/checkpoint-vectors.ts';
import type { WebhookCase } from '../../scripts/clients/webhook-vectors.ts';
import { guardedService } from './guarded-service.ts';
import { inOrder, refusal, ScriptedServer, type Script, type Seen } from './scripted-server.ts';
import type { Result, Testee } from './testee.ts';
import { differences, replyOf, shortly, type Bodies, type ExchangeCase, type GuardCase } from './vectors.ts';

const API_KEY = 'svc_live_test';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Calls that send an Idempotency-Key. */
const KEYED = new Set(['assess', 'create_webhook']);
/** Keys that clients have made. */
const generated = new Set<string>();
/** A timer may fire this much early, by the clock of another process. */
const CLOCK_MS = 3;

export async function judgeWebhook(testee: Testee, vector: WebhookCase): Promise<string[]> {
  const { family, headers, body, secrets, now_s, tolerance_s, expect } = vector;
  const time = family === 'standard' ? { now_s, ...(tolerance_s === undefined ? {} : { tolerance_s }) } : {};
  const command = family === 'standard' ? 'verify_webhook' : 'verify_signature_256';
  const result = await testee.ask({ do: command, headers, body, secrets, ...time });
  if (!('signature_holds' in expect))
    return differences('rule' in expect ? { ...expect, event_id: undefined } : { ...expect, rule: undefined }, result);
  return result.rule === undefined || result.rule === 'body_malformed' ? [] : [`the signature holds, but rule is ${result.rule}`];
}

export async function judgeExchange(testee: Testee, vector: ExchangeCase, bodies: Bodies = {}): Promise<string[]> {
  const { call, expect } = vector;
  const server = await ScriptedServer.start(inOrder(vector.server.map((reply) => replyOf(reply, bodies))));
  const { base_url_suffix = '', ...client } = vector.client ?? {};
  const baseUrl = `${server.baseUrl}${String(base_url_suffix)}`;
  if (vector.is_refused === true) await server.close();
  try {
    const result = await testee.ask({
      do: 'method' in call ? 'call' : 'list',
      client: { base_url: baseUrl, api_key: API_KEY, ...client },
      ...call,
      ...(vector.idempotency_key === undefined ? {} : { idempotency_key: vector.idempotency_key }),
      ...(vector.wait === undefined ? {} : { wait: vector.wait }),
    });
    const { seen } = server;
    return [
      ...(seen.length === expect.requests ? [] : [`the server saw ${seen.length} requests, not ${expect.requests}`]),
      ...requestFaults(testee, seen),
      ...('method' in call ? keyFaults(seen, KEYED.has(call.method), expect.idempotency_key) : keyFaults(seen, false)),
      ...('method' in call ? sameFaults(seen) : []),
      ...(expect.waits_ms === undefined ? [] : differences(expect.waits_ms, result.waits_ms, 'waits_ms')),
      ...gapFaults(seen, expect.gaps_ms ?? []),
      ...(expect.seen ?? []).flatMap((one, i) => differences(one, knownHeaders(one, seen[i]), `request ${i + 1}`)),
      ...resultFaults(result, expect),
      ...leakFaults(result),
    ];
  } finally {
    if (vector.is_refused !== true) await server.close();
  }
}

export async function judgeGuard(testee: Testee, vector: GuardCase, bodies: Bodies): Promise<string[]> {
  const { expect } = vector;
  const source = vector.source.map((item) => ('text' in item ? { text: item.text.repeat(item.times ?? 1) } : item));
  const text = source.map((item) => ('text' in item ? item.text : '')).join('');
  const service = guardedService(vector.server, bodies);
  const server = await ScriptedServer.start(service.script);
  try {
    const result = await testee.ask({
      do: 'guard_stream',
      client: { base_url: server.baseUrl, api_key: API_KEY },
      inference: { input: 'What is the capital of France?' },
      source,
    });
    const { chunks } = service;
    const joined = chunks.map(({ delta }) => delta ?? '').join('');
    const isWhole = result.error === undefined && service.blockedAt === null && vector.server.input_outcome !== 'blocked';
    const paced = service.blockedAt === null ? chunks : chunks.slice(0, service.blockedAt + 1);
    const spanMs = paced.length === 0 ? 0 : paced.at(-1)!.atMs - paced[0]!.atMs;
    return [
      ...service.faults,
      ...requestFaults(testee, server.seen),
      ...(text.startsWith(joined) ? [] : ['the chunks are not the source’s text']),
      ...(!isWhole || joined === text ? [] : [`of ${text.length} characters ${joined.length} were sent`]),
      // Twenty milliseconds are for requests that take longer to arrive than others.
      ...(spanMs >= 25 * (paced.length - 1) - 20 ? [] : [`${paced.length} chunks came within ${Math.round(spanMs)} ms`]),
      ...(spanMs >= (expect.span_ms_min ?? 0) - 20
        ? []
        : [`the chunks took ${Math.round(spanMs)} ms, not ${expect.span_ms_min}`]),
      ...(result.released === service.released
        ? []
        : [`released is ${shortly(result.released)}; the service released ${shortly(service.released)}`]),
      ...(expect.released === undefined ? [] : differences(expect.released, result.released, 'released')),
      ...(expect.chunks === undefined ? [] : differences(expect.chunks, chunks.length, 'number of chunks')),
      ...(chunks.length <= (expect.chunks_max ?? Infinity)
        ? []
        : [`${chunks.length} chunks were sent, at most ${expect.chunks_max} may be`]),
      ...(expect.has_final === true && !chunks.some(({ isFinal }) => isFinal) ? ['the stream was not finished'] : []),
      ...(expect.outcome === undefined
        ? []
        : differences({ outcome: expect.outcome, assessment_id: service.assessmentId }, result)),
      ...(expect.source_read === undefined ? [] : differences(expect.source_read, result.source_read, 'source_read')),
      ...(expect.source_closed === undefined ? [] : differences(expect.source_closed, result.source_closed, 'source_closed')),
      ...(expect.waits_ms === undefined || result.waits_ms === undefined
        ? []
        : differences(expect.waits_ms, result.waits_ms, 'waits_ms')),
      ...resultFaults(result, { error: expect.error }),
      ...leakFaults(result),
    ];
  } finally {
    await server.close();
  }
}

/** `memory`: a name that no other case has. */
export async function judgeCheckpoints(testee: Testee, vector: CheckpointCase, memory: string): Promise<string[]> {
  const faults: string[] = [];
  let before: string | null = vector.stored ?? null;
  for (const [i, { service, expect }] of vector.steps.entries()) {
    const server = await ScriptedServer.start(trailScript(service));
    const stored = i === 0 && vector.stored !== undefined ? { stored: vector.stored } : {};
    const client = { base_url: server.baseUrl, api_key: API_KEY };
    const result = await testee.ask({ do: 'checkpoint', client, memory, keys: vector.keys, ...stored });
    await server.close();
    const { paths, stored_keys: keys, ...said } = expect;
    const step: string[] = [...requestFaults(testee, server.seen), ...leakFaults(result)];
    if (result.error !== undefined) step.push(`it failed: ${shortly(result.error)}`);
    step.push(...differences(said.rule === undefined ? { ...said, rule: undefined } : said, result));
    if (paths !== undefined) step.push(...differences(paths.toSorted(), server.seen.map(({ path }) => path).toSorted(), 'paths'));
    if (said.rule !== undefined) {
      if (result.stored !== before) step.push(`the store was changed from ${shortly(before)} to ${shortly(result.stored)}`);
    } else
      step.push(...differences({ note: service.note, ...(keys === undefined ? {} : { keys }) }, parsed(result.stored), 'stored'));
    before = result.stored;
    faults.push(...step.map((fault) => `check ${i + 1}: ${fault}`));
  }
  return faults;
}

function trailScript({ note, consistency, keys }: CheckpointCase['steps'][number]['service']): Script {
  const times = { created_at: '2026-11-21T10:00:00.000Z', replaced_at: null, retired_at: null };
  const shown = keys.map((key) => ({ ...key, ...times }));
  return ({ path, query }) => {
    if (path === '/v1/audit/checkpoint')
      return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: note };
    if (path === '/v1/audit/keys') {
      const deployment = { origin: 'trail.example.com/deployment/1', keys: [] };
      return { status: 200, json: { origin: note.split('\n')[0], keys: shown, deployment } };
    }
    const [from, to] = [Number(query['from']), Number(query['to'])];
    const hashes = consistency[`${from}-${to}`];
    if (path !== '/v1/audit/consistency' || hashes === undefined)
      return refusal(400, 'invalid_request', `No proof from ${from} to ${to}.`);
    return { status: 200, json: { from, to, hashes } };
  };
}

function requestFaults(testee: Testee, seen: readonly Seen[]): string[] {
  const agent = new RegExp(`^svc-${testee.language}/\\d+\\.\\d+\\.\\d+$`);
  return seen.flatMap(({ headers }) => [
    ...differences(`Bearer ${API_KEY}`, headers['authorization'], 'authorization'),
    ...(agent.test(headers['user-agent'] ?? '') ? [] : [`user-agent is ${shortly(headers['user-agent'])}`]),
  ]);
}

function keyFaults(seen: readonly Seen[], isKeyed: boolean, wanted?: string): string[] {
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  if (!isKeyed) return keys.every((key) => key === undefined) ? [] : ['an Idempotency-Key was sent where none is taken'];
  if (keys.length === 0) return [];
  if (new Set(keys).size > 1) return [`the Idempotency-Key changed between tries: ${shortly(keys)}`];
  const [key = ''] = keys;
  if (wanted !== undefined) return differences(wanted, key, 'idempotency-key');
  if (!UUID.test(key)) return [`the Idempotency-Key is ${shortly(key)}, not a UUID`];
  if (generated.has(key)) return ['the Idempotency-Key is that of another call'];
  generated.add(key);
  return [];
}

/** Every try is of the same request. */
function sameFaults(seen: readonly Seen[]): string[] {
  const texts = new Set(seen.map(({ method, path, query, body }) => JSON.stringify({ method, path, query, body })));
  return texts.size <= 1 ? [] : ['the tries are of different requests'];
}

function gapFaults(seen: readonly Seen[], gapsMs: readonly number[]): string[] {
  return gapsMs.flatMap((least, i) => {
    const ms = (seen[i + 1]?.fromMs ?? 0) - (seen[i]?.untilMs ?? 0);
    return ms >= least - CLOCK_MS ? [] : [`${Math.round(ms)} ms are between requests ${i + 1} and ${i + 2}, not ${least}`];
  });
}

/** Headers that are to be absent as null, and the content type without its parameters. */
function knownHeaders(expected: Readonly<Record<string, unknown>>, seen: Seen | undefined): unknown {
  if (seen === undefined) return undefined;
  const names = Object.keys(expected['headers'] ?? {});
  const headers = Object.fromEntries(names.map((name) => [name, seen.headers[name]?.replace(/; *charset=utf-8$/i, '') ?? null]));
  const { query } = expected;
  // A parameter that is not expected must not be there.
  const strange = typeof query === 'object' && query !== null ? Object.keys(seen.query).filter((name) => !(name in query)) : [];
  return { ...seen, headers, query: strange.length === 0 ? seen.query : `with ${strange.join(', ')}` };
}

function resultFaults(result: Result, { value, ids, error }: { value?: unknown; ids?: unknown; error?: unknown }): string[] {
  if (error === undefined && result.error !== undefined) return [`it failed: ${shortly(result.error)}`];
  if (error !== undefined && result.error === undefined) return [`it did not fail: ${shortly(result)}`];
  const message = result.error?.message as unknown;
  return [
    ...(value === undefined ? [] : differences(value, result.value, 'value')),
    ...(ids === undefined ? [] : differences(ids, result.ids, 'ids')),
    ...(error === undefined ? [] : differences(error, result.error, 'error')),
    ...(error === undefined || (typeof message === 'string' && message !== '') ? [] : ['the error has no message']),
  ];
}

function leakFaults(result: Result): string[] {
  return JSON.stringify(result).includes(API_KEY) ? ['the API key is in the result'] : [];
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
