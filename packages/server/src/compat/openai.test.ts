// Promises to clients of OpenAI’s moderations: what they send is understood, and answered so that they do what the policy says.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moderationOf } from './openai.ts';
import { ATTACK, PATHS, PAY, lastAssessment, post, service, start, stop, watching, type Json } from './test-kit.ts';

beforeAll(start);
afterAll(stop);

describe('OpenAI', () => {
  const moderate = (body: object, key = service.organization.keys.live) => post(PATHS.openai, body, { key });
  const HATE = 'All immigrants are vermin and should be exterminated.';

  test('answers all thirteen categories for each text, in their order', async () => {
    const { status, body } = await moderate({ input: ['Hello', HATE], model: 'omni-moderation-latest', user: 'x' });
    expect(status).toBe(200);
    expect(body.id).toMatch(/^modr-[0-9a-z]{26}$/);
    expect(body.results).toHaveLength(2);
    for (const result of body.results) {
      for (const member of ['categories', 'category_scores', 'category_applied_input_types'])
        expect(Object.keys(result[member])).toHaveLength(13);
      for (const [name, isFound] of Object.entries(result.categories)) expect(result.category_scores[name] > 0).toBe(isFound);
    }
    expect(body.results[0].flagged).toBe(false);
    expect(body.results[1].flagged).toBe(true);
    expect(body.results[1].categories.hate).toBe(true);
    expect(body.results[1].category_applied_input_types.hate).toEqual(['text']);
  });

  test.each([
    ['harassment', 'harassment'],
    ['hate', 'hate'],
    ['illicit', 'illicit'],
    ['self_harm', 'self-harm'],
    ['sexual', 'sexual'],
    ['minors', 'sexual/minors'],
    ['violence', 'violence'],
    ['profanity', undefined],
  ])('calls content.%s by the name %s', async (category, name) => {
    const { keys } = await service.createOrganization();
    const terms = [{ id: 'word', category: `content.${category}`, any: ['frobnicate'] }];
    await service.request('PUT', '/v1/policy', { key: keys.admin, body: { custom: { terms } } });
    const { body } = await moderate({ input: 'Please frobnicate.' }, keys.live);
    const { categories, flagged } = body.results[0];
    expect(Object.keys(categories).filter((each) => categories[each])).toEqual(name === undefined ? [] : [name]);
    expect(flagged).toBe(name !== undefined);
  });

  test('keeps an assessment for each text, found by the id of the answer', async () => {
    const { body } = await moderate({ input: ['One', 'Two', 'Three'] });
    const { body: list } = await service.request('GET', `/v1/assessments?external_id=${body.id}`);
    expect(list.data).toHaveLength(3);
  });

  test('flags what the policy blocks for another reason, and not what it redacts', async () => {
    const { body } = await moderate({ input: [ATTACK, PAY] });
    expect(body.results.map((each: Json) => each.flagged)).toEqual([true, false]);
    expect(Object.values(body.results[0].categories)).not.toContain(true);
  });

  test('flags nothing while the policy only watches, and still says what was found', async () => {
    const { body } = await moderate({ input: [HATE, ATTACK] }, watching.keys.live);
    expect(body.results.map((each: Json) => each.flagged)).toEqual([false, false]);
    expect(body.results[0].category_scores.hate).toBeGreaterThan(0);
  });

  test.each([
    ['flagged', 1, true],
    ['flagged', 0, false],
    ['allowed', 1, false],
  ] as const)('with outcome %s and %i findings that are not listed says flagged: %s', (outcome, total, flagged) => {
    const enforcement = { mode: 'enforce', action: 'none', would: null, message: null } as const;
    expect(moderationOf({ input: 'x' }, { outcome, enforcement, findings: [], findings_total: total }).flagged).toBe(flagged);
  });

  test('reads the parts of a text together, and says that it has read no image', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const { body } = await moderate({ input: [{ type: 'text', text: HATE }, image] });
    expect(body.results).toHaveLength(1);
    expect(body.results[0].flagged).toBe(true);
    expect((await lastAssessment()).coverage.status).toBe('partial');
    const images = await moderate({ input: [image] });
    expect(Object.values(images.body.results[0].category_applied_input_types)).toEqual(Array.from({ length: 13 }, () => []));
  });

  test('costs one assessment a text, and is refused whole where the plan has no room', async () => {
    const { keys } = await service.createOrganization('starter');
    const send = (count: number) => moderate({ input: Array.from({ length: count }, () => 'Hello') }, keys.live);
    const tooMany = await send(51);
    expect(tooMany).toMatchObject({ status: 413, body: { error: { type: 'invalid_request_error', code: 'payload_too_large' } } });
    for (let i = 0; i < 4; i++) expect((await send(50)).status).toBe(200);
    const refused = await send(1);
    expect(refused).toMatchObject({ status: 429, body: { error: { type: 'requests', code: 'rate_limit_exceeded' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-svc-ratelimit-limit')).toBe('100');
    for (const path of [PATHS.litellm, PATHS.portkey, PATHS.lakera])
      expect((await post(path, {}, { key: keys.live })).status).toBe(429);
  });

  test.each([
    ['no input', {}, 'input'],
    ['an input that is a number', { input: 5 }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['a list of texts and numbers', { input: ['a', 1] }, 'input'],
    ['a part without its text', { input: [{ type: 'text' }] }, 'input.0.text'],
    ['an unknown part', { input: [{ type: 'audio' }] }, 'input'],
    ['a model that is a number', { input: 'x', model: 1 }, 'model'],
  ])('with %s is refused at the place', async (_name, wrong, param) => {
    const { status, body } = await moderate(wrong);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_request' });
    expect(body.error.param).toMatch(new RegExp(`^${param.replaceAll('.', '\\.')}`));
    expect(body.error.message).toContain(`/${param.replaceAll('.', '/')}`);
  });
});
