// Promises about judges, from the API to a server of models and back into the answer.

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewOrganization } from '../organizations/service.ts';
import { startModelServer, type ModelServer } from '../testing/model-server.ts';
import { startTestService, type TestService } from '../testing/service.ts';

const KEY = 'sk-very-secret-0123456789';
const HATE = '{"violation": 1, "category": "content.hate", "confidence": 0.95, "rationale": "It says: RATIONALE"}';

let service: TestService;
let model: ModelServer;
let org: NewOrganization;

beforeAll(async () => {
  service = await startTestService({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  model = await startModelServer();
});
afterAll(async () => {
  await service.close();
  await model.close();
});
beforeEach(async () => {
  org = await service.createOrganization();
  model.says('{"violation": 0}');
  model.asked.length = 0;
});

const admin = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, path, { key: org.keys.admin, headers, ...(body === undefined ? {} : { body }) });
const create = (changes: object = {}) =>
  admin('POST', '/v1/judges', { name: 'judge', url: model.url, model: 'model-1', api_key: KEY, ...changes });
const patch = (id: string, changes: object) => admin('PATCH', `/v1/judges/${id}`, changes);
const putPolicy = (judges: readonly object[], rest: object = {}) =>
  admin('PUT', '/v1/policy', { deadline_ms: 2_000, ...rest, judges });
const assess = (body: object, headers: Record<string, string> = {}) =>
  service.request('POST', '/v1/assessments', { key: org.keys.live, body, headers });

/** A judge that the policy in force names. */
async function judgeInForce(changes: object = {}, named: object = {}, policy: object = {}): Promise<string> {
  const { body } = await create(changes);
  expect((await putPolicy([{ judge_id: body.id, ...named }], policy)).status).toBe(200);
  return body.id;
}

describe('a judge', () => {
  test('is answered, listed and read without its key, which is kept encrypted', async () => {
    const created = await create({ instructions: 'No goodbyes.', timeout_ms: 700, kind: 'gpt_oss_safeguard' });
    expect(created).toMatchObject({ status: 201 });
    expect(created.body).toEqual({
      id: expect.stringMatching(/^jdg_/),
      version: 1,
      name: 'judge',
      kind: 'gpt_oss_safeguard',
      url: model.url,
      model: 'model-1',
      has_api_key: true,
      timeout_ms: 700,
      instructions: 'No goodbyes.',
      created_at: expect.any(String),
      updated_at: created.body.created_at,
    });
    const one = await admin('GET', `/v1/judges/${created.body.id}`);
    const list = await admin('GET', '/v1/judges?limit=1');
    expect(one.body).toEqual(created.body);
    expect(list.body).toEqual({ data: [created.body], has_more: false, next_cursor: null });
    const { text: trail, body: events } = await admin('GET', '/v1/events?kind=judge.created');
    expect(events.data[0].data).toEqual({
      judge_id: created.body.id,
      version: 1,
      name: 'judge',
      kind: 'gpt_oss_safeguard',
      host: new URL(model.url).host,
      model: 'model-1',
      timeout_ms: 700,
      has_api_key: true,
      instructions_digest: expect.stringMatching(/^sha256:/),
    });
    for (const text of [created.text, one.text, list.text, trail]) expect(text).not.toContain(KEY);
    expect(await everything()).not.toMatch(
      new RegExp(`${KEY}|${Buffer.from(KEY).toString('hex')}|${Buffer.from(KEY).toString('base64').slice(0, 24)}`),
    );
  });

  test('has defaults', async () => {
    const { body } = await admin('POST', '/v1/judges', { name: 'j', url: model.url, model: 'm' });
    expect(body).toMatchObject({ kind: 'chat', timeout_ms: 2_000, has_api_key: false, instructions: null });
  });

  test.each([
    ['no url', { url: undefined }, '/url'],
    ['a private address', { url: 'https://10.0.0.1/v1' }, '/url'],
    ['the metadata service', { url: 'http://169.254.169.254/latest' }, '/url'],
    ['http to a public address', { url: 'http://1.1.1.1/v1' }, '/url'],
    ['a url that is none', { url: 'models.example.com' }, '/url'],
    ['user information in the url', { url: 'https://me:pw@1.1.1.1/v1' }, '/url'],
    ['an unknown kind', { kind: 'oracle' }, '/kind'],
    ['a key with a line break', { api_key: 'a\nb' }, '/api_key'],
    ['no time', { timeout_ms: 0 }, '/timeout_ms'],
    ['NUL in its instructions', { instructions: 'a\u0000b' }, '/instructions'],
    ['instructions that it would not read', { kind: 'llama_guard', instructions: 'No goodbyes.' }, '/instructions'],
    ['an unknown member', { temperature: 0 }, '/temperature'],
  ])('with %s is refused at the place, without its key', async (_name, changes, pointer) => {
    const { status, body, text } = await create(changes);
    expect(status).toBe(400);
    expect(body.error.details.map((detail: { pointer: string }) => detail.pointer)).toContain(pointer);
    expect(text).not.toContain(KEY);
  });

  test('keeps its key when it is changed, but not for another url', async () => {
    const { body: judge } = await create();
    expect((await patch(judge.id, { name: 'new', timeout_ms: 900 })).body).toMatchObject({
      version: 2,
      name: 'new',
      timeout_ms: 900,
      has_api_key: true,
    });
    expect((await patch(judge.id, { url: `${model.url}/other` })).body).toMatchObject({ version: 3, has_api_key: false });
    expect((await patch(judge.id, { url: model.url, api_key: KEY })).body).toMatchObject({ version: 4, has_api_key: true });
    expect((await patch(judge.id, { api_key: null })).body).toMatchObject({ version: 5, has_api_key: false });
    expect((await patch(judge.id, { url: 'https://10.0.0.1' })).status).toBe(400);
    const { body: events } = await admin('GET', '/v1/events?kind=judge.updated');
    expect(events.data.map(({ data }: { data: { version: number } }) => data.version)).toEqual([5, 4, 3, 2]);
  });

  test('that is changed to what it is makes no event', async () => {
    const { body: judge } = await create();
    expect((await patch(judge.id, { name: 'judge', url: model.url })).body).toEqual(judge);
    expect((await admin('GET', '/v1/events?kind=judge.updated')).body.data).toEqual([]);
  });

  test('that the policy in force names cannot be deleted', async () => {
    const id = await judgeInForce();
    const refused = await admin('DELETE', `/v1/judges/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    await putPolicy([]);
    expect((await admin('DELETE', `/v1/judges/${id}`)).status).toBe(200);
    expect((await admin('GET', `/v1/judges/${id}`)).status).toBe(404);
    expect((await admin('DELETE', `/v1/judges/${id}`)).status).toBe(404);
    expect((await admin('GET', '/v1/events?kind=judge.deleted')).body.data[0].data).toMatchObject({ judge_id: id });
  });

  test('is one of twenty at most', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => create()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(4).fill(409),
    ]);
  });

  test('is made once under one Idempotency-Key', async () => {
    const send = () =>
      admin('POST', '/v1/judges', { name: 'j', url: model.url, model: 'm', api_key: KEY }, { 'idempotency-key': 'j-1' });
    const first = await send();
    expect((await send()).body).toEqual(first.body);
    expect((await admin('GET', '/v1/judges')).body.data).toHaveLength(1);
  });
});

/** All that the database holds, as text. */
async function everything(): Promise<string> {
  const db = new pg.Client(service.databaseUrl);
  await db.connect();
  const { rows } = await db.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  let all = '';
  for (const { name } of rows) {
    const { rows: found } = await db.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
    all += found.map(({ row }) => row).join('\n');
  }
  await db.end();
  return all;
}

describe('a policy', () => {
  test('that names a judge which is not the organization’s own is refused, by PUT and by lint, in the same words', async () => {
    const own = await create();
    const other = await service.createOrganization();
    const { body: foreign } = await service.request('POST', '/v1/judges', {
      key: other.keys.admin,
      body: { name: 'j', url: model.url, model: 'm' },
    });
    const missing = `jdg_${'0'.repeat(26)}`;
    const policy = { judges: [own.body.id, foreign.id, missing].map((judge_id: string) => ({ judge_id })) };
    const put = await admin('PUT', '/v1/policy', policy);
    const lint = await admin('POST', '/v1/policy/lint', policy);
    expect(put.status).toBe(400);
    expect(put.body.error.details).toEqual([
      { pointer: '/judges/1/judge_id', message: 'names no judge of this organization' },
      { pointer: '/judges/2/judge_id', message: 'names no judge of this organization' },
    ]);
    expect(lint.body).toMatchObject({ valid: false, errors: put.body.error.details, digest: null });
  });

  test('with too little time for its judge is warned of', async () => {
    const { body: judge } = await create({ timeout_ms: 1_500 });
    const lint = (deadlineMs: number) =>
      admin('POST', '/v1/policy/lint', { deadline_ms: deadlineMs, judges: [{ judge_id: judge.id }] });
    expect((await lint(250)).body.warnings).toMatchObject([{ pointer: '/judges/0/judge_id' }]);
    expect((await lint(1_500)).body).toMatchObject({ valid: true, warnings: [] });
  });
});

describe('an assessment', () => {
  test('has what the judge sees as findings, committed to the trail, and none of its words', async () => {
    model.says(HATE);
    const id = await judgeInForce({}, { block_at: 0.9 });
    const { body, text } = await assess({ input: 'The meeting starts at ten today.' });
    expect(body).toMatchObject({
      outcome: 'blocked',
      score: 0.95,
      severity: 'high',
      enforcement: { action: 'block', message: 'Blocked by policy: content.hate.' },
      coverage: { status: 'complete' },
      findings: [
        {
          category: 'content.hate',
          location: { pointer: '/input', start: 0, end: 32 },
          outcome: 'blocked',
          preview: null,
          detector: { id: `judge:${id}`, version: '1', method: 'judge' },
        },
      ],
    });
    expect(body.coverage.detectors.at(-1)).toMatchObject({ id: `judge:${id}`, version: '1', status: 'ok' });
    expect(text).not.toContain('RATIONALE');
    const event = await service.request('GET', `/v1/events/${body.event_id}`, { key: org.keys.live });
    expect(event.body).toMatchObject({ kind: 'inference.blocked', data: { findings: body.findings } });
    const listed = await service.request('GET', '/v1/assessments?category=content.hate', { key: org.keys.live });
    expect(listed.body.data).toHaveLength(1);
    expect(await everything()).not.toMatch(/RATIONALE|meeting starts/);
    expect(model.receiver.received.at(-1)!.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each([
    ['llama_guard', 'safe', []],
    ['llama_guard', '\n\nunsafe\nS1,S10', ['content.violence', 'content.hate']],
    ['gpt_oss_safeguard', '{"violation":1,"policy_category":"content.self_harm","confidence":"high"}', ['content.self_harm']],
    ['chat', 'Sure:\n```json\n{"violation": 1, "category": null}\n```', ['policy.violation']],
  ])('by a judge of kind %s that says %j', async (kind, answer, categories) => {
    model.says(answer);
    await judgeInForce({ kind });
    const { body } = await assess({ input: 'Hello' });
    expect(body.findings.map(({ category }: { category: string }) => category)).toEqual(categories);
    expect(body.outcome).toBe(categories.length === 0 ? 'allowed' : 'flagged');
  });

  test('sends a judge the texts that the policy names for it, once for each direction', async () => {
    await judgeInForce({}, { applies_to: ['input', 'output'] });
    await assess({ input: 'A question', output: 'An answer', context: [{ content: 'A document' }] });
    const sent = model.asked.map(({ messages }) => JSON.parse(messages[1].content).map(({ text }: { text: string }) => text));
    expect(sent.toSorted((a, b) => a.length - b.length)).toEqual([['A question'], ['A question', 'An answer']]);
  });

  test('asks all judges of the policy at once, and each shows for itself', async () => {
    model.says(({ model: name }) => (name === 'strict' ? HATE : '{"violation": 0}'), 250);
    const [mild, strict] = await Promise.all([create({ model: 'mild' }), create({ model: 'strict' })]);
    await putPolicy([{ judge_id: mild.body.id }, { judge_id: strict.body.id }]);
    const startedAt = performance.now();
    const { body } = await assess({ input: 'a', output: 'b' });
    expect(performance.now() - startedAt).toBeLessThan(750);
    expect(body.findings.map(({ detector }: { detector: { id: string } }) => detector.id)).toEqual([
      `judge:${strict.body.id}`,
      `judge:${strict.body.id}`,
    ]);
    expect(body.coverage.detectors.slice(-2)).toMatchObject([
      { id: `judge:${mild.body.id}`, status: 'ok' },
      { id: `judge:${strict.body.id}`, status: 'ok' },
    ]);
  });

  test.each([
    ['a hang', () => model.receiver.behave(() => {}), 'timed_out'],
    ['a 500', () => model.receiver.answer(500), 'error'],
    ['garbage', () => model.says('Hmm.'), 'error'],
    ['a redirect', () => model.receiver.behave((res) => void res.writeHead(302, { location: model.url }).end()), 'error'],
    ['too much', () => model.says('x'.repeat(100_000)), 'error'],
  ])('keeps its deadline with %s of the judge, and on_error decides', async (_name, behave, status) => {
    behave();
    await judgeInForce({ timeout_ms: 5_000 }, {}, { deadline_ms: 300, on_error: { input: 'allow', output: 'block' } });
    const startedAt = performance.now();
    const input = await assess({ input: 'Hello' });
    const output = await assess({ output: 'Hello, my card is 4111 1111 1111 1111' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(input.body).toMatchObject({ outcome: 'allowed', findings: [], coverage: { status: 'partial', chars_scanned: 0 } });
    expect(output.body).toMatchObject({ outcome: 'blocked', coverage: { status: 'partial' } });
    expect(output.body.findings.map(({ category }: { category: string }) => category)).toEqual(['system.coverage', 'data.pii']);
    expect(output.body.coverage.detectors.at(-1)).toMatchObject({ status });
  });

  test('gives a judge no more time than its own, and what the caller asks for', async () => {
    model.says('{"violation": 0}', 1_000);
    await judgeInForce({ timeout_ms: 100 }, {}, { deadline_ms: 5_000 });
    const started = performance.now();
    expect((await assess({ input: 'one' })).body.coverage.detectors.at(-1).status).toBe('timed_out');
    expect(performance.now() - started).toBeLessThan(700);
    await judgeInForce({ timeout_ms: 5_000 }, {}, { deadline_ms: 5_001 });
    const again = performance.now();
    expect((await assess({ input: 'two', deadline_ms: 100 })).body.coverage.detectors.at(-1).status).toBe('timed_out');
    expect(performance.now() - again).toBeLessThan(700);
  });

  test('of the same text asks once, and again once the judge is changed', async () => {
    const id = await judgeInForce();
    await assess({ input: 'Hello' });
    await assess({ input: 'Hello' });
    expect(model.asked).toHaveLength(1);
    await patch(id, { model: 'model-2' });
    const { body } = await assess({ input: 'Hello' });
    expect(model.asked.map(({ model: name }) => name)).toEqual(['model-1', 'model-2']);
    expect(body.coverage.detectors.at(-1)).toMatchObject({ version: '2' });
  });

  test('of another organization asks its own judge, whatever the first one knows', async () => {
    model.says(HATE);
    await judgeInForce();
    await assess({ input: 'Hello' });
    org = await service.createOrganization();
    model.says('{"violation": 0}');
    await judgeInForce();
    expect((await assess({ input: 'Hello' })).body.outcome).toBe('allowed');
    expect(model.asked).toHaveLength(2);
    await putPolicy([]);
    await assess({ input: 'Hello again' });
    expect(model.asked).toHaveLength(2);
  });

  test('of a long text is judged too', async () => {
    model.says(HATE);
    await judgeInForce();
    const { body } = await assess({ input: 'All is well. '.repeat(6_000), deadline_ms: 10_000 });
    expect(body).toMatchObject({ outcome: 'flagged', coverage: { status: 'complete' } });
    expect(model.asked).toHaveLength(1);
  });

  test('that is repeated answers the same without asking again', async () => {
    model.says(HATE);
    await judgeInForce();
    const cards = Array.from({ length: 150 }, (_, i) => ({
      role: 'user',
      content: `4111 1111 1111 1111 and 5500 0000 0000 0004, ${i}`,
    }));
    const first = await assess({ input: cards }, { 'idempotency-key': 'a-1' });
    expect(first.body).toMatchObject({ findings_total: 301, outcome: 'flagged' });
    model.receiver.answer(500);
    const second = await assess({ input: cards }, { 'idempotency-key': 'a-1' });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  test('by a test key is judged like any other', async () => {
    model.says(HATE);
    await judgeInForce();
    const { body } = await service.request('POST', '/v1/assessments', { key: org.keys.test, body: { input: 'Hello' } });
    expect(body).toMatchObject({ mode: 'test', outcome: 'flagged' });
  });
});

test('each item of a batch is judged in its own time, however many there are', async () => {
  model.says(({ messages }) => (String(messages[1].content).includes('bad') ? HATE : '{"violation": 0}'), 50);
  await judgeInForce({}, { applies_to: ['input'] }, { deadline_ms: 400 });
  const items = Array.from({ length: 100 }, (_, i) =>
    i === 50 ? { input: 5 } : { input: `${i % 2 === 0 ? 'good' : 'bad'} ${i}` },
  );
  const { body } = await service.request('POST', '/v1/assessments/batch', { key: org.keys.live, body: { items } });
  expect(body.summary).toEqual({ allowed: 49, flagged: 50, blocked: 0, errors: 1 });
  expect(body.data.map(({ index }: { index: number }) => index)).toEqual(items.map((_, i) => i));
  expect(model.asked).toHaveLength(99);
  const partial = body.data.filter(
    ({ assessment }: { assessment?: { coverage: { status: string } } }) =>
      assessment !== undefined && assessment.coverage.status !== 'complete',
  );
  expect(partial).toEqual([]);
});
