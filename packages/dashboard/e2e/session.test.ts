// Promises of the session that windows share: how it ends, whose data a window shows, and what is asked again when it was renewed.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startIdentityProvider, type IdentityProvider } from '../../server/src/testing/identity-provider.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { launchChromium } from './chromium.ts';
import { openForProvider, putSso, signInAtProvider, signInByKey } from './sign-in.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

describe.skipIf('missing' in found)('a session', () => {
  let pages: Pages;
  let provider: IdentityProvider;

  beforeAll(async () => {
    pages = await startPages({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    provider = await startIdentityProvider({ redirectUri: `${pages.service.baseUrl}/v1/auth/sso/callback` });
  });
  afterEach(() => pages.check());
  afterAll(async () => {
    await pages.close();
    await provider.close();
  });

  const admin = () => pages.service.organization.keys.admin;
  const pathOf = (page: Page) => page.url().slice(pages.service.baseUrl.length);
  const openKeys = async () => {
    const page = await pages.open('/settings/keys?q=First');
    await page.getByText('First admin key', { exact: true }).first().waitFor();
    return page;
  };

  describe('signing out', () => {
    test('leaves nothing to the Back button, also where the browser keeps pages as they were', async () => {
      const browser = await launchChromium({ keepsPages: true });
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${pages.service.baseUrl}/settings/keys?q=First`);
      await signInByKey(page, admin());
      await page.getByText('First admin key', { exact: true }).first().waitFor();
      // Whatever was seen, however briefly, once the page comes back.
      await page.evaluate(() =>
        addEventListener('pageshow', ({ persisted }) => {
          if (persisted) sessionStorage.setItem('seen', getComputedStyle(document.documentElement).display);
        }),
      );
      // A page that was only left comes back as it was.
      await page.goto(`${pages.service.baseUrl}/icon.svg`);
      await page.goBack({ waitUntil: 'commit' });
      await page.getByText('First admin key', { exact: true }).first().waitFor();
      expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBe('none');

      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${pages.service.baseUrl}/`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goBack({ waitUntil: 'commit' });
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(pathOf(page)).toBe('/settings/keys?q=First');
      expect(await page.content()).not.toContain('First admin key');
      expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBe('none');
      await browser.close();
    });

    test('that fails says so, and can be tried again', async () => {
      const page = await openKeys();
      const answer = { fails: true };
      await page.route('**/v1/auth/session', (route) =>
        route.request().method() === 'DELETE' && answer.fails
          ? route.fulfill({ status: 403, json: { error: { code: 'ip_not_allowed', message: 'Not from here.' } } })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'Sign out' }).click();
      const dialog = page.getByRole('dialog', { name: 'You are still signed in' });
      await dialog.getByText('Not from here.').waitFor();
      await expectAccessible(page);
      answer.fails = false;
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const session = await page.context().request.get(`${pages.service.baseUrl}/v1/auth/session`);
      expect(session.status()).toBe(401);
    });

    test('in one window closes what the others show, with all that they have read', async () => {
      const page = await openKeys();
      const other = await page.context().newPage();
      await other.goto(`${pages.service.baseUrl}/events?outcome=blocked`);
      await other.getByRole('heading', { name: 'Events' }).first().waitFor();
      await other.evaluate(() => Object.assign(globalThis, { isOld: true }));
      await page.getByRole('button', { name: 'Sign out' }).click();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(pathOf(other)).toBe('/events?outcome=blocked');
      expect(await other.evaluate(() => 'isOld' in globalThis)).toBe(false);
    });
  });

  describe('a browser of several windows', () => {
    const sessionOf = async (page: Page, key = admin()) => {
      const answer = await page.context().request.post(`${pages.service.baseUrl}/v1/auth/session`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(answer.status()).toBe(201);
    };

    test('shows nothing of one organization under another’s name, though the window is told by nobody', async () => {
      const other = await pages.service.createOrganization();
      const { body: inbox } = await pages.service.request('POST', '/v1/inboxes', { key: other.keys.admin, body: {} });
      await pages.service.request('POST', '/v1/webhooks', {
        key: other.keys.admin,
        body: { url: inbox.url, events: ['inference.blocked'], description: 'Of the other one' },
      });
      const page = await pages.open('/webhooks');
      await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
      await page.evaluate(() => {
        const seen = new MutationObserver(() => {
          if (document.body.innerText.includes('Of the other one')) document.title = 'LEAKED';
        });
        seen.observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      await sessionOf(page, other.keys.admin);
      await page.getByRole('link', { name: 'Drift' }).click();
      await page.getByRole('heading', { name: 'Signed in as someone else' }).waitFor();
      await expectAccessible(page);
      expect(await page.title()).not.toBe('LEAKED');
      expect(await page.getByRole('navigation').count()).toBe(0);
      await page.getByRole('button', { name: /^Go on/ }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.getByText('Another organization').first().waitFor();
      expect(pathOf(page)).toBe('/');
    });

    test('closes a window whose browser was signed in to another organization in the next', async () => {
      const other = await pages.service.createOrganization();
      const page = await pages.open('/settings/organization');
      await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
      const next = await page.context().newPage();
      await page.context().clearCookies();
      await next.goto(`${pages.service.baseUrl}/`);
      await signInByKey(next, other.keys.admin);
      await page.getByRole('heading', { name: 'Signed in as someone else' }).waitFor();
      expect(await page.content()).not.toContain(pages.service.organization.id);
    });

    test('writes on with a newer session of the same identity, once', async () => {
      const page = await pages.open('/settings/keys');
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog', { name: 'New key' });
      await dialog.getByLabel('Name').fill('By two sessions');
      await sessionOf(page);
      await dialog.getByRole('button', { name: 'Make the key' }).click();
      await page.locator('input.secret').waitFor();
      const { body } = await pages.service.request('GET', '/v1/api-keys?limit=200', {
        key: pages.service.organization.keys.admin,
      });
      expect(body.data.filter(({ name }: { name: string }) => name === 'By two sessions')).toHaveLength(1);
    });

    test('closes a window where the same person signs in with another role in the next', async () => {
      await putSso(pages, provider);
      const page = await openForProvider(pages, '/webhooks');
      await signInAtProvider(page, 'ada');
      await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
      await page.getByRole('button', { name: 'New webhook' }).first().waitFor();
      await putSso(pages, provider, 'viewer');
      const next = await page.context().newPage();
      await next.goto(`${pages.service.baseUrl}/v1/auth/sso/start?organization=${pages.service.organization.id}`);
      await page.getByRole('heading', { name: 'Signed in with another role' }).waitFor();
      await page.getByRole('button', { name: /^Go on/ }).click();
      await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'New webhook' }).count()).toBe(0);
    });
  });

  describe('what is another organization’s', () => {
    test('is found by no address of a page, which leads back to one’s own', async () => {
      const other = await pages.service.createOrganization();
      const make = async (path: string, body: object, key = other.keys.admin) => {
        const headers = { 'x-svc-probe-id': 'theirs.example.com' };
        const answer = await pages.service.request('POST', path, { key, body, ...(path === '/v1/assessments' && { headers }) });
        if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
        return answer.body;
      };
      const inbox = await make('/v1/inboxes', {});
      const webhook = await make('/v1/webhooks', { url: inbox.url, events: ['inference.blocked'], description: 'Theirs alone' });
      const integration = await make('/v1/integrations', {
        kind: 'splunk',
        name: 'Theirs alone',
        config: { url: provider.issuer, token: '12345678-1234-1234-1234-123456789012' },
        events: ['inference.blocked'],
      });
      const made = await make('/v1/exports', { format: 'jsonl' });
      await make('/v1/assessments', { input: 'Theirs alone 4111 1111 1111 1111' }, other.keys.live);
      const { body: events } = await pages.service.request('GET', '/v1/events?limit=1', { key: other.keys.admin });
      const ids = [webhook.webhook_id, integration.id, made.id, events.data[0].id] as string[];
      expect(ids.every((id) => typeof id === 'string')).toBe(true);
      const page = await pages.open('/');
      for (const [area, id, back] of [
        ['webhooks', ids[0], 'All webhooks'],
        ['integrations', ids[1], 'All integrations'],
        ['exports', ids[2], 'Exports'],
        ['events', ids[3], null],
        ['drift', `mon_${ids[0]!.slice(3)}`, null],
        ['probes', 'theirs.example.com', 'All probes'],
      ] as const) {
        await page.goto(`${pages.service.baseUrl}/${area}/${id}`);
        const alert = page.getByRole('alert').first();
        await alert.waitFor();
        expect(await alert.innerText(), area).toMatch(/No such/);
        expect(await page.getByText('Theirs alone').count(), area).toBe(0);
        if (back !== null) await page.getByRole('main').getByRole('link', { name: back }).waitFor();
        await page.locator(`nav a[href="/${area}"]`).first().waitFor();
      }
    });
  });

  describe('what is made and shown once', () => {
    test('is waited for: nothing closes its dialog before the service has answered', async () => {
      const page = await openKeys();
      const gate = Promise.withResolvers<void>();
      await page.route('**/v1/api-keys', async (route) => {
        if (route.request().method() === 'POST') await gate.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog', { name: 'New key' });
      await dialog.getByLabel('Name').fill('Waited for');
      await dialog.getByRole('button', { name: 'Make the key' }).click();
      for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
      await dialog.getByText('this closes when the service has answered').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expectAccessible(page);
      gate.resolve();
      await page.locator('input.secret').waitFor();
    });
  });

  describe('names', () => {
    test('are shown with a mark for what would not be seen, and turn nothing beside them', async () => {
      const name = 'Backup \u202eyek evil\u2066';
      await pages.service.request('POST', '/v1/api-keys', { key: admin(), body: { name, type: 'test' } });
      const page = await pages.open('/settings/keys?q=Backup');
      const shown = 'Backup [U+202E]yek evil[U+2066]';
      await page.locator('bdi', { hasText: shown }).first().waitFor();
      await page.getByRole('button', { name: `Revoke ${shown}` }).click();
      const dialog = page.getByRole('dialog', { name: `Revoke ${shown}` });
      await dialog.getByRole('heading', { name: `Revoke ${shown}` }).waitFor();
      // The search has what was typed, the page what is seen.
      expect(await page.getByRole('main').innerText()).not.toMatch(/[\u202e\u2066]/);
    });
  });
});
