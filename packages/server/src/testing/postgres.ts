// Databases for tests: one server per test run, one fresh database per call.

import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { inject } from 'vitest';

/** A database of one's own. */
export interface TestDatabase {
  readonly url: string;
  /** Ends its connections and removes it. Safe to call twice. */
  drop(): Promise<void>;
}

/** Any number that is ours alone: test files that run in parallel build a template one after the other. */
const TEMPLATE_LOCK = 7_381_003;

/** Makes an empty database, or a copy of `template`. About 30 ms. Safe from test files that run in parallel. */
export async function createTestDatabase(options: { template?: string } = {}): Promise<TestDatabase> {
  const name = `svc_test_${randomBytes(8).toString('hex')}`;
  const from = options.template === undefined ? '' : ` TEMPLATE ${escapeIdentifier(options.template)}`;
  await asMaker((maker) => maker.query(`CREATE DATABASE ${name}${from}`));
  return {
    url: urlOf(name),
    drop: () => asMaker((maker) => maker.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/**
 * Makes the database `name` for use as a template, once per server: the first caller runs `build` on it, the others wait.
 * `build` must close its connections. When it fails nothing is kept.
 */
export async function ensureTemplate(name: string, build: (url: string) => Promise<void>): Promise<void> {
  await asMaker(async (maker) => {
    await maker.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await maker.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rows.length > 0) return;
    const draft = `${name}_draft`;
    await maker.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(draft)} WITH (FORCE)`);
    await maker.query(`CREATE DATABASE ${escapeIdentifier(draft)}`);
    await build(urlOf(draft));
    await maker.query(`ALTER DATABASE ${escapeIdentifier(draft)} RENAME TO ${escapeIdentifier(name)}`);
  });
}

function urlOf(database: string): string {
  const url = new URL(inject('testDatabaseUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

/** The connection's end also releases its locks. */
async function asMaker(work: (maker: Client) => Promise<unknown>): Promise<void> {
  const maker = new Client({ connectionString: inject('testDatabaseUrl') });
  await maker.connect();
  try {
    await work(maker);
  } finally {
    await maker.end();
  }
}
