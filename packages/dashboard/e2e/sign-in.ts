// Signing in as a person does, for tests.

import type { Page } from 'playwright-core';
import type { IdentityProvider } from '../../server/src/testing/identity-provider.ts';
import type { Pages } from './browser.ts';

/** Single sign-on for the first organization; who is of the group `governance` gets `role`. */
export function putSso({ service }: Pages, { issuer, confidential }: IdentityProvider, role = 'policy_editor') {
  return service.request('PUT', '/v1/organization/sso', {
    key: service.organization.keys.admin,
    body: {
      issuer,
      client_id: confidential.clientId,
      client_secret: confidential.clientSecret,
      roles: { governance: role },
    },
  });
}

export async function signInByKey(page: Page, key: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Admin key/ }).fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A page that may go to the provider and back, which others may not. */
export async function openForProvider(pages: Pages, path: string): Promise<Page> {
  const watched = await pages.open('/icon.svg', { signedIn: false });
  const page = await watched.context().newPage();
  await page.goto(pages.service.baseUrl + path);
  return page;
}

export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
