// Promises of the mapping: which spans count, what becomes of their attributes, and that every text that was said is there to be assessed.

import { assess, compilePolicy, DEFAULT_POLICY, inferenceProblems } from '@svc/engine';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasTexts, inferenceOf, telemetryProblems, type TelemetryEvent } from '../event.ts';
import type { AttributeValue, Span, SpanEvent } from '../otlp/span.ts';
import { eventOfSpan, isInferenceSpan, spanProblem } from './event-of-span.ts';

type Attributes = Readonly<Record<string, AttributeValue>>;

const START_NS = 1_772_366_400_123_456_789n;

function span(
  attributes: Attributes,
  others: Partial<Omit<Span, 'attributes' | 'resource'>> & { resource?: Attributes } = {},
): Span {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    startNs: START_NS,
    endNs: START_NS + 822_300_000n,
    events: [],
    isError: false,
    ...others,
    attributes: new Map(Object.entries(attributes)),
    resource: new Map(Object.entries(others.resource ?? {})),
  };
}

const spanEvent = (name: string, attributes: Attributes): SpanEvent => ({
  name,
  attributes: new Map(Object.entries(attributes)),
});
const chat = (attributes: Attributes, events: readonly SpanEvent[] = []) =>
  eventOfSpan(span({ 'gen_ai.operation.name': 'chat', ...attributes }, { events }));

describe('an inference is', () => {
  test.each<[string, Attributes, boolean]>([
    ...['chat', 'text_completion', 'generate_content', 'embeddings', 'invoke_agent', 'execute_tool'].map(
      (name): [string, Attributes, boolean] => [`a span of ${name}`, { 'gen_ai.operation.name': name }, true],
    ),
    ['a span that only names its model', { 'gen_ai.request.model': 'gpt-x' }, true],
    ['a span that only names its system, as old ones do', { 'gen_ai.system': 'openai' }, true],
    ['no span of another kind', { 'http.request.method': 'POST' }, false],
    ['not the making of an agent', { 'gen_ai.operation.name': 'create_agent', 'gen_ai.request.model': 'gpt-x' }, false],
    ['not an operation that is no text', { 'gen_ai.operation.name': ['chat'] }, false],
  ])('%s', (_name, attributes, expected) => {
    expect(isInferenceSpan(span(attributes))).toBe(expected);
  });
});

describe('a span is refused', () => {
  test.each<[string, Partial<Span>, string | null]>([
    ['without a trace id', { traceId: '' }, 'a span has no valid trace id'],
    ['with a trace id of zeros', { traceId: '0'.repeat(32) }, 'a span has no valid trace id'],
    ['with a trace id of 8 bytes', { traceId: 'b7ad6b7169203331' }, 'a span has no valid trace id'],
    ['without a span id', { spanId: '' }, 'a span has no valid span id'],
    ['with a span id of zeros', { spanId: '0'.repeat(16) }, 'a span has no valid span id'],
    ['without a time', { startNs: 0n }, 'a span has no start time'],
    ['for nothing else', {}, null],
  ])('%s', (_name, members, problem) => {
    expect(spanProblem({ ...span({}), ...members })).toBe(problem);
  });
});

test('names of today become the members of an event', () => {
  const event = eventOfSpan(
    span(
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-x',
        'gen_ai.response.model': 'gpt-x-2026-02-14',
        'gen_ai.usage.input_tokens': 812,
        'gen_ai.usage.output_tokens': 120,
        'gen_ai.response.finish_reasons': ['stop', 'length'],
        'gen_ai.response.time_to_first_chunk': 0.1205,
        'gen_ai.conversation.id': 's-123',
        'gen_ai.agent.id': 'asst_1',
        'enduser.id': 'u-1',
        'gen_ai.request.temperature': 0.2,
        'gen_ai.request.stream': true,
        'gen_ai.evaluation.score.value': 0.99,
        'gen_ai.guardrail.result.value': 'blocked',
        'customer.letter': 'Dear Sir',
        'server.port': 443,
      },
      { resource: { 'service.name': 'shop', 'host.name': 'h7', 'deployment.environment.name': 'prod' } },
    ),
  );
  expect(event).toEqual({
    id: '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
    occurred_at: '2026-03-01T12:00:00.123Z',
    model: 'gpt-x',
    model_version: 'gpt-x-2026-02-14',
    provider: 'openai',
    operation: 'chat',
    input_tokens: 812,
    output_tokens: 120,
    latency_ms: 822.3,
    time_to_first_token_ms: 120.5,
    finish_reason: 'stop',
    error: null,
    subject: { user: 'u-1', session: 's-123', agent: 'asst_1' },
    attributes: {
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0.2,
      'server.port': 443,
      'deployment.environment.name': 'prod',
      'service.name': 'shop',
    },
  } satisfies TelemetryEvent);
  expect(hasTexts(event)).toBe(false);
});

describe('older names', () => {
  test.each<[string, Attributes, Partial<TelemetryEvent>]>([
    ['gen_ai.system', { 'gen_ai.system': 'az.ai.inference' }, { provider: 'az.ai.inference' }],
    [
      'prompt and completion tokens',
      { 'gen_ai.usage.prompt_tokens': 5, 'gen_ai.usage.completion_tokens': 7 },
      { input_tokens: 5, output_tokens: 7 },
    ],
    ['the time to the first token', { 'gen_ai.server.time_to_first_token': 2 }, { time_to_first_token_ms: 2000 }],
    ['user.id and session.id', { 'user.id': 'u', 'session.id': 's' }, { subject: { user: 'u', session: 's', agent: null } }],
    ['an agent by name', { 'gen_ai.agent.name': 'Helper' }, { subject: { user: null, session: null, agent: 'Helper' } }],
    ['the model that answered, where none was asked for', { 'gen_ai.response.model': 'm' }, { model: 'm', model_version: 'm' }],
    ['a finish reason that is no list', { 'gen_ai.response.finish_reasons': 'length' }, { finish_reason: 'length' }],
  ])('%s', (_name, attributes, members) => {
    expect(chat(attributes)).toMatchObject(members);
  });
});

describe('what does not fit', () => {
  test.each<[string, Attributes, Partial<TelemetryEvent>]>([
    ['is cut', { 'gen_ai.request.model': 'x'.repeat(5_000_000) }, { model: 'x'.repeat(200) }],
    ['is cut between characters', { 'gen_ai.request.model': `x${'😀'.repeat(200)}` }, { model: `x${'😀'.repeat(99)}` }],
    ['is put on one line', { 'gen_ai.request.model': '\n a\u0000\tb ' }, { model: 'a b' }],
    ['is mended', { 'gen_ai.request.model': 'a\ud800' }, { model: 'a\ufffd' }],
    [
      'is left out where it is of another type',
      { 'gen_ai.request.model': 7, 'gen_ai.usage.input_tokens': '7' },
      { model: null, input_tokens: null },
    ],
    [
      'is left out where it is beyond bounds',
      { 'gen_ai.usage.input_tokens': -1, 'gen_ai.usage.output_tokens': 2e9 },
      { input_tokens: null, output_tokens: null },
    ],
    [
      'is left out where it is no number',
      { 'gen_ai.response.time_to_first_chunk': Number.NaN },
      { time_to_first_token_ms: null },
    ],
  ])('%s', (_name, attributes, members) => {
    expect(chat(attributes)).toMatchObject(members);
  });

  test('a span that ends before it begins, or not at all, has no latency', () => {
    expect(eventOfSpan(span({}, { endNs: 0n })).latency_ms).toBeNull();
    expect(eventOfSpan(span({}, { endNs: START_NS - 1n })).latency_ms).toBeNull();
    expect(eventOfSpan(span({}, { endNs: START_NS })).latency_ms).toBe(0);
  });
});

describe('an error', () => {
  const exception = spanEvent('exception', { 'exception.type': 'TimeoutError', 'exception.message': 'for jane@example.com' });
  test.each<[string, Span, string | null]>([
    ['is what the span says', span({ 'error.type': '429' }, { isError: true, events: [exception] }), '429'],
    ['is the exception else', span({}, { isError: true, events: [exception] }), 'TimeoutError'],
    ['is not known else', span({}, { isError: true }), '_OTHER'],
    ['is none where the span does not say that it failed', span({}, { events: [exception] }), null],
  ])('%s', (_name, failed, error) => {
    expect(eventOfSpan(failed).error).toBe(error);
  });
});

const INPUT = [
  { role: 'user', parts: [{ type: 'text', content: 'Weather in Paris?' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Paris' } }] },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rainy, 14 °C' }] },
];
const OUTPUT = [
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', content: 'They want to know whether to take an umbrella.' },
      { type: 'text', content: 'Rain. I note it down.' },
      { type: 'tool_call', id: 'c2', name: 'note', arguments: '{"text":"umbrella"}' },
    ],
    finish_reason: 'tool_call',
  },
];
const INSTRUCTIONS = [{ type: 'text', content: 'Be brief.' }];
const SAID = {
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather in Paris?' },
    { role: 'tool', content: 'rainy, 14 °C' },
  ],
  output: [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'They want to know whether to take an umbrella.' },
        { type: 'text', text: 'Rain. I note it down.' },
      ],
    },
  ],
  tool_calls: [{ name: 'note', arguments: { text: 'umbrella' } }],
  finish_reason: 'tool_call',
};

describe('a conversation is read', () => {
  const structured = {
    'gen_ai.input.messages': INPUT,
    'gen_ai.output.messages': OUTPUT,
    'gen_ai.system_instructions': INSTRUCTIONS,
  };
  const asJson = Object.fromEntries(Object.entries(structured).map(([name, value]) => [name, JSON.stringify(value)]));

  test.each<[string, Attributes, readonly SpanEvent[]]>([
    ['from structured attributes', structured, []],
    ['from attributes in JSON', asJson, []],
    ['from the event of the operation', {}, [spanEvent('gen_ai.client.inference.operation.details', structured)]],
    ['from that event in JSON', {}, [spanEvent('gen_ai.client.inference.operation.details', asJson)]],
  ])('%s', (_name, attributes, events) => {
    expect(chat(attributes, events)).toMatchObject(SAID);
  });

  const call = { id: 'c2', type: 'function', function: { name: 'note', arguments: '{"text":"umbrella"}' } };
  const olderSaid = {
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Paris?' },
      { role: 'tool', content: 'rainy, 14 °C' },
    ],
    output: [{ role: 'assistant', content: 'Rain. I note it down.' }],
    tool_calls: SAID.tool_calls,
    finish_reason: 'tool_calls',
  };
  const choice = { index: 0, finish_reason: 'tool_calls' };
  test.each<[string, Attributes, readonly SpanEvent[]]>([
    [
      'from one event a message',
      {},
      [
        spanEvent('gen_ai.system.message', { content: 'Be brief.' }),
        spanEvent('gen_ai.user.message', { content: 'Weather in Paris?' }),
        spanEvent('gen_ai.assistant.message', { tool_calls: JSON.stringify([call]) }),
        spanEvent('gen_ai.tool.message', { id: 'c1', content: 'rainy, 14 °C' }),
        spanEvent('gen_ai.choice', {
          ...choice,
          message: JSON.stringify({ role: 'assistant', content: 'Rain. I note it down.', tool_calls: [call] }),
        }),
      ],
    ],
    [
      'from one event a message, flat',
      {},
      [
        spanEvent('gen_ai.system.message', { content: 'Be brief.' }),
        spanEvent('gen_ai.user.message', { content: 'Weather in Paris?', role: 'user' }),
        spanEvent('gen_ai.tool.message', { content: 'rainy, 14 °C' }),
        spanEvent('gen_ai.choice', { ...choice, message: 'Rain. I note it down.', tool_calls: [call] }),
      ],
    ],
    [
      'from one event a message, in one attribute',
      {},
      [
        spanEvent('gen_ai.system.message', { 'gen_ai.event.content': '{"content":"Be brief."}' }),
        spanEvent('gen_ai.user.message', { 'gen_ai.event.content': '{"role":"user","content":"Weather in Paris?"}' }),
        spanEvent('gen_ai.tool.message', { 'gen_ai.event.content': '{"id":"c1","content":"rainy, 14 °C"}' }),
        spanEvent('gen_ai.choice', {
          'gen_ai.event.content': JSON.stringify({
            ...choice,
            message: { content: 'Rain. I note it down.', tool_calls: [call] },
          }),
        }),
      ],
    ],
    [
      'from attributes with the number of the message',
      {
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be brief.',
        'gen_ai.prompt.2.role': 'tool',
        'gen_ai.prompt.2.content': 'rainy, 14 °C',
        'gen_ai.prompt.1.content': 'Weather in Paris?',
        'gen_ai.completion.0.content': 'Rain. I note it down.',
        'gen_ai.completion.0.finish_reason': 'tool_calls',
        'gen_ai.completion.0.tool_calls.0.name': 'note',
        'gen_ai.completion.0.tool_calls.0.arguments': '{"text":"umbrella"}',
      },
      [],
    ],
  ])('%s', (_name, attributes, events) => {
    expect(chat(attributes, events)).toMatchObject(olderSaid);
  });

  test.each<[string, Attributes, readonly SpanEvent[]]>([
    ['as attributes', { 'gen_ai.prompt': 'Hi', 'gen_ai.completion': 'Hello' }, []],
    [
      'as events',
      {},
      [
        spanEvent('gen_ai.content.prompt', { 'gen_ai.prompt': 'Hi' }),
        spanEvent('gen_ai.content.completion', { 'gen_ai.completion': 'Hello' }),
      ],
    ],
  ])('from prompt and completion %s', (_name, attributes, events) => {
    expect(chat(attributes, events)).toMatchObject({
      input: [{ role: 'user', content: 'Hi' }],
      output: [{ role: 'assistant', content: 'Hello' }],
    });
  });
});

describe('nothing that was said gets lost', () => {
  const input = (value: AttributeValue) => chat({ 'gen_ai.input.messages': value }).input;

  test('JSON that an exporter has cut is read as the text it is', () => {
    const cut = JSON.stringify(INPUT).slice(0, 60);
    expect(input(cut)).toEqual([{ role: 'user', content: cut }]);
  });

  test('a text that looks like JSON is a text', () => {
    const content = '[{"type":"uri","uri":"x"}]';
    expect(input([{ role: 'user', parts: [{ type: 'text', content }] }])).toEqual([{ role: 'user', content }]);
    expect(input([{ role: 'user', content }])).toEqual([{ role: 'user', content }]);
  });

  test('a prompt of JSON that is no message is read as a whole', () => {
    expect(chat({ 'gen_ai.prompt': '{"question":"Who are you?"}' }).input).toEqual([
      { role: 'user', content: '{"question":"Who are you?"}' },
    ]);
  });

  test('an unknown role is the user’s', () => {
    expect(input([{ role: 'root', parts: ['Hi'] }])).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(input([{ role: { x: 1 }, parts: ['Hi'] }])).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  test('a part of a kind that nobody has told us of is read where it holds a text', () => {
    expect(input([{ role: 'user', parts: [{ type: 'poem', content: 'Roses' }] }])).toEqual([{ role: 'user', content: 'Roses' }]);
  });

  test.each([
    ['a file in place', { type: 'blob', mime_type: 'image/png', content: 'iVBORw0KGgo=' }],
    ['a file by id', { type: 'file', file_id: 'f1' }],
    ['a file by address', { type: 'uri', uri: 'https://example.com/a.png' }],
    ['a part without a text', { type: 'text' }],
    ['a part that is a number', 7],
  ])('%s makes the coverage partial', (_name, part) => {
    const said = input([{ role: 'user', parts: [{ type: 'text', content: 'What is this?' }, part] }] as AttributeValue);
    expect(said).toEqual([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'unread' }] }]);
    const { coverage } = assess({ input: said! }, compilePolicy(DEFAULT_POLICY, 1), { clock: () => 0, nowMs: 0 });
    expect(coverage.status).toBe('partial');
  });

  test('what a tool answers is read, whatever its form', () => {
    expect(input([{ role: 'tool', parts: [{ type: 'tool_call_response', response: { temperature: [14] } }] }])).toEqual([
      { role: 'tool', content: '{"temperature":[14]}' },
    ]);
  });

  test('of a conversation that is too long, the newest messages; the others make the coverage partial', () => {
    const messages = Array.from({ length: 250 }, (_, i) => ({ role: 'user', parts: [`message ${i}`] }));
    const said = input(messages) as { content: unknown }[];
    expect(said).toHaveLength(200);
    expect(said[0]).toEqual({ role: 'user', content: [{ type: 'unread' }] });
    expect(said[1]!.content).toBe('message 51');
    expect(said[199]!.content).toBe('message 249');
    expect(input(messages.slice(0, 200))).toHaveLength(200);
  });

  test('of millions of messages no more is read than can be kept', () => {
    const said = input(`[${'1,'.repeat(2_000_000)}{"role":"user","content":"Hi"}]`);
    expect(said).toHaveLength(200);
    const calls = '{"role":"assistant","parts":[{"type":"tool_call","name":"f"}]},'.repeat(2_000);
    expect(input(`[{"role":"user","content":"first"},${calls}{"role":"user","content":"last"}]`)).toEqual([
      { role: 'user', content: [{ type: 'unread' }] },
      { role: 'user', content: 'last' },
    ]);
    expect(chat({ 'gen_ai.output.messages': `[{"role":"assistant","tool_calls":[${'0,'.repeat(1_000_000)}0]}]` })).toMatchObject({
      output: [{ role: 'assistant', content: [{ type: 'unread' }] }],
    });
  });

  test('of a message of too many parts, the first; the others make the coverage partial', () => {
    const parts = Array.from({ length: 201 }, (_, i) => `part ${i}`);
    const contentOf = (some: readonly string[]) => {
      const said = input([{ role: 'user', parts: some }]);
      return Array.isArray(said) ? said[0]!.content : null;
    };
    expect(contentOf(parts)).toHaveLength(200);
    expect(contentOf(parts)?.at(-1)).toEqual({ type: 'unread' });
    expect(contentOf(parts.slice(0, 200))?.at(-1)).toEqual({ type: 'text', text: 'part 199' });
  });
});

describe('tool calls', () => {
  const calls = (given: readonly AttributeValue[]) =>
    chat({
      'gen_ai.output.messages': [
        { role: 'assistant', parts: given.map((each) => ({ type: 'tool_call', name: 'f', arguments: each })) },
      ],
    });
  test.each<[string, AttributeValue, object]>([
    ['an object', { a: 1 }, { a: 1 }],
    ['JSON', '{"a":1}', { a: 1 }],
    ['JSON that is no object', '[1]', { '': '[1]' }],
    ['no JSON', 'rm -rf', { '': 'rm -rf' }],
    ['a list', [1, 2], { '': [1, 2] }],
  ])('with arguments that are %s', (_name, given, expected) => {
    expect(calls([given]).tool_calls).toEqual([{ name: 'f', arguments: expected }]);
  });

  test('without arguments, and without anything else said', () => {
    expect(calls([null])).toMatchObject({ output: [], tool_calls: [{ name: 'f' }] });
    expect(telemetryProblems(calls([null]))).toEqual([]);
  });

  test('with arguments beyond the bounds of an inference are read as a text', () => {
    let deep: AttributeValue = 'x';
    for (let i = 0; i < 40; i++) deep = { a: deep };
    const event = calls([deep]);
    expect(event.tool_calls).toEqual([{ name: 'f', arguments: { '': JSON.stringify(deep) } }]);
    expect(telemetryProblems(event)).toEqual([]);
  });

  test('beyond 100 make the coverage partial', () => {
    const event = calls(Array.from({ length: 101 }, () => '{}'));
    expect(event.tool_calls).toHaveLength(100);
    expect(event.output).toEqual([{ role: 'assistant', content: [{ type: 'unread' }] }]);
  });

  test('nested thousands of levels deep make the coverage partial, and no fault', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const messages = `[{"role":"assistant","parts":[{"type":"tool_call","name":"f","arguments":${deep}}]}]`;
    expect(chat({ 'gen_ai.output.messages': messages })).toMatchObject({
      output: [{ role: 'assistant', content: [{ type: 'unread' }] }],
      tool_calls: [{ name: 'f' }],
    });
    expect(chat({ 'gen_ai.input.messages': deep }).input).toEqual([{ role: 'user', content: deep }]);
    expect(chat({ 'gen_ai.input.messages': `[${deep}]` }).input).toEqual([{ role: 'user', content: [{ type: 'unread' }] }]);
  });
});

describe('a span of a tool', () => {
  const tool = (attributes: Attributes) =>
    eventOfSpan(span({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup', ...attributes }));
  test('is the call and what it brought', () => {
    const event = tool({
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.call.arguments': '{"name":"Jane"}',
      'gen_ai.tool.call.result': [{ mail: 'jane@example.com' }],
    });
    expect(event).toMatchObject({
      operation: 'execute_tool',
      input: [],
      tool_calls: [{ name: 'lookup', arguments: { name: 'Jane' } }],
      context: [{ id: 'c1', content: '[{"mail":"jane@example.com"}]', source: 'tool' }],
      attributes: { 'gen_ai.tool.name': 'lookup', 'gen_ai.tool.call.id': 'c1' },
    });
    expect(telemetryProblems(event)).toEqual([]);
  });

  test('that tells neither has no texts', () => {
    expect(hasTexts(tool({}))).toBe(false);
  });
});

test('events that keep to themselves what was said leave nothing to assess', () => {
  const event = chat({}, [spanEvent('gen_ai.user.message', {}), spanEvent('gen_ai.choice', { index: 0, finish_reason: 'stop' })]);
  expect(hasTexts(event)).toBe(false);
  expect(event.finish_reason).toBe('stop');
});

// What an attribute that an event is made of may hold, right and wrong.
const NAMES = [
  'gen_ai.operation.name',
  'gen_ai.request.model',
  'gen_ai.response.model',
  'gen_ai.system',
  'gen_ai.usage.input_tokens',
  'gen_ai.response.finish_reasons',
  'gen_ai.response.time_to_first_chunk',
  'gen_ai.conversation.id',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.prompt',
  'gen_ai.prompt.0.content',
  'gen_ai.completion.0.tool_calls.0.arguments',
  'gen_ai.tool.name',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.event.content',
  'message',
  'content',
  'role',
  'tool_calls',
  'error.type',
  'server.port',
];
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('execute_tool', 'chat', '\ud800', 'tool', 'x'.repeat(600), JSON.stringify(INPUT), JSON.stringify(OUTPUT)),
);
const MEMBERS = [
  'role',
  'parts',
  'content',
  'text',
  'type',
  'arguments',
  'name',
  'response',
  'tool_calls',
  'function',
  'message',
  '__proto__',
];
const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    text,
    fc.constantFrom('text', 'tool_call', 'tool_call_response', 'blob', 'assistant', 'tool'),
    fc.oneof(fc.maxSafeInteger(), fc.double()),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie('value'), { maxKeys: 5 }),
    tie('value').map((inner) => JSON.stringify(inner)),
  ),
}));
const attributes = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 8 });
const EVENTS = [
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.choice',
  'exception',
  'gen_ai.client.inference.operation.details',
];

test('every span becomes an event without problems, and what it says an inference without problems', () => {
  fc.assert(
    fc.property(
      attributes,
      fc.array(fc.tuple(fc.constantFrom(...EVENTS), attributes), { maxLength: 4 }),
      fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.boolean(),
      (given, events, startNs, endNs, isError) => {
        const event = eventOfSpan(
          span(given, {
            startNs,
            endNs,
            isError,
            events: events.map(([name, members]) => spanEvent(name, members)),
            resource: given,
          }),
        );
        expect(telemetryProblems(event)).toEqual([]);
        if (hasTexts(event)) expect(inferenceProblems(inferenceOf(event))).toEqual([]);
      },
    ),
    { numRuns: 10_000 },
  );
});
