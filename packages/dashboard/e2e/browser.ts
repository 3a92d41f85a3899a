// A real browser on the pages of a real service. Whatever a page may never do fails the test that saw it.

import { axeViolations } from './axe.ts';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startTestService, type TestService } from '../../server/src/testing/service.ts';

const PATHS = [process.env['SVC_TEST_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a browser is, or a sentence that says there is none. */
export function findChromium(): { readonly path: string } | { readonly missing: string } {
  const path = PATHS.find((each) => each !== undefined && existsSync(each)) ?? inPath();
  return path === undefined ? { missing: 'no Chromium was found: install it, or name it in SVC_TEST_CHROMIUM' } : { path };
}

function inPath(): string | undefined {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

export interface Pages {
  readonly service: TestService;
  /** A page of its own, with a session of its own. `width`: CSS pixels. */
  open(path: string, options?: { readonly width?: number; readonly dark?: boolean; readonly signedIn?: boolean }): Promise<Page>;
  /** Throws what any page did that none may: requests elsewhere, errors, secrets in storage. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a service and a browser. `env`: settings of the service. */
export async function startPages(env: Readonly<Record<string, string>> = {}): Promise<Pages> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  const service = await startTestService(env);
  const browser = await chromium.launch({
    executablePath: found.path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    service,
    async open(path, { width = 1280, dark = false, signedIn = true } = {}) {
      const context = await contextOf(browser, width, dark);
      contexts.push(context);
      const page = await context.newPage();
      watch(page, new URL(service.baseUrl).origin, faults);
      if (signedIn) await signIn(context, service);
      await page.goto(service.baseUrl + path);
      return page;
    },
    async check() {
      for (const context of contexts.splice(0)) {
        for (const page of context.pages()) faults.push(...(await secretsKept(page)));
        await context.close();
      }
      if (faults.length > 0) throw new Error(faults.splice(0).join('\n'));
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

function contextOf(browser: Browser, width: number, dark: boolean): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
}

/** As the form does, without the form: the cookie of an admin key. */
async function signIn(context: BrowserContext, { baseUrl, organization }: TestService): Promise<void> {
  const res = await context.request.post(`${baseUrl}/v1/auth/session`, {
    headers: { authorization: `Bearer ${organization.keys.admin}` },
  });
  if (!res.ok()) throw new Error(`signing in answered ${res.status()}: ${await res.text()}`);
}

function watch(page: Page, origin: string, faults: string[]): void {
  page.on('pageerror', (err) => faults.push(`error in the page: ${err.message}`));
  page.on('console', (message) => {
    // A refusal that the page shows is logged by the browser as well.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`);
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
