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
/** What reading scopes are enough for. */
const READERS_MAY: Readonly<Record<string, readonly string[]>> = { '/exports': ['New export', 'Delete'] };

describe.skipIf('missing' in found)('the page', () => {
  let pages: Pages;

  beforeAll(async () => {
    pages = await startPages();
    await seed(pages.service);
    // Eight thousand inferences, on a machine that may be busy with others.
  }, 120_000);
  afterAll(() => pages.close());

  describe('at its address', () => {
    // One after the other in the same window: what all of them load is loaded once.
    let page: Page;
    const refused: string[] = [];

    beforeAll(async () => {
      page = await pages.open('/no-such-page', { role: 'viewer' });
      page.on('response', (res) => {
        if ([401, 403].includes(res.status())) refused.push(`${res.request().method()} ${new URL(res.url()).pathname}`);
      });
    });
    afterEach(() => pages.check({ stay: true }));
    afterAll(() => pages.check());

    test.each(PLACES.map(({ path }) => path))(
      '%s asks for nothing that a viewer may not read, and offers nothing that he may not do',
      async (path) => {
        refused.length = 0;
        await page.goto(pages.service.baseUrl + path);
        await settled(page);
        expect(refused).toEqual([]);
        const buttons = await page.getByRole('main').locator('button:enabled').allTextContents();
        const allowed = new Set([...HARMLESS, ...(READERS_MAY[path] ?? [])]);
        expect(buttons.filter((name) => DEED.test(name.trim()) && !allowed.has(name.trim()))).toEqual([]);
        await expectAccessible(page);
      },
    );
  });

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
    await pages.check();
  });
});

async function linksOf(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
}
