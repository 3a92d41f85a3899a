// Starts one PostgreSQL for a whole test run, unless SVC_TEST_DATABASE_URL names a server.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { ADMIN_USER } from '../storage/embedded-cluster.ts';
import { startEmbeddedPostgres } from '../storage/embedded.ts';
import type { EmbeddedPostgres } from '../storage/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A role that may make databases. */
    testDatabaseUrl: string;
  }
}

/** Tests make many databases and lose nothing that matters when the machine crashes. */
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // A vacuum that looks at a database keeps it from being dropped.
  autovacuum: 'off',
};

/** Vitest calls it once per run, before any test file. Returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['SVC_TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') {
    project.provide('testDatabaseUrl', given);
    return async () => undefined;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings: TEST_SETTINGS });
  await letMakeDatabases(server);
  const { port, user, password, database } = server.connection;
  project.provide('testDatabaseUrl', `postgres://${user}:${password}@127.0.0.1:${port}/${database}`);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function letMakeDatabases({ connection }: EmbeddedPostgres): Promise<void> {
  const admin = new Client({ ...connection, user: ADMIN_USER, database: 'postgres' });
  await admin.connect();
  await admin.query(`ALTER ROLE ${connection.user} CREATEDB`);
  await admin.end();
}
