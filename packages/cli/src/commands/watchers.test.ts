// Promises of `svc probes`, `drift`, `integrations` and `judges`.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../../../server/src/testing/receiver.ts';
import { startTestService, type TestService } from '../../../server/src/testing/service.ts';
import { makeHome, type Home } from '../testing.ts';
import { sparkline } from './drift.ts';

let service: TestService;
let home: Home;
let receiver: Receiver;

beforeAll(async () => {
  service = await startTestService({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await startReceiver();
  home = await makeHome({ SVC_BASE_URL: service.baseUrl, SVC_API_KEY: service.organization.keys.admin });
});
afterAll(async () => {
  await receiver.close();
  await home.remove();
  await service.close();
});

const json = async (...args: readonly string[]) =>
  JSON.parse((await home.svc(...args, '--json')).stdout) as Record<string, unknown>;

test('probes are listed, shown, put into another group and forgotten after a yes', async () => {
  await service.request('POST', '/api/svc/probe/heartbeat', { body: {} });
  const { stdout } = await home.svc('probes', 'list', '--status', 'healthy');
  const id = /key_\S+/.exec(stdout)![0];
  expect(stdout).toContain('healthy');
  expect(await home.svc('probes', 'get', id)).toMatchObject({ code: 0, stdout: expect.stringMatching(/heard every +30 s/) });
  expect(await json('probes', 'update', id, '--group', 'shop', '--interval', '60')).toMatchObject({
    group: 'shop',
    expected_interval_s: 60,
  });
  expect(await json('probes', 'update', id, '--interval', '0')).toMatchObject({ group: 'shop', expected_interval_s: 30 });
  expect(await json('probes', 'update', id, '--group', '')).toMatchObject({ group: 'default' });
  expect(await home.svc('probes', 'update', id)).toMatchObject({ code: 2 });
  expect(await home.svc('probes', 'delete', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await home.svc('probes', 'delete', id, '-y')).toMatchObject({ code: 0 });
  expect(await home.svc('probes', 'list')).toMatchObject({ stdout: expect.stringContaining('There are no such probes') });
});

test('drift shows what is watched with its hours, and takes a new baseline after a yes', async () => {
  for (let i = 0; i < 3; i++)
    await service.request('POST', '/v1/assessments', { body: { input: `Hello ${i}`, model: { name: 'm-1' } } });
  const monitors = async () =>
    (await json('drift', 'list', '--model', 'm-1', '--signal', 'flagged_rate'))['data'] as { id: string }[];
  await expect.poll(async () => (await monitors()).length, { timeout: 20_000 }).toBe(1);
  const { id } = (await monitors())[0]!;
  const { stdout } = await home.svc('drift', 'get', id);
  expect(stdout).toMatch(/state +learning/);
  expect(stdout).toMatch(/signal +flagged_rate of m-1, api/);
  expect(await home.svc('drift', 'acknowledge', id, '--note', 'Seen')).toMatchObject({ code: 1 });
  expect(await home.svc('drift', 'rebaseline', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect((await home.svc('drift', 'list')).stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
});

test('a line of hours has the lowest value lowest and the highest highest', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
  expect(sparkline([5, 5])).toBe('▄▄');
  expect(sparkline([10, 0])).toBe('█▁');
});

test('an integration is made from options and a file, tested, and deleted; its secret is never shown', async () => {
  const file = join(home.path, 'integration.json');
  await writeFile(
    file,
    JSON.stringify({ kind: 'splunk', name: 'From a file', events: ['*'], config: { url: receiver.url, token: 'hush-hush' } }),
  );
  const made = await home.svc(
    'integrations',
    'create',
    '--file',
    file,
    '--event',
    'inference.blocked',
    '--config',
    'index=main',
    '--config',
    'acknowledge=false',
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/events +inference\.blocked\n/) });
  expect(made.stdout).toContain('index=main');
  const id = /int_\S+/.exec(made.stdout)![0];
  receiver.answer(403);
  expect(await home.svc('integrations', 'test', id)).toMatchObject({ code: 3, stdout: expect.stringMatching(/delivered +no/) });
  const shown = [made, await home.svc('integrations', 'get', id), await home.svc('integrations', 'list', '--json')];
  for (const { stdout } of shown) expect(stdout).not.toContain('hush-hush');
  expect(await home.svc('integrations', 'delete', id)).toMatchObject({ code: 2 });
  expect(await home.svc('integrations', 'delete', id, '--yes')).toMatchObject({ code: 0 });
  expect(await home.svc('integrations', 'create', '--kind', 'slack')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--name, --event'),
  });
});

test('a judge is made with a key from a file, which is never shown, and deleted', async () => {
  const file = join(home.path, 'key.txt');
  await writeFile(file, 'hush-hush\n');
  const made = await home.svc(
    'judges',
    'create',
    '--name',
    'Second',
    '--url',
    receiver.url,
    '--model',
    'm-1',
    '--key-file',
    file,
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/key +stored, never shown/) });
  expect(made.stdout).not.toContain('hush-hush');
  const id = /jdg_\w+/.exec(made.stdout)![0];
  expect(await home.svc('judges', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('Second') });
  expect(await home.svc('judges', 'get', id)).toMatchObject({ code: 0 });
  expect(await home.svc('judges', 'delete', id, '-y')).toMatchObject({ code: 0 });
  expect(await home.svc('judges', 'get', id)).toMatchObject({ code: 5 });
});
