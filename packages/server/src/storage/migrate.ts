// Applies migrations/NNNN_verb_noun.sql in order, each once, forward only.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Database, Transaction } from './database.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const MIGRATION_MS_MAX = 3_600_000;
const POSTGRES_VERSION_MIN = 150_000;
// Any number that is ours alone: two nodes that start at once migrate one after the other.
const MIGRATION_LOCK = 7_381_001;

/** The database cannot be used. The message says why. */
export class MigrationError extends Error {}

/** Brings the schema up to date, in one transaction. Safe to call from many nodes at once. Returns the names applied now. */
export async function migrate(db: Database): Promise<string[]> {
  await checkVersion(db);
  return db.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await tx.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await tx.query<{ name: string }>('SELECT name FROM migrations');
    const applied = new Set(rows.map(({ name }) => name));
    const known = readdirSync(FOLDER)
      .filter((file) => file.endsWith('.sql'))
      .toSorted();
    refuseNewer(applied, known);
    const pending = known.filter((name) => !applied.has(name));
    for (const name of pending) await apply(tx, name);
    return pending;
  });
}

async function checkVersion(db: Database): Promise<void> {
  const { rows } = await db.query<{ server_version_num: string }>('SHOW server_version_num');
  const version = Number(rows[0]!.server_version_num);
  if (version >= POSTGRES_VERSION_MIN) return;
  throw new MigrationError(`PostgreSQL 15 or newer is needed; this server is version ${Math.floor(version / 10_000)}.`);
}

function refuseNewer(applied: ReadonlySet<string>, known: readonly string[]): void {
  const unknown = [...applied].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database was migrated by a newer release (${unknown.join(', ')}). Run that release or a later one.`,
  );
}

async function apply(tx: Transaction, name: string): Promise<void> {
  // A large table may take long to change; neither side gives up on it.
  await tx.query('SET LOCAL statement_timeout = 0');
  await tx.query({ text: readFileSync(join(FOLDER, name), 'utf8'), query_timeout: MIGRATION_MS_MAX } as pg.QueryConfig);
  await tx.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
}
