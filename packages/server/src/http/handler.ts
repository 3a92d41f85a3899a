// Runs a route's handler: checks what came in, honours Idempotency-Key, and sends the answer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSchemaChecker } from '@svc/engine';
import type { TSchema } from 'typebox';
import { newUuid } from '../ids.ts';
import type { Services } from '../services.ts';
import { recheckAccess } from './access-check.ts';
import { AppError, type ErrorDetail } from './errors.ts';
import { toAppError } from './fastify-errors.ts';
import { acceptedType } from './media-type.ts';
import { claimKey, isIdempotencyKey, releaseKey, settleKey, unlockKey, type IdempotentRequest } from './idempotency.ts';
import { SerializedBytes, SerializedJson, StreamedBytes, takesIdempotencyKey, type Call, type Route } from './route.ts';

const JSON_ONLY = ['application/json'] as const;

type BodyCheck = (body: unknown) => readonly ErrorDetail[];

/** Makes the Fastify handler of `route`. */
export function handlerOf(route: Route, services: Services, stopping: AbortSignal) {
  const checkBody = route.checkBody ?? (route.body === undefined ? null : createSchemaChecker(route.body));
  const checkQuery = compileQueryCheck(route);
  const defaultStatus = Number(Object.keys(route.responses)[0]);

  return async function handle(req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const again = recheckAccess(services, route, req);
    if (again !== undefined) await again;
    const query = checkQuery(req.query);
    const body = bodyOf(route, req.body, checkBody);
    reply.status(defaultStatus);
    const key = takesIdempotencyKey(route) ? req.headers['idempotency-key'] : undefined;
    const call = callOf(services, route, req, reply, query, body, stopping);
    const answer =
      key === undefined ? await route.handle(services, call) : await handleOnce(route, services, call, req, String(key));
    return send(reply, answer);
  };
}

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  if (answer instanceof SerializedBytes) return reply.type(answer.type).send(answer.bytes);
  if (answer instanceof StreamedBytes) return sendStream(reply, answer);
  if (!(answer instanceof SerializedJson)) return reply.send(answer);
  return reply.type('application/json; charset=utf-8').send(answer.text);
}

function sendStream(reply: FastifyReply, { type, stream, bytes }: StreamedBytes): FastifyReply {
  if (bytes !== undefined) reply.header('content-length', bytes);
  return reply.type(type).send(stream);
}

function compileQueryCheck(route: Route): (query: unknown) => unknown {
  const schema: TSchema | undefined = route.query;
  // Load balancers add parameters of their own to the addresses they probe.
  if (route.access === 'public') return (query) => query;
  if (schema === undefined) return (query) => refuseAnyQuery(query as Record<string, unknown>);
  const check = createSchemaChecker(schema);
  return (query) => {
    const converted = withIntegers(schema, query as Record<string, unknown>);
    refuse(check(converted).map(({ pointer, message }) => ({ pointer: `/query${pointer}`, message })));
    return converted;
  };
}

/** Parameters are texts; those of type integer become numbers where they are written as one. */
function withIntegers(schema: TSchema, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties = {} }: { properties?: Record<string, { type?: string }> } = schema;
  const entries = Object.entries(query).map(([name, value]) => {
    const isInteger = properties[name]?.type === 'integer' && typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value);
    return [name, isInteger ? Number(value) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function refuseAnyQuery(query: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(query);
  if (names.length > 0) refuse(names.slice(0, 20).map((name) => ({ pointer: `/query/${name}`, message: 'unknown parameter' })));
  return query;
}

function bodyOf(route: Route, body: unknown, check: BodyCheck | null): unknown {
  if (body instanceof Uint8Array) return body;
  return checkedBody(body === undefined && route.isBodyOptional === true ? {} : body, check);
}

function checkedBody(body: unknown, check: BodyCheck | null): unknown {
  if (check === null) return refuseAnyBody(body);
  if (body === undefined) throw new AppError('invalid_request', 'This operation needs a JSON body.');
  refuse(check(body));
  return body;
}

/** An empty object is none. */
function refuseAnyBody(body: unknown): unknown {
  const isNone = body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);
  if (!isNone) throw new AppError('invalid_request', 'This operation takes no body.');
  return undefined;
}

const DETAILS_MAX = 20;

function refuse(details: readonly ErrorDetail[]): void {
  if (details.length > 0)
    throw new AppError('invalid_request', 'The request is not valid.', { details: details.slice(0, DETAILS_MAX) });
}

function callOf(
  services: Services,
  route: Route,
  req: FastifyRequest,
  reply: FastifyReply,
  query: unknown,
  body: unknown,
  stopping: AbortSignal,
): Call {
  return {
    requestId: req.id,
    principal: req.principal!,
    address: req.address,
    params: paramsOf(route, req),
    query,
    body,
    bodyBytes: req.bodyBytes,
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    mediaType: () => acceptedType(req.headers.accept, route.produces ?? JSON_ONLY)!,
    newResourceId: newUuid,
    setStatus: (status) => void reply.status(status),
    setHeader: (name, value) => void reply.header(name, value),
    recheck: async () => recheckAccess(services, route, req),
    signal: () => AbortSignal.any([stopping, req.signal]),
  };
}

/** By the names that the path gives them. */
export function paramsOf(
  { path, takesRestOfPath }: Pick<Route, 'path' | 'takesRestOfPath'>,
  { params }: FastifyRequest,
): unknown {
  if (takesRestOfPath !== true) return params;
  const { '*': rest, ...others } = params as Record<string, string>;
  return { ...others, [/\{(\w+)\}$/.exec(path)![1]!]: rest };
}

/** Answers from what the first request with this key made, or runs it under the id reserved for it. */
async function handleOnce(route: Route, services: Services, call: Call, req: FastifyRequest, key: string): Promise<unknown> {
  if (!isIdempotencyKey(key)) throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  const request: IdempotentRequest = {
    orgId: call.principal.organization.uuid,
    principalId: `${call.principal.type} ${call.principal.id}`,
    // With the resource it is about: a key is good for one path.
    operation: [route.operationId, ...Object.values(call.params as Record<string, string>)].join(' '),
    key,
    body: req.rawBody ?? '',
  };
  const claim = await claimKey(services.db, request, newUuid());
  if (claim.state === 'refused') {
    call.setHeader('idempotency-replayed', 'true');
    throw claim.error;
  }
  const reserved: Call = Object.create(call, { newResourceId: { value: () => claim.resourceId } }) as Call;
  if (claim.state === 'replay') {
    call.setHeader('idempotency-replayed', 'true');
    return answerAgain(route, services, reserved, claim);
  }
  const made = claim.tookOver ? await route.replay?.(services, reserved, claim.resourceId, false, null) : null;
  if (made !== null && made !== undefined) call.setHeader('idempotency-replayed', 'true');
  const answer = made ?? (await runClaimed(route, services, reserved, request));
  const kept = route.keep?.(answer) ?? null;
  await settleKey(services.db, request, null, kept).catch((err: unknown) => stayLocked(services, err));
  return answer;
}

async function runClaimed(route: Route, services: Services, call: Call, request: IdempotentRequest): Promise<unknown> {
  try {
    return await route.handle(services, call);
  } catch (err) {
    await settleFailure(services, request, err);
    throw err;
  }
}

/** What succeeded is never done again. */
async function answerAgain(
  route: Route,
  services: Services,
  call: Call,
  claim: { resourceId: Buffer; answer: unknown },
): Promise<unknown> {
  if (route.replay === undefined) return claim.answer ?? route.handle(services, call);
  const answer = await route.replay(services, call, claim.resourceId, true, claim.answer);
  if (answer !== null) return answer;
  throw new AppError('conflict', 'The request with this Idempotency-Key has succeeded, and what it made is not there any more.');
}

/** A refusal is answered again; after a fault, or a limit, the request may be repeated. */
async function settleFailure(services: Services, request: IdempotentRequest, err: unknown): Promise<void> {
  await settlement(services, request, toAppError(err)).catch((cause: unknown) => stayLocked(services, cause));
}

function settlement({ db }: Services, request: IdempotentRequest, error: AppError): Promise<void> {
  if (error.status >= 500) return unlockKey(db, request);
  return error.status === 429 ? releaseKey(db, request) : settleKey(db, request, error);
}

/** The key's lock runs out by itself; who repeats the request then finds what the first one made. */
function stayLocked(services: Services, err: unknown): void {
  services.log.warn({ err }, 'an idempotency key stays locked until its time is up');
}
