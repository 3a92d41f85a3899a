// Promises of the pages of drift, on drift that was really found.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Application } from '../../server/src/drift/test-kit.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const DAY_MS = 86_400_000;
const MODEL = 'claude-sonnet-4-5';
const BEHAVIOUR = { model: MODEL, everyMs: 120_000 };
const LATENCY = `Latency of ${MODEL} in group checkout`;
const REASONS = `Finish reasons of ${MODEL} in group checkout`;

describe.skipIf('missing' in found)('drift', () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await startPages();
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  test('of which nothing is watched says what will be here, and how it comes', async () => {
    const page = await pages.open('/drift');
    await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Add a probe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Probes' }).waitFor();
  });

  test('of a monitor that does not exist says so, with the request’s id', async () => {
    const page = await pages.open('/drift/mon_01jd4t4ve9e0fs7m4c1ywz3qkd');
    await page.getByRole('alert').getByText(/req_/).waitFor();
  });

  describe('that was found', () => {
    const ids: Record<string, string> = {};
    const get = async (path: string) => {
      const { body } = await pages.service.request('GET', path);
      return body;
    };

    beforeAll(async () => {
      const { service } = pages;
      const { live, admin } = service.organization.keys;
      await service.request('PUT', '/v1/policy', { key: admin, body: { drift: { season: 'none' } } });
      await service.request('POST', '/api/svc/probe/heartbeat', {
        headers: { 'x-svc-probe-id': 'checkout-1' },
        body: { labels: { group: 'checkout' } },
      });
      const application = new Application(service, live, 'checkout-1', 9);
      await application.run(4_000, BEHAVIOUR);
      await application.run(2_500, { ...BEHAVIOUR, latency: 6.4, refusals: 0.15 });
      await service.services.drift.catchUp();
      const { data } = await get('/v1/drift?group=checkout');
      for (const { id, signal, state } of data) if (state === 'sustained' || signal === 'score') ids[signal] = id;
      expect(Object.keys(ids)).toEqual(expect.arrayContaining(['latency_ms', 'finish_reason_mix', 'refusal_rate', 'score']));
    });

    test('stands at the top of its list and on the overview, and leads to its monitor', async () => {
      const page = await pages.open('/');
      await page.getByRole('link', { name: LATENCY }).waitFor();
      await page.getByRole('link', { name: 'All that is watched' }).click();
      await page.getByRole('heading', { name: 'Changed, and stays changed' }).waitFor();
      await page.getByRole('link', { name: LATENCY }).click();
      await page.getByRole('heading', { level: 1, name: LATENCY }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/drift/${ids['latency_ms']}`);
      expect(await page.title()).toBe(`${LATENCY} · svc`);
    });

    test('is filtered by what stands in the address, so that a link shows the same', async () => {
      const page = await pages.open('/drift');
      await settled(page);
      await page.keyboard.press('/');
      await page.keyboard.type(MODEL);
      await page.keyboard.press('Enter');
      await page.getByLabel('State').selectOption('sustained');
      await page.getByLabel('Signal').selectOption('latency_ms');
      await expect.poll(() => rowsOf(page)).toEqual(['Latency']);
      const again = await pages.open(new URL(page.url()).pathname + new URL(page.url()).search);
      await settled(again);
      expect(await rowsOf(again)).toEqual(['Latency']);
      expect(await again.getByLabel('Model').inputValue()).toBe(MODEL);
      await again.getByLabel('State').selectOption('learning');
      await again.getByRole('heading', { name: 'Nothing that is watched is so' }).waitFor();
      await again.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(async () => (await rowsOf(again)).length).toBeGreaterThan(5);
      await expect.poll(() => new URL(again.url()).search).toBe('');
    });

    test('is charted with the band of its baseline, its onset and its detection, and the table has the numbers of the API', async () => {
      const { series, episodes } = await get(`/v1/drift/${ids['latency_ms']}`);
      const page = await pages.open(`/drift/${ids['latency_ms']}`);
      await settled(page);
      const chart = page.getByRole('img', {
        name: /^Latency of .* by hour, with the band of its baseline; when the drift began/,
      });
      expect(await chart.locator('title').allTextContents()).toEqual(['Baseline ends', 'Drift began', 'Detected']);
      const marks = page.getByRole('list', { name: 'Marks of the chart' }).getByRole('listitem');
      expect(await marks.locator('time').evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))).toContain(
        episodes[0].onset,
      );
      await page.getByText('As a table').click();
      const table = page.getByRole('region', { name: /as a table$/ });
      await expect.poll(() => table.getByRole('row').count()).toBe(series.points.length + 1);
      const first = await table.getByRole('row').nth(1).getByRole('cell').allTextContents();
      expect(first).toEqual(
        [series.points[0].value, series.points[0].low, series.points[0].high]
          .map((value: number) => `${Math.round(value)}\u{a0}ms`)
          .concat(String(series.points[0].n)),
      );
      await expectAccessible(page);

      const axis = await chart.locator('text').allTextContents();
      expect(axis).toContain('UTC');
      expect(axis.some((text) => /^\d+ [A-Z][a-z]{2}/.test(text))).toBe(true);
      expect(await cutTexts(page)).toEqual([]);

      // A period ends now, so that nobody takes what was long ago for the present.
      await page.getByRole('link', { name: 'Last 30 days' }).click();
      await page.waitForURL('**?period=30d');
      await expect.poll(() => table.getByRole('row').count()).toBe(series.points.length + 1);
      const today = new Date();
      const lastTick = Math.max(
        ...(await chart.locator('text').allTextContents())
          .map((text) => Date.parse(`${text} ${today.getUTCFullYear()} UTC`))
          .filter(Boolean),
      );
      expect(today.getTime() - lastTick).toBeLessThan(8 * DAY_MS);
      expect(await cutTexts(page)).toEqual([]);
      await page.getByRole('link', { name: 'Last 24 hours' }).click();
      await page.getByText('Nothing was observed in the last 24 hours. The last observation came').waitFor();
      expect(new URL(page.url()).search).toBe('?period=24h');
    });

    test('says how sure it is: the values before and since, the size, the evidence, and inferences to look at', async () => {
      const { data: told } = (await get('/v1/events?kind=drift.sustained&limit=200')).data.find(
        ({ data }: { data: { monitor_id: string } }) => data.monitor_id === ids['latency_ms'],
      );
      const page = await pages.open(`/drift/${ids['latency_ms']}`);
      await settled(page);
      await page.getByText(told.summary).first().waitFor();
      const card = page.locator('section', { has: page.getByRole('heading', { name: 'How sure it is' }) }).last();
      const text = (await card.textContent())!.replaceAll('\u{a0}', ' ');
      for (const part of [
        `Usual median${Math.round(told.baseline.percentiles.p50)} ms`,
        `Median since${Math.round(told.current.percentiles.p50)} ms`,
        `${told.current.n} observations`,
        `+${told.effect.standardized.toFixed(2)}`,
        'at most 1 per year per organization',
        ...told.sample_event_ids,
      ])
        expect(text).toContain(part);
      await card.getByRole('link', { name: 'Its event in the trail' }).click();
      // The event leads back.
      await page.getByRole('link', { name: ids['latency_ms']! }).click();
      await page.getByRole('heading', { level: 1, name: LATENCY }).waitFor();
    });

    test('of a mix shows each name by itself, the one that changed first', async () => {
      const page = await pages.open(`/drift/${ids['finish_reason_mix']}`);
      await settled(page);
      await page.getByRole('heading', { level: 1, name: REASONS }).waitFor();
      const { episodes } = await get(`/v1/drift/${ids['finish_reason_mix']}`);
      const names = [episodes[0].label, ...['stop', 'content_filter'].filter((name) => name !== episodes[0].label)];
      const captions = await page.locator('figcaption strong').allTextContents();
      expect(captions).toEqual(names.map((name) => `${name}: share of each hour`));
      await expectFits(page);
    });

    test('can be acknowledged once, with a note that the page and the trail keep', async () => {
      const page = await pages.open(`/drift/${ids['refusal_rate']}`);
      await page.getByRole('button', { name: 'Acknowledge' }).click();
      const dialog = page.getByRole('dialog', { name: 'Acknowledge this drift' });
      await expectAccessible(page);
      await dialog.getByLabel('Note').fill('The provider is on it.');
      await dialog.getByRole('button', { name: 'Acknowledge drift' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page
        .getByText(/^Acknowledged .* by First admin key: The provider is on it\.$/)
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
      const { data } = await get('/v1/events?kind=drift.acknowledged');
      expect(data).toMatchObject([{ data: { monitor_id: ids['refusal_rate'], note: 'The provider is on it.' } }]);
      await page.goto(`${pages.service.baseUrl}/`);
      const line = page.getByRole('listitem').filter({ hasText: 'Refusal rate of' });
      await line.getByText(/^.acknowledged$/).waitFor();
    });

    test('that somebody else acknowledged meanwhile is said to be so, with who and why, and what one typed is not lost', async () => {
      const id = ids['finish_reason_mix']!;
      const page = await pages.open(`/drift/${id}`);
      await page.getByRole('button', { name: 'Acknowledge' }).click();
      const dialog = page.getByRole('dialog', { name: 'Acknowledge this drift' });
      await dialog.getByLabel('Note').fill('Mine.');
      const { admin } = pages.service.organization.keys;
      await pages.service.request('POST', `/v1/drift/${id}/acknowledge`, { key: admin, body: { note: 'Theirs.' } });
      await dialog.getByRole('button', { name: 'Acknowledge drift' }).click();
      await dialog.getByText('Acknowledged in the meantime').waitFor();
      await dialog.getByText('Note: Theirs.').waitFor();
      await dialog.getByText('Mine.').waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
    });

    test('becomes the usual level only after one was told what that gives up', async () => {
      const page = await pages.open(`/drift/${ids['latency_ms']}`);
      await page.getByRole('button', { name: 'Rebaseline' }).click();
      const dialog = page.getByRole('dialog', { name: 'Take the level of now for the usual one?' });
      await dialog.getByText('is given up, and cannot be brought back.').waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect((await get(`/v1/drift/${ids['latency_ms']}`)).state).toBe('sustained');

      await page.getByRole('button', { name: 'Rebaseline' }).click();
      await dialog.getByLabel('Note').fill('A cheaper model.');
      await dialog.getByRole('button', { name: 'Rebaseline' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('What is usual is being learned:').waitFor();
      await page.getByText('its level became the baseline').waitFor();
      expect(await page.getByRole('button', { name: 'Rebaseline' }).count()).toBe(0);
      const { data } = await get('/v1/events?kind=drift.baselined&limit=200');
      expect(data.map((event: { data: { note: string | null } }) => event.data.note)).toContain('A cheaper model.');
    });

    test('is shown in full to a viewer, who is offered nothing that he may not do', async () => {
      const page = await pages.open(`/drift/${ids['finish_reason_mix']}`, { role: 'viewer' });
      await settled(page);
      await page.getByRole('heading', { name: 'How sure it is' }).waitFor();
      expect(await page.getByRole('button', { name: /^(Acknowledge|Rebaseline)$/ }).count()).toBe(0);
    });

    test('that is none, on a monitor that is watching, is not claimed', async () => {
      const page = await pages.open(`/drift/${ids['score']}`);
      await settled(page);
      await page.getByText(/^.watching$/).waitFor();
      expect(await page.getByRole('heading', { name: /How sure/ }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
    });
  });
});

/** The first link of each row. */
async function rowsOf(page: Page): Promise<string[]> {
  return page.getByRole('region', { name: 'Monitors' }).locator('tbody tr td:first-child a').allTextContents();
}

/** Labels of charts that an edge cuts. */
function cutTexts(page: Page): Promise<string[]> {
  return page.locator('figure svg[role=img] text').evaluateAll((texts) =>
    texts
      .filter((text) => {
        const [own, svg] = [text.getBoundingClientRect(), text.closest('svg')!.getBoundingClientRect()];
        return own.left < svg.left - 0.5 || own.right > svg.right + 0.5;
      })
      .map((text) => text.textContent),
  );
}

/** In both themes and at all widths. */
async function expectFits(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  for (const width of [360, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0);
  }
}
