// Driven by clients/conformance: reads one command a line, does it with this library, and answers one result a line.

import { createInterface } from 'node:readline';
import {
  ApiError,
  CheckpointError,
  CheckpointMemory,
  ConflictError,
  ConnectionError,
  IdempotencyMismatchError,
  InsufficientPermissionsError,
  InvalidRequestError,
  IpNotAllowedError,
  MemoryStore,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  Svc,
  SvcError,
  TimeoutError,
  TokenExpiredError,
  UnauthorizedError,
  verifySignature256,
  verifyWebhook,
  WebhookVerificationError,
  type Pages,
  type SvcOptions,
} from '../index.ts';
import { runScenario } from './scenario.ts';

/** As it comes: the runner knows what it sends. */
type Command = ReturnType<typeof JSON.parse>;
type Result = Record<string, unknown>;

/** The source of a guarded stream failed, as the command wanted. */
class SourceError extends Error {}

const DO: Readonly<Record<string, (command: Command) => Promise<Result>>> = {
  verify_webhook: ({ headers, body, secrets, now_s: nowS, tolerance_s: toleranceS }) =>
    verified(() =>
      verifyWebhook(
        { headers, body },
        { secret: secrets, nowMs: nowS * 1_000, ...(toleranceS === undefined ? {} : { toleranceS }) },
      ),
    ),
  verify_signature_256: ({ headers, body, secrets }) =>
    verified(() => verifySignature256({ headers, body }, { secret: secrets })),
  call: (command) =>
    withClient(command, async (svc) => ({
      value: await called(svc, command.method, command.arguments ?? {}, command.idempotency_key),
    })),
  list: (command) =>
    withClient(command, async (svc) => {
      const list = (
        command.list === 'events' ? svc.events.list(command.query) : svc.webhooks.list(command.query)
      ) as Pages<object>;
      const items = await list.toArray(command.take ?? Infinity);
      return { ids: items.map((item) => ('webhook_id' in item ? item.webhook_id : (item as { id?: unknown }).id)) };
    }),
  guard_stream: (command) => withClient(command, (svc) => guarded(svc, command)),
  checkpoint: (command) => withClient(command, (svc) => checked(svc, command)),
  scenario: async (command) => ({ facts: await runScenario(command) }),
};

async function verified(verify: () => Promise<{ id: string }>): Promise<Result> {
  try {
    return { event_id: (await verify()).id };
  } catch (err) {
    if (err instanceof WebhookVerificationError) return { rule: err.rule };
    throw err;
  }
}

async function withClient(command: Command, act: (svc: Svc) => Promise<Result>): Promise<Result> {
  const waits: number[] = [];
  const wait = command.wait === 'real' ? undefined : (ms: number) => Promise.resolve(void waits.push(ms));
  try {
    return { ...(await act(new Svc({ ...optionsOf(command.client), wait }))), waits_ms: waits };
  } catch (err) {
    return { error: errorOf(err), waits_ms: waits };
  }
}

function optionsOf(client: Command): SvcOptions {
  return {
    apiKey: client.api_key ?? 'svc_live_test',
    orgId: client.org_id,
    baseUrl: client.base_url,
    maxRetries: client.max_retries,
    retryBackoffMs: client.retry_backoff_ms,
    maxRetryWaitMs: client.max_retry_wait_ms,
    timeoutMs: client.timeout_ms,
  };
}

async function called(svc: Svc, method: string, given: Command, idempotencyKey: string | undefined): Promise<unknown> {
  const options = { idempotencyKey };
  switch (method) {
    case 'assess':
      return svc.assess(given, options);
    case 'get_event':
      return svc.events.get(given.event_id);
    case 'create_webhook':
      return svc.webhooks.create(given, options);
    case 'delete_webhook':
      return (await svc.webhooks.delete(given.webhook_id)) ?? null;
    case 'update_webhook': {
      const { webhook_id: webhookId, ...body } = given;
      return svc.webhooks.update(webhookId, body);
    }
    case 'end_token':
      return (await svc.sessions.endToken()) ?? null;
    case 'refresh_token':
      return svc.sessions.refreshToken();
    case 'get_checkpoint':
      return svc.audit.getCheckpoint();
    case 'get_tile': {
      const bytes = await new Response(await svc.audit.getTile(given.tile_path)).arrayBuffer();
      return Buffer.from(bytes).toString('base64');
    }
    default:
      throw new Error(`There is no method ${method}.`);
  }
}

async function guarded(svc: Svc, { inference, source }: Command): Promise<Result> {
  const state = { read: 0, isClosed: false };
  async function* pieces(): AsyncGenerator<string, void, undefined> {
    try {
      for (const { text, error } of source) {
        state.read++;
        if (error !== undefined) throw new SourceError(error);
        yield text;
      }
    } finally {
      state.isClosed = true;
    }
  }
  const stream = svc.guardStream(pieces(), inference);
  let released = '';
  let error: Result | undefined;
  try {
    for await (const text of stream) released += text;
  } catch (err) {
    error = errorOf(err);
  }
  const result = {
    released,
    outcome: stream.outcome,
    assessment_id: stream.assessment?.id ?? null,
    source_read: state.read,
    source_closed: state.isClosed,
  };
  return error === undefined ? result : { ...result, error };
}

const memories = new Map<string, MemoryStore>();

async function checked(svc: Svc, { memory, keys, stored }: Command): Promise<Result> {
  const store = memories.get(memory) ?? new MemoryStore();
  memories.set(memory, store);
  if (stored !== undefined) store.save(stored);
  try {
    const { size, root, isFirst } = await new CheckpointMemory(store, keys).check(svc);
    return { size, root, first: isFirst, stored: store.load() };
  } catch (err) {
    if (err instanceof CheckpointError) return { rule: err.rule, stored: store.load() };
    throw err;
  }
}

const TYPES: readonly (readonly [new (...args: never[]) => Error, string])[] = [
  [SourceError, 'source'],
  [InvalidRequestError, 'invalid_request'],
  [UnauthorizedError, 'unauthorized'],
  [TokenExpiredError, 'token_expired'],
  [InsufficientPermissionsError, 'insufficient_permissions'],
  [IpNotAllowedError, 'ip_not_allowed'],
  [NotFoundError, 'not_found'],
  [ConflictError, 'conflict'],
  [PreconditionFailedError, 'precondition_failed'],
  [PayloadTooLargeError, 'payload_too_large'],
  [IdempotencyMismatchError, 'idempotency_mismatch'],
  [RateLimitError, 'rate_limit'],
  [ServerError, 'server'],
  [ApiError, 'api'],
  [TimeoutError, 'timeout'],
  [ConnectionError, 'connection'],
  [SvcError, 'svc'],
];

function errorOf(err: unknown): Result {
  const type = TYPES.find(([kind]) => err instanceof kind)?.[1];
  if (type === undefined) throw err;
  const { message, status, code, requestId, retryAfter, details } = err as Partial<ApiError> & Error;
  return {
    type,
    status: status ?? null,
    code: code ?? null,
    message,
    request_id: requestId ?? null,
    retry_after: retryAfter ?? null,
    details: details ?? [],
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const command: Command = JSON.parse(line);
  const result = await DO[command.do]!(command).catch((err: unknown) => ({
    crash: err instanceof Error ? err.stack : String(err),
  }));
  console.log(JSON.stringify({ id: command.id, ...result }));
}
