// What a probe decides by itself is what the service would, but for what only the service can ask.

import { assess, compilePolicy, type Inference, type PolicyDocument } from '@svc/engine';
import { createWorkerPool } from '@svc/engine/worker-pool';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Decider, type Deciding } from './decide.ts';
import { BusyError } from './errors.ts';
import { StreamGuard } from './guard.ts';

const workers = createWorkerPool({ size: 1 });
beforeAll(() => workers.ready());
afterAll(() => workers.close());

const deciding = (document: PolicyDocument): Deciding => ({
  policy: { compiled: compilePolicy({ deadline_ms: 30_000, ...document }, 1), bundle: null, isRefusal: false },
  nowMs: Date.UTC(2026, 0, 1),
});
const JUDGED: PolicyDocument = {
  judges: [{ judge_id: 'jdg_01jd4t4ve9e0fs7m4c1ywz3qkd', applies_to: ['output'], block_at: 0.9 }],
};
const ASKED: Inference = { input: 'hello', output: 'Hello to you.' };

describe('a decision', () => {
  test('about a long text is that of the engine, and comes from another thread', async () => {
    const decider = new Decider(() => workers, 'on_error');
    const long = { input: `${'The meeting moved to Thursday. '.repeat(3_000)} AKIAQ3EGRIXPPTBMLXYZ` };
    const by = deciding({});
    const evaluation = await decider.decide(long, by);
    const expected = assess(long, by.policy.compiled, { clock: () => 0, nowMs: by.nowMs });
    expect(evaluation.findings).toEqual(expected.findings);
    expect(evaluation.redacted).toEqual(expected.redacted);
  });

  test('about a long text for which there is no thread is the policy’s on_error', async () => {
    const decider = new Decider(() => {
      throw new Error('no threads here');
    }, 'on_error');
    const long = { input: 'hello', output: 'The meeting moved to Thursday. '.repeat(3_000) };
    expect(await decider.decide(long, deciding({}))).toMatchObject({ outcome: 'blocked', coverage: { status: 'failed' } });
  });

  test.each([
    ['blocks', { output: 'block' }, 'blocked'],
    ['flags', { output: 'flag' }, 'flagged'],
    ['lets pass', { output: 'allow' }, 'allowed'],
  ] as const)('by a policy with judges %s where on_error says so', async (_name, onError, outcome) => {
    const decider = new Decider(() => workers, 'on_error');
    const evaluation = await decider.decide(ASKED, deciding({ ...JUDGED, on_error: onError }));
    expect(evaluation).toMatchObject({ outcome, coverage: { status: 'partial' } });
  });

  test('goes without judges where the operator says so, which the coverage tells, and rules still decide', async () => {
    const decider = new Decider(() => workers, 'skip');
    expect(await decider.decide(ASKED, deciding(JUDGED))).toMatchObject({ outcome: 'allowed', coverage: { status: 'partial' } });
    const rules = [
      { id: 'models', when: 'model.name != "gpt-x"', outcome: 'blocked' as const, severity: 'low' as const, message: 'No.' },
    ];
    const by = deciding({ ...JUDGED, rules });
    expect((await decider.decide({ ...ASKED, model: 'gpt-y' }, by)).outcome).toBe('blocked');
    expect((await decider.decide({ ...ASKED, model: 'gpt-x' }, by)).outcome).toBe('allowed');
  });

  test('about a stream holds nothing back for judges that are not asked', async () => {
    const text = 'The meeting moved to Thursday. '.repeat(200);
    const early = async (judges: 'skip' | 'on_error') => {
      const decider = new Decider(() => workers, judges);
      const by = deciding(JUDGED);
      const guard = new StreamGuard(decider, by, { input: 'hello' }, await decider.decide({ input: 'hello' }, by));
      return (await guard.push(text)).length;
    };
    expect(await early('skip')).toBeGreaterThan(1_000);
    expect(await early('on_error')).toBe(0);
  });
});

describe('many long texts', () => {
  const LONG: Inference = { input: 'The meeting moved to Thursday. '.repeat(3_000) };
  const by = deciding({});
  /** Threads that are busy until they are told otherwise. */
  function heldWorkers() {
    const ends: (() => void)[] = [];
    const assessed = async (...[inference, , , , deadlineMs]: Parameters<typeof workers.assess>) => {
      deadlines.push(deadlineMs);
      await new Promise<void>((resolve) => void ends.push(resolve));
      return assess(inference, by.policy.compiled, { clock: () => 0, nowMs: by.nowMs });
    };
    const deadlines: number[] = [];
    return { ends, deadlines, pool: { ...workers, assess: assessed } };
  }

  test('wait for their turn, and have all of their time from then on', async () => {
    const { ends, deadlines, pool } = heldWorkers();
    const decider = new Decider(() => pool, 'on_error', 2);
    const decided = Array.from({ length: 5 }, () => decider.decide(LONG, by));
    for (let under = 2; under <= 5; under++) {
      await vi.waitFor(() => expect(ends.length).toBe(under));
      await new Promise((resolve) => void setTimeout(resolve, 5));
      expect(ends.length).toBe(under);
      ends[under - 2]!();
    }
    ends.at(-1)!();
    for (const { coverage } of await Promise.all(decided)) expect(coverage.status).toBe('complete');
    expect(new Set(deadlines).size).toBe(1);
  });

  test('of which one gets no turn: nothing is decided about it where the policy enforces, and it is unread where it watches', async () => {
    const { ends, pool } = heldWorkers();
    const decider = new Decider(() => pool, 'on_error', 1, 20);
    const first = decider.decide(LONG, by);
    await expect(decider.decide(LONG, by)).rejects.toThrow(BusyError);
    expect(await decider.decide(LONG, deciding({ mode: 'monitor' }))).toMatchObject({ coverage: { status: 'failed' } });
    ends[0]!();
    expect((await first).coverage.status).toBe('complete');
    const next = decider.decide(LONG, by);
    await vi.waitFor(() => expect(ends.length).toBe(2));
    ends[1]!();
    await next;
  });
});
