// A server that answers as a script says, breaks off where it says so, and remembers what it saw.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a vector says of one answer. A text is a fault of the network: README.md of this folder names them. */
export type Reply =
  | 'reset'
  | 'close'
  | 'garbage'
  | 'hang'
  | 'stall'
  | 'truncate'
  | 'truncate_chunked'
  | {
      readonly status: number;
      /** `{now_plus_s}` as the value of `retry-after` stands for an HTTP date. */
      readonly headers?: Readonly<Record<string, string | { readonly now_plus_s: number }>>;
      readonly json?: unknown;
      readonly text?: string;
      readonly base64?: string;
      /** The length that is told is greater by this, and the connection is closed. */
      readonly missing_bytes?: number;
    };

/** A request as it came. */
export interface Seen {
  readonly method: string;
  /** Without the query, as it was sent. */
  readonly path: string;
  /** Values decoded; of a name that is there twice, an array. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON; `null`: none. */
  readonly body: unknown;
  /** When it began and when its answer was given, in milliseconds of one clock. */
  readonly fromMs: number;
  untilMs: number | null;
}

/** Decides on the answer of a request. */
export type Script = (seen: Seen, index: number) => Reply | Promise<Reply>;

export class ScriptedServer {
  readonly seen: Seen[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(script: Script): Promise<ScriptedServer> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    const scripted = new ScriptedServer(server);
    server.on('request', (req, res) => void scripted.#answer(req, res, script));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(req: IncomingMessage, res: ServerResponse, script: Script): Promise<void> {
    const fromMs = performance.now();
    const parts: Buffer[] = [];
    try {
      for await (const part of req) parts.push(part as Buffer);
    } catch {
      return;
    }
    const url = new URL(req.url ?? '/', 'http://service.test');
    const seen: Seen = {
      method: req.method ?? '',
      path: (req.url ?? '').split('?')[0]!,
      query: queryOf(url),
      headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)])),
      body: bodyOf(Buffer.concat(parts).toString('utf8')),
      fromMs,
      untilMs: null,
    };
    const index = this.seen.push(seen) - 1;
    const reply = await script(seen, index);
    seen.untilMs = performance.now();
    perform(reply, req, res);
  }
}

/** Answers in the order of a list; what comes after its end is refused in a way that no client repeats. */
export function inOrder(replies: readonly Reply[]): Script {
  return (_seen, index) => replies[index] ?? refusal(400, 'unscripted', 'The script has no answer for this request.');
}

/** An error as the service answers it. */
export function refusal(status: number, code: string, message: string): Reply {
  return { status, json: { error: { code, message, request_id: 'req_01jd4t4ve9e0fs7m4c1ywz3qkd' } } };
}

function perform(reply: Reply, { socket }: IncomingMessage, res: ServerResponse): void {
  const half = '{"id":"asm_01jd4t4ve9e0fs7m4c1ywz3qkd","out';
  const json = { 'content-type': 'application/json' };
  switch (reply) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'close':
      socket.destroy();
      return;
    case 'garbage':
      socket.end('This is not HTTP.\r\n\r\n');
      return;
    case 'hang':
      return;
    case 'stall':
      res.writeHead(200, { ...json, 'content-length': 1_000 }).write(half);
      return;
    case 'truncate':
      res.writeHead(200, { ...json, 'content-length': 1_000 }).write(half, () => socket.end());
      return;
    case 'truncate_chunked':
      // Without a length the answer goes in chunks, the last of which never comes.
      res.writeHead(200, json).write(half, () => socket.end());
      return;
    default:
      answer(reply, res);
  }
}

function answer({ status, headers = {}, missing_bytes = 0, ...content }: Exclude<Reply, string>, res: ServerResponse): void {
  const body =
    content.json !== undefined
      ? Buffer.from(JSON.stringify(content.json))
      : content.base64 !== undefined
        ? Buffer.from(content.base64, 'base64')
        : Buffer.from(content.text ?? '');
  const type = content.json !== undefined ? { 'content-type': 'application/json; charset=utf-8' } : {};
  const given = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : dateIn(value)]);
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length + missing_bytes };
  res.writeHead(status, { ...type, ...length, ...(Object.fromEntries(given) as Record<string, string>) });
  if (missing_bytes === 0) res.end(body);
  else res.write(body, () => res.socket?.end());
}

function dateIn({ now_plus_s }: { readonly now_plus_s: number }): string {
  return new Date(Date.now() + now_plus_s * 1_000).toUTCString();
}

function queryOf({ searchParams }: URL): Record<string, string | readonly string[]> {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

function bodyOf(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
