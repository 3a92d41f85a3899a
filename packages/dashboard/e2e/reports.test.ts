// Promises of the reports: a period summed up, evidence by framework, and both as files.

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { Api, assess, report } from './seed.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe.skipIf('missing' in found)('the reports', () => {
  let pages: Pages;
  let api: Api;

  beforeAll(async () => {
    pages = await startPages();
    api = new Api(pages.service);
    await assess(api, 20);
    await report(api, 20);
    await pages.service.services.audit.catchUp();
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  test('the summary has the counts of the API, tied to a checkpoint that the service signed', async () => {
    const page = await open('/reports');
    const { totals, categories } = await api.send('GET', '/v1/reports/summary');
    const row = table(page, 'Inferences by outcome').getByRole('row').filter({ hasText: 'Together' });
    expect(await row.getByRole('cell').allTextContents()).toEqual(
      ['Together', totals.inferences, totals.allowed, totals.flagged, totals.blocked, totals.undecided].map(String),
    );
    const names = await table(page, 'Categories').getByRole('row').getByRole('link').allTextContents();
    expect(names).toEqual(categories.map(({ name }: { name: string }) => name));
    const checkpoint = page.getByRole('region', { name: 'Checkpoint', exact: true });
    await checkpoint.getByText('whoever keeps it can prove later').waitFor();
    const note = await checkpoint.locator('pre').textContent();
    expect(await textOf(`/v1/audit/checkpoint?size=${note!.split('\n')[1]}`)).toBe(note);
    await checkpoint.getByRole('button', { name: 'Copy' }).waitFor();
  });

  test('a count leads to the events that it is of', async () => {
    const page = await open('/reports');
    const { kinds } = await api.send('GET', '/v1/reports/summary');
    const { count } = kinds.find(({ kind }: { kind: string }) => kind === 'inference.blocked');
    await table(page, 'Events by kind').getByRole('link', { name: 'Inference blocked' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.locator('[data-id^="evt_"]').first().waitFor();
    expect(await page.locator('[data-id^="evt_"]').count()).toBe(count);
  });

  test('the period is in the address, and stays when another report is opened', async () => {
    const page = await open('/reports');
    await page.getByRole('link', { name: '7 days' }).click();
    await page.waitForURL('**/reports?period=7d');
    await settled(page);
    expect(await table(page, 'By the day').getByRole('row').count()).toBe(8);
    await page.getByRole('button', { name: 'Other days' }).click();
    const [first, last] = [dayOf(Date.now() - 20 * DAY_MS), dayOf(Date.now() - 10 * DAY_MS)];
    await page.getByLabel('From').fill(first);
    await page.getByLabel('to', { exact: true }).fill(last);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(`**/reports?since=${first}&until=${last}`);
    await page.getByRole('heading', { name: 'Nothing was recorded in this period' }).waitFor();
    await page.getByRole('link', { name: 'ISO/IEC 42001' }).click();
    await page.waitForURL(`**/reports?tab=iso-42001&since=${first}&until=${last}`);
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('From').inputValue()).toBe(first);
    expect(await page.title()).toBe('Report on the ISO/IEC 42001 · svc');
  });

  test('days that cannot be are refused with the reason, and a link to others goes on', async () => {
    const page = await open(`/reports?since=${dayOf(Date.now() + 5 * DAY_MS)}&until=${dayOf(Date.now() + 6 * DAY_MS)}`);
    await page.getByRole('alert').getByText('must not be in the future').waitFor();
    await page.getByRole('link', { name: '30 days' }).click();
    await table(page, 'Events by kind').waitFor();
  });

  test('a framework says of each provision its status, evidence and gaps, as the API does', async () => {
    const page = await open('/reports');
    await page.getByRole('link', { name: 'EU AI Act' }).click();
    await settled(page);
    const { provisions } = await api.send('GET', '/v1/reports/compliance?framework=eu-ai-act');
    expect(provisions.length).toBeGreaterThan(5);
    const titles: Record<string, string> = { partial: 'Partial', none: 'None', not_recorded_here: 'Not recorded here' };
    for (const { reference, title, status, evidence, gaps, limit } of provisions) {
      const card = page.getByRole('region', { name: `${reference}: ${title}`, exact: true });
      expect(await card.locator('.badge').allTextContents(), reference).toEqual([expect.stringContaining(titles[status]!)]);
      const text = await card.textContent();
      for (const { what } of [...evidence, ...gaps]) expect(text).toContain(what);
      if (limit !== null) expect(text).toContain(limit);
    }
  });

  test('evidence leads to as many events as it counts', async () => {
    const page = await open('/reports?tab=eu-ai-act');
    const { provisions } = await api.send('GET', '/v1/reports/compliance?framework=eu-ai-act');
    const [{ reference, title, evidence }] = provisions;
    const telemetry = evidence.find(({ id }: { id: string }) => id === 'telemetry');
    await page.getByRole('link', { name: reference, exact: true }).click();
    const card = page.getByRole('region', { name: `${reference}: ${title}`, exact: true });
    await card.getByRole('link', { name: 'Telemetry received events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.locator('[data-id^="evt_"]').first().waitFor();
    expect(await page.locator('[data-id^="evt_"]').count()).toBe(telemetry.count);
  });

  test('files come from the API as they are: the page to print, and JSON', async () => {
    const page = await open('/reports?tab=nist-ai-rmf&period=7d');
    const html = await download(page, 'Download HTML');
    expect(html.name).toMatch(/^nist-ai-rmf-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.html$/);
    expect(html.text).toMatch(/^<!doctype html>/);
    expect(html.text).toContain('MEASURE 2.4');
    const json = await download(page, 'Download JSON');
    const { framework, since } = JSON.parse(json.text);
    expect([framework.id, since]).toEqual(['nist-ai-rmf', `${dayOf(Date.now() - 6 * DAY_MS)}T00:00:00.000Z`]);
    await page.getByRole('link', { name: 'Summary' }).click();
    await settled(page);
    const summary = await download(page, 'Download JSON');
    expect(summary.name).toMatch(/^summary-/);
    expect(JSON.parse(summary.text).totals.inferences).toBeGreaterThan(0);
  });

  test('on paper there is the report alone: no navigation, dark on light, nothing cut', async () => {
    const page = await open('/reports', { dark: true });
    await page.setViewportSize({ width: 720, height: 1000 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(26, 28, 27)');
    const cut = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => element.outerHTML.slice(0, 100)),
      );
    expect(await cut()).toEqual([]);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'EU AI Act' }).click();
    await settled(page);
    await page.setViewportSize({ width: 720, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    expect(await cut()).toEqual([]);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
  });

  test.each(['/reports', '/reports?tab=eu-ai-act', '/reports?since=2026-01-01&until=2026-01-02'])(
    '%s is accessible and within its width, light and dark',
    async (path) => {
      const page = await open(path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1920, 1280, 360]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        }
        await expectAccessible(page);
      }
    },
  );

  async function open(path: string, options: Parameters<Pages['open']>[1] = {}): Promise<Page> {
    const page = await pages.open(path, options);
    await settled(page);
    return page;
  }

  async function textOf(path: string): Promise<string> {
    const { status, text } = await pages.service.request('GET', path, { key: api.keys.admin });
    expect(status).toBe(200);
    return text;
  }
});

function table(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true }).getByRole('table');
}

async function download(page: Page, link: string): Promise<{ readonly name: string; readonly text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}
