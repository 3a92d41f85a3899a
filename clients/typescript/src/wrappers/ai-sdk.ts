// Middleware of the Vercel AI SDK that has all that a model is asked and answers assessed.

import type { LanguageModelMiddleware } from 'ai';
import type { Svc } from '../client.ts';
import type { Chunks } from '../chunks.ts';
import { BlockedError, Exchange, type Answer, type GuardOptions } from './exchange.ts';
import { ALL, heldParts, type Dialect, type Piece, type Source } from './held.ts';
import { asOne, copyOf, saying, textIn, textsWithin, type Said } from './said.ts';

export { BlockedError, type Stage } from './exchange.ts';

type Generate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type Stream = NonNullable<LanguageModelMiddleware['wrapStream']>;
/** What a model is asked with. */
export type CallOptions = Parameters<Generate>[0]['params'];
type Message = CallOptions['prompt'][number];
type GenerateResult = Awaited<ReturnType<Generate>>;
type StreamPart = Awaited<ReturnType<Stream>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type ToolCall = Extract<StreamPart, { type: 'tool-call' }>;

export type SvcMiddlewareOptions = GuardOptions<CallOptions>;

type Json = Record<string, unknown>;
type Model = { readonly provider: string; readonly modelId: string };

/**
 * For `wrapLanguageModel({ model, middleware: svcMiddleware(svc) })`: `generateText`, `streamText` and agents with this model are assessed, step by
 * step. Throws `BlockedError` for what is blocked, or answers `blockedText` with the finish reason `content-filter`.
 */
export function svcMiddleware(svc: Svc, options: SvcMiddlewareOptions = {}): LanguageModelMiddleware {
  const { blockedText } = options;
  const begin = (model: Model, given: CallOptions) => {
    const params = { ...given, prompt: copyOf(given.prompt) };
    const exchange = new Exchange<CallOptions>(svc, options, {
      request: given,
      asked: params.prompt.flatMap(saidIn),
      told: { model: { provider: labelOf(model.provider), name: labelOf(model.modelId) } },
      signal: given.abortSignal,
    });
    return { params, exchange };
  };

  return {
    specificationVersion: 'v4',

    async wrapGenerate({ model, params: given }) {
      const { params, exchange } = begin(model, given);
      const blocked = await exchange.assessInput();
      if (blocked !== null) {
        if (blockedText === undefined) throw new BlockedError(blocked, 'input');
        return { ...blockedMembers(blockedText), usage: NO_USAGE, warnings: [] };
      }
      // Not the function that is handed over, which would send what was given.
      const result = await model.doGenerate(params);
      const blockedAfter = await exchange.assessAnswer(answerOf(result));
      if (blockedAfter === null) return withoutRaw(result);
      if (blockedText === undefined) throw new BlockedError(blockedAfter, 'answer');
      return { ...blockedMembers(blockedText), usage: result.usage, warnings: result.warnings };
    },

    async wrapStream({ model, params: given }) {
      const { params, exchange } = begin(model, given);
      const opened = await exchange.open(true);
      const dialect = new PartsDialect();
      if ('blocked' in opened) {
        if (blockedText === undefined) throw new BlockedError(opened.blocked, 'input');
        const parts: StreamPart[] = [{ type: 'stream-start', warnings: [] }, ...dialect.showBlocked(blockedText)];
        return { stream: streamOf(parts.values()) };
      }
      const result = await asked(opened.stream, () => model.doStream(params));
      const source = sourceOf(result.stream);
      return { ...result, stream: streamOf(heldParts(exchange, opened.stream, source, dialect, blockedText)) };
    },
  };
}

async function asked<Result>(stream: Chunks, ask: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (err) {
    await stream.abandon();
    throw err;
  }
}

const LABEL_CHARS_MAX = 200;

function labelOf(name: string): string {
  return name.slice(0, LABEL_CHARS_MAX);
}

/** What a message says: words in its own role, calls and results as what goes to a tool or comes from it. */
function saidIn(message: Message): Said[] {
  if (message.role === 'system') return saying('system', textIn(message, 'content'));
  const { role } = message;
  const said = message.content.flatMap((part): Said[] => {
    const holder = part as unknown as Json;
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return saying(role, textIn(holder, 'text'));
      case 'file':
        return part.data.type === 'text'
          ? saying(role, textIn(part.data as unknown as Json, 'text'))
          : saying(role, [], [part.mediaType]);
      case 'tool-call':
        return saying('tool', textsWithin(holder, 'input'));
      case 'tool-result':
        return saidInResult(part.output);
      case 'tool-approval-response':
        return saying('user', textIn(holder, 'reason'));
      case 'custom':
      case 'reasoning-file':
        return saying(role, [], [part.type]);
    }
  });
  return joined(said);
}

function saidInResult(output: Json): Said[] {
  if (output['type'] === 'execution-denied') return saying('tool', textIn(output, 'reason'));
  if (output['type'] !== 'content') return saying('tool', textsWithin(output, 'value'));
  return (output['value'] as Json[]).flatMap((part) => {
    if (part['type'] === 'text') return saying('tool', textIn(part, 'text'));
    const data = part['data'] as Json | undefined;
    return data?.['type'] === 'text' ? saying('tool', textIn(data, 'text')) : saying('tool', [], [String(part['type'])]);
  });
}

/** Neighbours in one role as one message: a conversation has few, and its parts may be many. */
function joined(said: readonly Said[]): Said[] {
  const roles = [...new Set(said.map(({ role }) => role))];
  return roles.flatMap((role) => {
    const ofRole = said.filter((each) => each.role === role);
    return saying(
      role,
      ofRole.flatMap(({ texts }) => texts),
      ofRole.flatMap(({ unread }) => unread.map(({ type }) => type)),
    );
  });
}

/** What is read of an answer. Results of tools that the provider has run, sources and files are not. */
function answerOf(result: GenerateResult): Answer {
  const { content } = result;
  const spoken = (['text', 'reasoning'] as const).flatMap((type) =>
    asOne(content.flatMap((part) => (part.type === type ? textIn(part as unknown as Json, 'text') : []))),
  );
  const selected = textIn(result, 'structuredOutputText');
  return {
    said: saying('assistant', [...spoken, ...selected]),
    calls: content
      .filter((part) => part.type === 'tool-call')
      .map((call) => ({ name: call.toolName, written: call.input, put: (written) => void (call.input = written) })),
  };
}

/** What the provider sent, and its tokens, are the answer once more, with what was redacted. */
function withoutRaw({ response, ...result }: GenerateResult): GenerateResult {
  const { body: _body, ...told } = response ?? {};
  const kept = response === undefined ? {} : { response: told };
  return { ...result, ...kept, ...withoutTokens(result) };
}

function withoutTokens<Told extends { providerMetadata?: GenerateResult['providerMetadata'] }>({
  providerMetadata,
}: Told): Pick<GenerateResult, 'providerMetadata'> {
  if (providerMetadata === undefined) return {};
  const kept = Object.entries(providerMetadata).map(([provider, { logprobs: _logprobs, ...rest }]) => [provider, rest]);
  return { providerMetadata: Object.fromEntries(kept) };
}

const FILTERED: GenerateResult['finishReason'] = { unified: 'content-filter', raw: undefined };
const NO_USAGE: GenerateResult['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function blockedMembers(text: string): Pick<GenerateResult, 'content' | 'finishReason'> {
  return { content: [{ type: 'text', text }], finishReason: FILTERED };
}

type InputPart = Extract<StreamPart, { type: 'tool-input-start' | 'tool-input-delta' | 'tool-input-end' }>;

class PartsDialect implements Dialect<StreamPart> {
  /** How each call was begun, until it is whole. */
  readonly #inputs = new Map<string, InputPart[]>();
  /** Texts that were begun and have not ended, by their keys. */
  readonly #open = new Map<string, { readonly kind: 'text' | 'reasoning'; readonly id: string }>();

  read(part: StreamPart): Piece<StreamPart>[] {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return part.delta === '' ? [] : [{ kind: 'text', channel: part.type, key: `${part.type} ${part.id}`, text: part.delta }];
      case 'tool-input-start':
        this.#inputs.set(part.id, [part]);
        return [];
      case 'tool-input-delta':
      case 'tool-input-end':
        this.#inputs.get(part.id)?.push(part);
        return [];
      case 'tool-call':
        return [
          { kind: 'call', call: { name: part.toolName, written: part.input }, show: (written) => this.#callShown(part, written) },
        ];
      case 'raw':
        // What the provider sent holds all that is not assessed yet.
        return [];
      case 'text-start':
      case 'reasoning-start': {
        const kind = part.type === 'text-start' ? 'text' : 'reasoning';
        return [{ kind: 'part', show: () => (this.#open.set(`${kind} ${part.id}`, { kind, id: part.id }), [part]) }];
      }
      case 'text-end':
      case 'reasoning-end': {
        const kind = part.type === 'text-end' ? 'text' : 'reasoning';
        return [{ kind: 'part', after: [`${kind}-delta`], show: () => (this.#open.delete(`${kind} ${part.id}`), [part]) }];
      }
      case 'finish':
        return [{ kind: 'part', after: ALL, show: () => [{ ...part, ...withoutTokens(part) }] }];
      default:
        return [{ kind: 'part', show: () => [part] }];
    }
  }

  end(): Piece<StreamPart>[] {
    return [];
  }

  showText(key: string, delta: string): StreamPart[] {
    const [type, id] = key.split(/ (.*)/s) as ['text-delta' | 'reasoning-delta', string];
    return [{ type, id, delta }];
  }

  showBlocked(text: string | null): StreamPart[] {
    const parts: StreamPart[] = [];
    for (const { kind, id } of this.#open.values()) parts.push({ type: `${kind}-end`, id });
    const id = 'svc-blocked';
    if (text !== null) parts.push({ type: 'text-start', id }, { type: 'text-delta', id, delta: text }, { type: 'text-end', id });
    return [...parts, { type: 'finish', finishReason: FILTERED, usage: NO_USAGE }];
  }

  /** The call, begun as it was, with its arguments in one piece. */
  #callShown(call: ToolCall, written: string): StreamPart[] {
    const input = this.#inputs.get(call.toolCallId) ?? [];
    const begun = input.flatMap((part): StreamPart[] =>
      part.type === 'tool-input-start'
        ? [part, { type: 'tool-input-delta', id: part.id, delta: written }]
        : part.type === 'tool-input-end'
          ? [part]
          : [],
    );
    return [...begun, { ...call, input: written }];
  }
}

function sourceOf(stream: ReadableStream<StreamPart>): Source<StreamPart> {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    stop: () => void reader.cancel().catch(() => {}),
  };
}

function streamOf(parts: Iterator<StreamPart> | AsyncGenerator<StreamPart, void, undefined>): ReadableStream<StreamPart> {
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // As a part, for only of those does `onError` hear.
        controller.enqueue({ type: 'error', error });
        controller.close();
      }
    },
    async cancel() {
      await (parts as Partial<AsyncGenerator<StreamPart, void, undefined>>).return?.();
    },
  });
}
