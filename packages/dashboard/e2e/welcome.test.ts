// Promises of the first steps.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

/** What a newcomer does from the sign-in to a blocked inference in the inbox: deeds of theirs, not of the page. */
const DEEDS_MAX = 7;

describe.skipIf('missing' in found)('the first steps', () => {
  let pages: Pages;

  beforeAll(async () => {
    pages = await startPages();
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  test('a newcomer gets from the sign-in to a verified blocked inference in the inbox within seven deeds, and then to a key', async () => {
    const page = await pages.open('/', { signedIn: false });
    let deeds = 0;
    const press = async (name: string) => {
      deeds++;
      await page.getByRole('button', { name, exact: true }).click();
    };
    deeds++;
    await page.getByLabel('Admin key').fill(pages.service.organization.keys.admin);
    await press('Sign in');
    deeds++;
    await page.getByRole('link', { name: 'Take the first steps' }).click();
    await press('Send the assessment');
    await step(page, 'Send an assessment').getByText('attack.injection').waitFor();
    // What is at work keeps the focus.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send the assessment');
    await step(page, 'See it in the events').getByText('the one you sent').waitFor();
    await press('Make an inbox and a webhook');
    await press('Send a blocked inference');
    await step(page, 'Hear of what is blocked').getByText('signature verified').waitFor();
    expect(deeds).toBeLessThanOrEqual(DEEDS_MAX);

    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make the key' }).click();
    const key = await page.getByLabel('API key').inputValue();
    // A slip does not destroy what nobody can see again.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('not copied yet').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe(key);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('All four are done.').waitFor();
    expect(await page.content()).not.toContain(key);
    // What is signed in with the key does what the page's snippet says.
    const { status, body } = await pages.service.request('POST', '/v1/assessments', { key, body: { input: 'Hello' } });
    expect([status, body.outcome]).toEqual([200, 'allowed']);

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0);
    // They are found again, and know by what there is that they were taken.
    await page.getByRole('link', { name: 'First steps', exact: true }).click();
    await page.getByText('All four are done.').waitFor();
    expect(await page.getByText('✓done').count()).toBe(4);
    await press('Send a blocked inference');
    await step(page, 'Hear of what is blocked').getByText('Landed in the inbox').waitFor();
  });

  test('the overview invites also who has assessed something, until the invitation is dismissed; the steps go on from what there is', async () => {
    const organization = await pages.service.createOrganization();
    const key = organization.keys.live;
    await pages.service.request('POST', '/v1/assessments', { key, body: { input: 'Hello' } });
    await pages.service.request('POST', '/v1/inboxes', { key });
    const page = await openAs(organization, '/');
    const invitation = page.getByRole('region', { name: 'First steps' });
    await invitation.waitFor();
    await expectAccessible(page);
    await invitation.getByRole('button', { name: 'Dismiss' }).click();
    await invitation.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await invitation.count()).toBe(0);
    await page.getByRole('link', { name: 'First steps', exact: true }).click();
    await step(page, 'Send an assessment').getByText('✓done').waitFor();
    await step(page, 'See it in the events').getByRole('link', { name: 'inference.allowed' }).waitFor();
    await page.getByRole('button', { name: 'Make a webhook to your inbox' }).click();
    await page.getByRole('button', { name: 'Send a blocked inference' }).click();
    await page.getByText('signature verified').waitFor();
    const { body } = await pages.service.request('GET', '/v1/inboxes', { key });
    expect(body.data.length).toBe(1);
  });

  test('who may only read is told which scope each step needs', async () => {
    const page = await pages.open('/welcome', { role: 'viewer' });
    for (const scope of ['assess:create', 'webhooks:write', 'admin:*'])
      await page.getByRole('main').getByText(scope, { exact: true }).first().waitFor();
    await expectAccessible(page);
  });

  test.each(['light', 'dark'] as const)(
    'the steps are accessible and within their width when all is shown, %s',
    async (colorScheme) => {
      const page = await openAs(await pages.service.createOrganization(), '/welcome', colorScheme === 'dark');
      await page.getByRole('button', { name: 'Send the assessment' }).click();
      await page.getByRole('button', { name: 'Make an inbox and a webhook' }).click();
      await page.getByRole('button', { name: 'Send a blocked inference' }).click();
      await page.getByText('signature verified').waitFor();
      for (const width of [1920, 1280, 360]) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0);
      }
      await expectAccessible(page);
    },
  );

  async function openAs({ keys }: { readonly keys: { readonly admin: string } }, path: string, dark = false): Promise<Page> {
    const page = await pages.open('/icon.svg', { signedIn: false, dark });
    const session = `${pages.service.baseUrl}/v1/auth/session`;
    await page.context().request.post(session, { headers: { authorization: `Bearer ${keys.admin}` } });
    await page.goto(pages.service.baseUrl + path);
    return page;
  }
});

function step(page: Page, name: string) {
  return page.getByRole('region', { name });
}
