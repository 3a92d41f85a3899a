// Promises to clients of Lakera: what they send is understood, and answered so that they do what the policy says.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ATTACK,
  CARD,
  PATHS,
  PAY,
  TWICE,
  lastAssessment,
  post,
  service,
  start,
  stop,
  strict,
  watching,
  type Json,
} from './test-kit.ts';

beforeAll(start);
afterAll(stop);

describe('Lakera', () => {
  const guard = (body: object, options: { query?: string; key?: string } = {}) =>
    post(`${PATHS.lakera}${options.query ?? ''}`, body, options.key === undefined ? {} : { key: options.key });
  const said = (...contents: string[]) => contents.map((content) => ({ role: 'user', content }));

  test('answers whether a conversation is flagged, under an id that finds the assessment', async () => {
    const clean = await guard({ messages: said('Hello') });
    expect(clean.body).toEqual({ flagged: false, metadata: { request_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    const { body } = await guard({
      messages: said(ATTACK),
      project_id: 'project-1',
      metadata: { user_id: 'u-1', session_id: 's-1', ip: '::1' },
    });
    expect(body.flagged).toBe(true);
    const { body: list } = await service.request('GET', `/v1/assessments?external_id=${body.metadata.request_uuid}`);
    expect(list.data).toMatchObject([
      { outcome: 'blocked', subject: { user: 'u-1', session: 's-1' }, metadata: { project_id: 'project-1', ip: '::1' } },
    ]);
  });

  test('reads what the assistant says last as output, and all before it as input', async () => {
    const assistant = (content: string) => ({ role: 'assistant', content });
    await guard({ messages: [...said(PAY), assistant('Hm'), ...said('And?'), assistant(PAY), assistant(PAY)], payload: true });
    const { findings } = await lastAssessment();
    expect(findings.map((each: Json) => each.location.pointer)).toEqual([
      '/input/0/content',
      '/output/0/content',
      '/output/1/content',
    ]);
  });

  test('locates what can be masked by message and character, with no matched text in the answer', async () => {
    const hello = '👋🏽 hello. ';
    const { body, text } = await guard({
      messages: [
        ...said('Hi'),
        { role: 'user', content: [{ type: 'text', text: hello }, { type: 'image_url' }, { type: 'text', text: PAY }] },
        ...said(hello + PAY),
      ],
      payload: true,
    });
    const start = [...hello, ...'Pay with '].length;
    const where = { start, end: start + CARD.length, detector_type: 'pii/credit_card', labels: [], text: expect.any(String) };
    expect(body.payload).toEqual([
      { ...where, message_id: 1 },
      { ...where, message_id: 2 },
    ]);
    expect(text).not.toContain('1111 1111');
  });

  test('masking by the payload, as Python counts, gives what the policy would have redacted', async () => {
    const texts = fc.array(fc.constantFrom('👋', 'Hello ', PAY, '\ud800', 'é'), { maxLength: 6 }).map((parts) => parts.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 4 }), async (contents) => {
        const { body } = await guard({ messages: said(...contents), payload: true });
        const masked = contents.map((content, i) => {
          const characters = [...content];
          for (const { start, end } of body.payload.filter((each: Json) => each.message_id === i).toReversed())
            characters.splice(start, end - start, '[X]');
          return characters.join('');
        });
        expect(masked).toEqual(contents.map((content) => content.replaceAll(CARD, '[X]')));
      }),
      { numRuns: 60 },
    );
  });

  test('lists what ran and what was found', async () => {
    const { body } = await guard({ messages: said('Hi', `${PAY} ${PAY}`), breakdown: true, project_id: 'project-1' });
    const found = body.breakdown.filter((each: Json) => each.detected);
    expect(found).toEqual([
      {
        project_id: 'project-1',
        policy_id: 'policy-1',
        detector_id: 'pii',
        detector_type: 'pii/credit_card',
        detected: true,
        message_id: 1,
      },
    ]);
    expect(body.breakdown).toContainEqual({
      project_id: 'project-1',
      policy_id: 'policy-1',
      detector_id: 'prompt_injection',
      detector_type: 'prompt_attack',
      detected: false,
      message_id: null,
    });
  });

  test('never lets callers mask where the policy blocks, or where masking does not reach', async () => {
    const typesOf = (body: Json) => body.breakdown.filter((each: Json) => each.detected).map((each: Json) => each.detector_type);
    const blocked = await guard({ messages: said(PAY), breakdown: true }, { key: strict.keys.live });
    expect(typesOf(blocked.body)).toContain('custom/policy_block');
    const inCall = {
      role: 'assistant',
      content: null,
      tool_calls: [{ function: { name: 'f', arguments: JSON.stringify({ CARD }) } }],
    };
    const { body } = await guard({ messages: [...said('Hi'), inCall], breakdown: true, payload: true });
    expect(body).toMatchObject({ flagged: true, payload: [] });
    expect(typesOf(body)).toEqual(['pii/credit_card', 'custom/policy_block']);
  });

  test('never lets callers mask in what they do not see as a message’s text', async () => {
    const hidden = [
      { role: 'assistant', content: 'Yes', refusal: PAY },
      { role: 'assistant', content: 'Yes', reasoning_content: PAY },
      { role: 'user', content: [{ type: 'tool_result', content: PAY }] },
      { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: PAY }] }] },
      { role: 'user', content: [{ type: 'tool_result', text: PAY, content: 'x' }] },
      { role: 'user', content: [{ type: 'document', source: { type: 'text', data: PAY } }] },
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'f', arguments: TWICE } }] },
    ];
    for (const message of hidden) {
      const { body } = await guard({ messages: [...said('Hi'), message], breakdown: true, payload: true });
      expect(body).toMatchObject({ flagged: true, payload: [] });
      expect(body.breakdown).toContainEqual(expect.objectContaining({ detector_type: 'custom/policy_block', detected: true }));
    }
    // What is not seen does not move what is.
    const content = [
      { type: 'refusal', refusal: 'No' },
      { type: 'text', text: 'Yes. ' },
      { type: 'tool_result', content: 'x' },
      { type: 'text', text: PAY },
    ];
    const { body } = await guard({ messages: [{ role: 'user', content }], payload: true });
    expect(body.payload).toMatchObject([{ start: 'Yes. Pay with '.length }]);
  });

  test('never lets callers mask a part of what was found, nor says of a cut list who found nothing', async () => {
    const cards = Array.from({ length: 250 }, () => PAY).join(' ');
    const { body } = await guard({ messages: said(cards), breakdown: true });
    expect(body.breakdown).toContainEqual(expect.objectContaining({ detector_type: 'custom/policy_block' }));
    expect(body.breakdown.map((each: Json) => each.detected)).not.toContain(false);
  });

  test('flags at a block alone where it is asked to', async () => {
    const query = '?flagged_when=blocked';
    expect((await guard({ messages: said(PAY) }, { query })).body.flagged).toBe(false);
    expect((await guard({ messages: said(ATTACK) }, { query })).body.flagged).toBe(true);
    expect((await guard({ messages: said(PAY) }, { query: '?flagged_when=flagged' })).body.flagged).toBe(true);
    expect((await guard({ messages: said(PAY) }, { query: '?flagged_when=never' })).status).toBe(400);
  });

  test('flags nothing while the policy only watches, and still says what was found', async () => {
    const { body } = await guard({ messages: said(ATTACK), breakdown: true }, { key: watching.keys.live });
    expect(body.flagged).toBe(false);
    expect(body.breakdown).toContainEqual(expect.objectContaining({ detector_type: 'prompt_attack', detected: true }));
  });

  test('tells the version where it is asked to', async () => {
    const { body } = await guard({ messages: said('Hi'), dev_info: true, payload: null, breakdown: false });
    expect(Object.keys(body).toSorted()).toEqual(['dev_info', 'flagged', 'metadata']);
    expect(body.dev_info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test.each([
    ['no messages', {}, '/messages'],
    ['an empty conversation', { messages: [] }, '/messages'],
    ['a message that is a text', { messages: ['Hello'] }, '/messages/0'],
    ['a message without a role', { messages: [{ content: 'x' }] }, '/messages/0/role'],
    ['an unknown role', { messages: [{ role: 'root', content: 'x' }] }, '/messages/0/role'],
    ['content that is a number', { messages: [{ role: 'user', content: 1 }] }, '/messages/0/content'],
    ['a wish that is a text', { messages: [{ role: 'user', content: 'x' }], payload: 'yes' }, '/payload'],
    ['a project that is a number', { messages: [{ role: 'user', content: 'x' }], project_id: 1 }, '/project_id'],
    ['metadata that are a list', { messages: [{ role: 'user', content: 'x' }], metadata: [] }, '/metadata'],
    [
      'too many texts',
      { messages: Array.from({ length: 9 }, () => ({ role: 'user', content: Array.from({ length: 1_990 }, () => 'x') })) },
      '/messages',
    ],
  ])('with %s is refused at the place', async (_name, wrong, pointer) => {
    const { status, body, headers } = await guard(wrong);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      flagged: true,
      error: 'The request is not valid.',
      code: 'invalid_request',
      request_id: headers.get('x-svc-request-id'),
    });
    expect(body.details.map((each: Json) => each.pointer)).toContain(pointer);
  });
});
