// What every page promises to who may not do everything.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PLACES, type Place } from '../src/shell/places.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { seed } from './seed.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

/** How buttons begin that write. */
const DEED =
  /^(acknowledge|add|create|delete|edit|end|make|new|pause|promote|rebaseline|recover|redact|restore|retry|revoke|rotate|save|send|start|stop|take|test)\b/i;
/** These write nothing: they are of the list of events. */
const HARMLESS = new Set(['Pause', 'Add filter']);

describe.skipIf('missing' in found)('the page', () => {
  let pages: Pages;

  beforeAll(async () => {
    pages = await startPages();
    await seed(pages.service);
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  test.each(PLACES.map(({ path }) => path))(
    '%s asks for nothing that a viewer may not read, and offers nothing that he may not do',
    async (path) => {
      const refused: string[] = [];
      const page = await pages.open('/no-such-page', { role: 'viewer' });
      page.on('response', (res) => {
        if ([401, 403].includes(res.status())) refused.push(`${res.request().method()} ${new URL(res.url()).pathname}`);
      });
      await page.goto(pages.service.baseUrl + path);
      await settled(page);
      expect(refused).toEqual([]);
      const buttons = await page.getByRole('main').locator('button:enabled').allTextContents();
      expect(buttons.filter((name) => DEED.test(name.trim()) && !HARMLESS.has(name.trim()))).toEqual([]);
      await expectAccessible(page);
    },
  );

  test('that a viewer may not see is offered nowhere, and says at its address what it needs', async () => {
    const page = await pages.open('/', { role: 'viewer' });
    await settled(page);
    const offered = await linksOf(page);
    const isOpen = ({ scope }: Place) => scope === null || scope.endsWith(':read');
    expect(offered.toSorted()).toEqual(
      PLACES.filter(isOpen)
        .map(({ path }) => path)
        .toSorted(),
    );
    const closed = PLACES.filter((place) => !isOpen(place));
    for (const { path, scope } of closed) {
      await page.goto(pages.service.baseUrl + path);
      await settled(page);
      expect(await page.getByRole('main').textContent(), path).toContain(scope);
    }
  });
});

async function linksOf(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
}
