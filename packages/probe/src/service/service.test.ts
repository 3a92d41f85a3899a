// Promises about the way to the service: everything arrives once, nothing is given up but what the service refuses for good, and a service that
// is away is not stormed.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProbe, type Probe, type ProbeOptions } from '../probe.ts';
import { listeningLog, until } from '../testing/agent.ts';
import { MovedClock } from '../testing/clock.ts';
import { newSigningKey, reply, signedBundle, startDesk, type Desk } from '../testing/desk.ts';

const HOUR_MS = 3_600_000;
const signing = newSigningKey();

let desk: Desk;
let clock: MovedClock;
let dataDir: string;
let lines: ReturnType<typeof listeningLog>['lines'];
const probes: Probe[] = [];

beforeEach(async () => {
  desk = await startDesk(signedBundle(signing, 1, {}));
  clock = new MovedClock();
  dataDir = await mkdtemp(join(tmpdir(), 'svc-probe-'));
});

afterEach(async () => {
  await Promise.all(probes.splice(0).map((probe) => probe.close()));
  await desk.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function open(options: Partial<ProbeOptions> = {}): Promise<Probe> {
  const listening = listeningLog();
  lines = listening.lines;
  const shared = { url: desk.url, apiKey: 'svc_test_key_of_nobody', probeId: 'probe-1', dataDir, clock, log: listening.log };
  const probe = await openProbe({ ...shared, ...options });
  probes.push(probe);
  return probe;
}

async function report(probe: Probe, count: number, prefix = 'e'): Promise<void> {
  const occurredAt = new Date(clock.now()).toISOString();
  const all = Array.from({ length: count }, (_, i) =>
    probe.report({ id: `${prefix}${i}`, occurred_at: occurredAt, outcome: 'allowed' }),
  );
  await Promise.all(all);
}

const operationFault = (
  operation: string,
  answer: (res: Parameters<typeof reply>[0], body: ReturnType<typeof JSON.parse>) => boolean,
) => {
  desk.fault = (asked) => (asked === operation ? answer : null);
};

describe('what was decided', () => {
  test('arrives once after an hour without the service, in batches of 500, and the service was not stormed', async () => {
    let asked = 0;
    desk.fault = () => (res) => {
      asked++;
      res.destroy();
      return true;
    };
    const probe = await open();
    for (let i = 0; i < 12; i++) {
      await report(probe, 400, `${i}-`);
      await clock.pass(HOUR_MS / 12, 2);
    }
    expect(probe.status().queue).toMatchObject({ depth: 4_800, dropped: 0 });
    // A heartbeat and a sync each half minute, and a batch each half minute on average.
    expect(asked).toBeLessThan(500);
    desk.fault = null;
    desk.batches.length = 0;
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect(desk.events.size).toBe(4_800);
    expect(desk.batches.map((batch) => batch.length)).toEqual([...Array.from({ length: 9 }, () => 500), 300]);
    expect(probe.status().queue).toMatchObject({ sent: 4_800, dropped: 0, rejected: 0, problem: null });
  });

  test('arrives once where answers are lost on the way', async () => {
    let count = 0;
    operationFault('telemetry', (res, body) => {
      if (++count % 3 === 0) return false;
      // It was taken, and nobody hears of it.
      for (const event of body.events) desk.events.set(event.id, event);
      res.destroy();
      return true;
    });
    const probe = await open();
    await report(probe, 2_000);
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect(desk.events.size).toBe(2_000);
    expect(probe.status().queue).toMatchObject({ dropped: 0, rejected: 0 });
  });

  test('waits as long as the service says', async () => {
    let asked = 0;
    operationFault('telemetry', (res) => {
      if (++asked > 1) return false;
      reply(res, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '90' });
      return true;
    });
    const probe = await open({ random: () => 0 });
    await report(probe, 1);
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect(asked).toBe(2);
    expect(clock.slept).toContain(90_000);
  });

  test('backs off exponentially with full jitter, up to a minute', async () => {
    let asked = 0;
    operationFault('telemetry', (res) => {
      asked++;
      reply(res, 503, { error: { code: 'unavailable' } });
      return true;
    });
    const probe = await open({ random: () => 1 });
    await report(probe, 1);
    await clock.passUntil(() => asked === 11);
    // Without those of the heartbeat.
    const slept = clock.slept.filter((ms) => ms !== 30_000);
    const from = slept.indexOf(2_000) - 1;
    expect(slept.slice(from, from + 9).map((ms) => ms / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('is kept where the key is refused, and tried each minute', async () => {
    let asked = 0;
    operationFault('telemetry', (res) => {
      asked++;
      reply(res, 401, { error: { code: 'unauthorized' } });
      return true;
    });
    const probe = await open();
    await report(probe, 3);
    await clock.passUntil(() => asked === 4);
    expect(clock.slept.filter((ms) => ms === 60_000).length).toBeGreaterThanOrEqual(3);
    expect(probe.status().queue).toMatchObject({ depth: 3, problem: 'the service refuses: 401 unauthorized' });
    desk.fault = null;
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect(desk.events.size).toBe(3);
  });

  test('is sent again where the plan has no room, and counted where it is refused for good', async () => {
    let limited = 2;
    operationFault('telemetry', (res, body) => {
      const rejected = body.events.flatMap((event: { id: string }, index: number) => {
        if (event.id === 'e3') return [{ index, error: { code: 'invalid_request', message: 'no' } }];
        if (Number(event.id.slice(1)) % 2 === 1 && limited > 0)
          return [{ index, error: { code: 'rate_limited', message: 'later' } }];
        desk.events.set(event.id, body.events[index]);
        return [];
      });
      limited--;
      reply(res, 202, { accepted: body.events.length - rejected.length, duplicates: 0, rejected });
      return true;
    });
    const probe = await open();
    await report(probe, 10);
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect([...desk.events.keys()].sort()).toEqual(['e0', 'e1', 'e2', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9']);
    expect(probe.status().queue).toMatchObject({ sent: 9, rejected: 1 });
    expect(lines.find(({ codes }) => codes !== undefined)).toMatchObject({ level: 50, codes: { invalid_request: 1 } });
  });

  test('does not wait for one that the service chokes on', async () => {
    operationFault('telemetry', (res, body) => {
      if (!body.events.some((event: { id: string }) => event.id === 'e77')) return false;
      reply(res, 400, { error: { code: 'invalid_request' } });
      return true;
    });
    const probe = await open();
    await report(probe, 200);
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect(desk.events.size).toBe(199);
    expect(probe.status().queue.rejected).toBe(1);
  });

  test('is kept where somebody on the way refuses it who is not the service', async () => {
    operationFault('telemetry', (res) => {
      res.writeHead(400, { 'content-type': 'text/html' }).end('<h1>400 The plain HTTP request was sent to HTTPS port</h1>');
      return true;
    });
    const probe = await open();
    await report(probe, 5);
    await clock.passUntil(() => probe.status().queue.problem !== null);
    await clock.pass(HOUR_MS / 6);
    expect(probe.status().queue).toMatchObject({ depth: 5, rejected: 0, problem: 'the service refuses: 400' });
    desk.fault = null;
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect(desk.events.size).toBe(5);
  });

  const { rejected, ...counted } = { accepted: 5, duplicates: 0, rejected: [] as object[] };
  const refusal = (index: number) => ({ index, error: { code: 'invalid_request', message: 'no' } });
  test.each([
    ['a page', '<h1>Accepted</h1>'],
    ['nothing', ''],
    ['an empty object', '{}'],
    ['an answer about fewer', JSON.stringify({ ...counted, accepted: 4, rejected })],
    ['an answer about more', JSON.stringify({ ...counted, duplicates: 1, rejected })],
    ['numbers that are none', JSON.stringify({ ...counted, accepted: '5', rejected })],
    ['one that is refused twice', JSON.stringify({ ...counted, accepted: 3, rejected: [refusal(1), refusal(1)] })],
    ['one refused that was never sent', JSON.stringify({ ...counted, accepted: 4, rejected: [refusal(5)] })],
  ])('is kept where a 202 comes from somebody who is not the service: %s', async (_name, body) => {
    let asked = 0;
    operationFault('telemetry', (res) => {
      asked++;
      res.writeHead(202, { 'content-type': 'text/html' }).end(body);
      return true;
    });
    const probe = await open({ random: () => 1 });
    await report(probe, 5);
    await clock.passUntil(() => asked === 3);
    expect(probe.status().queue).toMatchObject({ depth: 5, sent: 0, rejected: 0 });
    expect(probe.status().queue.problem).toContain('202');
    expect(clock.slept).toContain(2_000);
    desk.fault = null;
    await clock.passUntil(() => probe.status().queue.depth === 0);
    expect(desk.events.size).toBe(5);
  });

  test('arrives after a restart, and what was lost stays counted', async () => {
    desk.fault = () => (res) => {
      res.destroy();
      return true;
    };
    const first = await open({ bufferBytes: 1_048_576 });
    const attributes = { note: 'x'.repeat(400) };
    const occurredAt = new Date(clock.now()).toISOString();
    for (let i = 0; i < 6_000; i += 100) {
      const all = Array.from({ length: 100 }, (_, j) => first.report({ id: `e${i + j}`, occurred_at: occurredAt, attributes }));
      await Promise.all(all);
    }
    const { depth, dropped } = first.status().queue;
    expect(dropped).toBeGreaterThan(1_000);
    expect(depth + dropped).toBe(6_000);
    await first.close();
    desk.fault = null;
    const second = await open({ bufferBytes: 1_048_576 });
    expect(second.status().queue).toMatchObject({ depth, dropped });
    await clock.passUntil(() => second.status().queue.depth === 0);
    expect(desk.events.size).toBe(depth);
    expect(desk.events.has('e5999')).toBe(true);
    await clock.passUntil(() => desk.heartbeats.at(-1)?.queue?.dropped === dropped);
  });
});

describe('policy and heartbeat', () => {
  test('a new policy is fetched when the heartbeat names one', async () => {
    const probe = await open({ labels: { group: 'g' } });
    await until(() => probe.status().policy.version === 1);
    desk.bundle = signedBundle(signing, 2, { mode: 'monitor' });
    await clock.passUntil(() => probe.status().policy.version === 2, 40_000);
    await clock.passUntil(() => desk.heartbeats.at(-1)?.policy_version === 2);
    expect(desk.heartbeats.at(-1)).toMatchObject({
      version: '0.1.0',
      queue: { depth: 0, dropped: 0 },
      labels: { group: 'g' },
      stale: false,
    });
    expect(desk.headers.at(-1)).toMatchObject({ 'x-svc-probe-id': 'probe-1', authorization: 'Bearer svc_test_key_of_nobody' });
  });

  test('a policy that is signed anew is fetched within ten minutes, without a heartbeat that says so', async () => {
    const probe = await open();
    await until(() => probe.status().policy.version === 1);
    const renewed = signedBundle(signing, 1, {}, { issuedAtMs: Date.now() + 86_400_000 });
    desk.bundle = renewed;
    await clock.passUntil(() => probe.status().policy.expires_at === renewed.expires_at, 640_000);
  });

  test('a key that has changed is refused, said in the log and to the service, and the old policy goes on', async () => {
    const probe = await open();
    await until(() => probe.status().policy.version === 1);
    desk.bundle = signedBundle(newSigningKey('pk_theirs'), 7, { mode: 'monitor' });
    await clock.passUntil(() => desk.heartbeats.at(-1)?.labels?.policy_problem === 'key_changed');
    expect(probe.status().policy).toMatchObject({ version: 1, problem: 'key_changed' });
    expect(desk.heartbeats.at(-1).policy_version).toBe(1);
    expect(lines.some((line) => line.level === 50 && line.problem === 'key_changed')).toBe(true);
  });

  test('a policy that has expired goes on, and the service is told', async () => {
    const probe = await open();
    await until(() => probe.status().policy.version === 1);
    operationFault('policy-sync', (res) => {
      reply(res, 503, {});
      return true;
    });
    await clock.pass(8 * 24 * HOUR_MS, 0);
    await clock.passUntil(() => desk.heartbeats.at(-1)?.stale === true);
    expect(probe.status().policy).toMatchObject({ version: 1, stale: true });
    expect(await probe.assess({ input: 'hello' })).toMatchObject({ outcome: 'allowed', policyVersion: 1 });
  });
});

describe('a folder', () => {
  test('belongs to one probe at a time', async () => {
    const probe = await open();
    await expect(open()).rejects.toThrow(/Another probe is running on .* \(pid \d+ on .*\)/);
    await probe.close();
    await open();
  });

  test('starts without the service, with the last policy', async () => {
    const probe = await open();
    await until(() => probe.status().policy.version === 1);
    await probe.close();
    await desk.close();
    const again = await open({ onNoPolicy: 'block' });
    expect(again.status().policy.version).toBe(1);
    expect(await again.assess({ input: 'hello' })).toMatchObject({ outcome: 'allowed', policyVersion: 1 });
    desk = await startDesk();
  });

  test('that was never in touch lets nothing through where that was asked for', async () => {
    desk.bundle = null;
    const probe = await open({ onNoPolicy: 'block' });
    expect(await probe.assess({ input: 'hello' })).toMatchObject({ outcome: 'blocked', coverage: 'failed', policyVersion: null });
  });
});
