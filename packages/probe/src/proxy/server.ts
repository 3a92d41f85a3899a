// The agent's HTTP side: a reverse proxy in front of a model's server, and a receiver of spans.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { BusyError, reasonOf, StartError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Probe } from '../probe.ts';
import { readBody, readErrorBody } from './answers.ts';
import { ask, type Asked } from './asking.ts';
import { readAll, readRequestBody, requireJson, textOf } from './body.ts';
import { Budget, type Account } from './budget.ts';
import { ChatStream, type StreamFilter } from './chat-stream.ts';
import { Measures } from './measures.ts';
import { isTracesPath, takeSpans } from './otlp.ts';
import { busyRefusal, Refusal } from './refusal.ts';
import { ResponsesStream } from './responses-stream.ts';
import { treatmentOf, type Treatment } from './routes.ts';
import { SseReader } from './sse.ts';
import { plainBody, UNREADABLE, Upstream, type UpstreamAnswer } from './upstream.ts';

export interface ProxyOptions {
  readonly probe: Probe;
  readonly log: Logger;
  /** Of the model's server; `null`: there is none, and only spans are taken. */
  readonly upstream: URL | null;
  /** In reports. `null`: the host of the model's server. */
  readonly provider: string | null;
  /** Of requests, and of answers that are read. */
  readonly bodyBytesMax: number;
  /** Of all that are under way together. Default: 128 MiB, or four of the longest. */
  readonly bytesUnderWayMax?: number;
  /** For an answer to begin, and between its pieces; and for a client to take the next of it. */
  readonly timeoutMs: number;
  /** What happens to requests of which nobody knows where their texts are. */
  readonly unknownRoutes: 'refuse' | 'pass';
}

/** Requests under way; spans count by themselves, so that exporters that hang keep no model from being asked. */
const REQUESTS_MAX = 1_000;
const BYTES_UNDER_WAY = 134_217_728;
/** A client has so much longer to take something than the model's server to send something. */
const GRACE_MS_MAX = 30_000;
/** Those that are under way at the end get so long. */
const CLOSE_MS_MAX = 15_000;
/** A client that is shown nothing for long, because text is held, takes the connection for dead. */
const KEEP_ALIVE_MS = 15_000;

type Exchanging = Extract<Treatment, { kind: 'exchange' }>;

/** One request of a client. */
interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** With its query. */
  readonly path: string;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** What it keeps in memory. */
  readonly account: Account;
}

export class Proxy {
  readonly #options: ProxyOptions;
  readonly #upstream: Upstream | null;
  readonly #servers: Server[] = [];
  readonly #budget: Budget;
  readonly #underWay = { models: 0, spans: 0 };

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#budget = new Budget(options.bytesUnderWayMax ?? Math.max(BYTES_UNDER_WAY, 4 * options.bodyBytesMax));
    this.#upstream = options.upstream === null ? null : new Upstream(options.upstream, options.timeoutMs);
  }

  /** Listens; `port` 0: any free one. `spansOnly`: for exporters that know nothing but the port. Throws a `StartError` when it cannot. */
  async listen(host: string, port: number, spansOnly = false): Promise<AddressInfo> {
    const server = createServer((req, res) => void this.#visit(req, res, spansOnly));
    // A body of a model may take as long as the model.
    server.requestTimeout = this.#options.timeoutMs;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (err) => reject(new StartError(`The probe cannot listen on ${host}:${port}: ${reasonOf(err)}.`)));
      server.listen(port, host, resolve);
    });
    this.#servers.push(server);
    return server.address() as AddressInfo;
  }

  /** Takes no more requests, and gives those that are under way some time. */
  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve())));
    for (const server of this.#servers) server.closeIdleConnections();
    const timer = setTimeout(() => this.#servers.forEach((server) => server.closeAllConnections()), CLOSE_MS_MAX);
    await Promise.all(closed);
    clearTimeout(timer);
    await this.#upstream?.close();
  }

  async #visit(req: IncomingMessage, res: ServerResponse, spansOnly: boolean): Promise<void> {
    const controller = new AbortController();
    res.on('close', () => controller.abort());
    const account = this.#budget.open();
    const visit = { req, res, path: req.url ?? '/', signal: controller.signal, account };
    const [path] = visit.path.split('?', 1) as [string];
    // However busy it is.
    if (path === '/healthz') return sendJson(res, { status: 'ok' });
    if (path === '/probe/status') return sendJson(res, this.#options.probe.status());
    const kind = isTracesPath(path) ? 'spans' : 'models';
    this.#underWay[kind]++;
    try {
      if (this.#underWay[kind] > REQUESTS_MAX) {
        const headers = { 'retry-after': '1', connection: 'close' };
        throw new Refusal(503, 'Too many requests are under way.', { code: 'busy', headers });
      }
      if (kind === 'spans') await takeSpans(this.#options.probe, req, res, account);
      else await this.#answer(visit, path, spansOnly);
    } catch (err) {
      this.#fail(visit, err instanceof BusyError ? busyRefusal(err) : err);
    } finally {
      await taken(res, this.#options.timeoutMs);
      account.close();
      this.#underWay[kind]--;
    }
  }

  #fail({ res, signal }: Visit, err: unknown): void {
    if (signal.aborted) return void res.destroy();
    if (!(err instanceof Refusal)) this.#options.log.error({ err }, 'a request has failed');
    // Where an answer has begun, only its breaking off tells that it is not whole.
    if (res.headersSent) return void res.destroy();
    const refusal = err instanceof Refusal ? err : new Refusal(500, 'The probe has failed.', { code: 'internal_error' });
    res.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers }).end(refusal.body);
  }

  async #answer(visit: Visit, path: string, spansOnly: boolean): Promise<void> {
    const treatment = spansOnly ? null : treatmentOf(visit.req.method ?? '', path);
    if (treatment === null)
      throw new Refusal(404, 'There is nothing here: models are below /v1, at paths that are written plainly.', {
        code: 'not_found',
      });
    if (this.#upstream === null)
      throw new Refusal(503, 'The probe has no model’s server: set SVC_PROBE_UPSTREAM.', { code: 'no_upstream' });
    switch (treatment.kind) {
      case 'exchange':
      case 'question':
        return this.#assessed(visit, this.#upstream, treatment);
      case 'answer':
        return this.#kept(visit, this.#upstream, treatment.operation);
      case 'pass':
        return this.#passed(visit, this.#upstream);
      case 'unknown':
        return this.#unknown(visit, this.#upstream, path);
    }
  }

  /** Assesses a request, and its answer where that is text. */
  async #assessed(visit: Visit, upstream: Upstream, treatment: Exclude<Treatment, { kind: 'answer' | 'pass' | 'unknown' }>) {
    const { req, res, path, signal, account } = visit;
    const { probe, bodyBytesMax } = this.#options;
    requireJson(req);
    const body = await readRequestBody(req, { bytesMax: bodyBytesMax, account: account.add });
    const asking = await ask(probe, textOf(body), req.headers);
    const { exchange } = asking;
    const measures = this.#measures(treatment.operation);
    if ('sentence' in asking) {
      await exchange.report(measures.about({ latencyMs: null }));
      return sendRefusal(res, exchange, asking.sentence);
    }
    await this.#reporting(exchange, measures, signal, async () => {
      const options = { signal, isRead: true };
      const headers = { ...req.headers, 'content-type': 'application/json' };
      const answer = await upstream.send('POST', path, headers, Buffer.from(asking.text), options);
      if (treatment.kind === 'question' || !isSuccess(answer)) return this.#relay(visit, answer, exchange, measures);
      return this.#read(visit, answer, exchange, measures, treatment, asking);
    });
  }

  /** Assesses an answer that the server gives once more. */
  async #kept({ req, ...rest }: Visit, upstream: Upstream, operation: string): Promise<void> {
    const visit = { req, ...rest };
    const exchange = await this.#options.probe.begin({ input: '' });
    const measures = this.#measures(operation);
    await this.#reporting(exchange, measures, visit.signal, async () => {
      const options = { signal: visit.signal, isRead: true };
      const answer = await upstream.send(req.method ?? 'GET', visit.path, req.headers, null, options);
      if (!isSuccess(answer)) return this.#relay(visit, answer, exchange, measures);
      const stream = visit.path.startsWith('/v1/responses') ? 'responses' : 'chat';
      return this.#read(visit, answer, exchange, measures, { kind: 'exchange', operation, stream }, { answers: 1 });
    });
  }

  /** Reports an exchange also where it fails. */
  async #reporting(exchange: Exchange, measures: Measures, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      const isBusy = err instanceof BusyError;
      const error = signal.aborted ? 'client_closed' : isBusy ? 'busy' : err instanceof Refusal ? err.code : 'upstream_broken';
      await exchange.report(measures.about({ error }));
      if (isBusy) throw err;
      if (!(err instanceof Refusal) && !signal.aborted)
        this.#options.log.warn({ reason: reasonOf(err) }, 'the model’s server has broken off');
      throw err instanceof Refusal ? err : new Refusal(502, 'The model’s server has broken off.', { code: 'upstream_broken' });
    }
  }

  /** Passes an answer on: what is no text as it is, and of an error of the server’s own what may be shown. */
  async #relay(visit: Visit, answer: UpstreamAnswer, exchange: Exchange, measures: Measures): Promise<void> {
    const { res, account } = visit;
    const error = isSuccess(answer) ? null : `http_${answer.status}`;
    if (error !== null && exchange.isEnforced) {
      const plain = plainBody(answer);
      const bytes = await readAll(plain, this.#options.bodyBytesMax, account.add).finally(() => plain.destroy());
      const body = bytes?.length === 0 ? bytes : await readErrorBody(exchange, bytes ?? Buffer.alloc(0));
      await exchange.report(measures.about({ error }));
      const headers = { 'content-type': 'application/json', 'content-length': body.length, ...outcomeHeaders(exchange) };
      return void res.writeHead(answer.status, { ...readHeaders(answer), ...headers }).end(body);
    }
    await exchange.report(measures.about({ error }));
    res.writeHead(answer.status, { ...answer.headers, ...outcomeHeaders(exchange) });
    await this.#pipe(visit, answer.body);
  }

  async #read(
    visit: Visit,
    answer: UpstreamAnswer,
    exchange: Exchange,
    measures: Measures,
    treatment: Exchanging,
    { answers }: Pick<Asked, 'answers'>,
  ): Promise<void> {
    const type = String(answer.headers['content-type'] ?? '').toLowerCase();
    if (type.startsWith('text/event-stream')) {
      const filter =
        treatment.stream === 'chat' ? new ChatStream(exchange, measures, answers) : new ResponsesStream(exchange, measures);
      return this.#stream(visit, answer, exchange, measures, filter);
    }
    return this.#whole(visit, answer, exchange, measures);
  }

  async #whole({ res, account }: Visit, answer: UpstreamAnswer, exchange: Exchange, measures: Measures): Promise<void> {
    const plain = plainBody(answer);
    const bytes = await readAll(plain, this.#options.bodyBytesMax, account.add).finally(() => plain.destroy());
    if (bytes === null) throw new Refusal(502, 'The answer of the model’s server is too long.', UNREADABLE);
    const body = await readBody(exchange, measures, bytes);
    if (body === null) throw new Refusal(502, 'The answer of the model’s server is of no kind that is read.', UNREADABLE);
    await exchange.report(measures.about({ error: body.error }));
    const length = { 'content-length': body.bytes.length };
    res.writeHead(answer.status, { ...readHeaders(answer), ...length, ...outcomeHeaders(exchange) }).end(body.bytes);
  }

  /** In monitor mode the bytes go on as they come, and are only looked at. */
  async #stream(visit: Visit, answer: UpstreamAnswer, exchange: Exchange, measures: Measures, filter: StreamFilter) {
    const { res, signal } = visit;
    const { isEnforced } = exchange;
    const writer = new PatientWriter(res, signal, this.#options.timeoutMs);
    res.writeHead(answer.status, { ...readHeaders(answer), ...outcomeHeaders(exchange) });
    res.flushHeaders();
    const awake = setInterval(() => isEnforced && writer.keepAlive(), KEEP_ALIVE_MS);
    let last = '';
    let isWhole = false;
    try {
      for await (const piece of this.#pieces(plainBody(answer), filter, visit.account)) {
        if (piece.isOver && isEnforced) {
          last = piece.text;
          break;
        }
        // Clients read no further than this, and some end then.
        if (piece.isOver) await exchange.report(measures.about());
        await writer.write(isEnforced ? piece.text : piece.bytes);
      }
      if (last === '') last = await filter.end(false);
      isWhole = true;
    } finally {
      clearInterval(awake);
      if (!isWhole) await filter.end(true);
    }
    await exchange.report(measures.about());
    res.end(isEnforced ? last : undefined);
  }

  /** What a stream brings: its bytes, and what they become. */
  async *#pieces(
    body: Readable,
    filter: StreamFilter,
    account: Account,
  ): AsyncGenerator<{ bytes: Buffer; text: string; isOver: boolean }> {
    const reader = new SseReader();
    let left = this.#options.bodyBytesMax;
    for await (const bytes of body as AsyncIterable<Buffer>) {
      left -= bytes.length;
      if (left < 0) throw new Refusal(502, 'The answer of the model’s server is too long.', UNREADABLE);
      // Its text is kept to the end, which is judged as a whole.
      account.add(bytes.length);
      yield { bytes, ...(await pushAll(filter, reader.push(bytes))) };
    }
    yield { bytes: Buffer.alloc(0), ...(await pushAll(filter, reader.end())) };
  }

  async #passed(visit: Visit, upstream: Upstream): Promise<void> {
    const { req, res, path, signal } = visit;
    const length = req.headers['content-length'];
    // What a browser asks before it sends anything has no body.
    const isBare = req.method === 'OPTIONS';
    const hasBody = !isBare && (length !== undefined || req.headers['transfer-encoding'] !== undefined);
    const options = { signal, isRead: false, ...(length === undefined || isBare ? {} : { length }) };
    const answer = await upstream.send(req.method ?? 'GET', path, req.headers, hasBody ? req : null, options);
    res.writeHead(answer.status, answer.headers);
    await this.#pipe(visit, answer.body);
  }

  /** Passes bytes on. A client that takes none of them for long is given up. */
  async #pipe({ res }: Visit, body: Readable): Promise<void> {
    const { timeoutMs } = this.#options;
    res.socket?.setTimeout(timeoutMs + Math.min(timeoutMs, GRACE_MS_MAX));
    await pipeline(body, res);
  }

  async #unknown(visit: Visit, upstream: Upstream, path: string): Promise<void> {
    const { probe, unknownRoutes } = this.#options;
    const method = visit.req.method ?? '';
    if (unknownRoutes === 'refuse')
      throw new Refusal(403, `The probe cannot assess ${method} ${path}, so it does not pass it on (SVC_PROBE_UNKNOWN_ROUTES).`, {
        type: 'policy_violation',
        code: 'route_not_assessed',
      });
    const occurredAt = new Date(probe.deciding().nowMs).toISOString();
    const attributes = { route: `${method} ${path}`.slice(0, 500) };
    await probe.report({ id: randomUUID(), occurred_at: occurredAt, operation: 'unknown', coverage: 'failed', attributes });
    return this.#passed(visit, upstream);
  }

  #measures(operation: string): Measures {
    return new Measures({ operation, provider: this.#options.provider ?? this.#upstream?.provider ?? null });
  }
}

/** Resolves once the client has taken what was written for it, which is in memory until then, or is given up. */
async function taken(res: ServerResponse, mostMs: number): Promise<void> {
  if (!res.writableEnded || res.writableFinished || res.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => res.destroy(), mostMs);
    const goOn = () => {
      clearTimeout(timer);
      res.off('finish', goOn).off('close', goOn);
      resolve();
    };
    res.on('finish', goOn).on('close', goOn);
  });
}

/** Writes no faster than the client reads, and gives up on one that does not. */
class PatientWriter {
  readonly #res: ServerResponse;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number;
  #isIdle = true;

  constructor(res: ServerResponse, signal: AbortSignal, timeoutMs: number) {
    this.#res = res;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
  }

  async write(data: string | Buffer): Promise<void> {
    if (data.length === 0) return;
    this.#isIdle = false;
    if (this.#res.write(data) || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#res.destroy(), this.#timeoutMs);
      const goOn = () => {
        clearTimeout(timer);
        this.#res.off('drain', goOn).off('close', goOn);
        resolve();
      };
      this.#res.on('drain', goOn).on('close', goOn);
    });
  }

  /** A comment, which clients pass over, where nothing was written since the last time. */
  keepAlive(): void {
    if (this.#isIdle && !this.#res.writableNeedDrain) this.#res.write(': held until it is safe\n\n');
    this.#isIdle = true;
  }
}

async function pushAll(
  filter: StreamFilter,
  events: readonly Parameters<StreamFilter['push']>[0][],
): Promise<{ text: string; isOver: boolean }> {
  let text = '';
  for (const event of events) {
    const step = await filter.push(event);
    text += step.text;
    if (step.isOver) return { text, isOver: true };
  }
  return { text, isOver: false };
}

function sendJson(res: ServerResponse, body: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** 400, because clients try again after nearly anything else: the same request would be blocked again. */
function sendRefusal(res: ServerResponse, exchange: Exchange, sentence: string): void {
  const refusal = new Refusal(400, sentence, { type: 'policy_violation', code: 'content_blocked' });
  res.writeHead(400, { 'content-type': 'application/json', ...outcomeHeaders(exchange) }).end(refusal.body);
}

/** Of a stream, what was decided before it began. */
function outcomeHeaders({ id, verdict }: Exchange): Record<string, string> {
  return { 'x-svc-outcome': verdict.outcome, 'x-svc-assessment': id };
}

/** Those of an answer that was read: it may be another by now, and is not encoded. */
function readHeaders({ headers }: UpstreamAnswer): Record<string, string | string[]> {
  const { 'content-encoding': _encoding, etag: _etag, digest: _digest, ...rest } = headers;
  return rest;
}

function isSuccess({ status }: UpstreamAnswer): boolean {
  return status >= 200 && status < 300;
}
