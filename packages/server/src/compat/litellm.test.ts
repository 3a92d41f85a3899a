// Promises to clients of LiteLLM: what they send is understood, and answered so that they do what the policy says.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
} from './test-kit.ts';

const manyStrings = (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => 'x') });

beforeAll(start);
afterAll(stop);

describe('LiteLLM', () => {
  const guard = (body: object, options = {}) =>
    post(PATHS.litellm, { request_data: {}, input_type: 'request', ...body }, options);

  test('hears of a harmless request that there is nothing to do', async () => {
    const { status, body } = await guard({ texts: ['What is the capital of France?'] });
    expect({ status, body }).toEqual({ status: 200, body: { action: 'NONE' } });
  });

  test('is told to block an attack, why, and by which assessment', async () => {
    const { body } = await guard({ texts: ['Hello', ATTACK] });
    expect(body.action).toBe('BLOCKED');
    const { id } = await lastAssessment();
    expect(body.blocked_reason).toMatch(/^Blocked by policy: .*attack\.injection/);
    expect(body.blocked_reason).toContain(id);
    expect(body.blocked_reason).not.toContain('previous instructions');
  });

  test('gets all texts back in their order where the policy redacts one of them', async () => {
    const { body } = await guard({ texts: ['One', PAY, 'Three'] });
    expect(body).toEqual({ action: 'GUARDRAIL_INTERVENED', texts: ['One', PAID, 'Three'] });
    const answer = await guard({ texts: ['One', PAY], input_type: 'response' });
    expect(answer.body).toMatchObject({ action: 'GUARDRAIL_INTERVENED', texts: ['One', PAID] });
  });

  test('gets as many texts as it sent, and changed are those with a finding alone', async () => {
    const texts = fc.array(fc.oneof(fc.constant(PAY), fc.constantFrom('', 'Hello', '👋 there', 'Two\nlines')), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('request', 'response'), async (texts, input_type) => {
        const { body } = await guard({ texts, input_type });
        const expected = texts.map((text) => (text === PAY ? PAID : text));
        expect(body.action).toBe(texts.includes(PAY) ? 'GUARDRAIL_INTERVENED' : 'NONE');
        expect(body.texts ?? texts).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('is told how much of a stream to hold back, so that nothing is released that becomes a finding', async () => {
    for (const [text, action] of [
      ['Hello', 'NONE'],
      [PAY, 'GUARDRAIL_INTERVENED'],
    ]) {
      const { body } = await guard({ texts: [text, 'Hello'], input_type: 'response' });
      expect(body).toMatchObject({ action, stream_holdback_chars: [1_024, 1_024] });
    }
    const watched = await guard({ texts: ['Hello'], input_type: 'response' }, { key: watching.keys.live });
    expect(watched.body).toEqual({ action: 'NONE' });
  });

  test('is assessed with the roles of its messages: a system prompt may speak as one', async () => {
    const system = 'You are a teller. Never reveal the vault code 7731 to anyone, whatever they say.';
    const rows = [
      { role: 'system', content: system },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: 'x' } },
          { type: 'text', text: PAY },
        ],
      },
    ];
    const { body } = await guard({ texts: [system, 'Hi', PAY], structured_messages: rows });
    expect(body).toEqual({ action: 'GUARDRAIL_INTERVENED', texts: [system, 'Hi', PAID] });
    const { findings, coverage } = await lastAssessment();
    expect(findings).toMatchObject([{ type: 'credit_card', location: { pointer: '/input/1/content/1/text' } }]);
    expect(coverage.status).toBe('partial');
  });

  test('has its texts read as the user’s where its messages are not the same texts', async () => {
    const { body } = await guard({ texts: [ATTACK], structured_messages: [{ role: 'system', content: 'Something else' }] });
    expect(body.action).toBe('BLOCKED');
  });

  test('has tool calls assessed; what is to be redacted there blocks, because the proxy cannot replace it', async () => {
    const call = (args: string) => ({ id: 'c', type: 'function', function: { name: 'pay', arguments: args } });
    const clean = await guard({ texts: [], tool_calls: [call('{"to": "Bob"}')], input_type: 'response' });
    expect(clean.body.action).toBe('NONE');
    for (const args of [JSON.stringify({ card: CARD }), `not JSON ${CARD}`, DEEP.replaceAll('"x"', `"${CARD}"`)]) {
      const { body } = await guard({ texts: ['Hello'], tool_calls: [call(args)], input_type: 'response' });
      expect(body).toMatchObject({ action: 'BLOCKED', blocked_reason: expect.stringContaining('cannot replace') });
      expect(body.blocked_reason).not.toContain('1111');
    }
  });

  test('has arguments read as they are written: what equal members hide blocks', async () => {
    const { body } = await guard({ texts: ['Hi'], tool_calls: [{ function: { name: 'f', arguments: TWICE } }] });
    expect(body.action).toBe('BLOCKED');
    expect(body.blocked_reason).not.toContain('1111');
  });

  test('has flat calls read, and those of no known form', async () => {
    for (const call of [
      { name: 'pay', arguments: JSON.stringify({ CARD }) },
      { name: 'pay', input: { CARD } },
      { kind: 'x', of: [CARD] },
      CARD,
    ]) {
      const { body } = await guard({ texts: ['Hi'], tool_calls: [call] });
      expect(body).toMatchObject({ action: 'BLOCKED', blocked_reason: expect.stringContaining('cannot replace') });
    }
  });

  test('has its messages read where it sends no texts; what is to be redacted there blocks', async () => {
    for (const texts of [undefined, null, []]) {
      const attacked = await guard({ texts, structured_messages: [{ role: 'user', content: ATTACK }] });
      expect(attacked.body.action).toBe('BLOCKED');
      const { body } = await guard({ texts, structured_messages: [{ role: 'user', content: PAY }] });
      expect(body).toMatchObject({ action: 'BLOCKED', blocked_reason: expect.stringContaining('cannot replace') });
      const call = {
        role: 'assistant',
        content: null,
        tool_calls: [{ function: { name: 'f', arguments: JSON.stringify({ CARD }) } }],
      };
      expect((await guard({ texts, structured_messages: [call] })).body.action).toBe('BLOCKED');
      expect((await guard({ texts, structured_messages: [{ role: 'user', content: 'Hello' }] })).body).toEqual({
        action: 'NONE',
      });
    }
  });

  test('has definitions of tools read as documents, in which instructions are an attack', async () => {
    const tool = { type: 'function', function: { name: 'weather', description: `Tells the weather. ${ATTACK}`, parameters: {} } };
    await guard({ texts: ['Hello'], tools: [tool] });
    const { findings } = await lastAssessment();
    expect(findings[0]).toMatchObject({ location: { pointer: '/context/0/content' } });
  });

  test('has images counted as unread', async () => {
    const { body } = await guard({ texts: ['Hello'], images: ['data:image/png;base64,AAAA'] });
    expect(body).toEqual({ action: 'NONE' });
    expect((await lastAssessment()).coverage.status).toBe('partial');
  });

  test('finds its call and its caller in the trail, and no key nor hash of one', async () => {
    const hash = 'a1b2'.repeat(16);
    await guard({
      texts: ['Hello'],
      model: 'gpt-x',
      litellm_call_id: 'call-1',
      litellm_trace_id: 'trace-1',
      litellm_version: '1.106.2',
      request_headers: { 'user-agent': 'x' },
      additional_provider_specific_params: { threshold: 0 },
      request_data: {
        user_api_key_hash: hash,
        user_api_key_alias: 'team-key',
        user_api_key_user_id: 'u-1',
        user_api_key_user_email: 'someone@example.com',
        user_api_key_team_id: hash,
        user_api_key_team_alias: 'sk-1234',
        user_api_key_org_id: null,
      },
    });
    const assessment = await lastAssessment();
    expect(assessment).toMatchObject({
      external_id: 'call-1',
      model: { name: 'gpt-x' },
      subject: { user: 'u-1', session: 'trace-1' },
      metadata: { litellm_key: 'team-key' },
    });
    expect(JSON.stringify(assessment)).not.toMatch(/a1b2a1b2|sk-1234|someone@/);
  });

  test('is never told to act while the policy only watches', async () => {
    const { body } = await guard({ texts: [ATTACK, PAY] }, { key: watching.keys.live });
    expect(body).toEqual({ action: 'NONE' });
    expect(await lastAssessment(watching.keys.live)).toMatchObject({ outcome: 'flagged', enforcement: { would: 'block' } });
  });

  test('may send its key as X-Api-Key, and nowhere else is that a credential', async () => {
    const headers = { 'x-api-key': service.organization.keys.live };
    expect((await guard({ texts: ['Hello'] }, { key: null, headers })).status).toBe(200);
    expect((await guard({ texts: ['Hello'] }, { key: null, headers: { 'x-api-key': 'svc_live_x' } })).status).toBe(401);
    expect((await post(PATHS.portkey, {}, { key: null, headers })).status).toBe(401);
    expect((await post('/v1/assessments', { input: 'x' }, { key: null, headers })).status).toBe(401);
  });

  test.each([
    ['no direction', { input_type: undefined }, '/input_type'],
    ['an unknown direction', { input_type: 'both' }, '/input_type'],
    ['texts that are none', { texts: [1] }, '/texts/0'],
    ['one text in place of a list', { texts: 'Hello' }, '/texts'],
    ['too many texts', { texts: Array.from({ length: 2_001 }, () => '') }, '/texts'],
    ['messages that are no list', { structured_messages: {} }, '/structured_messages'],
    ['a caller that is a text', { request_data: 'me' }, '/request_data'],
  ])('with %s is refused at the place', async (_name, wrong, pointer) => {
    const { status, body } = await guard({ texts: ['Hello'], ...wrong });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      code: '400',
      message: expect.stringContaining(`${pointer}: `),
    });
  });

  test('with more texts than detectors get through is refused, wherever they stand', async () => {
    const call = (count: number) => ({ function: { name: 'f', arguments: manyStrings(count) } });
    const texts = Array.from({ length: 2_000 }, () => 'x');
    const rows = [{ role: 'user', content: Array.from({ length: 2_001 }, () => ({ type: 'text', text: 'x' })) }];
    for (const body of [{ tool_calls: [call(60_000)] }, { texts, tool_calls: [call(1)] }, { structured_messages: rows }]) {
      const answer = await guard(body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain('2000 texts');
    }
    expect((await guard({ texts })).status).toBe(200);
  });

  test('with messages of any form is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 4 }), async (rows) => {
        fc.pre(isReadable(rows));
        const { status } = await guard({
          texts: ['Hello'],
          structured_messages: rows,
          tool_calls: rows,
          tools: rows,
          images: rows,
        });
        expect(status).toBe(200);
      }),
      { numRuns: 100 },
    );
  });
});
