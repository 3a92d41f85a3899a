// Promises of changing the policy: versions, simulations, the shadow and exceptions, each job from end to end.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { editorOf, write, written } from './policy-editor.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const DAY_MS = 86_400_000;
/** So that a test that waits in vain says for what. */
const STEP_MS_MAX = 12_000;
const CARD = 'My card is 5500 0000 0000 0004.';

describe.skipIf('missing' in found)('changes of the policy', () => {
  let pages: Pages;

  beforeAll(async () => {
    pages = await startPages();
    await store({ mode: 'monitor' });
    await store({ detectors: { pii: { entities: { email: 'redact' } } } });
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await pages.service.request(method, path, { key: pages.service.organization.keys.admin, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const store = (policy: unknown) => api('PUT', '/v1/policy', policy);
  const assess = async (input: string) => (await pages.service.request('POST', '/v1/assessments', { body: { input } })).body;
  const open = async (...options: Parameters<Pages['open']>) => {
    const page = await pages.open(...options);
    page.setDefaultTimeout(STEP_MS_MAX);
    await settled(page);
    return page;
  };

  test('a version can be linked to, read, compared with any other, and restored after its effect was told', async () => {
    const page = await open('/policy?tab=versions&version=2');
    const version = page.getByRole('region', { name: 'Version 2', exact: true });
    await version.getByText('mode: monitor').waitFor();
    await version.getByText('What changed since version 1').click();
    await version.getByText('/deadline_ms').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Compare version').fill('2');
    await page.getByLabel('with version').fill('3');
    await page.getByRole('button', { name: 'Compare' }).click();
    const comparison = page.getByRole('region', { name: 'From version 2 to version 3' });
    await comparison.getByText('/mode').waitFor();
    await comparison.getByText('+ pii:').waitFor();
    expect(new URL(page.url()).search).toBe('?tab=versions&from=2&to=3');
    await expectAccessible(page);
    // The first version has what the defaults are: to leave that out changes nothing.
    await page.getByLabel('Compare version').fill('1');
    await page.getByLabel('with version').fill('2');
    await page.getByRole('button', { name: 'Compare' }).click();
    const first = page.getByRole('region', { name: 'From version 1 to version 2' });
    await first.getByRole('listitem').filter({ hasText: '/deadline_ms' }).getByText('no effect').waitFor();
    expect(await first.getByRole('listitem').filter({ hasText: '/mode' }).getByText('no effect').count()).toBe(0);
    await page.getByRole('link', { name: 'Version 2', exact: true }).click();
    await version.getByRole('button', { name: 'Restore version 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 2' });
    await dialog.locator('.diff-added', { hasText: 'mode: monitor' }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore and put in force' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: 'Version 4' })
      .getByText(/^.in force$/)
      .waitFor();
    expect((await api('GET', '/v1/policy')).policy).toEqual({ mode: 'monitor' });
    await store({});
  });

  test('a simulation of what was edited tells what would change, leads to the events, and names what it cannot know', async () => {
    await store({});
    const flagged = await assess(CARD);
    await assess('Mail ann@example.com.');
    const page = await open('/policy');
    await editorOf(page).waitFor();
    await write(page, 'detectors:\n  pii:\n    entities:\n      credit_card: block\n      email: flag\n');
    await page.getByRole('link', { name: 'Simulate' }).click();
    await page.getByRole('radio', { name: 'The edited document' }).waitFor();
    await page.getByRole('radio', { name: 'A version' }).check();
    await page.getByRole('spinbutton', { name: /^Version/ }).fill('');
    await page.getByRole('spinbutton', { name: /^Version/ }).pressSequentially('2');
    expect(await page.getByRole('spinbutton', { name: /^Version/ }).inputValue()).toBe('2');
    await page.getByRole('radio', { name: 'The edited document' }).check();
    await page.getByRole('combobox', { name: /^Assessments of/ }).selectOption('From … to …');
    await page.getByLabel('From, UTC').fill(new Date(Date.now() - DAY_MS).toISOString().slice(0, 16));
    await page.getByLabel('To, UTC').fill(new Date(Date.now() + DAY_MS).toISOString().slice(0, 16));
    await page.getByRole('spinbutton', { name: /^At most/ }).fill('2');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Simulate' }).click();
    const simulation = page.getByRole('region', { name: 'Simulation' });
    await simulation.getByText('How sure this is').waitFor();
    await simulation.getByText(/^.succeeded$/).waitFor();
    expect(new URL(page.url()).searchParams.get('simulation')).toMatch(/^sim_/);
    await simulation.getByRole('row').filter({ hasText: 'type_unignored' }).waitFor();
    await simulation.getByText('Newly blocked: 1 to look at').click();
    const link = simulation.getByRole('link', { name: `Open the event of ${flagged.id}` });
    await link.waitFor();
    await expectAccessible(page);
    expect(await link.getAttribute('href')).toBe(`/events/${flagged.event_id}`);
    const shared = page.url();
    const other = await open('/policy');
    await other.goto(shared);
    await other.getByText('How sure this is').waitFor();
  });

  test('a shadow starts, is counted as it decides, and is stopped or promoted after its effect was told', async () => {
    await store({});
    const page = await open('/policy?tab=shadow');
    await page.getByRole('heading', { name: 'No shadow runs' }).waitFor();
    await expectAccessible(page);
    const start = async (name: string) => {
      await page.getByRole('button', { name }).click();
      await page.getByRole('radio', { name: 'A version' }).check();
      await page.getByRole('spinbutton', { name: /^Version/ }).fill('3');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Start the shadow' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await start('Start a shadow');
    const tally = page.getByRole('region', { name: 'Tally' });
    await tally.getByText('Nothing was compared yet.').waitFor();
    await assess('Mail ann@example.com.');
    await tally.getByText('Newly flagged: 1 to look at').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByText('its tally goes with it').waitFor();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByRole('heading', { name: 'No shadow runs' }).waitFor();
    await start('Start a shadow');
    await page.getByRole('button', { name: 'Promote …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote the shadow' });
    await dialog.locator('.diff-added', { hasText: 'email: redact' }).waitFor();
    await expectAccessible(page);
    // Another client puts another candidate in its place: what nobody looked at is not put in force.
    const body = { policy: { mode: 'monitor' }, sample_rate: 1, expires_at: new Date(Date.now() + DAY_MS).toISOString() };
    const seen = await api('GET', '/v1/policy/shadow');
    await api('PUT', '/v1/policy/shadow', body);
    await dialog.getByRole('button', { name: 'Put it in force' }).click({ force: true });
    await dialog.getByText('Another candidate runs by now.').waitFor();
    expect((await api('GET', '/v1/policy')).policy).toEqual({});
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Show the new difference' }).click();
    await dialog.locator('.diff-added', { hasText: 'mode: monitor' }).waitFor();
    await api('PUT', '/v1/policy/shadow', { ...body, policy: seen.policy });
    await dialog.getByRole('button', { name: 'Show the new difference' }).click();
    await dialog.locator('.diff-added', { hasText: 'email: redact' }).waitFor();
    await dialog.getByRole('button', { name: 'Put it in force' }).click();
    await page.getByRole('heading', { name: 'No shadow runs' }).waitFor();
    expect((await api('GET', '/v1/policy')).policy).toEqual({ detectors: { pii: { entities: { email: 'redact' } } } });
  });

  test('exceptions tell who, why, until and how often; one is added and one removed through the document', async () => {
    const soon = new Date(Date.now() + 3 * DAY_MS).toISOString();
    const exception = {
      id: 'test-card',
      match: { category: 'data.pii' },
      reason: 'Ours.',
      owner: 'ann@example.com',
      expires_at: soon,
    };
    await store({ exceptions: [exception] });
    await assess(CARD);
    const page = await open('/policy?tab=exceptions');
    const row = page.getByRole('row').filter({ hasText: 'test-card' });
    await row.getByText('ends soon').waitFor();
    await row.getByText('ann@example.com').waitFor();
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New exception' }).click();
    await page.getByRole('textbox', { name: /^Name/ }).fill('own-mail');
    await page.getByRole('combobox', { name: /^category/ }).fill('data.pii');
    await page.getByRole('textbox', { name: /^value/ }).fill('*@example.com');
    await page.getByRole('textbox', { name: /^Why/ }).fill('Addresses of our own staff are public.');
    await page.getByLabel('Who answers for it').fill('privacy@example.com');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add, and look at the difference' }).click();
    await save(page, 'own-mail');
    await page.getByRole('row').filter({ hasText: 'value: *@example.com' }).waitFor();
    await page.getByRole('button', { name: 'Extend test-card' }).click();
    await page.getByRole('dialog', { name: 'Extend test-card' }).getByLabel('Last day, UTC').fill('2036-05-01');
    await page.getByRole('button', { name: 'Extend, and look at the difference' }).click();
    await save(page, '2036-05-01T23:59:59Z');
    await row.getByText('ends soon').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove test-card' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go on editing' }).click();
    await page.getByRole('button', { name: 'Put test-card back' }).click();
    await page.getByText('The document has changes that are not saved.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove test-card' }).click();
    await save(page, null);
    await row.waitFor({ state: 'detached' });
    const { policy } = await api('GET', '/v1/policy');
    expect(policy.exceptions).toMatchObject([{ id: 'own-mail', match: { category: 'data.pii', value: '*@example.com' } }]);
    await page.getByRole('link', { name: 'Document' }).click();
    expect(await written(page)).toContain('id: own-mail');
  });

  /** The difference, then the deed. */
  const save = async (page: Page, added: string | null) => {
    const dialog = page.getByRole('dialog', { name: /^Save as version/ });
    if (added !== null) await dialog.locator('.diff-added', { hasText: added }).waitFor();
    await dialog.getByRole('button', { name: 'Save and put in force' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  test.each(['versions&version=1', 'versions&from=1&to=2', 'simulate', 'shadow', 'exceptions'])(
    '%s fits 360 to 1920 px, in light and dark',
    async (tab) => {
      const page = await open(`/policy?tab=${tab}`);
      for (const [width, colorScheme] of [
        [360, 'dark'],
        [1920, 'dark'],
        [1280, 'light'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), String(width)).toBeLessThanOrEqual(
          0,
        );
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page);
    },
  );
});
