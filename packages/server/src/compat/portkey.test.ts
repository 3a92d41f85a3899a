// Promises to clients of Portkey: what they send is understood, and answered so that they do what the policy says.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startModelServer } from '../testing/model-server.ts';
import {
  ATTACK,
  CARD,
  DEEP,
  PAID,
  PATHS,
  PAY,
  TWICE,
  isReadable,
  lastAssessment,
  post,
  service,
  start,
  stop,
  watching,
  type Json,
} from './test-kit.ts';

beforeAll(start);
afterAll(stop);

describe('Portkey', () => {
  const before = (json: unknown, more: object = {}, options = {}) =>
    post(
      PATHS.portkey,
      { eventType: 'beforeRequestHook', request: { json, text: '' }, response: { json: {} }, ...more },
      options,
    );
  const after = (json: unknown, options = {}) =>
    post(
      PATHS.portkey,
      { eventType: 'afterRequestHook', request: { json: { messages: [{ role: 'user', content: ATTACK }] } }, response: { json } },
      options,
    );

  test('gets a verdict with what was found, in words without what was matched', async () => {
    const clean = await before({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
    expect(clean.body).toEqual({
      verdict: true,
      data: {
        assessment_id: expect.stringMatching(/^asm_/),
        outcome: 'allowed',
        action: 'none',
        message: null,
        coverage: 'complete',
        findings: [],
      },
    });
    const { body, text } = await before({ messages: [{ role: 'user', content: ATTACK }] });
    expect(body).toMatchObject({ verdict: false, data: { outcome: 'blocked', action: 'block' } });
    expect(body.data.findings[0]).toEqual({
      category: 'attack.injection',
      type: expect.any(String),
      severity: expect.any(String),
      score: expect.any(Number),
      action: 'block',
      explanation: expect.any(String),
    });
    expect(body).not.toHaveProperty('transformedData');
    expect(text).not.toContain('previous instructions');
  });

  test('has all messages read, not the last alone, and all choices, not the first alone', async () => {
    const messages = [
      { role: 'user', content: ATTACK },
      { role: 'user', content: 'Thanks' },
    ];
    expect((await before({ messages })).body.verdict).toBe(false);
    const choices = [{ message: { content: 'Hello' } }, { message: { content: PAY } }];
    expect((await after({ id: 'chatcmpl-9', choices })).body.transformedData).toEqual({
      response: { json: { id: 'chatcmpl-9', choices: [choices[0], { message: { content: PAID } }] } },
    });
    expect(await lastAssessment()).toMatchObject({
      external_id: 'chatcmpl-9',
      findings: [{ location: { pointer: '/output/1/content' } }],
    });
  });

  test('has the request alone assessed before, and the answer alone after', async () => {
    expect((await after({ choices: [{ message: { content: 'Hello' } }] })).body).toMatchObject({
      verdict: true,
      data: { outcome: 'allowed' },
    });
    const { body } = await before({ messages: [] }, { response: { json: { choices: [{ message: { content: PAY } }] } } });
    expect(body).toMatchObject({ verdict: true, data: { outcome: 'allowed' } });
  });

  test.each([
    [
      'a chat',
      {
        messages: [
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: PAY },
        ],
      },
    ],
    [
      'parts',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: PAY },
              { type: 'image_url', image_url: { url: 'u' } },
            ],
          },
        ],
      },
    ],
    ['a prompt', { prompt: PAY }],
    ['prompts', { prompt: ['Hello', PAY] }],
    ['an embedding', { input: ['Hello', PAY] }],
    [
      'one of Anthropic’s',
      { system: PAY, messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: PAY }] }] },
    ],
    [
      'parts of a system prompt',
      {
        system: [
          { type: 'text', text: 'Be kind' },
          { type: 'text', text: PAY },
        ],
        messages: [],
      },
    ],
    [
      'results in parts',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: PAY }] }] }] },
    ],
    [
      'deep arguments',
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: DEEP.replace('x', PAY) } }] }] },
    ],
    [
      'documents',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', title: 'A', source: { type: 'text', media_type: 'text/plain', data: PAY } },
              { type: 'document', source: { type: 'content', content: [{ type: 'text', text: PAY }] } },
              { type: 'tool_result', content: [{ type: 'search_result', source: 's', content: [{ type: 'text', text: PAY }] }] },
            ],
          },
        ],
      },
    ],
    [
      'arguments',
      {
        messages: [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ function: { name: 'f', arguments: JSON.stringify({ a: [PAY] }) } }],
          },
        ],
      },
    ],
    [
      'arguments that are no JSON',
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: `{${PAY}` } }] }] },
    ],
    ['a custom tool', { messages: [{ role: 'assistant', tool_calls: [{ type: 'custom', custom: { name: 'f', input: PAY } }] }] }],
    [
      'an old function call',
      { messages: [{ role: 'assistant', function_call: { name: 'f', arguments: JSON.stringify({ a: PAY }) } }] },
    ],
    [
      'Anthropic’s arguments',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: { a: { b: PAY } } }] }] },
    ],
    ['a result of a function', { messages: [{ role: 'function', name: 'f', content: PAY }] }],
    ['messages that are one text', { messages: PAY }],
    ['texts in place of messages', { messages: [PAY] }],
    ['instructions', { instructions: PAY, input: 'Hello' }],
    ['a message of a response', { input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: PAY }] }] }],
    ['what a function brought', { input: [{ type: 'function_call_output', call_id: 'c', output: PAY }] }],
    [
      'what a function brought in parts',
      { input: [{ type: 'function_call_output', output: [{ type: 'input_text', text: PAY }] }] },
    ],
    ['a call of a response', { input: [{ type: 'function_call', name: 'f', arguments: JSON.stringify({ a: PAY }) }] }],
    ['a message that says to be a call', { messages: [{ type: 'x_call', role: 'user', arguments: '{}', content: PAY }] }],
    ['Gemini’s contents', { contents: [{ role: 'user', parts: [{ text: 'Hello' }, { text: PAY }] }] }],
    ['Gemini’s system prompt', { systemInstruction: { parts: [{ text: PAY }] }, contents: [{ parts: [{ text: 'Hello' }] }] }],
    ['Gemini’s calls', { contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: { a: PAY } } }] }] }],
    ['Gemini’s results', { contents: [{ parts: [{ functionResponse: { name: 'f', response: { a: [PAY] } } }] }] }],
    ['what is to be ranked', { query: 'Hello', documents: ['Hello', PAY, { text: PAY }] }],
    [
      'a result that also has a text',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', text: 'Hello', content: PAY }] }] },
    ],
    ['a text of a result', { messages: [{ role: 'user', content: [{ type: 'tool_result', text: PAY, content: 'Hello' }] }] }],
    [
      'arguments with numbers and escapes',
      {
        messages: [
          {
            role: 'assistant',
            tool_calls: [{ function: { name: 'f', arguments: `{ "n": 12.50, "k":"caf\\u00e9",\n"2":1, "1": "${PAY}" }` } }],
          },
        ],
      },
    ],
  ])('gets %s back with what the policy redacts replaced, and nothing else changed', async (_name, json: Json) => {
    const sent = { model: 'm', temperature: 0.5, ...json };
    const { body } = await before(sent);
    expect(body).toMatchObject({ verdict: true, data: { outcome: 'flagged', action: 'redact' } });
    expect(body.transformedData).toEqual({
      request: { json: JSON.parse(JSON.stringify(sent).replaceAll(CARD, '[CREDIT_CARD]')) },
    });
  });

  test.each([
    ['a completion', { choices: [{ text: 'Hello' }, { text: PAY }] }],
    [
      'an answer of Anthropic’s',
      {
        content: [
          { type: 'text', text: PAY },
          { type: 'tool_use', name: 'f', input: { a: PAY } },
        ],
      },
    ],
    [
      'calls of tools',
      { choices: [{ message: { content: null, tool_calls: [{ function: { name: 'f', arguments: `{"a":"${PAY}"}` } }] } }] },
    ],
    ['a refusal', { choices: [{ message: { content: null, refusal: PAY } }] }],
    ['what it thought', { choices: [{ message: { content: 'Yes', reasoning_content: PAY } }] }],
    ['what it reasoned', { choices: [{ message: { content: 'Yes', reasoning: PAY } }] }],
    [
      'blocks beside the content',
      { choices: [{ message: { content: 'Yes', content_blocks: [{ type: 'thinking', thinking: PAY }] } }] },
    ],
    ['a response', { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: PAY }] }] }],
    ['a call of a response', { output: [{ type: 'function_call', name: 'f', arguments: JSON.stringify({ a: PAY }) }] }],
    ['a summary of a response', { output: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: PAY }] }] }],
    ['Gemini’s candidates', { candidates: [{ content: { role: 'model', parts: [{ text: PAY }] } }] }],
    ['texts in more than one form', { choices: [], content: [{ type: 'text', text: PAY }] }],
  ])('gets %s back with what the policy redacts replaced', async (_name, json: Json) => {
    const { body } = await after(json);
    expect(body.verdict).toBe(true);
    expect(body.transformedData).toEqual({
      response: { json: JSON.parse(JSON.stringify(json).replaceAll(CARD, '[CREDIT_CARD]')) },
    });
  });

  test('gets any conversation back as it sent it, but for what is redacted', async () => {
    const words = fc.constantFrom('Hello', PAY, '', '👋 there', `${PAY} ${PAY}`);
    const part = fc.oneof(
      words.map((text) => ({ type: 'text', text })),
      fc.constant({ type: 'image_url', image_url: { url: 'u' } }),
      words.map((content) => ({ type: 'tool_result', content })),
      words.map((a) => ({ type: 'tool_use', name: 'f', input: { a } })),
    );
    const message = fc.record({
      role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'developer'),
      content: fc.oneof(words, fc.constant(null), fc.array(part, { maxLength: 4 })),
      tool_calls: fc.array(
        words.map((a) => ({ function: { name: 'f', arguments: JSON.stringify({ a }) } })),
        { maxLength: 2 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), async (messages) => {
        const sent = JSON.stringify({ model: 'm', messages });
        const { body } = await before(JSON.parse(sent));
        const expected = JSON.parse(sent.replaceAll(CARD, '[CREDIT_CARD]'));
        expect(body.transformedData?.request.json ?? JSON.parse(sent)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  test('is denied where the policy redacts what cannot be put back', async () => {
    const { body } = await before({ messages: [], tools: [{ function: { name: 'f', description: PAY } }] });
    expect(body).toMatchObject({ verdict: false, data: { action: 'redact' } });
    expect(body).not.toHaveProperty('transformedData');
  });

  test('is denied where redacting would change a number, or leave what equal members hide', async () => {
    const call = (args: string) => ({
      messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: args } }] }],
    });
    const large = `{"acct":12345678901234567890,"to":"${PAY}"}`;
    const body = `{"eventType":"beforeRequestHook","request":{"json":{"messages":[{"role":"assistant","content":[{"type":"tool_use","name":"f","input":${large}}]}]}}}`;
    const answers = [await before(call(TWICE)), await before(call(large)), await post(PATHS.portkey, body)];
    for (const answer of answers) {
      expect(answer.body).toMatchObject({ verdict: false, data: { action: 'redact' } });
      expect(answer.body).not.toHaveProperty('transformedData');
    }
    expect((await before(call('{"acct":12.5,"acct":1}'))).body).toMatchObject({ verdict: true, data: { action: 'none' } });
  });

  test('finds model, user and metadata in the trail', async () => {
    await before(
      { model: 'gpt-x', messages: [] },
      { provider: 'openai', metadata: { _user: 'u-7', env: 'prod', nested: { a: 1 }, 'b\u0000': 2 } },
    );
    expect(await lastAssessment()).toMatchObject({
      model: { provider: 'openai', name: 'gpt-x' },
      subject: { user: 'u-7' },
      metadata: { env: 'prod', b: '2' },
    });
  });

  test('sees by the coverage that a stream, tokens, images and unknown forms were not read', async () => {
    for (const json of [
      {},
      { messages: [] },
      { inputText: ATTACK },
      { messages: { a: ATTACK } },
      { messages: [{ role: 'user', parts: [ATTACK] }] },
      { messages: [{ role: 'user', content: [{ type: 'image_url', text: 'Hello' }] }] },
      { input: [{ type: 'item_reference', id: 'i' }] },
      { contents: [{ parts: [{ inlineData: {} }] }] },
      { contents: [{ text: ATTACK }] },
      { prompt: [1, 2, 3] },
      { input: [[1], [2]] },
      { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'base64', data: 'AAAA' } }] }] },
      { messages: [{ role: 'assistant', content: '', audio: { id: 'a' } }] },
    ])
      expect((await before(json)).body.data.coverage).toBe('partial');
    for (const json of [
      null,
      {},
      { choices: [] },
      { choices: [{}] },
      { generation: PAY },
      { candidates: [{}] },
      { output: [{}] },
    ])
      expect((await after(json)).body).toMatchObject({ verdict: true, data: { coverage: 'partial' } });
  });

  test('is never told to act while the policy only watches', async () => {
    const { body } = await before({ messages: [{ role: 'user', content: `${ATTACK} ${PAY}` }] }, {}, { key: watching.keys.live });
    expect(body).toMatchObject({ verdict: true, data: { outcome: 'flagged', action: 'none' } });
    expect(body).not.toHaveProperty('transformedData');
  });

  test('gets its answer within the time it waits, whatever the policy grants', { timeout: 10_000 }, async () => {
    const model = await startModelServer();
    const { keys } = await service.createOrganization();
    try {
      model.receiver.behave(() => {}); // never answers
      const judge = await service.request('POST', '/v1/judges', {
        key: keys.admin,
        body: { name: 'j', url: model.url, model: 'm', api_key: 'sk-1', timeout_ms: 25_000 },
      });
      const policy = { deadline_ms: 30_000, judges: [{ judge_id: judge.body.id, applies_to: ['input'] }] };
      expect((await service.request('PUT', '/v1/policy', { key: keys.admin, body: policy })).status).toBe(200);
      const { body } = await before({ messages: [{ role: 'user', content: 'Hello' }] }, {}, { key: keys.live });
      expect(body).toMatchObject({ verdict: true, data: { outcome: 'flagged', coverage: 'partial' } });
    } finally {
      await model.close();
    }
  });

  test.each([
    ['no event', { eventType: undefined }, '/eventType'],
    ['an unknown event', { eventType: 'during' }, '/eventType'],
    ['no request', { request: undefined }, '/request'],
    ['a request that is a list', { request: { json: [] } }, '/request/json'],
    ['nothing to assess', { request: { json: null } }, '/request/json'],
    [
      'too many messages',
      { request: { json: { messages: Array.from({ length: 2_001 }, () => ({})) } } },
      '/request/json/messages',
    ],
    [
      'too many texts',
      { request: { json: { messages: [{ content: Array.from({ length: 12_000 }, () => ({ type: 'text', text: 'x' })) }] } } },
      '/request/json',
    ],
    ['an answer that is a text', { response: { json: 'x' } }, '/response/json'],
    ['metadata that are a text', { metadata: 'x' }, '/metadata'],
  ])('with %s is refused at the place, in an answer that is no pass', async (_name, wrong, pointer) => {
    const { status, body } = await post(PATHS.portkey, { eventType: 'beforeRequestHook', request: { json: {} }, ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ verdict: false, data: { error: { code: 'invalid_request', request_id: expect.any(String) } } });
    expect(body.data.error.details.map((each: Json) => each.pointer)).toContain(pointer);
  });

  test('with JSON nested too deep to be written again is refused, not failed', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const body = `{"eventType":"beforeRequestHook","request":{"json":{"deep":${deep},"prompt":"${PAY}"}}}`;
    expect((await post(PATHS.portkey, body)).status).toBe(400);
    const tool = `{"eventType":"beforeRequestHook","request":{"json":{"tools":${deep}}}}`;
    expect((await post(PATHS.portkey, tool)).status).toBe(400);
  });

  test('with JSON of any form is answered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom(
            'messages',
            'prompt',
            'input',
            'system',
            'instructions',
            'contents',
            'documents',
            'query',
            'tools',
            'functions',
            'choices',
            'content',
            'output',
            'candidates',
            'message',
          ),
          fc.jsonValue({ maxDepth: 5 }),
        ),
        async (json) => {
          fc.pre(isReadable(json));
          expect((await before(json)).status).toBe(200);
          expect((await after(json)).status).toBe(200);
        },
      ),
      { numRuns: 100 },
    );
  });
});
