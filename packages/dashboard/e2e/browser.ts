// A real browser on the pages of a real service. Whatever a page may never do fails the test that saw it.

import { axeViolations } from './axe.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import type { Role } from '../../server/src/access/scopes.ts';
import { startTestService, type TestService } from '../../server/src/testing/service.ts';
import { signIn as signInAs } from '../../server/src/testing/sign-in.ts';

export { findChromium } from './chromium.ts';

/** What the console says where nothing can be fetched. */
const UNPLUGGED = /net::ERR_INTERNET_DISCONNECTED|Unable to preload CSS|Failed to fetch dynamically imported module/;

/** Long, for machines that have much else to do: what is waited for is there in a moment. */
const WAIT_MS_MAX = 60_000;

interface OpenOptions {
  /** CSS pixels. */
  readonly width?: number;
  readonly dark?: boolean;
  readonly signedIn?: boolean;
  /** Of a user whom the identity provider has vouched for. Default: the first admin key's session. */
  readonly role?: Role;
}

export interface Pages {
  readonly service: TestService;
  /** A page of its own, with a session of its own. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Throws what any page did that none may: requests elsewhere, errors, secrets in storage. Closes them unless they are to stay. */
  check(options?: { readonly stay?: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** Starts a service and a browser. `env`: settings of the service. */
export async function startPages(env: Readonly<Record<string, string>> = {}): Promise<Pages> {
  const service = await startTestService(env);
  const browser = await launchChromium();
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    service,
    async open(path, { width = 1280, dark = false, signedIn = true, role } = {}) {
      const context = await contextOf(browser, width, dark);
      contexts.push(context);
      const page = await context.newPage();
      watch(page, new URL(service.baseUrl).origin, faults);
      if (role !== undefined) await signInByRole(context, service, role);
      else if (signedIn) await signIn(context, service);
      await page.goto(service.baseUrl + path);
      return page;
    },
    async check({ stay = false } = {}) {
      for (const context of stay ? contexts : contexts.splice(0)) {
        for (const page of context.pages()) faults.push(...(await secretsKept(page)));
        if (!stay) await context.close();
      }
      if (faults.length > 0) throw new Error(faults.splice(0).join('\n'));
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

async function contextOf(browser: Browser, width: number, dark: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  return context;
}

/** As the form does, without the form: the cookie of an admin key. */
async function signIn(context: BrowserContext, { baseUrl, organization }: TestService): Promise<void> {
  const res = await context.request.post(`${baseUrl}/v1/auth/session`, {
    headers: { authorization: `Bearer ${organization.keys.admin}` },
  });
  if (!res.ok()) throw new Error(`signing in answered ${res.status()}: ${await res.text()}`);
}

async function signInByRole(context: BrowserContext, service: TestService, role: Role): Promise<void> {
  const { cookie } = await signInAs(service, role);
  const end = cookie.indexOf('=');
  await context.addCookies([
    { url: service.baseUrl, name: cookie.slice(0, end), value: cookie.slice(end + 1), httpOnly: true, sameSite: 'Lax' },
  ]);
}

function watch(page: Page, origin: string, faults: string[]): void {
  page.on('pageerror', (err) => faults.push(`error in the page: ${err.message}`));
  page.on('console', (message) => {
    // A refusal that the page shows is logged by the browser as well.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
    // A test that pulls the plug.
    const isUnplugged = UNPLUGGED.test(message.text());
    if (message.type() === 'error' && !isRefusal && !isUnplugged) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) faults.push(`request to ${url.href}`);
  });
}

async function secretsKept(page: Page): Promise<string[]> {
  if (page.isClosed() || page.url() === 'about:blank') return [];
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  return /svc_(admin|live|test)_|whsec_/.test(kept) ? [`a secret is kept in the page's storage: ${kept}`] : [];
}

/** Fails where axe finds anything (WCAG 2.2 A and AA, and its good practices). */
export async function expectAccessible(page: Page): Promise<void> {
  const found = await axeViolations(page);
  if (found.length > 0) throw new Error(`axe found:\n${found.join('\n')}`);
}
