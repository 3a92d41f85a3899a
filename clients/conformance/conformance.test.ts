// What all client libraries promise alike: each passes the same vectors, against a server that answers as they say. A language whose tools are
// not on this machine is skipped, and its title says why.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../packages/server/src/http/errors.ts';
import { checkpointVectors, type CheckpointCase } from '../../scripts/clients/checkpoint-vectors.ts';
import { webhookVectors, type WebhookCase } from '../../scripts/clients/webhook-vectors.ts';
import { judgeCheckpoints, judgeExchange, judgeGuard, judgeWebhook } from './judge.ts';
import { prepareAll, startTestee } from './languages.ts';
import type { Testee } from './testee.ts';
import { readVectors, type Bodies, type ExchangeCase, type GuardCase, type VectorFile } from './vectors.ts';

/** A group of cases, with its judge. */
interface Judged {
  readonly title: string;
  readonly cases: readonly { readonly name: string; readonly judge: (testee: Testee) => Promise<string[]> }[];
}

const webhooks = readVectors<WebhookCase>('webhooks');
const retries = readVectors<ExchangeCase>('retries');
const errors = readVectors<ExchangeCase>('errors');
const checkpoints = readVectors<CheckpointCase>('checkpoints');

const GROUPS: readonly Judged[] = [
  ...judged('webhooks', webhooks, (vector) => (testee) => judgeWebhook(testee, vector)),
  ...judged('retries', retries, (vector, bodies) => (testee) => judgeExchange(testee, vector, bodies)),
  ...judged('errors', errors, (vector, bodies) => (testee) => judgeExchange(testee, vector, bodies)),
  ...judged(
    'requests',
    readVectors<ExchangeCase>('requests'),
    (vector, bodies) => (testee) => judgeExchange(testee, vector, bodies),
  ),
  ...judged('paging', readVectors<ExchangeCase>('paging'), (vector, bodies) => (testee) => judgeExchange(testee, vector, bodies)),
  ...judged(
    'stream guard',
    readVectors<GuardCase>('stream-guard'),
    (vector, bodies) => (testee) => judgeGuard(testee, vector, bodies),
  ),
  ...judged('checkpoints', checkpoints, (vector, _bodies, name) => (testee) => judgeCheckpoints(testee, vector, name)),
];

function judged<Case extends { readonly name: string }>(
  file: string,
  { groups, bodies = {} }: VectorFile<Case>,
  judgeOf: (vector: Case, bodies: Bodies, name: string) => (testee: Testee) => Promise<string[]>,
): Judged[] {
  return groups.map(({ name, cases }) => ({
    title: `${file}: ${name}`,
    cases: cases.map((one) => ({ name: one.name, judge: judgeOf(one, bodies, `${file}/${name}/${one.name}`) })),
  }));
}

for (const [language, prepared] of await prepareAll()) {
  const { name } = language;
  if ('missing' in prepared) {
    test.skip(`${name} is not judged here: ${prepared.missing}`, () => {});
    continue;
  }
  if ('fault' in prepared) {
    test(`the testee of ${name} can be built`, () => Promise.reject(prepared.fault));
    continue;
  }
  describe.concurrent(name, () => {
    let testee: Testee;

    beforeAll(() => {
      testee = startTestee(language, prepared.command);
    });

    afterAll(() => testee.close());

    test.each(GROUPS)(`${name} passes $title`, { timeout: 120_000 }, async ({ cases }) => {
      const faults: string[] = [];
      for (const one of cases) {
        const found = await one.judge(testee).catch((err: unknown) => [String(err)]);
        faults.push(...found.map((fault) => `${one.name}: ${fault}`));
      }
      expect(faults).toEqual([]);
    });
  });
}

describe('the vectors', () => {
  test('of webhooks and checkpoints are those that their scripts write', () => {
    expect(webhooks).toEqual(webhookVectors());
    expect(checkpoints).toEqual(checkpointVectors());
  });

  test('have every code of an error', () => {
    const cases = errors.groups.find(({ name }) => name === 'every code')!.cases;
    const known = Object.entries(ERRORS).map(([code, { status }]) => `${status} ${code}`);
    expect(cases.map(({ expect: { error } }) => `${String(error?.['status'])} ${String(error?.['code'])}`).sort()).toEqual(
      known.sort(),
    );
  });

  test('name each case once', () => {
    for (const { title, cases } of GROUPS) {
      const names = cases.map(({ name }) => name);
      expect([...new Set(names)], title).toEqual(names);
    }
  });
});
