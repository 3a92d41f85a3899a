// What `svc listen` sends of an event: the bytes and headers that a webhook would.

import { randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Event } from '@svc/client';
import { bodySignature, standardSignature } from './signature-check.ts';

const BODY_BYTES_MAX = 65_536;
// As the service waits for a receiver.
const ATTEMPT_MS_MAX = 5_000;
const ANSWER_SHOWN_MAX = 200;

/** How a local receiver answered. */
export interface Forwarded {
  readonly status: number | null;
  readonly latencyMs: number;
  /** `null`: it took it. */
  readonly error: string | null;
}

/** `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The body of a delivery: without the actor's address, the leaf's hash, and what was erased; above 64 KiB cut as the service cuts it. */
export function deliveredBody(event: Event): string {
  const { id, sequence, kind, mode, occurred_at, recorded_at, org_id, actor, data } = event;
  const head = { id, sequence, kind, mode, occurred_at, recorded_at, org_id, actor: { type: actor.type, id: actor.id } };
  const whole = JSON.stringify({ ...head, data });
  if (Buffer.byteLength(whole) <= BODY_BYTES_MAX) return whole;
  const bytes = BODY_BYTES_MAX - Buffer.byteLength(JSON.stringify(head)) - ',"data":'.length;
  return JSON.stringify({ ...head, data: cutTo(bytes, data) });
}

/** What a candidate policy adds and removes goes first, then findings from their end, then metadata. */
function cutTo(bytes: number, data: Event['data']): Event['data'] {
  const { shadow, findings } = data as { shadow?: object | null; findings?: unknown[] };
  const value = shadow === null || shadow === undefined ? data : { ...data, shadow: { ...shadow, added: [], removed: [] } };
  let size = Buffer.byteLength(JSON.stringify(value));
  let kept = findings?.length ?? 0;
  while (kept > 0 && size > bytes) size -= Buffer.byteLength(JSON.stringify(findings![--kept])) + 1;
  const cut = { ...value, ...(findings === undefined ? {} : { findings: findings.slice(0, kept) }) };
  return size > bytes ? { ...cut, metadata: {} } : cut;
}

/** Both families of signatures, and what else a delivery carries. `nowMs`: of the attempt. */
function deliveryHeaders(event: Event, body: Buffer, secret: string, nowMs: number): Record<string, string> {
  const signed = { 'webhook-id': event.id, 'webhook-timestamp': String(Math.floor(nowMs / 1_000)) };
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Svc-Webhooks/1',
    'x-svc-event': event.kind,
    // A delivery of the service has an id of its own; here the event's serves.
    'x-svc-delivery': event.id.replace(/^evt_/, 'dlv_'),
    'x-svc-attempt': '1',
    'x-svc-signature-256': bodySignature(secret, body),
    ...signed,
    'webhook-signature': standardSignature(key, { headers: signed, body }),
  };
}

/** One attempt. Redirects are not followed. Never throws but for `signal`. */
export async function forward(url: string, event: Event, secret: string, signal: AbortSignal): Promise<Forwarded> {
  const body = Buffer.from(deliveredBody(event));
  const begun = performance.now();
  const latency = () => Math.round(performance.now() - begun);
  const timeout = AbortSignal.timeout(ATTEMPT_MS_MAX);
  try {
    const headers = deliveryHeaders(event, body, secret, Date.now());
    const { status, answer } = await post(url, headers, body, AbortSignal.any([signal, timeout]));
    const isTaken = status >= 200 && status < 300;
    return { status, latencyMs: latency(), error: isTaken ? null : refusalOf(status, answer) };
  } catch (err) {
    signal.throwIfAborted();
    const error = timeout.aborted ? `No answer within ${ATTEMPT_MS_MAX / 1_000} s.` : connectionFault(url, err);
    return { status: null, latencyMs: latency(), error };
  }
}

/** Not by `fetch`, which adds headers of its own and refuses some ports. Answers the beginning of what came back. */
function post(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
  signal: AbortSignal,
): Promise<{ status: number; answer: string }> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, 'content-length': body.length }, signal }, (res) => {
      let answer = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => (answer = (answer + chunk).slice(0, ANSWER_SHOWN_MAX)));
      res.on('end', () => resolve({ status: res.statusCode!, answer }));
      res.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function refusalOf(status: number, answer: string): string {
  if (status >= 300 && status < 400) return 'Redirects are not followed.';
  return answer === '' ? 'The receiver refused it.' : answer;
}

function connectionFault(url: string, err: unknown): string {
  const code = err instanceof Error && 'code' in err ? String(err.code) : '';
  return code === 'ECONNREFUSED'
    ? `Nothing listens at ${new URL(url).host}.`
    : `The connection failed${code === '' ? '' : ` (${code})`}.`;
}

// The parser of URLs lets through what no name of a host can have.
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/i;

/** `3000`, `localhost:3000/webhooks` or a whole URL; `null`: it is none. */
export function localUrl(given: string): string | null {
  const text = /^\d{1,5}(\/.*)?$/.test(given) ? `localhost:${given}` : given;
  try {
    const url = new URL(/^https?:\/\//.test(text) ? text : `http://${text}`);
    return HOST.test(url.hostname) ? url.href : null;
  } catch {
    return null;
  }
}
