// What every page promises, at every width and in both themes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PLACES } from '../src/shell/places.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { seed, type Seeded } from './seed.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const WIDTHS = [360, 1280, 1920] as const;
/** What a width changes shows in one theme, and what a theme changes at any width: so each page is examined at one width in each theme … */
const EXAMINED = new Set(['light 360', 'dark 1280']);
/** … and what is around all of them, which is the same, at more. */
const EXAMINED_SHELL = new Set([...EXAMINED, 'light 1920', 'dark 360']);
const NO_PAGE = 'There is no such page';
const PLACE_PATHS = PLACES.map(({ path }) => path);
/** Pages of one thing, which the navigation does not have, and the place that each belongs to. */
const MORE: readonly (readonly [name: string, place: string | null, path: (seeded: Seeded) => string])[] = [
  ['of a blocked inference', '/events', ({ assessments }) => `/events/${assessments.blocked.event_id}`],
  ['of an export', '/exports', ({ exportId }) => `/exports/${exportId}`],
  ['of a drift', '/drift', ({ monitorId }) => `/drift/${monitorId}`],
  ['of a webhook that fails', '/webhooks', ({ failingWebhookId }) => `/webhooks/${failingWebhookId}`],
  ['of the first steps', null, () => '/welcome'],
];

test('every page is in the guide', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/dashboard.md'), 'utf8');
  const titles = PLACES.map(({ group, title }) => (group === 'Settings' ? group : title));
  expect(titles.filter((title) => !guide.includes(`**${title}**`))).toEqual([]);
});

describe.skipIf('missing' in found)('the page', () => {
  let pages: Pages;
  let seeded: Seeded;

  beforeAll(async () => {
    pages = await startPages();
    seeded = await seed(pages.service);
    // Eight thousand inferences, on a machine that may be busy with others.
  }, 120_000);
  afterAll(() => pages.close());

  describe('at its address', () => {
    // One after the other in the same window, as a person goes through them: what all of them load is loaded once.
    let page: Page;

    beforeAll(async () => {
      page = await pages.open('/no-such-page');
    });
    afterEach(() => pages.check({ stay: true }));
    afterAll(() => pages.check());

    test.each(PLACE_PATHS)('%s is accessible, titled and within its width: 360 to 1920, light and dark', async (path) => {
      await page.goto(pages.service.baseUrl + path);
      await settled(page);
      await expectWhole(page);
    });

    test.each(MORE.filter(([, place]) => place === null || PLACE_PATHS.includes(place)))(
      '%s is accessible, titled and within its width: 360 to 1920, light and dark',
      async (_name, _place, pathOf) => {
        await page.goto(pages.service.baseUrl + pathOf(seeded));
        await settled(page);
        expect(await page.getByRole('heading', { name: NO_PAGE }).count()).toBe(0);
        await expectWhole(page);
      },
    );
  });

  describe('of the whole', () => {
    afterEach(() => pages.check());

    test('that does not exist says so, in as good an order as the others', async () => {
      const page = await pages.open('/no-such-page');
      await page.getByRole('heading', { level: 1, name: NO_PAGE }).waitFor();
      await expectWhole(page, EXAMINED_SHELL);
      await page.getByRole('link', { name: 'Go to the overview' }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    });

    test('that is open is the one that the navigation marks, and its name is in the window’s title', async () => {
      const page = await pages.open('/');
      await settled(page);
      expect((await linksOf(page)).toSorted()).toEqual(PLACE_PATHS.toSorted());
      for (const { path, title } of PLACES) {
        await page.getByRole('navigation', { name: 'Pages' }).locator(`a[href="${path}"]`).click();
        await page.waitForURL(pages.service.baseUrl + path);
        await settled(page);
        const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current="page"]');
        expect(await current.allTextContents()).toEqual([title]);
      }
    });

    test('that cannot be loaded says so, and comes when the service is there again', async () => {
      const page = await pages.open('/webhooks');
      await settled(page);
      await page.context().setOffline(true);
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Events' }).click();
      await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
      await expectAccessible(page);
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    });

    test('that has lost the service says so with the next step, and goes on when it is there again', async () => {
      const page = await pages.open('/webhooks');
      await settled(page);
      await page.context().setOffline(true);
      await page.getByRole('main').getByRole('link', { name: 'Inboxes' }).click();
      const again = page.getByRole('alert').getByRole('button', { name: 'Try again' }).first();
      await again.waitFor();
      await page.context().setOffline(false);
      await again.click();
      await again.waitFor({ state: 'detached' });
    });
  });
});

/** In one page that is made wide and narrow, light and dark. */
async function expectWhole(page: Page, examined: ReadonlySet<string> = EXAMINED): Promise<void> {
  expect(await page.getByRole('heading', { level: 1 }).count(), 'headings of the first level').toBe(1);
  expect(await page.title()).toMatch(/^.+ · svc$/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0);
      if (examined.has(`${colorScheme} ${width}`)) await expectAccessible(page);
    }
  }
}

async function linksOf(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
}
