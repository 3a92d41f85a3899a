// A model's server for tests: OpenAI's API over real HTTP, saying whatever the test wants, in pieces or as a whole.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Json = ReturnType<typeof JSON.parse>;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** `undefined`: the body is no JSON. */
  readonly body: Json;
}

type Behaviour = (asked: Asked, res: ServerResponse) => void | Promise<void>;

export interface Model {
  /** Without `/v1`. */
  readonly url: string;
  readonly asked: Asked[];
  /** How it answers from now on. */
  behave(behaviour: Behaviour): void;
  /** Says `text` from now on, streamed in pieces of `pieceChars` where that is asked for. */
  says(text: string | ((asked: Json) => string), pieceChars?: number): void;
  close(): Promise<void>;
}

export async function startModel(): Promise<Model> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = sayer(() => 'All is well.', 7);
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const each = { method: req.method ?? '', path: req.url ?? '', headers: req.headers, text, body: parsed(text) };
      asked.push(each);
      void behaviour(each, res);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (next) => void (behaviour = next),
    says(text, pieceChars = 7) {
      behaviour = sayer(typeof text === 'string' ? () => text : text, pieceChars);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

function sayer(textFor: (asked: Json) => string, pieceChars: number): Behaviour {
  return ({ path, body }, res) => {
    const text = textFor(body);
    if (path.startsWith('/v1/chat/completions')) {
      if (body.stream === true) return sendEvents(res, chatChunks(text, pieceChars, body));
      return sendJson(res, chatAnswer(body.model, [{ role: 'assistant', content: text }]));
    }
    if (path.startsWith('/v1/responses')) {
      if (body.stream === true) return sendEvents(res, responseEvents([messageItem(text)], pieceChars));
      return sendJson(res, responseOf([messageItem(text)]));
    }
    if (path.startsWith('/v1/completions')) {
      const choices = [{ index: 0, text, finish_reason: 'stop', logprobs: null }];
      return sendJson(res, {
        id: 'cmpl-1',
        object: 'text_completion',
        created: 1,
        model: `${body.model}-0001`,
        choices,
        usage: USAGE,
      });
    }
    if (path.startsWith('/v1/embeddings')) {
      const data = [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }];
      return sendJson(res, { object: 'list', data, model: body.model, usage: { prompt_tokens: 3, total_tokens: 3 } });
    }
    return sendJson(res, { object: 'list', data: [{ id: 'gpt-x', object: 'model' }] });
  };
}

export function chatAnswer(model: string, messages: readonly Json[], finish = 'stop'): Json {
  const choices = messages.map((message, index) => ({ index, message, finish_reason: finish, logprobs: null }));
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: `${model}-2026-01-01`,
    choices,
    usage: USAGE,
  };
}

/** The chunks of a streamed answer, `deltas` in between. */
export function chunksOf(model: string, deltas: readonly Json[], finish: string | null = 'stop', index = 0): Json[] {
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: `${model}-2026-01-01` };
  const chunk = (delta: Json, finish_reason: string | null) => ({ ...frame, choices: [{ index, delta, finish_reason }] });
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...deltas.map((delta) => chunk(delta, null)),
    ...(finish === null ? [] : [chunk({}, finish)]),
  ];
}

function chatChunks(text: string, pieceChars: number, { model, stream_options }: Json): Json[] {
  const deltas = pieces(text, pieceChars).map((content) => ({ content }));
  const usage = stream_options?.include_usage === true ? [{ id: 'chatcmpl-1', choices: [], usage: USAGE }] : [];
  return [...chunksOf(model, deltas), ...usage, '[DONE]'];
}

function pieces(text: string, chars: number): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += chars) found.push(text.slice(at, at + chars));
  return found;
}

export function messageItem(text: string): Json {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
}

export function responseOf(output: readonly Json[], status = 'completed'): Json {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    model: 'gpt-x-2026-01-01',
    output,
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
  };
}

/** The events of a streamed response, as OpenAI sends them. */
export function responseEvents(items: readonly Json[], pieceChars: number): Json[] {
  const events: Json[] = [{ type: 'response.created', response: responseOf([], 'in_progress') }];
  items.forEach((item, output_index) => {
    const place = { item_id: item.id, output_index };
    if (item.type === 'message') {
      events.push({ type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } });
      const part = { type: 'output_text', text: '', annotations: [] };
      events.push({ type: 'response.content_part.added', ...place, content_index: 0, part });
      for (const delta of pieces(item.content[0].text, pieceChars))
        events.push({ type: 'response.output_text.delta', ...place, content_index: 0, delta, logprobs: [] });
      events.push({ type: 'response.output_text.done', ...place, content_index: 0, text: item.content[0].text, logprobs: [] });
      events.push({ type: 'response.content_part.done', ...place, content_index: 0, part: item.content[0] });
    } else {
      events.push({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } });
      for (const delta of pieces(item.arguments, pieceChars))
        events.push({ type: 'response.function_call_arguments.delta', ...place, delta });
      events.push({ type: 'response.function_call_arguments.done', ...place, arguments: item.arguments });
    }
    events.push({ type: 'response.output_item.done', output_index, item });
  });
  events.push({ type: 'response.completed', response: responseOf(items) });
  events.forEach((event, number) => (event.sequence_number = number));
  return events;
}

export function sendJson(res: ServerResponse, body: Json, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Sends events as OpenAI does: those with a type are named. */
export function sendEvents(res: ServerResponse, events: readonly Json[]): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) res.write(eventText(event));
  res.end();
}

function eventText(event: Json): string {
  if (typeof event === 'string') return `data: ${event}\n\n`;
  return `${typeof event.type === 'string' ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
