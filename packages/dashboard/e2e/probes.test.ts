// Promises of the pages of probes.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../../..');

/** Two programs have to start. */
const START_MS_MAX = 90_000;

describe.skipIf('missing' in found)('probes', () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await startPages();
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  const heartbeat = (id: string, body: object = {}) =>
    pages.service.request('POST', '/api/svc/probe/heartbeat', {
      headers: { 'x-svc-probe-id': id },
      body: { version: '1.0.0', policy_version: 1, queue: { depth: 0, dropped: 0 }, labels: { group: 'checkout' }, ...body },
    });
  const get = async (path: string) => (await pages.service.request('GET', path)).body;

  test(
    'of which there is none teach how one is started, with commands that hold no key',
    async () => {
      const page = await pages.open('/probes');
      await page.getByRole('heading', { name: 'No probe yet' }).waitFor();
      const commands = new Map<string, string>();
      for (const name of ['In front of a model', 'OpenTelemetry', 'A program of your own']) {
        await page.getByRole('button', { name }).click();
        commands.set(name, (await page.getByRole('region', { name: `Start a probe, ${name}` }).textContent())!);
      }
      for (const text of commands.values()) expect(text).not.toMatch(/svc_(live|test|admin)_/);
      await expectAccessible(page);

      // Each does what it says as it stands, with the key of the first step in the environment. What calls is there without a reload.
      const env = { ...process.env, SVC_API_KEY: pages.service.organization.keys.live };
      await run('sh', ['-e', '-c', commands.get('A program of your own')!], { env });
      await page.getByRole('link', { name: 'front-1' }).waitFor();
      await Promise.all(['In front of a model', 'OpenTelemetry'].map((name) => startProbe(commands.get(name)!, env)));
      await page.getByRole('button', { name: 'How to add a probe' }).click();
      await page.getByRole('dialog', { name: 'Add a probe' }).getByText('Make a live key').waitFor();
      await expectAccessible(page);
    },
    START_MS_MAX,
  );

  test('are listed with what their health depends on, and filtered by what stands in the address', async () => {
    await heartbeat('front-1', { queue: { depth: 4_210, dropped: 37 } });
    await heartbeat('old-1', { labels: { group: 'legacy' }, stale: true });
    const page = await pages.open('/probes');
    const row = page.getByRole('row').filter({ hasText: 'front-1' });
    for (const text of ['4,210 waiting', '37 dropped', 'checkout', 'version 1']) await row.getByText(text).waitFor();
    await page.getByLabel('Status').selectOption('stale');
    await row.waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: 'old-1' })
      .getByText(/^.stale$/)
      .waitFor();
    const again = await pages.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await settled(again);
    expect(await again.getByRole('region', { name: 'Probes' }).locator('tbody tr').count()).toBe(1);
    await again.keyboard.press('/');
    await again.keyboard.type('checkout');
    await again.keyboard.press('Enter');
    await again.getByRole('heading', { name: 'No probe is so' }).waitFor();
    await again.getByRole('button', { name: 'Clear filters' }).click();
    await again.getByRole('link', { name: 'front-1' }).waitFor();
  });

  test('that decide by an older policy are marked, and say what to look at', async () => {
    const { admin } = pages.service.organization.keys;
    await heartbeat('behind-1');
    await pages.service.request('PUT', '/v1/policy', { key: admin, body: { mode: 'monitor' } });
    for (let i = 0; i < 3; i++) await heartbeat('behind-1');
    const page = await pages.open('/probes');
    const row = page.getByRole('row').filter({ hasText: 'behind-1' });
    await row.getByText(/^.skewed$/).waitFor();
    await row.getByText('2 is in force').waitFor();
    await row.getByRole('link', { name: 'behind-1' }).click();
    await page.getByText('It decides by version 1 of the policy; version 2 is in force.').waitFor();
    await page.goto(`${pages.service.baseUrl}/`);
    // Also those that are healthy, and only heard of another version last.
    await page.getByText(/^Version 2 of the policy is in force: \d+ probes? decides? by another/).waitFor();
    expect(await page.getByText('with the policy in force').count()).toBe(0);
    await page
      .getByRole('listitem')
      .filter({ hasText: 'decides by an older policy' })
      .getByRole('link', { name: '1 probe' })
      .click();
    await row.waitFor();
    expect(new URL(page.url()).search).toBe('?status=skewed');
  });

  test('show what they reported: their software, labels and queue, and their events of the trail', async () => {
    await heartbeat('tells-1', { labels: { group: 'checkout', region: 'eu-1' }, started_at: new Date().toISOString() });
    const events = [
      { id: '1', occurred_at: new Date().toISOString(), model: 'gpt-x', outcome: 'allowed' },
      {
        id: '2',
        occurred_at: new Date().toISOString(),
        model: 'gpt-x',
        outcome: 'blocked',
        findings: [{ category: 'attack.injection', type: 'override', score: 0.97, severity: 'high' }],
      },
    ];
    await pages.service.request('POST', '/api/svc/probe/telemetry', {
      headers: { 'x-svc-probe-id': 'tells-1' },
      body: { events },
    });
    const page = await pages.open('/probes/tells-1');
    await settled(page);
    for (const text of ['1.0.0', 'region=eu-1', '0 waiting']) await page.getByText(text).first().waitFor();
    const table = page.getByRole('region', { name: 'Events of this probe' });
    await table.getByText('2 inferences accepted').waitFor();
    await table.getByText('attack.injection, gpt-x, 2').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    for (const width of [360, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0);
    }
    await page.getByRole('link', { name: 'All its events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(new URL(page.url()).search).toBe('?probe_id=tells-1');
  });

  test('are moved to another group and given an interval, and what their labels then mean is said before', async () => {
    await heartbeat('moves-1', { labels: { group: 'checkout', region: 'eu-1' } });
    const page = await pages.open('/probes/moves-1');
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit moves-1' });
    expect(await dialog.getByText('set by hand').count()).toBe(0);
    await dialog.getByLabel('Group').fill('canary');
    await dialog.getByText('All labels of this form are then set by hand').waitFor();
    await dialog.getByRole('button', { name: 'Take out label 1' }).click();
    await dialog.getByRole('button', { name: 'Add a label' }).click();
    await dialog.getByLabel('Name of label 1').fill('team');
    await dialog.getByLabel('Value of label 1').fill('payments');
    await dialog.getByLabel(/^Expected every/).fill('60');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('In the group canary').waitFor();
    await page.getByText('every 60 s').waitFor();
    expect(await get('/v1/probes/moves-1')).toMatchObject({
      group: 'canary',
      labels: { group: 'canary', team: 'payments', region: 'eu-1' },
      expected_interval_s: 60,
    });
  });

  test('are forgotten only after one was told what stays and what goes', async () => {
    await heartbeat('gone-1');
    const page = await pages.open('/probes/gone-1');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete gone-1?' });
    await dialog.getByText('What it reported stays.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await get('/v1/probes/gone-1')).id).toBe('gone-1');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete probe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Probes' }).waitFor();
    await settled(page);
    expect(await page.getByRole('link', { name: 'gone-1' }).count()).toBe(0);
    const { status } = await pages.service.request('GET', '/v1/probes/gone-1');
    expect(status).toBe(404);
  });

  test('are shown to a viewer, who is offered nothing that he may not do', async () => {
    await heartbeat('front-1');
    const page = await pages.open('/probes/front-1', { role: 'viewer' });
    await settled(page);
    await page.getByText('In the group checkout').waitFor();
    expect(await page.getByRole('button', { name: /^(Edit|Delete)$/ }).count()).toBe(0);
  });
});

/** Runs the command in the folder of the repository until the probe says that it runs. */
async function startProbe(command: string, env: NodeJS.ProcessEnv): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-add-probe-'));
  const child = spawn('sh', ['-e', '-c', command], {
    cwd: REPOSITORY,
    // What a machine has one of, and this one may have given away.
    env: { ...env, SVC_PROBE_PORT: '0', SVC_PROBE_DATA_DIR: folder },
    // A group, so that it ends with all that it started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let said = '';
  const runs = new Promise<void>((resolve) => {
    const hear = (text: Buffer) => {
      said += text.toString();
      if (said.includes('is running as front-1')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
  const early = closed.then(() => Promise.reject(new Error(`the probe ended: ${said}`)));
  try {
    await Promise.race([runs, early]);
  } finally {
    early.catch(() => {});
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await closed;
    await rm(folder, { recursive: true, force: true });
  }
}
