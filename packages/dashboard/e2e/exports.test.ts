// Promises of the exports: asked for, watched, downloaded, verified and deleted, by the pages alone.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseId, uuidText } from '../../server/src/ids.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { Api, assess } from './seed.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const run = promisify(execFile);

describe.skipIf('missing' in found)('the exports', () => {
  let pages: Pages;
  let api: Api;
  let folder: string;
  let blocked: { readonly event_id: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-exports-'));
    pages = await startPages();
    api = new Api(pages.service);
    ({ blocked } = await assess(api, 20));
  });
  afterEach(() => pages.check());
  afterAll(async () => {
    await pages.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('where there is none the page says what one is, and how it comes', async () => {
    const page = await pages.open('/exports');
    await page.getByRole('heading', { name: 'No export yet' }).waitFor();
    expect(await page.locator('pre').textContent()).toContain(`curl ${pages.service.baseUrl}/v1/exports`);
    await expectWhole(page);
    await page.getByRole('button', { name: 'Make the first export' }).click();
    await page.getByRole('dialog', { name: 'New export' }).waitFor();
    expect(new URL(page.url()).search).toBe('?new=');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  test('one is asked for, made, downloaded, and verified by the commands of its page', async () => {
    const page = await pages.open('/exports');
    await page.getByRole('button', { name: 'New export' }).click();
    await page.getByRole('radio', { name: /^Parquet/ }).check();
    await page.getByRole('button', { name: 'Make the export' }).click();
    await page.waitForURL('**/exports/exp_*');
    await page.getByRole('status').getByText('ready').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    expect(await verified(page, id)).toContain('The evidence holds.');
    await expectWhole(page);
  });

  test('all that can be asked for is asked for, and a link fills it in', async () => {
    const { size } = (await api.send('GET', '/v1/reports/summary')).as_of.checkpoint;
    const held = await heldAt(size);
    const page = await pages.open(
      '/exports?new&since=2026-01-02T03:04:05.000Z&kinds=inference.blocked,policy.updated&format=ocsf',
    );
    const dialog = page.getByRole('dialog', { name: 'New export' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('At or after, UTC').inputValue()).toBe('2026-01-02T03:04:05');
    expect(await dialog.getByRole('radio', { name: /^OCSF/ }).isChecked()).toBe(true);
    await dialog.getByLabel('Before, UTC').fill('2098-01-01T00:00');
    await dialog.getByRole('checkbox', { name: /^Disclose/ }).uncheck();
    await dialog.getByRole('checkbox', { name: 'inference.flagged' }).check();
    await dialog.getByLabel('Size of a checkpoint that you hold').fill(String(size));
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make the export' }).click();
    await page.waitForURL('**/exports/exp_*');
    const made = await api.send('GET', `/v1/exports/${new URL(page.url()).pathname.split('/').at(-1)}`);
    expect(made).toMatchObject({
      format: 'ocsf',
      since: '2026-01-02T03:04:05.000Z',
      until: '2098-01-01T00:00:00.000Z',
      kinds: ['inference.blocked', 'policy.updated', 'inference.flagged'],
      held_size: size,
      disclosures: false,
    });
    await page.getByText('2026-01-02 03:04 to 2098-01-01 00:00 UTC').waitFor();
    await page.getByRole('status').getByText('ready').waitFor();
    await page.getByText('First copy the checkpoint that you hold').waitFor();
    const said = await verified(page, made.id, { 'held.txt': held });
    expect(said).toContain('The evidence holds.');
    expect(said).toContain('you hold');
  });

  test('what cannot be is refused beside the form, with the place', async () => {
    const page = await pages.open('/exports?new&since=2026-02-02T00:00:00Z&until=2026-01-01T00:00:00Z');
    await page.getByRole('button', { name: 'Make the export' }).click();
    await page.getByRole('alert').getByText('/since').waitFor();
    await page.getByRole('button', { name: 'All that is kept' }).click();
    await page.getByText('Kinds, and a checkpoint that you hold').click();
    await page.getByLabel('Size of a checkpoint that you hold').fill('999999999');
    await page.getByRole('button', { name: 'Make the export' }).click();
    await page.getByRole('alert').getByText('/held_size').waitFor();
    await page.getByRole('alert').getByText('is more than the trail has').waitFor();
  });

  test('one that is being made shows how far it is, and is there when it is ready, without a reload', async () => {
    const { id } = await api.post('/v1/exports', { format: 'jsonl' });
    await hold(id);
    const list = await pages.open('/exports');
    const row = list.getByRole('row').filter({ hasText: id });
    await row.getByText('waiting').waitFor();
    await row.getByRole('progressbar').waitFor();
    expect(await row.getByRole('link', { name: `Download ${id}` }).count()).toBe(0);
    await expectWhole(list);
    const one = await pages.open(`/exports/${id}`);
    await one.getByRole('status').getByText('waiting').waitFor();
    await one.getByText('not begun yet').waitFor();
    await expectAccessible(one);
    await letGo(id);
    await Promise.all([
      row.getByRole('link', { name: `Download ${id}` }).waitFor(),
      one.getByRole('status').getByText('ready').waitFor(),
    ]);
  });

  test('one that failed says why, and the same is asked for again with a press', async () => {
    const { id } = await api.post('/v1/exports', { format: 'cloudevents', kinds: ['inference.blocked'] });
    await api.until(`/v1/exports/${id}`, ({ state }) => state === 'ready');
    await set(id, `state = 'failed', error = 'The export has more than 20000000 events. Ask for less at a time.'`);
    const page = await pages.open('/exports');
    await page.getByRole('row').filter({ hasText: id }).getByText('Ask for less at a time.').waitFor();
    await page.getByRole('link', { name: id }).click();
    await page.getByText('It failed.').waitFor();
    expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0);
    await expectWhole(page);
    await page.getByRole('link', { name: 'Ask for the same again' }).click();
    await page.getByRole('button', { name: 'Make the export' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/exports/exp_') && !url.pathname.endsWith(id));
    const again = await api.send('GET', `/v1/exports/${new URL(page.url()).pathname.split('/').at(-1)}`);
    expect(again).toMatchObject({ format: 'cloudevents', kinds: ['inference.blocked'] });
  });

  test('one of which something was erased is expired, and says so', async () => {
    const { id } = await api.post('/v1/exports', { format: 'csv' });
    await api.until(`/v1/exports/${id}`, ({ state }) => state === 'ready');
    await api.post('/v1/audit/redactions', { event_id: blocked.event_id, fields: ['subject'], basis: 'A request to erase.' });
    const page = await pages.open(`/exports/${id}`);
    await page.getByText('It has expired.').waitFor();
    await page.getByText('Something of an event in it was erased.').waitFor();
    expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0);
  });

  test('one is deleted after its effect was told, and a link to it then says that there is none', async () => {
    const { id } = await api.post('/v1/exports', { format: 'jsonl' });
    await api.until(`/v1/exports/${id}`, ({ state }) => state === 'ready');
    const page = await pages.open('/exports');
    await page.getByRole('button', { name: `Delete ${id}` }).click();
    await page.getByText('cannot be downloaded any more').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: id, exact: true }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the export' }).click();
    await page.waitForURL('**/exports');
    await settled(page);
    expect(await page.getByText(id).count()).toBe(0);
    await page.goto(`${pages.service.baseUrl}/exports/${id}`);
    await page.getByRole('alert').getByText('Request req_').waitFor();
    await expectAccessible(page);
  });

  test('more than five under way are refused with what to do', async () => {
    const held: string[] = [];
    for (let i = 0; i < 5; i++) {
      held.push((await api.post('/v1/exports', { format: 'jsonl' })).id);
      await hold(held.at(-1)!);
    }
    const page = await pages.open('/exports?new');
    await page.getByRole('button', { name: 'Make the export' }).click();
    await page.getByRole('alert').getByText('Wait for one of them.').waitFor();
    for (const id of held) await api.delete(`/v1/exports/${id}`);
  });

  test('an event of an export, and its id in the palette, lead to it', async () => {
    const { id } = await api.post('/v1/exports', { format: 'jsonl' });
    const page = await pages.open('/events?kind=export.created');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, action or id' }).fill(id);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/exports/${id}`);
    const { data } = await api.send('GET', '/v1/events?kind=export.created&limit=1');
    await page.goto(`${pages.service.baseUrl}/events/${data[0].id}`);
    await page.getByRole('link', { name: id }).click();
    await page.waitForURL(`**/exports/${id}`);
  });

  /** Downloads it, and runs what the page says, as it stands there and in its order, in a folder that has nothing else. Answers what was said. */
  const verified = async (page: Page, id: string, files: Readonly<Record<string, string>> = {}): Promise<string> => {
    const cwd = join(folder, id);
    await mkdir(cwd);
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Download/ }).click()]);
    expect(file.suggestedFilename()).toBe(`${id}.zip`);
    await copyFile(await file.path(), join(cwd, `${id}.zip`));
    const env = { ...process.env, SVC_API_KEY: pages.service.organization.keys.live };
    let said = '';
    for (const command of await page.locator('.export-steps pre').allTextContents())
      said += (await run('sh', ['-e', '-c', command], { cwd, env })).stdout;
    expect(said).toContain(`${id}.zip: OK`);
    return said;
  };
  const heldAt = async (size: number): Promise<string> => {
    const { text } = await pages.service.request('GET', `/v1/audit/checkpoint?size=${size}`, {
      headers: { accept: 'text/plain' },
    });
    return text;
  };
  const set = (id: string, members: string) =>
    pages.service.services.db.query(`UPDATE exports SET ${members} WHERE id = $1`, [uuidText(parseId('exp', id)!)]);
  /** It waits for events that are not there. */
  const hold = (id: string) =>
    set(id, `committed = 1000000, state = 'queued', run = run + 1, origin = NULL, tree_size = NULL, is_written = false`);
  const letGo = (id: string) => set(id, 'committed = 1');
});

async function expectWhole(page: Page): Promise<void> {
  await settled(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1920, 360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0);
    }
    await expectAccessible(page);
  }
}
