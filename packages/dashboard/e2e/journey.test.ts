// A newcomer's way, by the pages alone: from the key that the first start printed to a blocked inference in an inbox, a key of one's own, and
// what each leaves behind on the other pages.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, startPages, type Pages } from './browser.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

/** What a person is given, and what the walk is held to. */
const WALK_MS_MAX = 60_000;

describe.skipIf('missing' in found)('a newcomer', () => {
  let pages: Pages;

  beforeAll(async () => {
    pages = await startPages();
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  test(
    'comes from the sign-in to a blocked inference in an inbox and a working key within a minute, and finds it all again',
    async () => {
      const page = await pages.open('/', { signedIn: false });
      await page.getByLabel('Admin key').fill(pages.service.organization.keys.admin);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

      await page.getByRole('link', { name: 'Take the first steps' }).click();
      await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
      await page.getByRole('button', { name: 'Send the assessment' }).click();
      await page.getByText('attack.injection').first().waitFor();
      await page.getByText('the one you sent').waitFor();

      await page.getByRole('button', { name: 'Make an inbox and a webhook' }).click();
      await page.getByRole('button', { name: 'Send a blocked inference' }).click();
      await page.getByText('Landed in the inbox').waitFor();
      await page.getByText('signature verified').waitFor();

      const key = await makeKey(page);
      const { status, body } = await pages.service.request('POST', '/v1/assessments', { key, body: { input: 'Hello' } });
      expect([status, body.outcome]).toEqual([200, 'allowed']);
      await page.getByText('All four are done.').waitFor();

      await findAgain(page);
      expect(await page.content()).not.toContain(key);
    },
    WALK_MS_MAX,
  );

  test('who signs in where the first steps are done is not led by hand', async () => {
    const page = await pages.open('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await settled(page);
    expect(await page.getByRole('link', { name: 'Take the first steps' }).count()).toBe(0);
  });
});

/** The key is read where it is shown, once. */
async function makeKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  const key = await dialog.getByLabel('API key', { exact: true }).inputValue();
  expect(key).toMatch(/^svc_live_/);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return key;
}

/** Each thing that the steps made, on the page where one looks for it later. */
async function findAgain(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('row').filter({ hasText: 'blocked' }).first().waitFor();
  await page.getByRole('row').filter({ hasText: 'allowed' }).first().waitFor();

  await navigation.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('row').filter({ hasText: 'First steps' }).getByRole('link').first().click();
  const delivered = page.getByRole('row').filter({ hasText: 'inference.blocked' }).filter({ hasText: 'succeeded' });
  await delivered.first().waitFor();

  await navigation.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('row').filter({ hasText: 'My application' }).waitFor();

  await navigation.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('attack.injection').first().waitFor();
}
