// SQL over policy_shadows.

import type { PolicyDocument } from '@svc/engine';
import { idFromUuidText, uuidText } from '../../ids.ts';
import { AS_OF } from '../../journal/change-feed.ts';
import { forEachOrganization } from '../../organizations/each.ts';
import type { Database, Queryable, Transaction } from '../../storage/database.ts';
import type { ShadowVerdict } from './schemas.ts';
import { addVerdict, type ShadowTally } from './tally.ts';

export interface ShadowRecord {
  readonly digest: string;
  readonly document: PolicyDocument;
  readonly sampleRate: number;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly expiresAtMs: number;
  readonly tally: ShadowTally;
}

interface ShadowRow {
  readonly digest: string;
  readonly document: PolicyDocument;
  readonly sample_rate: number;
  readonly created_at: Date;
  readonly created_by: string;
  readonly expires_at: Date;
  readonly tally: ShadowTally;
}

const COLUMNS = 'digest, document, sample_rate, created_at, created_by, expires_at, tally';

function shadowOf(row: ShadowRow): ShadowRecord {
  return {
    digest: row.digest,
    document: row.document,
    sampleRate: row.sample_rate,
    createdAtMs: row.created_at.getTime(),
    createdBy: row.created_by,
    expiresAtMs: row.expires_at.getTime(),
    tally: row.tally,
  };
}

/** The organization's candidate, whether its time is up or not, and the change up to which that is true. */
export async function findShadow(db: Queryable, orgId: Buffer): Promise<{ shadow: ShadowRecord | null; asOf: number }> {
  const { rows } = await db.query<{ as_of: string } & { [Name in keyof ShadowRow]: ShadowRow[Name] | null }>({
    name: 'find_policy_shadow',
    text: `SELECT ${AS_OF}, s.* FROM (SELECT 1) AS one LEFT JOIN policy_shadows s ON s.org_id = $1`,
    values: [uuidText(orgId)],
  });
  const row = rows[0]!;
  return { shadow: row.digest === null ? null : shadowOf(row as ShadowRow), asOf: Number(row.as_of) };
}

/** The candidate, which nobody else counts or changes until the transaction ends. */
export async function lockShadow(tx: Transaction, orgId: Buffer): Promise<ShadowRecord | null> {
  const { rows } = await tx.query<ShadowRow>(`SELECT ${COLUMNS} FROM policy_shadows WHERE org_id = $1 FOR UPDATE`, [
    uuidText(orgId),
  ]);
  return rows[0] === undefined ? null : shadowOf(rows[0]);
}

/** Puts a candidate in the place of the one before. Its tally is counted from what is recorded from now on. */
export async function upsertShadow(tx: Transaction, orgId: Buffer, shadow: ShadowRecord): Promise<void> {
  await tx.query(
    `INSERT INTO policy_shadows (org_id, digest, document, sample_rate, created_at, created_by, expires_at, tally, counted_to)
     SELECT org_id, $2, $3, $4, $5, $6, $7, $8, last_sequence FROM event_counters WHERE org_id = $1
     ON CONFLICT (org_id) DO UPDATE
        SET digest = excluded.digest, document = excluded.document, sample_rate = excluded.sample_rate,
            created_at = excluded.created_at, created_by = excluded.created_by, expires_at = excluded.expires_at,
            tally = excluded.tally, counted_to = excluded.counted_to`,
    [
      uuidText(orgId),
      shadow.digest,
      JSON.stringify(shadow.document),
      shadow.sampleRate,
      new Date(shadow.createdAtMs),
      shadow.createdBy,
      new Date(shadow.expiresAtMs),
      JSON.stringify(shadow.tally),
    ],
  );
}

/** The same candidate goes on with another rate or end. */
export async function updateShadowSettings(
  tx: Transaction,
  orgId: Buffer,
  { sampleRate, expiresAtMs }: Pick<ShadowRecord, 'sampleRate' | 'expiresAtMs'>,
): Promise<void> {
  await tx.query('UPDATE policy_shadows SET sample_rate = $2, expires_at = $3 WHERE org_id = $1', [
    uuidText(orgId),
    sampleRate,
    new Date(expiresAtMs),
  ]);
}

export async function deleteShadow(tx: Transaction, orgId: Buffer): Promise<void> {
  await tx.query('DELETE FROM policy_shadows WHERE org_id = $1', [uuidText(orgId)]);
}

/** Organizations whose candidate has had its time at `nowMs`. */
export async function listExpiredShadows(db: Queryable, nowMs: number): Promise<{ orgId: string; orgUuid: Buffer }[]> {
  const { rows } = await db.query<{ org_id: string }>('SELECT org_id FROM policy_shadows WHERE expires_at <= $1 LIMIT 1000', [
    new Date(nowMs),
  ]);
  return rows.map(({ org_id: id }) => ({
    orgId: idFromUuidText('org', id),
    orgUuid: Buffer.from(id.replaceAll('-', ''), 'hex'),
  }));
}

// An assessment is up to some 100 kB long, most of them two. They are read whole.
const EVENTS_AT_ONCE = 250;

/**
 * Adds to the tally what was recorded since it was last counted, and answers it; `null` without a candidate. The row is locked, and events up to
 * the cursor's new place are all committed, so each is counted once on however many nodes.
 */
export async function countShadow(db: Database, orgId: Buffer): Promise<ShadowTally | null> {
  for (;;) {
    const counted = await db.transaction((tx) => countSome(tx, orgId));
    if (counted === null || counted.isDone) return counted?.tally ?? null;
  }
}

/** The same within a transaction that has locked the candidate. */
export async function countLockedShadow(tx: Transaction, orgId: Buffer): Promise<ShadowTally> {
  for (;;) {
    const counted = await countSome(tx, orgId);
    if (counted!.isDone) return counted!.tally;
  }
}

async function countSome(tx: Transaction, orgId: Buffer): Promise<{ tally: ShadowTally; isDone: boolean } | null> {
  const id = uuidText(orgId);
  const { rows } = await tx.query<{ digest: string; tally: ShadowTally; counted_to: string }>(
    'SELECT digest, tally, counted_to FROM policy_shadows WHERE org_id = $1 FOR UPDATE',
    [id],
  );
  if (rows[0] === undefined) return null;
  const { digest, tally, counted_to: from } = rows[0];
  const counter = await tx.query<{ last_sequence: string }>('SELECT last_sequence FROM event_counters WHERE org_id = $1', [id]);
  const last = Number(counter.rows[0]!.last_sequence);
  const upto = Math.min(last, Number(from) + EVENTS_AT_ONCE);
  if (upto > Number(from)) {
    // Inside of a text the quotes of what is looked for would be escaped. PostgreSQL's own JSON operators fail at texts that may well be in an
    // assessment, such as an escaped NUL, so it is not asked to look inside.
    const { rows: events } = await tx.query<{ id: string; data: string }>(
      `SELECT id, data FROM events
        WHERE org_id = $1 AND sequence > $2 AND sequence <= $3 AND kind LIKE 'inference.%' AND strpos(data, ',"shadow":{') > 0
        ORDER BY sequence`,
      [id, from, upto],
    );
    for (const event of events) {
      const verdict = verdictIn(event.data);
      if (verdict === null) tally.errors++;
      else if (verdict.policy.digest === digest) addVerdict(tally, verdict, idFromUuidText('asm', event.id));
    }
    await tx.query('UPDATE policy_shadows SET tally = $2, counted_to = $3 WHERE org_id = $1', [id, JSON.stringify(tally), upto]);
  }
  return { tally, isDone: upto === last };
}

/** What an assessment says of a candidate; `null` where it cannot be read. */
function verdictIn(data: string): ShadowVerdict | null {
  try {
    const { shadow } = JSON.parse(data) as { shadow?: ShadowVerdict };
    return typeof shadow?.policy.digest === 'string' ? shadow : null;
  } catch {
    return null;
  }
}

/** Counts for every organization with a candidate. Throws at the end for those that failed. */
export async function countAllShadows(db: Database): Promise<void> {
  const { rows } = await db.query<{ org_id: string }>(
    `SELECT s.org_id FROM policy_shadows s JOIN event_counters c USING (org_id) WHERE c.last_sequence > s.counted_to LIMIT 1000`,
  );
  await forEachOrganization(rows, ({ org_id: id }) => countShadow(db, Buffer.from(id.replaceAll('-', ''), 'hex')));
}
