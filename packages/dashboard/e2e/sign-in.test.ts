// Promises of the sign-in: by key and at an identity provider, what becomes of a session that ends, and what other sites cannot do with it.

import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startIdentityProvider, type IdentityProvider } from '../../server/src/testing/identity-provider.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import * as steps from './sign-in.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);
const DIST = join(import.meta.dirname, '../dist');

describe.skipIf('missing' in found)('signing in', () => {
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
  const putSso = () => steps.putSso(pages, provider);
  const signInByKey = (page: Page, key = admin()) => steps.signInByKey(page, key);
  const openForProvider = (path: string) => steps.openForProvider(pages, path);
  const { signInAtProvider } = steps;

  const pathOf = (page: Page) => page.url().slice(pages.service.baseUrl.length);

  describe('with a key', () => {
    test('leads to the page whose address was opened', async () => {
      const page = await pages.open('/settings/keys?q=First', { signedIn: false });
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.title()).toBe('Sign in · svc');
      await signInByKey(page);
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(pathOf(page)).toBe('/settings/keys?q=First');
      expect(await page.getByRole('searchbox').inputValue()).toBe('First');
    });

    test('that does not hold is refused with the request’s id, and one that may not sign in is told why', async () => {
      const page = await pages.open('/', { signedIn: false });
      await signInByKey(page, 'svc_admin_nonsense');
      await page.getByText('This key is not accepted.').waitFor();
      expect(await page.getByRole('alert').innerText()).toMatch(/Request req_\w+/);
      await signInByKey(page, pages.service.organization.keys.live);
      await page.getByText('This is a live key.').waitFor();
    });

    test('gives the page a cookie that it cannot read and other sites do not send', async () => {
      const page = await pages.open('/');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const [cookie, ...others] = await page.context().cookies();
      expect(others).toEqual([]);
      expect(cookie).toMatchObject({ name: 'svc_session', httpOnly: true, sameSite: 'Lax', path: '/' });
      expect(await page.evaluate(() => document.cookie)).toBe('');
    });
  });

  describe('at the identity provider', () => {
    test('asks which organization where none can be guessed, and goes on with its id', async () => {
      const page = await openForProvider('/settings/organization?days=7');
      await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
      await page.getByText('Which organization do you sign in to?').waitFor();
      await expectAccessible(page);

      await putSso();
      await page.getByLabel('Organization id').fill(pages.service.organization.id);
      await signInAtProvider(page, 'ada');
      await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
      expect(pathOf(page)).toBe('/settings/organization?days=7');
      await page.getByText('single sign-on', { exact: true }).waitFor();
      await page.getByText('ada@example.com').first().waitFor();
    });

    test('leads to the page whose address was opened', async () => {
      await putSso();
      const page = await openForProvider('/settings/organization?days=90#x');
      await signInAtProvider(page, 'ada');
      await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
      expect(pathOf(page)).toBe('/settings/organization?days=90');
    });

    test('refuses who has no role with a reason, and a key then leads to the page that was wanted', async () => {
      await putSso();
      const page = await openForProvider('/settings/judges');
      await signInAtProvider(page, 'grace');
      await page.getByText('The sign-in was refused.').waitFor();
      expect(await page.getByRole('alert').innerText()).toMatch(/Request req_\w+/);
      await signInByKey(page);
      await page.getByRole('heading', { name: 'Judges', exact: true }).waitFor();
      expect(pathOf(page)).toBe('/settings/judges');
    });

    test('tells who cancelled there', async () => {
      await putSso();
      const page = await openForProvider('/');
      await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The identity provider did not let the sign-in happen.').waitFor();
    });

    test('tells who comes back too late, or in another browser', async () => {
      const page = await pages.open('/v1/auth/sso/callback?code=x&state=y', { signedIn: false });
      await page.getByText('The sign-in took too long, or was begun in another browser.').waitFor();
      await expectAccessible(page);
    });

    test('tells that an organization has none', async () => {
      const other = await pages.service.createOrganization();
      const page = await pages.open('/', { signedIn: false });
      await page.getByText('Several organizations use this service').click();
      await page.getByLabel('Organization id').fill(other.id);
      await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
      await page.getByText('This organization has no single sign-on.').waitFor();
    });

    test('that fails beside a session leaves that session as it is', async () => {
      const page = await pages.open('/v1/auth/sso/callback?code=x&state=y');
      const dialog = page.getByRole('dialog', { name: 'That sign-in failed' });
      await dialog.getByText('You are signed in as before.').waitFor();
      await dialog.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(pathOf(page)).toBe('/');
    });

    test('answers programs with the refusal itself', async () => {
      const res = await pages.service.request('GET', '/v1/auth/sso/callback?code=x&state=y', { key: null });
      expect({ status: res.status, code: res.body.error.code }).toEqual({ status: 401, code: 'unauthorized' });
    });

    test('says nothing that the address was made up to say', async () => {
      const page = await pages.open('/?sign_in=toString&request=Call%20555&return_to=//evil.example', { signedIn: false });
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.goto(`${pages.service.baseUrl}/?sign_in=refused&request=Call%20555&return_to=//evil.example`);
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').innerText()).not.toContain('555');
      await signInByKey(page);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(pathOf(page)).toBe('/');
    });
  });

  describe('a session that ends', () => {
    const endAll = () => pages.service.request('DELETE', '/v1/sessions', { key: pages.service.organization.keys.admin });

    test('is told, and the next sign-in goes on where one was, with what was being typed', async () => {
      const page = await pages.open('/settings/keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name').fill('Half written');
      await endAll();
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
      expect(await page.getByText('Half written').isVisible()).toBe(false);
      await expectAccessible(page);
      // It is not to be got rid of.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await signInByKey(page);
      const dialog = page.getByRole('dialog', { name: 'New key' });
      await dialog.waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Half written');
      await dialog.getByRole('button', { name: 'Make the key' }).click();
      await page.locator('input.secret').waitFor();
    });

    test('is found out when the window is looked at again', async () => {
      const page = await pages.open('/settings/organization');
      await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
      await endAll();
      // What the browser tells a page that comes to the front.
      await page.waitForFunction(() => {
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
        return document.querySelector('dialog h1') !== null;
      });
      await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
    });

    test('leaves nothing of what was open to another person', async () => {
      const other = await pages.service.createOrganization();
      const page = await pages.open('/settings/keys?q=First');
      await page.getByText('First admin key', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name').fill('Half written');
      await endAll();
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
      await signInByKey(page, other.keys.admin);
      await page.getByText('Another organization').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.content()).not.toContain('Half written');
    });

    test('does not stand in the way of signing out', async () => {
      const page = await pages.open('/settings/organization');
      await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
      await endAll();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${pages.service.baseUrl}/`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  describe('the page', () => {
    test.each([
      [360, false],
      [360, true],
      [1280, false],
      [1280, true],
      [1920, false],
    ])('is accessible, %i px wide, dark: %s', async (width, dark) => {
      const page = await pages.open('/?sign_in=refused&request=req_1', { signedIn: false, width, dark });
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
  });

  describe('another site', () => {
    let foreign: Server;
    let foreignUrl: string;

    beforeAll(async () => {
      foreign = createServer((_, res) => res.setHeader('content-type', 'text/html').end('<!doctype html><title>Foreign</title>'));
      await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
      foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
    });
    afterAll(() => foreign.close());

    /** Of another origin, but of the same site: the browser does send it the cookie. */
    const openForeign = async () => {
      const own = await pages.open('/');
      await own.getByRole('heading', { name: 'Overview' }).waitFor();
      const page = await own.context().newPage();
      await page.goto(foreignUrl);
      return { own, page };
    };
    const keysOf = async () => {
      const { body } = await pages.service.request('GET', '/v1/api-keys?limit=200', {
        key: pages.service.organization.keys.admin,
      });
      return body.data.length as number;
    };

    test('cannot write with the cookie, however it asks', async () => {
      const { own, page } = await openForeign();
      const before = await keysOf();
      const [cookie] = await own.context().cookies();
      const answers = await page.evaluate(async (base) => {
        const body = '{"name":"stolen","type":"admin"}';
        const send = (init: RequestInit) =>
          fetch(`${base}/v1/api-keys`, { method: 'POST', credentials: 'include', body, ...init }).then(
            (res) => (res.type === 'opaque' ? 'unread' : String(res.status)),
            () => 'stopped',
          );
        return [
          await send({ mode: 'no-cors' }),
          await send({ headers: { 'content-type': 'application/json' } }),
          await send({ headers: { 'content-type': 'application/json', 'x-svc-csrf': 'x' } }),
        ];
      }, pages.service.baseUrl);
      expect(answers).toEqual(['unread', 'stopped', 'stopped']);
      // A form needs no leave of the browser's.
      const [answer] = await Promise.all([
        page.waitForResponse((res) => res.url().endsWith('/v1/api-keys')),
        page.evaluate((base) => {
          const form = document.createElement('form');
          form.method = 'post';
          form.enctype = 'text/plain';
          form.action = `${base}/v1/api-keys`;
          document.body.append(form);
          form.submit();
        }, pages.service.baseUrl),
      ]);
      expect(answer.status()).toBe(403);
      expect(await keysOf()).toBe(before);

      const headers = { cookie: `${cookie!.name}=${cookie!.value}` };
      const { body: session } = await pages.service.request('GET', '/v1/auth/session', { key: null, headers });
      const write = async (more: Record<string, string>) => {
        const { status } = await pages.service.request('POST', '/v1/api-keys', {
          key: null,
          body: { name: 'by cookie', type: 'test' },
          headers: { ...headers, ...more },
        });
        return status;
      };
      const token = session.csrf_token as string;
      expect(await write({ origin: foreignUrl.slice(0, -1), 'x-svc-csrf': token })).toBe(403);
      expect(await write({ origin: pages.service.baseUrl })).toBe(403);
      expect(await write({ 'x-svc-csrf': token })).toBe(403);
      expect(await write({ origin: pages.service.baseUrl, 'x-svc-csrf': token })).toBe(201);
    });

    test('cannot read, nor show the pages in a frame', async () => {
      const { page } = await openForeign();
      const read = await page.evaluate(
        (base) => fetch(`${base}/v1/organization`, { credentials: 'include' }).then(String, () => 'stopped'),
        pages.service.baseUrl,
      );
      expect(read).toBe('stopped');
      const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
      await page.evaluate((base) => {
        const frame = document.createElement('iframe');
        frame.src = base;
        document.body.append(frame);
      }, pages.service.baseUrl);
      await refusal;
      expect(await page.frames()[1]!.evaluate(() => document.body?.innerText ?? '')).not.toContain('Overview');
    });
  });

  describe('every file of the pages', () => {
    const files = () =>
      readdirSync(DIST, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== 'index.html')
        .map((entry) => `/${relative(DIST, join(entry.parentPath, entry.name))}`);

    test('is served with a strict content policy, under its own type, and to no other site', async () => {
      const paths = ['/', '/index.html', '/events', '/settings/keys', '/no/such/page', '/?sign_in=refused', ...files()];
      expect(paths.length).toBeGreaterThan(10);
      for (const path of paths) {
        const { headers, status } = await pages.service.request('GET', path, { key: null });
        expect(status < 500, path).toBe(true);
        expect(headers.get('x-content-type-options'), path).toBe('nosniff');
        if (status !== 200) continue;
        const policy = new Map(
          headers
            .get('content-security-policy')!
            .split(';')
            .map((each) => each.trim().split(' '))
            .map(([name, ...values]) => [name!, values.join(' ')]),
        );
        expect(policy.get('default-src'), path).toBe("'none'");
        expect(policy.get('script-src'), path).toBe("'self'");
        expect(policy.get('style-src'), path).toBe("'self'");
        expect(policy.get('connect-src'), path).toBe("'self'");
        expect(policy.get('frame-ancestors'), path).toBe("'none'");
        expect(policy.get('base-uri'), path).toBe("'none'");
        expect(policy.get('form-action'), path).toBe("'self'");
        expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
        expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
        expect(headers.get('referrer-policy'), path).toBe('no-referrer');
        expect(headers.get('set-cookie'), path).toBeNull();
      }
    });

    test('that the browser has already says so with the same headers', async () => {
      const first = await pages.service.request('GET', '/', { key: null });
      const again = await pages.service.request('GET', '/', {
        key: null,
        headers: { 'if-none-match': first.headers.get('etag')! },
      });
      expect(again.status).toBe(304);
      expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
      expect(again.headers.get('x-content-type-options')).toBe('nosniff');
    });
  });
});
