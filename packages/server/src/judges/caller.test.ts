// Promises about asking a judge: what it costs when it fails, and what is remembered.

import { questionsFor, type PolicyJudge } from '@svc/engine';
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Vault } from '../access/vault.ts';
import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { createEgress, type Egress } from '../egress/egress.ts';
import { formatId, newUuid } from '../ids.ts';
import { startModelServer, type ModelServer } from '../testing/model-server.ts';
import { CALLS_PER_JUDGE_MAX, JudgeCaller, type CallTime } from './caller.ts';
import { keyPurpose } from './key.ts';
import type { Judge } from './store.ts';

const ORG = 'org_01jd4t4ve9e0fs7m4c1ywz3qkd';
const KEY = 'sk-very-secret';
const TIME: CallTime = { leftMs: 2_000, usualMs: 2_000 };
const IN_A_HURRY: CallTime = { leftMs: 60, usualMs: 2_000 };
const NAMED: PolicyJudge = {
  judgeId: 'jdg_01jd4t4ve9e0fs7m4c1ywz3qkd',
  appliesTo: { input: true, output: true, context: false, tool: false },
  flagAt: 0.5,
  blockAt: null,
};

let model: ModelServer;
let egress: Egress;
let vault: Vault;
let caller: JudgeCaller;
let judge: Judge;
/** What is added to the clock. */
let laterMs: number;
let logged: string;

beforeAll(async () => {
  model = await startModelServer();
  egress = createEgress({ allowed: new CidrList([parseCidr('127.0.0.0/8') as Cidr]), allowHttp: false });
  vault = new Vault(randomBytes(32));
});
afterAll(async () => {
  await egress.close();
  await model.close();
});
beforeEach(() => {
  laterMs = 0;
  logged = '';
  const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) });
  caller = new JudgeCaller(egress, vault, log, () => performance.now() + laterMs);
  judge = judgeAt(model.url);
  model.says('{"violation": 0}');
  model.asked.length = 0;
});

function judgeAt(url: string, changes: Partial<Judge> = {}): Judge {
  const uuid = newUuid();
  return {
    id: formatId('jdg', uuid),
    uuid,
    version: 1,
    name: 'judge',
    kind: 'chat',
    url,
    model: 'model-1',
    timeoutMs: 2_000,
    instructions: null,
    sealedKey: null,
    createdAtMs: 0,
    updatedAtMs: 0,
    ...changes,
  };
}

const question = (input: string) => questionsFor({ input }, NAMED)[0]!;
const ask = (input: string, time = TIME, who = judge, orgId = ORG) => caller.ask(orgId, who, question(input), time);
const askMany = async (texts: readonly string[], time = TIME) => {
  const opinions = [];
  for (const text of texts) opinions.push(await ask(text, time));
  return opinions;
};
const texts = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `text ${from + i}`);

describe('a call', () => {
  test('goes to the chat completions below the url, with the model, the key and no more', async () => {
    const uuid = newUuid();
    const url = `${model.url}/?api-version=7`;
    const sealedKey = vault.seal(keyPurpose({ uuid, url }), KEY);
    expect(await ask('Hello', TIME, judgeAt(url, { uuid, sealedKey }))).toEqual({ status: 'ok', verdicts: [] });
    const { path, headers } = model.receiver.received.at(-1)!;
    expect(path).toBe('/v1/chat/completions?api-version=7');
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
    expect(model.asked.at(-1)).toEqual({ model: 'model-1', messages: expect.any(Array), temperature: 0 });
    await ask('Hello', TIME, judgeAt(`${model.url}/chat/completions`));
    expect(model.receiver.received.at(-1)).toMatchObject({ path: '/v1/chat/completions' });
    expect(model.receiver.received.at(-1)!.headers).not.toHaveProperty('authorization');
  });

  test('with a key that was sealed for another url is not made', async () => {
    const uuid = newUuid();
    const sealedKey = vault.seal(keyPurpose({ uuid, url: 'https://other.example/v1' }), KEY);
    expect(await ask('Hello', TIME, judgeAt(model.url, { uuid, sealedKey }))).toMatchObject({ status: 'error' });
    expect(model.asked).toEqual([]);
  });

  test('to an address that the guard refuses is not made', async () => {
    expect(await ask('Hello', TIME, judgeAt('http://169.254.169.254/v1'))).toMatchObject({ status: 'error' });
  });

  test('about more text than a judge can read is not made', async () => {
    expect(await ask('x'.repeat(400_001))).toMatchObject({ status: 'error', explanation: expect.stringContaining('400000') });
    expect(model.asked).toEqual([]);
  });

  test.each([
    ['status 500', () => model.receiver.answer(500), 'error'],
    ['status 401', () => model.receiver.answer(401), 'error'],
    [
      'a redirect',
      () => model.receiver.behave((res) => void res.writeHead(307, { location: `${model.url}/elsewhere` }).end()),
      'error',
    ],
    ['no JSON', () => model.receiver.behave((res) => void res.end('hello')), 'error'],
    ['JSON of another sort', () => model.receiver.behave((res) => void res.end('{"choices":[{"message":null}]}')), 'error'],
    ['null', () => model.receiver.behave((res) => void res.end('null')), 'error'],
    ['words', () => model.says('I would say that this is fine.'), 'error'],
    ['more than 64 KiB', () => model.says(`{"violation": 0, "rationale": "${'x'.repeat(70_000)}"}`), 'error'],
    ['a hang-up', () => model.receiver.behave((res) => void res.destroy()), 'error'],
    ['silence', () => model.receiver.behave(() => {}), 'timed_out'],
    ['half an answer', () => model.receiver.behave((res) => void res.writeHead(200).write('{"choices":')), 'timed_out'],
  ] as const)('that is answered with %s is a failure, and nothing of the answer is told', async (_name, behave, status) => {
    behave();
    const before = model.receiver.received.length;
    const startedAt = performance.now();
    const opinion = await ask('Hello', { leftMs: 300, usualMs: 300 });
    expect(opinion).toEqual({ status, explanation: expect.stringMatching(/^The judge/) });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(model.receiver.received.length - before).toBe(1);
    expect(JSON.stringify(opinion)).not.toMatch(/hello|fine|xxx/i);
  });
});

test('that a judge is not asked any more is logged once, without its key, its address and what it was sent', async () => {
  const uuid = newUuid();
  const who = judgeAt(model.url, { uuid, sealedKey: vault.seal(keyPurpose({ uuid, url: model.url }), KEY) });
  model.receiver.behave((res, { headers }) => void res.writeHead(500).end(JSON.stringify(headers)));
  for (const text of texts(8)) await ask(`secret ${text}`, TIME, who);
  expect(logged.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(logged)).toMatchObject({ org_id: ORG, judge_id: who.id, reason: 'The judge answered with status 500.' });
  expect(logged).not.toMatch(new RegExp(`${KEY}|secret text|${model.url}`));
});

describe('an opinion', () => {
  test('is given again for ten minutes without a call', async () => {
    model.says('{"violation": 1, "category": "content.hate"}');
    const first = await ask('Hello');
    model.says('{"violation": 0}');
    laterMs = 599_000;
    expect(await ask('Hello')).toEqual(first);
    expect(model.asked).toHaveLength(1);
    laterMs = 601_000;
    expect(await ask('Hello')).toEqual({ status: 'ok', verdicts: [] });
  });

  test('is that of one organization, of one judge in one version, about one text', async () => {
    await ask('Hello');
    await ask('Hello', TIME, judge, 'org_01jd4t4ve9e0fs7m4c1ywz3qke');
    await ask('Hello', TIME, { ...judge, version: 2 });
    await ask('Hello', TIME, judgeAt(model.url));
    await ask('Hello!');
    expect(model.asked).toHaveLength(5);
  });

  test('that was none is not kept', async () => {
    model.receiver.answer(500);
    await ask('Hello');
    model.says('{"violation": 0}');
    expect(await ask('Hello')).toMatchObject({ status: 'ok' });
  });
});

describe('after five failures in a row', () => {
  test('a judge is not asked for 30 s, then one call tries', async () => {
    model.receiver.answer(503);
    const before = model.receiver.received.length;
    const calls = () => model.receiver.received.length - before;
    await askMany(texts(5));
    expect(calls()).toBe(5);
    expect(await ask('more')).toMatchObject({ status: 'error', explanation: expect.stringContaining('half a minute') });
    laterMs = 29_000;
    await ask('more');
    expect(calls()).toBe(5);
    laterMs = 30_500;
    // Of several at once one is let through; it fails, so for 30 s none is.
    await Promise.all(texts(4, 10).map((text) => ask(text)));
    expect(calls()).toBe(6);
    laterMs = 61_500;
    model.says('{"violation": 0}');
    expect(await ask('more')).toMatchObject({ status: 'ok' });
    expect(await askMany(texts(3, 20))).toEqual(texts(3).map(() => ({ status: 'ok', verdicts: [] })));
  });

  test('it still says what it said before, and is asked again at once when it is changed', async () => {
    await ask('known');
    model.receiver.answer(503);
    await askMany(texts(5));
    model.says('{"violation": 0}');
    expect(await ask('known')).toMatchObject({ status: 'ok' });
    expect(await ask('unknown')).toMatchObject({ status: 'error' });
    expect(await ask('unknown', TIME, { ...judge, version: 2 })).toMatchObject({ status: 'ok' });
  });

  test('a success in between counts from the start', async () => {
    for (const status of [500, 500, 500, 500, 200, 500, 500, 500, 500]) {
      if (status === 200) model.says('{"violation": 0}');
      else model.receiver.answer(status);
      await ask(`text ${Math.random()}`);
    }
    model.says('{"violation": 0}');
    expect(await ask('last')).toMatchObject({ status: 'ok' });
  });

  test('silence is a failure, but not where the caller was in a hurry', async () => {
    model.receiver.behave(() => {});
    await askMany(texts(6), IN_A_HURRY);
    model.says('{"violation": 0}');
    expect(await ask('in time')).toMatchObject({ status: 'ok' });
    model.receiver.behave(() => {});
    await askMany(texts(5, 10), { leftMs: 60, usualMs: 60 });
    expect(await ask('now')).toMatchObject({ status: 'error', explanation: expect.stringContaining('half a minute') });
  });
});

describe('many calls at once', () => {
  test('are at most eight under way; the others wait for their turn', async () => {
    let underWay = 0;
    let most = 0;
    model.receiver.behave((res) => {
      most = Math.max(most, ++underWay);
      setTimeout(() => {
        underWay--;
        res.end('{"choices":[{"message":{"content":"{\\"violation\\": 0}"}}]}');
      }, 30);
    });
    const opinions = await Promise.all(texts(40).map((text) => ask(text)));
    expect(opinions.every(({ status }) => status === 'ok')).toBe(true);
    expect(most).toBe(CALLS_PER_JUDGE_MAX);
  });

  test('time out where no place comes free in time, which is not the judge’s failure', async () => {
    model.says('{"violation": 0}', 400);
    const first = texts(8).map((text) => ask(text));
    const late = await Promise.all(texts(8, 8).map((text) => ask(text, { leftMs: 50, usualMs: 50 })));
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set(['timed_out']));
    expect((await Promise.all(first)).every(({ status }) => status === 'ok')).toBe(true);
    expect(await ask('after')).toMatchObject({ status: 'ok' });
  });
});
