// Pictures of the dashboard for the docs: a service of its own with a day of believable traffic, its pages in light and dark. `npm run screenshots`.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../packages/dashboard/e2e/chromium.ts';
import { Api, assess, report, seed, type Seedable, type Seeded } from '../packages/dashboard/e2e/seed.ts';
import { placeOf } from '../packages/dashboard/src/shell/places.ts';
import { settled } from '../packages/dashboard/e2e/settled.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { startService } from '../packages/server/src/service.ts';
import { startEmbeddedPostgres } from '../packages/server/src/storage/embedded.ts';
import { createLog } from '../packages/server/src/telemetry/log.ts';
import { buildDashboard } from './build-dashboard.mjs';

const FOLDER = join(import.meta.dirname, '../docs/images');
const SIZE = { width: 1280, height: 860 };
const HOURS = 23;
/** Inferences in the busiest hour. */
const HOURLY_MAX = 48;
/** As many as bring every outcome. */
const LAST_INFERENCES = 20;

interface Shot {
  readonly name: string;
  readonly path: (seeded: Seeded) => string;
  /** What is done on the page before. */
  readonly act?: (page: Page) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
  { name: 'overview', path: () => '/' },
  { name: 'event', path: ({ assessments }) => `/events/${assessments.blocked.event_id}` },
  {
    name: 'playground',
    path: () => '/playground',
    async act(page) {
      await page.getByRole('button', { name: 'planted instructions' }).click();
      await page.getByRole('button', { name: 'Assess' }).click();
      await page.getByRole('region', { name: 'Outcome' }).waitFor();
    },
  },
  { name: 'policy', path: () => '/policy' },
  { name: 'drift', path: ({ monitorId }) => `/drift/${monitorId}` },
  { name: 'webhook', path: ({ webhookId }) => `/webhooks/${webhookId}` },
  { name: 'keys', path: () => '/settings/keys' },
  { name: 'first-steps', path: () => '/welcome' },
];

await main();

async function main(): Promise<void> {
  const fault = buildDashboard(console.log);
  if (fault !== null) throw new Error(fault);
  const folder = await mkdtemp(join(tmpdir(), 'svc-screenshots-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined, settings: { fsync: 'off' } });
  const { port, user, password, database } = postgres.connection;
  const databaseUrl = `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const clock = await openClock(databaseUrl);
  try {
    await clock.goBack(HOURS + 2);
    const running = await startService(
      readConfig({
        SVC_DATABASE_URL: databaseUrl,
        SVC_DATA_DIR: folder,
        SVC_PORT: '0',
        SVC_LOG_LEVEL: 'error',
        SVC_BOOTSTRAP_PLAN: 'scale',
      }),
      createLog('error').log,
      (err) => {
        throw err;
      },
    );
    try {
      const service: Seedable = { baseUrl: running.baseUrl, organization: running.firstOrganization! };
      console.log('Sending a day of traffic …');
      const seeded = await fill(service, clock);
      await takeAll(service, seeded);
    } finally {
      await running.close();
    }
  } finally {
    await clock.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Clock {
  /** From now on the database records what comes as if it had come so long ago. */
  goBack(hours: number): Promise<void>;
  close(): Promise<void>;
}

/** The time of a record is the database's, so a day can only be had by a database whose clock is behind. */
async function openClock(url: string): Promise<Clock> {
  const client = new Client(url);
  await client.connect();
  await client.query(`
    CREATE TABLE picture_clock (behind interval NOT NULL);
    INSERT INTO picture_clock VALUES ('0');
    CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS 'SELECT pg_catalog.clock_timestamp() - (SELECT behind FROM public.picture_clock)';
    ALTER ROLE CURRENT_USER SET search_path = public, pg_catalog;
  `);
  return {
    async goBack(hours) {
      await client.query('UPDATE picture_clock SET behind = make_interval(mins => $1)', [Math.round(hours * 60)]);
    },
    close: () => client.end(),
  };
}

/** What was set up before, a day of traffic, and the probes of now. People come by day. */
async function fill(service: Seedable, clock: Clock): Promise<Seeded> {
  const seeded = await seed(service);
  const api = new Api(service);
  let sent = 0;
  for (let ago = HOURS; ago > 0; ago--) {
    await clock.goBack(ago);
    const hour = new Date(Date.now() - ago * 3_600_000).getHours();
    const count = Math.round(HOURLY_MAX * (0.3 + 0.7 * Math.exp(-(((hour - 14) / 5) ** 2))));
    await assess(api, count, sent);
    sent += count;
  }
  await clock.goBack(0);
  await report(api, LAST_INFERENCES);
  return { ...seeded, assessments: await assess(api, LAST_INFERENCES, sent) };
}

async function takeAll(service: Seedable, seeded: Seeded): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const shots = SHOTS.filter(({ path }) => path(seeded) === '/welcome' || placeOf(path(seeded)) !== undefined);
  const browser = await launchChromium();
  try {
    for (const theme of ['light', 'dark'] as const) {
      const page = await signedIn(browser, service, theme);
      for (const shot of shots) await take(page, service, seeded, shot, theme);
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
}

async function signedIn(browser: Browser, { baseUrl, organization }: Seedable, theme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: theme, reducedMotion: 'reduce' });
  const res = await context.request.post(`${baseUrl}/v1/auth/session`, {
    headers: { authorization: `Bearer ${organization.keys.admin}` },
  });
  if (!res.ok()) throw new Error(`signing in answered ${res.status()}`);
  return await context.newPage();
}

async function take(page: Page, { baseUrl }: Seedable, seeded: Seeded, { name, path, act }: Shot, theme: string): Promise<void> {
  await page.goto(baseUrl + path(seeded));
  await settled(page);
  await act?.(page);
  await settled(page);
  await page.screenshot({ path: join(FOLDER, `dashboard-${name}-${theme}.png`) });
  console.log(`docs/images/dashboard-${name}-${theme}.png`);
}
