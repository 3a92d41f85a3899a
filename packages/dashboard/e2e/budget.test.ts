// What a first visit costs, and that nothing of it comes from elsewhere.

import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PLACES } from '../src/shell/places.ts';
import { findChromium, startPages, type Pages } from './browser.ts';
import { seed } from './seed.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

const FIRST_LOAD_BYTES_MAX = 200_000;
/** What a page may add when it is first opened: the editor of policies is the heaviest. */
const PAGE_BYTES_MAX = 250_000;

describe.skipIf('missing' in found)('the first load', () => {
  let pages: Pages;

  beforeAll(async () => {
    pages = await startPages();
    await seed(pages.service, { drift: false });
  });
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  test.each([
    ['of who has to sign in', false],
    ['of the overview, with its data', true],
  ])('%s is below 200 kB, all of it packed by gzip', async (_title, signedIn) => {
    const page = await pages.open('/no-such-page', { signedIn });
    const requests = await requestsOf(page, () => page.goto(pages.service.baseUrl));
    const sizes = await Promise.all(requests.map(gzippedSize));
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(sizes.length).toBeGreaterThan(2);
    expect(total, JSON.stringify(sizes)).toBeLessThan(FIRST_LOAD_BYTES_MAX);
  });

  test('brings no page that was not opened, and each of the others brings little more', async () => {
    const page = await pages.open('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    for (const { path } of PLACES.slice(1)) {
      const link = page.getByRole('navigation', { name: 'Pages' }).locator(`a[href="${path}"]`);
      const requests = await requestsOf(page, () => link.click());
      const scripts = requests.filter((request) => request.resourceType() === 'script');
      const sizes = await Promise.all(scripts.map(gzippedSize));
      const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
      expect(total, `${path}: ${JSON.stringify(sizes)}`).toBeLessThan(PAGE_BYTES_MAX);
    }
  });

  test('is fetched once: who comes again is sent nothing but the session and the data', async () => {
    const page = await pages.open('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const statuses: Record<string, number> = {};
    page.on('response', (res) => (statuses[new URL(res.url()).pathname] = res.fromServiceWorker() ? 0 : res.status()));
    await page.goto(`${pages.service.baseUrl}/?again`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const transferred = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.startsWith('/assets/'))
        .map(({ name, transferSize }) => [new URL(name).pathname, transferSize]),
    );
    expect(transferred.length).toBeGreaterThan(1);
    expect(transferred.filter(([, bytes]) => bytes !== 0)).toEqual([]);
  });

  test('needs no style in the page: the content policy forbids them, and nothing is refused by it', async () => {
    const page = await pages.open('/no-such-page');
    const res = await page.goto(pages.service.baseUrl);
    expect(res!.headers()['content-security-policy']).not.toContain('unsafe-inline');
    expect(res!.headers()['x-content-type-options']).toBe('nosniff');
  });
});

/** What the page asks for until it is quiet. */
async function requestsOf(page: Page, act: () => Promise<unknown>): Promise<Request[]> {
  const requests: Request[] = [];
  const note = (request: Request) => void requests.push(request);
  page.on('request', note);
  await act();
  await settled(page);
  page.off('request', note);
  return requests;
}

/** As a browser without brotli would receive it. */
async function gzippedSize(request: Request): Promise<readonly [path: string, bytes: number]> {
  const res = await request.response();
  const { pathname } = new URL(request.url());
  // A long poll is still open when the page is quiet: it has brought nothing.
  const body = await Promise.race([
    res?.body().catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, 2_000, null)),
  ]);
  return [pathname, body === null || body === undefined ? 0 : gzipSync(body).length];
}
