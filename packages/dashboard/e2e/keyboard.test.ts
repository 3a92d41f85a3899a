// All by keyboard: what the focus shows, where it goes, and where it comes back to.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PLACES } from '../src/shell/places.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { seed, type Seeded } from './seed.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const STOPS_MAX = 200;

describe.skipIf('missing' in found)('by keyboard', () => {
  let pages: Pages;
  let seeded: Seeded;

  beforeAll(async () => {
    pages = await startPages();
    seeded = await seed(pages.service, { drift: false });
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  test.each(['/', '/events', '/webhooks'])(
    'Tab reaches all that can be operated on %s, in view and with a mark, and comes to an end',
    async (path) => {
      const page = await open(path);
      const reached = await walk(page);
      expect(reached.filter(({ isMarked }) => !isMarked).map(({ name }) => name)).toEqual([]);
      expect(reached.filter(({ isInView }) => !isInView).map(({ name }) => name)).toEqual([]);
      const missed = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input, select, textarea, summary')]
          .filter((element) => element.checkVisibility() && element.tabIndex >= 0 && element.dataset['reached'] === undefined)
          // Of radio buttons one is reached, the others from there by arrows.
          .filter((element) => !(element instanceof HTMLInputElement && element.type === 'radio'))
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      expect(missed).toEqual([]);
    },
  );

  test('the first Tab offers to skip the navigation, and Enter does it', async () => {
    const page = await open('/webhooks');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    const box = await page.getByRole('link', { name: 'Skip to content' }).boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const isInMain = await page.evaluate(() => document.querySelector('main')!.contains(document.activeElement));
    expect(isInMain).toBe(true);
  });

  test('a page that is opened from the navigation is where the next Tab goes on', async () => {
    const page = await open('/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'main');
  });

  test('/ goes to the search of a page that has one, and is a slash where one types', async () => {
    const page = await open('/events');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type('a/b');
    expect(await page.locator('input[type=search]').inputValue()).toBe('a/b');
  });

  test('/ opens the palette where a page has no search', async () => {
    const page = await open('/webhooks');
    await page.keyboard.press('/');
    await palette(page).waitFor();
    expect(await palette(page).inputValue()).toBe('');
  });

  test('what goes leaves the focus where it stood: a row that was deleted, in its table', async () => {
    const page = await open('/settings/keys?q=CI');
    await page.getByRole('button', { name: 'Revoke CI' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Revoke the key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke CI' }).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.matches('main, main .table-wrap') === true);
  });

  test('on a phone the menu holds the focus, and is closed by Escape, beside it, by its button and by any link', async () => {
    const page = await open('/webhooks');
    await page.setViewportSize({ width: 360, height: 740 });
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    const opened = async () => {
      await menu.click();
      await navigation.waitFor();
      expect(await focused(page)).toBe('Close menu');
    };
    const closed = async () => {
      await navigation.waitFor({ state: 'hidden' });
      await expect.poll(() => focused(page)).toBe('Menu');
    };
    await opened();
    await expectAccessible(page);
    for (const { name, isInView } of await walk(page)) {
      expect(isInView, name).toBe(true);
      expect(name).not.toMatch(/^(Skip|Go to|New webhook)/);
    }
    await page.keyboard.press('Escape');
    await closed();
    await opened();
    await page.mouse.click(340, 400);
    await closed();
    await opened();
    await page.getByRole('button', { name: 'Close menu' }).click();
    await closed();
    await opened();
    await navigation.getByRole('link', { name: 'Webhooks' }).click();
    await closed();
    await opened();
    await navigation.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(await navigation.isVisible()).toBe(false);
    // Who makes the window wide meanwhile is not locked out of the page.
    await opened();
    await page.setViewportSize({ width: 1280, height: 740 });
    await page.getByRole('button', { name: /^Go to/ }).click();
    await palette(page).waitFor();
  });

  test.each([
    ['/settings/keys?new=', 'Make the key'],
    ['/webhooks?new=', 'Create webhook'],
  ])('the end of the long form at %s is in sight on a phone', async (path, deed) => {
    const page = await pages.open(path, { width: 360 });
    await page.setViewportSize({ width: 360, height: 740 });
    const button = page.getByRole('dialog').getByRole('button', { name: deed });
    await button.waitFor();
    const end = async () => {
      const { y, height } = (await button.boundingBox())!;
      return y + height;
    };
    // The window becomes smaller a moment after it was told to.
    await expect.poll(end).toBeLessThanOrEqual(740 - 16);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  describe('the palette', () => {
    test('is opened by Ctrl K and by its button, closed by Escape, and the focus returns to where it was', async () => {
      const page = await open('/webhooks');
      const tab = page.getByRole('link', { name: 'Inboxes' });
      await tab.focus();
      await page.keyboard.press('Control+k');
      await palette(page).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('Inboxes');

      const button = page.getByRole('button', { name: /^Go to/ });
      await button.click();
      await palette(page).waitFor();
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'detached' });
      expect(await focused(page)).toMatch(/^Go to/);
    });

    test('finds every page by its name', async () => {
      const page = await open('/');
      for (const { title, path } of PLACES) {
        await page.keyboard.press('Control+k');
        await palette(page).fill(title);
        await page.keyboard.press('Enter');
        await page.waitForURL(pages.service.baseUrl + path);
        await palette(page).waitFor({ state: 'detached' });
      }
    });

    test('finds pages by what they are about, and goes through them by arrows', async () => {
      const page = await open('/');
      await page.keyboard.press('Control+k');
      await palette(page).fill('secret');
      const options = page.getByRole('listbox').getByRole('option');
      expect(await options.allTextContents()).toContainEqual(expect.stringContaining('Webhooks'));
      await palette(page).fill('');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
      expect(await chosen.count()).toBe(1);
      expect(await chosen.textContent()).toBe(await options.nth(1).textContent());
      expect(await palette(page).getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    });

    test('finds by words in any order, and by what others call it', async () => {
      const page = await open('/');
      await page.keyboard.press('Control+k');
      for (const [words, title] of [
        ['key new', 'New API key'],
        ['create webhook', 'New webhook'],
        ['add slack', 'New Slack integration'],
        ['log out', 'Sign out'],
        ['dark mode', 'Dark theme'],
        ['policy history', 'Policy versions'],
        ['alerts', 'Integrations'],
      ] as const) {
        await palette(page).fill(words);
        const found = await page.getByRole('listbox').getByRole('option').allTextContents();
        expect(found[0], words).toContain(title);
      }
    });

    test('begins what is made on another page', async () => {
      const page = await open('/');
      await perform(page, 'new judge');
      await page.getByRole('dialog', { name: 'New judge' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await perform(page, 'slack integration');
      await page.getByRole('dialog', { name: 'New Slack integration' }).waitFor();
    });

    test('does what concerns every page: the theme, and leaving', async () => {
      const page = await open('/');
      await perform(page, 'dark');
      const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      await expect.poll(scheme).toBe('dark');
      expect(await page.getByLabel('Theme').inputValue()).toBe('dark');
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await scheme()).toBe('dark');
      await perform(page, 'theme of the system');
      expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({});
      await perform(page, 'sign out');
      await page.getByLabel('Admin key').waitFor();
    });

    test('opens what a pasted id names', async () => {
      const page = await open('/');
      await perform(page, seeded.assessments.blocked.event_id);
      await page.waitForURL(`**/events/${seeded.assessments.blocked.event_id}`);
      await perform(page, seeded.webhookId);
      await page.waitForURL(`**/webhooks/${seeded.webhookId}`);
    });

    test('says so when nothing is called that', async () => {
      const page = await open('/');
      await page.keyboard.press('Control+k');
      await palette(page).fill('no such thing');
      await page.getByText('No page or action is called that.').waitFor();
      await page.keyboard.press('Enter');
      expect(await palette(page).count()).toBe(1);
    });

    test('does not open over a dialog, which may hold what is shown once', async () => {
      const page = await open('/webhooks');
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Control+k');
      expect(await page.getByRole('dialog').count()).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('New webhook');
    });
  });

  async function open(path: string): Promise<Page> {
    const page = await pages.open(path);
    await settled(page);
    return page;
  }
});

const palette = (page: Page) => page.getByRole('combobox', { name: 'Page, action or id' });

async function perform(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).fill(text);
  await page.keyboard.press('Enter');
  await palette(page).waitFor({ state: 'detached' });
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
}

interface Stop {
  readonly name: string;
  readonly isMarked: boolean;
  readonly isInView: boolean;
}

/** By Tab alone, from the top of the page to its end. Marks what it reaches. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let i = 0; i < STOPS_MAX; i++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      if (element === null || element === document.body || element.dataset['reached'] !== undefined) return null;
      element.dataset['reached'] = '';
      // A line of a list is marked whole, by a part that its link has over it.
      const outlines = [null, '::before', '::after'].map((part) => getComputedStyle(element, part));
      const box = element.getBoundingClientRect();
      return {
        name:
          (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60) ||
          element.outerHTML.slice(0, 100),
        isMarked: outlines.some(
          ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
        ),
        isInView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && box.width > 0,
      };
    });
    if (stop === null) return stops;
    stops.push(stop);
  }
  throw new Error(`after ${STOPS_MAX} stops there was no end`);
}
