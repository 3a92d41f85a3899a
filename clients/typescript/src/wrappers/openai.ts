// OpenAI's client, with all that is asked and answered through it assessed.

import type OpenAI from 'openai';
import type { Svc } from '../client.ts';
import { SvcError } from '../errors.ts';
import { BlockedError, Exchange, type Answer, type GuardOptions } from './exchange.ts';
import { heldParts, type Dialect, type Source } from './held.ts';
import { chat } from './openai-chat.ts';
import { responses } from './openai-responses.ts';
import { copyOf, textOr, type Json, type Said } from './said.ts';

export { BlockedError, type Stage } from './exchange.ts';

/** The body of `chat.completions.create` or of `responses.create`. */
export type OpenAIRequest = OpenAI.Chat.ChatCompletionCreateParams | OpenAI.Responses.ResponseCreateParams;
export type GuardOpenAIOptions = GuardOptions<OpenAIRequest>;

/** One of the two ways in which OpenAI's models are asked. */
export interface Api {
  of(openai: OpenAI): { create(body: never, options?: never): unknown };
  /** What cannot be guarded in a request; `null`: nothing. */
  refusal(body: Json): string | null;
  /** What the model is asked, to be redacted where it stands. */
  asked(body: Json): Said[];
  answer(answer: Json): Answer;
  /** After something in it has changed. */
  tidy(answer: Json): void;
  /** An answer that was blocked. `text`: to be said in its place. */
  block(answer: Json, text: string): void;
  /** An answer that no model has given, with nothing in it. */
  empty(model: string): Json;
  /** Of one streamed answer of `model`. */
  dialect(model: string): Dialect<Json>;
}

/**
 * A client like `openai` whose `chat.completions.create` and `responses.create` are assessed, streamed or not, and with them `parse`, `stream` and
 * `runTools`. Throws `BlockedError` for what is blocked, or answers `blockedText`. `openai` itself stays as it is.
 */
export function guardOpenAI<Client extends OpenAI>(openai: Client, svc: Svc, options: GuardOpenAIOptions = {}): Client {
  // A client of its own: helpers ask the client that they belong to.
  const guarded = openai.withOptions({});
  for (const api of [chat, responses]) guard(openai, guarded, api, svc, options);
  const withOptions: typeof openai.withOptions = (changes) => guardOpenAI(openai.withOptions(changes), svc, options);
  return Object.assign(guarded, { withOptions });
}

type CallOptions = { readonly signal?: AbortSignal | null; readonly timeout?: number } | undefined;
type Props = Parameters<Parameters<Call['_thenUnwrap']>[0]>[1];
type Call = ReturnType<OpenAI['chat']['completions']['create']>;

/** What a call has come to. `props`: what helpers ask for; there are none where the model was not asked. */
interface Settled {
  readonly data: unknown;
  readonly props: Props;
  readonly request_id: string | null;
}

/** Puts a guarded `create` in the place of that of `guarded`, a client like `openai`. */
function guard(openai: OpenAI, guarded: OpenAI, api: Api, svc: Svc, options: GuardOpenAIOptions): void {
  const resource = api.of(guarded);
  const ask = resource.create.bind(resource) as (body: Json, options?: CallOptions) => Call;
  const create = (request: OpenAIRequest, callOptions?: CallOptions) => callOf(settle(request, callOptions));
  Object.assign(resource, { create });

  async function settle(request: OpenAIRequest, callOptions: CallOptions): Promise<Settled> {
    // What was assessed is what is sent, whoever changes `request` meanwhile.
    const body: Json = copyOf({ ...request });
    const refusal = api.refusal(body);
    if (refusal !== null) throw new SvcError(refusal);
    const exchange = new Exchange(svc, options, {
      request,
      asked: api.asked(body),
      told: toldOf(body),
      signal: callOptions?.signal ?? undefined,
      timeoutMs: callOptions?.timeout ?? openai.timeout,
    });
    return body['stream'] === true ? stream(exchange, body, callOptions) : answer(exchange, body, callOptions);
  }

  async function answer(exchange: Exchange<OpenAIRequest>, body: Json, callOptions: CallOptions): Promise<Settled> {
    const { blockedText } = options;
    const blocked = await exchange.assessInput();
    if (blocked !== null) {
      if (blockedText === undefined) throw new BlockedError(blocked, 'input');
      return settledOf(askNobody(body, () => Response.json(blockedAnswer(api, body, blockedText))));
    }
    const settled = await settledOf(ask(body, callOptions));
    const data = settled.data as Json;
    const blockedAfter = await exchange.assessAnswer(api.answer(data));
    if (blockedAfter !== null) {
      if (blockedText === undefined) throw new BlockedError(blockedAfter, 'answer');
      api.block(data, blockedText);
    } else api.tidy(data);
    return settled;
  }

  async function stream(exchange: Exchange<OpenAIRequest>, body: Json, callOptions: CallOptions): Promise<Settled> {
    const { blockedText } = options;
    const dialect = api.dialect(textOr(body['model'], 'unknown'));
    const opened = await exchange.open(true);
    if ('blocked' in opened) {
      if (blockedText === undefined) throw new BlockedError(opened.blocked, 'input');
      return settledOf(askNobody(body, () => eventStream(dialect.showBlocked(blockedText))));
    }
    try {
      const settled = await settledOf(ask(body, callOptions));
      const source = settled.data as VendorStream;
      // A controller of its own: that the model is stopped when its answer is blocked does not mean that the caller gave up.
      const controller = new AbortController();
      controller.signal.addEventListener('abort', () => source.controller.abort(), { once: true });
      const parts = () => heldParts(exchange, opened.stream, sourceOf(source), dialect, blockedText);
      return { ...settled, data: new (source.constructor as VendorStreamClass)(onceOf(parts), controller) };
    } catch (err) {
      await opened.stream.abandon();
      throw err;
    }
  }

  /** The library's own answer to what no server has said. */
  function askNobody(body: Json, respond: () => Response): Call {
    const offline = openai.withOptions({ fetch: async () => respond(), maxRetries: 0 });
    return api.of(offline).create(body as never) as Call;
  }
}

interface VendorStream extends AsyncIterable<Json> {
  readonly controller: AbortController;
}
type VendorStreamClass = new (iterator: () => AsyncIterator<Json>, controller: AbortController) => VendorStream;

/** The library's promise has what helpers ask for besides. */
async function settledOf(call: Call): Promise<Settled> {
  let props: Props | undefined;
  const { data, request_id } = await call
    ._thenUnwrap((data, given) => {
      props = given;
      return data;
    })
    .withResponse();
  return { data, props: props!, request_id };
}

/** What `create` answers: a promise that can what the library's can, but for the answer as the server sent it. */
function callOf(settled: Promise<Settled>): Call {
  const data = settled.then(({ data }) => data);
  // Who asks with `withResponse` hears of it there.
  data.catch(() => {});
  return Object.assign(data, {
    withResponse: async () => {
      const { data, props, request_id } = await settled;
      return { data, response: props.response, request_id };
    },
    asResponse: async () => {
      throw new SvcError('asResponse() would answer what was not assessed. Take withResponse(), whose data is.');
    },
    _thenUnwrap: (transform: (data: never, props: Props) => unknown) =>
      callOf(settled.then(async ({ data, ...rest }) => ({ ...rest, data: await transform(data as never, rest.props) }))),
  }) as unknown as Call;
}

function sourceOf(stream: VendorStream): Source<Json> {
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    stop() {
      // First this: an iterator that waits for the server would not hear of the end before the server speaks.
      stream.controller.abort();
      iterator.return?.()?.catch(() => {});
    },
  };
}

/** An answer is gone over once. */
function onceOf<Part>(parts: () => AsyncIterator<Part>): () => AsyncIterator<Part> {
  let isTaken = false;
  return () => {
    if (isTaken) throw new SvcError('A stream is gone over once; tee() splits it.');
    isTaken = true;
    return parts();
  };
}

function blockedAnswer(api: Api, { model }: Json, text: string): Json {
  const answer = api.empty(textOr(model, 'unknown'));
  api.block(answer, text);
  return answer;
}

function eventStream(parts: readonly Json[]): Response {
  const events = parts.map(
    (part) => `${typeof part['type'] === 'string' ? `event: ${part['type']}\n` : ''}data: ${JSON.stringify(part)}\n\n`,
  );
  return new Response(`${events.join('')}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
}

const LABEL_CHARS_MAX = 200;

/** What a request tells of the model and its user. */
function toldOf({ model, safety_identifier, user }: Json): { model?: string; subject?: { user: string } } {
  const isLabel = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= LABEL_CHARS_MAX;
  const subject = [safety_identifier, user].find(isLabel);
  return { ...(isLabel(model) ? { model } : {}), ...(subject === undefined ? {} : { subject: { user: subject } }) };
}
