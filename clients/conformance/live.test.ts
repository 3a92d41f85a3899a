// The same scenario by each client library against a whole service: what they find is the same.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../packages/server/src/testing/service.ts';
import { prepareAll, startTestee } from './languages.ts';

const FACTS = {
  allowed: 'allowed',
  worse: true,
  repeated: true,
  batch: 3,
  found: true,
  missing: 'not_found',
  refused: 'unauthorized',
  verified: [true, true],
  forged: 'signature_mismatch',
  policy_version: expect.any(Number) as number,
  streamed: 'The capital of France is Paris.',
  stream_outcome: 'allowed',
  checkpoint_grew: true,
  leaf: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) as string,
};

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

for (const [language, prepared] of await prepareAll()) {
  const { name } = language;
  if ('missing' in prepared) {
    test.skip(`${name} is not tried here: ${prepared.missing}`, () => {});
    continue;
  }
  if ('fault' in prepared) {
    test(`the testee of ${name} can be built`, () => Promise.reject(prepared.fault));
    continue;
  }
  test.concurrent(`${name} gets through its day with a whole service`, { timeout: 120_000 }, async ({ expect }) => {
    const { id, keys } = await service.createOrganization();
    const testee = startTestee(language, prepared.command);
    try {
      const result = await testee.ask({
        do: 'scenario',
        base_url: service.baseUrl,
        live_key: keys.live,
        admin_key: keys.admin,
        org_id: id,
      });
      expect(result.facts).toEqual(FACTS);
      // And what the trail says of it.
      const { body } = await service.request('GET', '/v1/events?limit=200', { key: keys.live });
      const events = body.data as { readonly kind: string; readonly leaf_hash: string | null }[];
      const kinds = events.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'inference.flagged' || kind === 'inference.blocked').length).toBeGreaterThan(0);
      expect(kinds).toEqual(expect.arrayContaining(['inference.allowed', 'webhook.created', 'webhook.deleted']));
      const firstAllowed = events.findLast(({ kind }) => kind === 'inference.allowed')!;
      expect((result.facts as typeof FACTS).leaf).toBe(firstAllowed.leaf_hash);
    } finally {
      await testee.close();
    }
  });
}
