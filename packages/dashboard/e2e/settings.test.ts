// Promises of the settings: keys, service accounts, sessions, single sign-on, judges and the organization, each job from end to end.

import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseId, uuidText } from '../../server/src/ids.ts';
import { startIdentityProvider, type IdentityProvider } from '../../server/src/testing/identity-provider.ts';
import { signIn } from '../../server/src/testing/sign-in.ts';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const PATHS = ['keys', 'service-accounts', 'sessions', 'sso', 'judges', 'organization'].map((name) => `/settings/${name}`);

describe.skipIf('missing' in found)('the settings', () => {
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

  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await pages.service.request(method, path, { key: pages.service.organization.keys.admin, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const statusWith = async (key: string, path = '/v1/organization') => (await pages.service.request('GET', path, { key })).status;
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click();

  /** The secret that a dialog shows, which is closed. */
  const keep = async (page: Page, label = 'API key') => {
    const field = page.getByLabel(label, { exact: true });
    await field.waitFor();
    const secret = await field.inputValue();
    await press(page, 'I have kept it');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return secret;
  };

  describe('API keys', () => {
    test('a new key is shown once, does what was chosen, and expires as told', async () => {
      const page = await pages.open('/settings/keys');
      await press(page, 'New key');
      await page.getByLabel('Name').fill('Checkout');
      await page.getByRole('radio', { name: /^Test/ }).check();
      await page.getByRole('radio', { name: /^Live/ }).check();
      await page.getByLabel('Expires').selectOption('In 90 days');
      await page.getByText('Permissions: all that a live key holds').click();
      for (const scope of [
        'events:read',
        'policy:read',
        'probes:read',
        'probes:write',
        'webhooks:read',
        'webhooks:write',
        'reports:read',
      ])
        await page.getByRole('checkbox', { name: scope }).uncheck();
      await expectAccessible(page);
      await press(page, 'Make the key');
      await page.getByText('shown only now').waitFor();
      await expectAccessible(page);
      const key = await keep(page);
      expect(key).toMatch(/^svc_live_/);
      expect(await page.content()).not.toContain(key);
      expect(await statusWith(key)).toBe(200);
      expect(await statusWith(key, '/v1/events')).toBe(403);
      const row = rowOf(page, 'Checkout');
      await row.getByText('assess:create').waitFor();
      await row.getByText(`svc_live_…${key.slice(-4)}`).waitFor();
      const { data } = await api('GET', '/v1/api-keys');
      const days = (Date.parse(data[0].expires_at) - Date.now()) / 86_400_000;
      expect(Math.round(days)).toBe(90);
      await page.reload();
      await row.waitFor();
      expect(await page.content()).not.toContain(key);
    });

    test('a key can last until the end of a day', async () => {
      const page = await pages.open('/settings/keys');
      await press(page, 'New key');
      await page.getByLabel('Name').fill('Until March');
      await page.getByLabel('Expires').selectOption('On a date …');
      const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel('Last day, UTC').fill(day);
      await press(page, 'Make the key');
      await keep(page);
      const { data } = await api('GET', '/v1/api-keys');
      expect(data[0].expires_at).toBe(`${day}T23:59:59.999Z`);
    });

    test('a key of 90 days is marked, and is rotated without a request that fails', async () => {
      const old = await api('POST', '/v1/api-keys', { name: 'Old one', type: 'live', permissions: ['assess:create'] });
      await pages.service.services.db.query("UPDATE api_keys SET created_at = created_at - interval '91 days' WHERE id = $1", [
        uuidText(parseId('key', old.id)!),
      ]);
      expect(await statusWith(old.key)).toBe(200);
      const page = await pages.open('/settings/keys');
      await rowOf(page, 'Old one').getByText('rotation due').waitFor();
      await press(page, 'Rotate Old one');
      await page.getByRole('dialog', { name: 'Step 1 of 3: make a new key' }).waitFor();
      await expectAccessible(page);
      await press(page, 'Make the new key');
      await page.getByRole('dialog', { name: 'Step 2 of 3: deploy the new key' }).waitFor();
      const field = page.getByLabel('API key', { exact: true });
      const key = await field.inputValue();
      await press(page, 'I have kept it');
      const last = page.getByRole('dialog', { name: 'Step 3 of 3: revoke the old key' });
      await last.waitFor();
      expect([await statusWith(old.key), await statusWith(key)]).toEqual([200, 200]);
      await expectAccessible(page);
      await press(last, 'Revoke the old key');
      await last.waitFor({ state: 'detached' });
      expect([await statusWith(old.key), await statusWith(key)]).toEqual([401, 200]);
      await rowOf(page, 'Old one')
        .getByText(`…${key.slice(-4)}`)
        .waitFor();
      expect(await rowOf(page, 'Old one').count()).toBe(1);
      await page.getByLabel('Revoked and expired ones too').check();
      await rowOf(page, 'Old one').getByText('revoked').waitFor();
      expect(new URL(page.url()).search).toBe('?ended=true');
    });

    test('a key that is revoked is refused, and the one that one signed in with ends the session', async () => {
      const { key } = await api('POST', '/v1/api-keys', { name: 'Leaked', type: 'admin' });
      const page = await pages.open('/settings/keys?q=leaked', { signedIn: false });
      await page.getByRole('textbox', { name: /^Admin key/ }).fill(key);
      await press(page, 'Sign in');
      await rowOf(page, 'Leaked').getByText('signed in with').waitFor();
      await press(page, 'Revoke Leaked');
      await page.getByText('Revoking it ends this session.').waitFor();
      await expectAccessible(page);
      await press(page, 'Revoke the key');
      await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
      expect(await statusWith(key)).toBe(401);
    });

    test('the last key that can manage the organization stays, with the reason', async () => {
      const other = await pages.service.createOrganization();
      const page = await pages.open('/settings/keys', { signedIn: false });
      await page.getByRole('textbox', { name: /^Admin key/ }).fill(other.keys.admin);
      await press(page, 'Sign in');
      await page.getByRole('button', { name: /^Revoke .*admin/i }).click();
      await press(page, 'Revoke the key');
      await page.getByRole('alert').getByText('Request req_').waitFor();
      expect(await statusWith(other.keys.admin)).toBe(200);
    });

    test('what was searched for is in the address, and / goes to the search', async () => {
      const page = await pages.open('/settings/keys');
      await rowOf(page, 'First test key').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('first test');
      await rowOf(page, 'First live key').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?q=first+test');
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByRole('heading', { name: 'No key is found' }).waitFor();
      await press(page, 'Clear the search');
      await rowOf(page, 'First live key').waitFor();
    });
  });

  describe('service accounts', () => {
    test('are made, changed, given another key and deleted; ranges are checked as they are typed', async () => {
      const page = await pages.open('/settings/service-accounts');
      await page.getByRole('heading', { name: 'No service accounts' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'New service account' }).first().click();
      await page.getByLabel('Name').fill('Exporter');
      await page.getByRole('checkbox', { name: 'assess:create' }).uncheck();
      await page.getByText('Choose at least one.').waitFor();
      await page.getByRole('checkbox', { name: 'events:read' }).check();
      const ranges = page.getByRole('textbox', { name: /^IP allowlist/ });
      await ranges.fill('203.0.113.7/24 10.0.0.1\n2001:db8::1/32');
      await page.getByText('did you mean 203.0.113.0/24?').waitFor();
      await page.getByText('for this one address write 10.0.0.1/32').waitFor();
      await page.getByText('has bits set beyond its prefix', { exact: false }).nth(1).waitFor();
      expect(await page.getByRole('button', { name: 'Make the account' }).isDisabled()).toBe(true);
      await expectAccessible(page);
      await ranges.fill('203.0.113.0/24\n2001:db8::/32');
      await press(page, 'Make the account');
      const first = await keep(page);
      await rowOf(page, 'Exporter').getByText('203.0.113.0/24').waitFor();
      expect(await statusWith(first)).toBe(403);

      await press(page, 'Edit Exporter');
      await page.getByRole('textbox', { name: /^IP allowlist/ }).fill('');
      await page.getByLabel('Name').fill('Nightly exporter');
      await press(page, 'Save');
      await rowOf(page, 'Nightly exporter').getByText('anywhere').waitFor();
      expect(await statusWith(first, '/v1/events')).toBe(200);

      await press(page, 'New key of Nightly exporter');
      await press(page, 'Make the key');
      const second = await keep(page);
      expect(await statusWith(second, '/v1/events')).toBe(200);
      await page.getByRole('link', { name: 'Its keys' }).click();
      await page.getByText(`…${second.slice(-4)}`).waitFor();
      await page.getByText(`…${first.slice(-4)}`).waitFor();

      await page.goBack();
      await press(page, 'Delete Nightly exporter');
      await page.getByText('All its keys are revoked').waitFor();
      await press(page, 'Delete the account');
      await page.getByRole('heading', { name: 'No service accounts' }).waitFor();
      expect([await statusWith(first), await statusWith(second)]).toEqual([401, 401]);
    });
  });

  describe('sessions', () => {
    test('of others are ended one by one, and then all', async () => {
      const { token } = await signIn(pages.service, 'operator');
      const page = await pages.open('/settings/sessions');
      await page.getByText('this session').waitFor();
      await rowOf(page, 'operator').first().waitFor();
      await page.getByRole('button', { name: 'End the session of operator' }).first().click();
      await page.getByText('as long as the person has a role').waitFor();
      await expectAccessible(page);
      await press(page, 'End the session');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await statusWith(token)).toBe(401);
      await page.getByLabel('Ended ones of the last month too').check();
      await rowOf(page, 'operator').getByText('ended').first().waitFor();

      await press(page, 'End all sessions');
      await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
      await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
    });
  });

  describe('single sign-on', () => {
    test('is set up, tried, changed without the secret, and deleted', async () => {
      const watched = await pages.open('/icon.svg');
      // The provider is elsewhere.
      const page = await watched.context().newPage();
      await page.goto(`${pages.service.baseUrl}/settings/sso`);
      await page.getByText('None is set up.').waitFor();
      await page.getByText(`${pages.service.baseUrl}/v1/auth/sso/callback`).waitFor();
      await expectAccessible(page);
      await page.getByRole('textbox', { name: /^Issuer/ }).fill('http://127.0.0.1:1');
      await page.getByRole('textbox', { name: /^Client id/ }).fill(provider.confidential.clientId);
      await page.getByLabel(/^Client secret/).fill(provider.confidential.clientSecret);
      await page.getByLabel('Group 1', { exact: true }).fill('governance');
      await page.getByLabel('Role of group 1').selectOption('admin');
      await press(page, 'Save');
      await page.getByRole('alert').getByText('/issuer').waitFor();
      await page.getByRole('textbox', { name: /^Issuer/ }).fill(provider.issuer);
      await press(page, 'Add a claim');
      await page.getByLabel('Claim 1', { exact: true }).fill('email_verified');
      await page.getByLabel('Kind of claim 1').selectOption('true');
      await press(page, 'Save');
      await page.getByRole('heading', { name: 'In force' }).waitFor();
      await expectAccessible(page);
      expect(await api('GET', '/v1/organization/sso')).toMatchObject({
        roles: { governance: 'admin' },
        require: { email_verified: true },
        has_client_secret: true,
      });
      expect(await page.content()).not.toContain(provider.confidential.clientSecret);

      await press(page, 'Add a group');
      await page.getByLabel('Group 2', { exact: true }).fill('engineering');
      await press(page, 'Save');
      await page.waitForFunction(() => document.querySelectorAll('[aria-label^="Remove group"]').length === 2);
      await expect
        .poll(async () => (await api('GET', '/v1/organization/sso')).roles)
        .toEqual({ governance: 'admin', engineering: 'viewer' });

      await page.getByRole('link', { name: 'Sign in through the provider' }).click();
      await page.getByLabel('Name').fill('ada');
      await press(page, 'Sign in');
      await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
      await page.getByText('ada@example.com').waitFor();
      await page.getByText('Yours is one of them.').waitFor();
      await press(page, 'Delete single sign-on');
      await page.getByText('this ends your own session').waitFor();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete single sign-on' }).click();
      await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
    });
  });

  describe('judges', () => {
    test('are made, changed without their key being seen, and deleted', async () => {
      const page = await pages.open('/settings/judges');
      await page.getByRole('heading', { name: 'No judges' }).waitFor();
      await page.getByRole('button', { name: 'New judge' }).first().click();
      await page.getByRole('textbox', { name: /^Name/ }).fill('Competitors');
      await page.getByRole('textbox', { name: /^URL/ }).fill('http://127.0.0.1:11434/v1');
      await page.getByRole('textbox', { name: /^Model/ }).fill('llama3.2');
      await page.getByLabel(/^Key/).fill('a-secret-of-the-judge');
      await page.getByRole('textbox', { name: /^Instructions/ }).fill('Is a competitor praised?');
      await expectAccessible(page);
      await press(page, 'Make the judge');
      await rowOf(page, 'Competitors').getByText('stored').waitFor();

      await press(page, 'Edit Competitors');
      await page.getByText('A change makes version 2').waitFor();
      await page.getByRole('textbox', { name: /^Model/ }).fill('qwen3:8b');
      await press(page, 'Save');
      await rowOf(page, 'Competitors').getByText('qwen3:8b').waitFor();
      await rowOf(page, 'Competitors').getByText('stored').waitFor();
      expect(await page.content()).not.toContain('a-secret-of-the-judge');

      await press(page, 'Edit Competitors');
      await page.getByRole('textbox', { name: /^URL/ }).fill('http://127.0.0.1:11435/v1');
      await page.getByText('The stored key was for the URL before').waitFor();
      await press(page, 'Save');
      await rowOf(page, 'Competitors').getByText('none').waitFor();

      await press(page, 'Delete Competitors');
      await expectAccessible(page);
      await press(page, 'Delete the judge');
      await page.getByRole('heading', { name: 'No judges' }).waitFor();
    });

    test('that the policy names stay, with the reason', async () => {
      const judge = await api('POST', '/v1/judges', { name: 'In force', url: 'http://127.0.0.1:11434/v1', model: 'm' });
      const { policy } = await api('GET', '/v1/policy');
      await api('PUT', '/v1/policy', { ...policy, judges: [{ judge_id: judge.id }] });
      const page = await pages.open('/settings/judges');
      await press(page, 'Delete In force');
      await press(page, 'Delete the judge');
      await page.getByText(/The policy in force, version \d+, names this judge/).waitFor();
      await api('PUT', '/v1/policy', policy);
      await api('DELETE', `/v1/judges/${judge.id}`);
    });
  });

  test('the organization shows plan, usage by day for the period in the address, and what one is signed in with', async () => {
    await pages.service.request('POST', '/v1/assessments', { body: { input: 'Hello' } });
    await pages.service.services.audit.catchUp();
    const page = await pages.open('/settings/organization');
    await page.getByText(pages.service.organization.id).waitFor();
    await page.getByText(/in 30 days: 0 blocked, 0 flagged, \d+ allowed/).waitFor();
    await page.getByRole('link', { name: '7 days' }).click();
    await page.getByText(/in 7 days/).waitFor();
    expect(new URL(page.url()).search).toBe('?days=7');
    await page.getByText('an admin key', { exact: true }).waitFor();
    await page.getByText('admin:*').waitFor();
  });

  test('a viewer is told which scope a page needs, and is offered nothing that is refused', async () => {
    const page = await pages.open('/settings/organization', { role: 'viewer' });
    await page.getByText('Assessments by day').waitFor();
    for (const path of PATHS.slice(0, -1)) {
      await page.goto(pages.service.baseUrl + path);
      await page.getByText('This page needs the scope').waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    }
    await expectAccessible(page);
  });

  test('every page is accessible, titled and fits, 360 to 1920 px wide, light and dark', { timeout: 60_000 }, async () => {
    const page = await pages.open('/no-such-page');
    for (const path of PATHS) {
      await page.goto(pages.service.baseUrl + path);
      await settled(page);
      expect(await page.title()).toMatch(/^[A-Z].* · svc$/);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1920, 1280, 360]) {
          await page.setViewportSize({ width, height: 900 });
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(overflow, `${path}, ${width} px`).toBeLessThanOrEqual(0);
          // What can be done is within reach.
          for (const button of await page.locator('td .button').all()) {
            const { x, width: wide } = (await button.boundingBox())!;
            expect(x + wide, `${path}, ${width} px: ${await button.innerText()}`).toBeLessThanOrEqual(width);
          }
          if (width === (colorScheme === 'light' ? 360 : 1280)) await expectAccessible(page);
        }
      }
    }
  });
});
