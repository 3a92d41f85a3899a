// SQL over streams. What they hold comes and goes sealed.

import type { Principal } from '../access/principal.ts';
import { idFromUuidText, parseId, uuidText } from '../ids.ts';
import type { Actor } from '../journal/journal.ts';
import { ORGANIZATION_COLUMNS, organizationOf, type Organization, type OrganizationRow } from '../organizations/organization.ts';
import type { Queryable, Transaction } from '../storage/database.ts';

type Mode = 'live' | 'test';

export interface Stream {
  readonly id: Buffer;
  readonly organization: Organization;
  readonly mode: Mode;
  readonly isOpen: boolean;
  readonly policyVersion: number;
  readonly actor: Actor;
  readonly createdAtMs: number;
  readonly touchedAtMs: number;
  readonly lastSeq: number | null;
  readonly bytes: number;
  /** `null` once it has ended. */
  readonly opened: Buffer | null;
  readonly answer: Buffer | null;
  readonly memory: Buffer | null;
}

export interface StoredChunk {
  readonly digest: Buffer;
  readonly delta: Buffer;
  readonly answer: Buffer;
}

interface StreamRow extends OrganizationRow {
  readonly id: string;
  readonly mode: Mode;
  readonly state: 'open' | 'closed';
  readonly policy_version: number;
  readonly actor: Actor;
  readonly created_at: Date;
  readonly touched_at: Date;
  readonly last_seq: number | null;
  readonly bytes: number;
  readonly opened: Buffer | null;
  readonly answer: Buffer | null;
  readonly memory: Buffer | null;
}

const SELECT = `
SELECT s.id, s.mode, s.state, s.policy_version, s.actor, s.created_at, s.touched_at, s.last_seq, s.bytes, s.opened, s.answer, s.memory,
       ${ORGANIZATION_COLUMNS}
  FROM streams s JOIN organizations o ON o.id = s.org_id`;

const OWNED = `s.mode = $3 AND s.actor ->> 'id' = $4`;

function streamOf(row: StreamRow): Stream {
  return {
    id: parseId('str', idFromUuidText('str', row.id))!,
    organization: organizationOf(row),
    mode: row.mode,
    isOpen: row.state === 'open',
    policyVersion: row.policy_version,
    actor: row.actor,
    createdAtMs: row.created_at.getTime(),
    touchedAtMs: row.touched_at.getTime(),
    lastSeq: row.last_seq,
    bytes: row.bytes,
    opened: row.opened,
    answer: row.answer,
    memory: row.memory,
  };
}

export async function countOpenStreams(db: Queryable, orgId: Buffer): Promise<number> {
  const { rows } = await db.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM streams WHERE org_id = $1 AND state = 'open'`,
    [uuidText(orgId)],
  );
  return rows[0]!.open;
}

export async function insertStream(tx: Transaction, stream: Omit<Stream, 'lastSeq' | 'bytes' | 'touchedAtMs'>): Promise<void> {
  await tx.query(
    `INSERT INTO streams (org_id, id, mode, state, policy_version, actor, created_at, touched_at, opened, answer, memory)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10)`,
    [
      uuidText(stream.organization.uuid),
      uuidText(stream.id),
      stream.mode,
      stream.isOpen ? 'open' : 'closed',
      stream.policyVersion,
      JSON.stringify(stream.actor),
      new Date(stream.createdAtMs),
      stream.opened,
      stream.answer,
      stream.memory,
    ],
  );
}

/** A stream belongs to the credential that opened it: when that is revoked, nobody goes on with it. */
export async function findStream(
  db: Queryable,
  { organization, mode, id: owner }: Principal,
  id: Buffer,
): Promise<Stream | null> {
  const { rows } = await db.query<StreamRow>({
    name: 'find_stream',
    text: `${SELECT} WHERE s.org_id = $1 AND s.id = $2 AND ${OWNED}`,
    values: [uuidText(organization.uuid), uuidText(id), mode, owner],
  });
  return rows[0] === undefined ? null : streamOf(rows[0]);
}

export async function hasStream(db: Queryable, { organization, mode, id: owner }: Principal, id: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'has_stream',
    text: `SELECT 1 FROM streams s WHERE s.org_id = $1 AND s.id = $2 AND ${OWNED}`,
    values: [uuidText(organization.uuid), uuidText(id), mode, owner],
  });
  return rowCount === 1;
}

/** Open streams to which nothing has come since `beforeMs`, the longest idle first, from the one after `after` on. */
export async function listIdleStreams(
  db: Queryable,
  beforeMs: number,
  after: Pick<Stream, 'touchedAtMs' | 'id'> | null,
  limit: number,
): Promise<Stream[]> {
  const { rows } = await db.query<StreamRow>(
    `${SELECT} WHERE s.state = 'open' AND s.touched_at < $1 AND ($2::timestamptz IS NULL OR (s.touched_at, s.id) > ($2, $3::uuid))
      ORDER BY s.touched_at, s.id LIMIT $4`,
    [new Date(beforeMs), after && new Date(after.touchedAtMs), after && uuidText(after.id), limit],
  );
  return rows.map(streamOf);
}

export async function findChunk(db: Queryable, { organization, id }: Stream, seq: number): Promise<StoredChunk | null> {
  const { rows } = await db.query<StoredChunk>(
    'SELECT digest, delta, answer FROM stream_chunks WHERE org_id = $1 AND stream_id = $2 AND seq = $3',
    [uuidText(organization.uuid), uuidText(id), seq],
  );
  return rows[0] ?? null;
}

/** What came, in order. */
export async function listDeltas(db: Queryable, { organization, id }: Stream): Promise<{ seq: number; delta: Buffer }[]> {
  const { rows } = await db.query<{ seq: number; delta: Buffer }>(
    'SELECT seq, delta FROM stream_chunks WHERE org_id = $1 AND stream_id = $2 ORDER BY seq',
    [uuidText(organization.uuid), uuidText(id)],
  );
  return rows;
}

/** Stores the chunk that follows on what `stream` was when it was read; false when another did so before. */
export async function appendChunk(
  db: Queryable,
  stream: Stream,
  chunk: StoredChunk & { readonly seq: number; readonly bytes: number; readonly memory: Buffer; readonly atMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'append_chunk',
    text: `WITH moved AS (
             UPDATE streams SET last_seq = $3, memory = $4, touched_at = $5, bytes = bytes + $6
              WHERE org_id = $1 AND id = $2 AND state = 'open' AND last_seq IS NOT DISTINCT FROM $7
              RETURNING org_id, id)
           INSERT INTO stream_chunks (org_id, stream_id, seq, digest, delta, answer)
           SELECT org_id, id, $3, $8, $9, $10 FROM moved`,
    values: [
      uuidText(stream.organization.uuid),
      uuidText(stream.id),
      chunk.seq,
      chunk.memory,
      new Date(chunk.atMs),
      chunk.bytes,
      stream.lastSeq,
      chunk.digest,
      chunk.delta,
      chunk.answer,
    ],
  });
  return rowCount === 1;
}

/** Ends what `stream` was when it was read, and deletes what it held; false when it went on, or ended, meanwhile. */
export async function closeStream(tx: Transaction, stream: Stream, atMs: number): Promise<boolean> {
  const key = [uuidText(stream.organization.uuid), uuidText(stream.id)];
  const { rowCount } = await tx.query(
    `UPDATE streams SET state = 'closed', opened = NULL, memory = NULL, answer = NULL, touched_at = $3
      WHERE org_id = $1 AND id = $2 AND state = 'open' AND last_seq IS NOT DISTINCT FROM $4`,
    [...key, new Date(atMs), stream.lastSeq],
  );
  if (rowCount === 1) await tx.query('DELETE FROM stream_chunks WHERE org_id = $1 AND stream_id = $2', key);
  return rowCount === 1;
}

/** The last chunk of a stream that has just ended: it may be sent again. */
export async function keepLastChunk(tx: Transaction, stream: Stream, seq: number, chunk: StoredChunk): Promise<void> {
  const key = [uuidText(stream.organization.uuid), uuidText(stream.id), seq];
  await tx.query('UPDATE streams SET last_seq = $3 WHERE org_id = $1 AND id = $2', key);
  await tx.query('INSERT INTO stream_chunks (org_id, stream_id, seq, digest, delta, answer) VALUES ($1, $2, $3, $4, $5, $6)', [
    ...key,
    chunk.digest,
    chunk.delta,
    chunk.answer,
  ]);
}

/** Deletes streams that ended before `beforeMs`, with what they answered last. */
export async function purgeStreams(db: Queryable, beforeMs: number): Promise<void> {
  await db.query(`DELETE FROM streams WHERE state = 'closed' AND touched_at < $1`, [new Date(beforeMs)]);
}
