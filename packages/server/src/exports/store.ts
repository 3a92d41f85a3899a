// SQL over exports, their files and the bytes of these.

import { formatId, uuidText } from '../ids.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Queryable, Transaction } from '../storage/database.ts';

export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet', 'ocsf', 'cloudevents'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Which export. */
export interface ExportKey {
  readonly orgId: Buffer;
  readonly id: Buffer;
}

/** What was asked for; times in Unix milliseconds. */
interface ExportRequest {
  readonly format: ExportFormat;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  /** `null`: all. */
  readonly kinds: readonly string[] | null;
  /** The size of a checkpoint that who asks holds already. */
  readonly heldSize: number | null;
  readonly hasDisclosures: boolean;
}

/** What an export covers, fixed when it begins. */
export interface ExportRange {
  readonly origin: string;
  /** The signed note. */
  readonly checkpoint: string;
  readonly treeSize: number;
  readonly fromIndex: number;
  /** Exclusive. */
  readonly toIndex: number;
}

/** How far the leaves are written. */
export interface ExportProgress {
  /** The next leaf. */
  readonly position: number;
  /** Envelopes that are in the bundle. */
  readonly events: number;
  /** Of these, such as have a line of disclosures: those of the kinds that were asked for. */
  readonly disclosed: number;
  /** Leaves whose events are not there, though they should be. */
  readonly missing: number;
}

export interface Export extends ExportKey, ExportRequest {
  readonly state: 'queued' | 'running' | 'ready' | 'failed' | 'expired';
  readonly createdAtMs: number;
  readonly createdBy: string;
  /** `null`: it has not begun. */
  readonly range: ExportRange | null;
  readonly progress: ExportProgress;
  /** Counts how often it was begun anew. */
  readonly run: number;
  /** Of the zip, once it is ready. */
  readonly zip: { readonly bytes: number; readonly sha256: Buffer } | null;
  readonly expiresAtMs: number | null;
  readonly error: string | null;
}

interface ExportRow {
  readonly org_id: string;
  readonly id: string;
  readonly state: Export['state'];
  readonly format: ExportFormat;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly kinds: string[] | null;
  readonly held_size: string | null;
  readonly disclosures: boolean;
  readonly created_at: Date;
  readonly created_by: string;
  readonly run: number;
  readonly origin: string | null;
  readonly checkpoint: string | null;
  readonly tree_size: string | null;
  readonly from_index: string | null;
  readonly to_index: string | null;
  readonly position: string | null;
  readonly events: string;
  readonly disclosed: string;
  readonly missing: string;
  readonly bytes: string | null;
  readonly sha256: Buffer | null;
  readonly expires_at: Date | null;
  readonly error: string | null;
}

const COLUMNS =
  'org_id, id, state, format, since, until, kinds, held_size, disclosures, created_at, created_by, run, origin, checkpoint, tree_size, from_index, to_index, position, events, disclosed, missing, bytes, sha256, expires_at, error';

function exportOf(row: ExportRow): Export {
  return {
    orgId: bytesOf(row.org_id),
    id: bytesOf(row.id),
    state: row.state,
    format: row.format,
    sinceMs: row.since?.getTime() ?? null,
    untilMs: row.until?.getTime() ?? null,
    kinds: row.kinds,
    heldSize: row.held_size === null ? null : Number(row.held_size),
    hasDisclosures: row.disclosures,
    createdAtMs: row.created_at.getTime(),
    createdBy: row.created_by,
    range:
      row.origin === null
        ? null
        : {
            origin: row.origin,
            checkpoint: row.checkpoint!,
            treeSize: Number(row.tree_size),
            fromIndex: Number(row.from_index),
            toIndex: Number(row.to_index),
          },
    progress: {
      position: Number(row.position ?? 0),
      events: Number(row.events),
      disclosed: Number(row.disclosed),
      missing: Number(row.missing),
    },
    run: row.run,
    zip: row.bytes === null ? null : { bytes: Number(row.bytes), sha256: row.sha256! },
    expiresAtMs: row.expires_at?.getTime() ?? null,
    error: row.error,
  };
}

export interface NewExport extends ExportKey, ExportRequest {
  readonly createdAtMs: number;
  readonly createdBy: string;
}

/** Under the organization's lock. What was committed until now will be in the tree before it begins. */
export async function insertExport(tx: Transaction, created: NewExport): Promise<void> {
  await tx.query(
    `INSERT INTO exports (org_id, id, state, format, since, until, kinds, held_size, disclosures, created_at, created_by, committed, touched_at)
     SELECT $1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10, last_sequence, clock_timestamp() FROM event_counters WHERE org_id = $1`,
    [
      ...keyOf(created),
      created.format,
      timeOrNull(created.sinceMs),
      timeOrNull(created.untilMs),
      created.kinds,
      created.heldSize,
      created.hasDisclosures,
      new Date(created.createdAtMs),
      created.createdBy,
    ],
  );
}

export async function findExportById(db: Queryable, orgId: Buffer, id: Buffer): Promise<Export | null> {
  const { rows } = await db.query<ExportRow>(
    `SELECT ${COLUMNS} FROM exports WHERE org_id = $1 AND id = $2`,
    keyOf({ orgId, id }),
  );
  return rows[0] === undefined ? null : exportOf(rows[0]);
}

/** Newest first, before an id. */
export async function listExports(db: Queryable, orgId: Buffer, before: Buffer | null, limit: number): Promise<Export[]> {
  const { rows } = await db.query<ExportRow>(
    `SELECT ${COLUMNS} FROM exports WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [uuidText(orgId), before === null ? null : uuidText(before), limit],
  );
  return rows.map(exportOf);
}

/** What all exports of an organization may need together, on the disk. */
export const BYTES_MAX = 20_000_000_000;
export const FULL = `The exports of the organization have more than ${BYTES_MAX / 1e9} GB.`;

export interface ExportCounts {
  /** Under way. */
  readonly unfinished: number;
  /** There or under way. */
  readonly kept: number;
  /** Of those. */
  readonly bytes: number;
}

export async function countExports(db: Queryable, orgId: Buffer): Promise<ExportCounts> {
  const { rows } = await db.query<{ unfinished: number; kept: number; bytes: string }>(
    `SELECT count(*) FILTER (WHERE state IN ('queued', 'running'))::int AS unfinished, count(*)::int AS kept,
            coalesce(sum((SELECT sum(packed_bytes) FROM export_files f WHERE f.org_id = e.org_id AND f.export_id = e.id AND f.run = e.run)), 0) AS bytes
       FROM exports e WHERE org_id = $1 AND state IN ('queued', 'running', 'ready')`,
    [uuidText(orgId)],
  );
  const { unfinished, kept, bytes } = rows[0]!;
  return { unfinished, kept, bytes: Number(bytes) };
}

/** False: there was none. What it wrote is left to be purged. */
export async function deleteExport(db: Queryable, orgId: Buffer, id: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM exports WHERE org_id = $1 AND id = $2', keyOf({ orgId, id }));
  return rowCount === 1;
}

const BEGIN_ANEW = `run = run + 1, origin = NULL, checkpoint = NULL, tree_size = NULL, from_index = NULL, to_index = NULL, position = NULL,
  is_written = false, events = 0, disclosed = 0, missing = 0, claim = NULL, lease_until = NULL`;

/**
 * What tells of the event `sequence` must not be given out any more: exports that are ready expire, those under way begin anew. Part of the
 * transaction that erases something of it; takes the organization's lock, so that none begins meanwhile that reads what is being erased.
 */
export async function expireExportsWith(tx: Transaction, orgId: Buffer, sequence: number): Promise<void> {
  await lockOrganization(tx, orgId);
  // Without disclosures a bundle has nothing that can be erased.
  await tx.query(
    `UPDATE exports SET state = 'expired', error = 'Something of an event in it was erased. Ask for a new one.'
      WHERE org_id = $1 AND state = 'ready' AND disclosures AND from_index < $2 AND to_index >= $2`,
    [uuidText(orgId), sequence],
  );
  await tx.query(`UPDATE exports SET ${BEGIN_ANEW} WHERE org_id = $1 AND state IN ('queued', 'running') AND disclosures`, [
    uuidText(orgId),
  ]);
}

/** A node that does not come back within it is taken for dead. */
const LEASE_SECONDS = 30;
const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

/** An export that this node works on, as long as it says so again within the lease. */
export interface ClaimedExport extends Export {
  readonly claim: Buffer;
  /** Events that the tree must have before it begins. */
  readonly committed: number;
  /** All leaves are written, and what proves them. */
  readonly isWritten: boolean;
  /** Turns that were begun and made no progress, this one included. */
  readonly attempts: number;
}

/*
 * The one that has waited longest for its turn, of those that have begun, or whose events are in the tree. A row that another node is just
 * claiming is passed over.
 */
const CLAIM = `
UPDATE exports SET state = 'running', claim = $1, lease_until = ${LEASE}, attempts = attempts + 1
 WHERE (org_id, id) = (
   SELECT c.org_id, c.id FROM exports c
    WHERE c.state IN ('queued', 'running') AND (c.lease_until IS NULL OR c.lease_until < clock_timestamp())
      AND (c.tree_size IS NOT NULL OR EXISTS (SELECT 1 FROM trees t WHERE t.org_id = c.org_id AND t.signed_size >= c.committed))
    ORDER BY c.touched_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING ${COLUMNS}, committed, is_written, attempts`;

/** Claims the next turn of an export under `claim`; `null`: nothing is to be done. */
export async function claimExport(db: Queryable, claim: Buffer): Promise<ClaimedExport | null> {
  const { rows } = await db.query<ExportRow & { committed: string; is_written: boolean; attempts: number }>({
    name: 'claim_export',
    text: CLAIM,
    values: [uuidText(claim)],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    ...exportOf(row),
    claim,
    committed: Number(row.committed),
    isWritten: row.is_written,
    attempts: row.attempts,
  };
}

/** Another node has claimed the export, or it is not there any more: what this one did counts for nothing. */
export class ClaimLost extends Error {}

type Claimed = Pick<ClaimedExport, 'orgId' | 'id' | 'claim'>;

/** The first statement of whatever a turn writes: it locks the row. */
async function updateClaimed(db: Queryable, claimed: Claimed, set: string, values: readonly unknown[] = []): Promise<void> {
  const { rowCount } = await db.query(`UPDATE exports SET ${set} WHERE org_id = $1 AND id = $2 AND claim = $3`, [
    ...keyOf(claimed),
    uuidText(claimed.claim),
    ...values,
  ]);
  if (rowCount !== 1) throw new ClaimLost('the export is another node’s, or gone');
}

/** Fixes what the export covers. */
export async function beginExport(db: Queryable, claimed: Claimed, range: ExportRange): Promise<void> {
  await updateClaimed(
    db,
    claimed,
    `origin = $4, checkpoint = $5, tree_size = $6, from_index = $7, to_index = $8, position = $7, attempts = 0, lease_until = ${LEASE}`,
    [range.origin, range.checkpoint, range.treeSize, range.fromIndex, range.toIndex],
  );
}

/** What a step wrote is written with `advanceExport`, in one transaction. */
export async function advanceExport(tx: Transaction, claimed: Claimed, progress: ExportProgress): Promise<void> {
  const { position, events, disclosed, missing } = progress;
  await updateClaimed(
    tx,
    claimed,
    `position = $4, events = $5, disclosed = $6, missing = $7, attempts = 0, lease_until = ${LEASE}`,
    [position, events, disclosed, missing],
  );
}

/** All leaves are written, and what proves them. */
export async function markWritten(tx: Transaction, claimed: Claimed): Promise<void> {
  await updateClaimed(tx, claimed, `is_written = true, attempts = 0, lease_until = ${LEASE}`);
}

/** This node is still at it. */
export async function keepClaim(db: Queryable, claimed: Claimed): Promise<void> {
  await updateClaimed(db, claimed, `lease_until = ${LEASE}`);
}

/** Gives the export back, for another to have its turn; it has its own again in `afterSeconds` at the earliest. */
export async function releaseExport(db: Queryable, claimed: Claimed, afterSeconds = 0): Promise<void> {
  await updateClaimed(
    db,
    claimed,
    // This turn came to its end; those before that did not still count.
    `claim = NULL, lease_until = clock_timestamp() + make_interval(secs => $4), touched_at = clock_timestamp(),
     attempts = greatest(attempts - 1, 0)`,
    [afterSeconds],
  );
}

/** What it was begun for is not there any more. */
export async function beginExportAnew(db: Queryable, claimed: Claimed): Promise<void> {
  await updateClaimed(db, claimed, `${BEGIN_ANEW}, touched_at = clock_timestamp()`);
}

/** Gives back an export whose turn failed, to be tried again `afterSeconds` later; or ends it, with the reason. */
export async function failExport(db: Queryable, claimed: Claimed, afterSeconds: number, error: string | null): Promise<void> {
  await updateClaimed(
    db,
    claimed,
    `claim = NULL, lease_until = clock_timestamp() + make_interval(secs => $4), touched_at = clock_timestamp(),
     state = CASE WHEN $5::text IS NULL THEN 'running' ELSE 'failed' END, error = $5,
     finished_at = CASE WHEN $5::text IS NULL THEN NULL ELSE clock_timestamp() END`,
    [afterSeconds, error],
  );
}

/** The zip can be had from now on, for so many days. */
export async function finishExport(
  tx: Transaction,
  claimed: Claimed,
  zip: { readonly bytes: number; readonly sha256: Buffer },
  days: number,
): Promise<void> {
  await updateClaimed(
    tx,
    claimed,
    `state = 'ready', bytes = $4, sha256 = $5, finished_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(days => $6),
     claim = NULL, lease_until = NULL, touched_at = clock_timestamp(), attempts = 0`,
    [zip.bytes, zip.sha256, days],
  );
}

/** A file of a bundle. */
export interface ExportFile {
  readonly name: string;
  /** Its place in the zip. */
  readonly position: number;
  readonly isDeflated: boolean;
  /** As it unpacks. */
  readonly bytes: number;
  /** As its chunks are together; a deflated file lacks its last block. */
  readonly packedBytes: number;
  readonly crc32: number;
  /** `null`: not all of it is written. */
  readonly sha256: Buffer | null;
}

/** Which bytes. */
export type RunKey = Pick<Export, 'orgId' | 'id' | 'run'>;

/** In the order of the zip. */
export async function listExportFiles(db: Queryable, key: RunKey): Promise<ExportFile[]> {
  const { rows } = await db.query<{
    name: string;
    position: number;
    is_deflated: boolean;
    bytes: string;
    packed_bytes: string;
    crc32: string;
    sha256: Buffer | null;
  }>(
    `SELECT name, position, is_deflated, bytes, packed_bytes, crc32, sha256 FROM export_files
      WHERE org_id = $1 AND export_id = $2 AND run = $3 ORDER BY position`,
    [...keyOf(key), key.run],
  );
  return rows.map((row) => ({
    name: row.name,
    position: row.position,
    isDeflated: row.is_deflated,
    bytes: Number(row.bytes),
    packedBytes: Number(row.packed_bytes),
    crc32: Number(row.crc32),
    sha256: row.sha256,
  }));
}

/** Writes a file as it is by now. */
export async function putExportFile(tx: Transaction, key: RunKey, file: ExportFile): Promise<void> {
  await tx.query(
    `INSERT INTO export_files (org_id, export_id, run, name, position, is_deflated, bytes, packed_bytes, crc32, sha256)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (org_id, export_id, run, name) DO UPDATE
       SET bytes = excluded.bytes, packed_bytes = excluded.packed_bytes, crc32 = excluded.crc32, sha256 = excluded.sha256`,
    [...keyOf(key), key.run, file.name, file.position, file.isDeflated, file.bytes, file.packedBytes, file.crc32, file.sha256],
  );
}

/** What a row has at most: as much is in memory at once for each who downloads. */
const CHUNK_BYTES = 1_048_576;

/** Writes bytes of a file, which begin at `start`. */
export async function insertExportChunks(
  tx: Transaction,
  key: RunKey,
  name: string,
  start: number,
  bytes: Buffer,
): Promise<void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    await tx.query('INSERT INTO export_chunks (org_id, export_id, run, name, start, bytes) VALUES ($1, $2, $3, $4, $5, $6)', [
      ...keyOf(key),
      key.run,
      name,
      start + at,
      bytes.subarray(at, at + CHUNK_BYTES),
    ]);
}

/** The bytes of a file from `start` to the end of the row they are in; `null`: they are not there. */
export async function findExportChunk(db: Queryable, key: RunKey, name: string, start: number): Promise<Buffer | null> {
  const { rows } = await db.query<{ start: string; bytes: Buffer }>(
    `SELECT start, bytes FROM export_chunks
      WHERE org_id = $1 AND export_id = $2 AND run = $3 AND name = $4 AND start <= $5 ORDER BY start DESC LIMIT 1`,
    [...keyOf(key), key.run, name, start],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const bytes = row.bytes.subarray(start - Number(row.start));
  return bytes.length === 0 ? null : bytes;
}

/** The rows under a name, each whole, in order. */
export async function listExportChunks(db: Queryable, key: RunKey, name: string): Promise<Buffer[]> {
  const { rows } = await db.query<{ bytes: Buffer }>(
    'SELECT bytes FROM export_chunks WHERE org_id = $1 AND export_id = $2 AND run = $3 AND name = $4 ORDER BY start',
    [...keyOf(key), key.run, name],
  );
  return rows.map(({ bytes }) => bytes);
}

/** Rows of a megabyte: a second's work at most. */
const CHUNKS_AT_ONCE = 100;
/** After it nobody asks what became of an export. */
const ROWS_DAYS = 365;

/** Ends what has been kept for long enough, and deletes the bytes of what cannot be downloaded any more. */
export async function purgeExports(db: Queryable): Promise<void> {
  await db.query(`UPDATE exports SET state = 'expired' WHERE state = 'ready' AND expires_at < now()`);
  await db.query(
    `DELETE FROM exports WHERE state IN ('failed', 'expired') AND created_at < now() - make_interval(days => ${ROWS_DAYS})`,
  );
  await purgeExportBytes(db, null);
}

/** Deletes the bytes of what cannot be downloaded any more; `orgId`: of one organization. */
export async function purgeExportBytes(db: Queryable, orgId: Buffer | null): Promise<void> {
  for (const table of ['export_chunks', 'export_files'] as const) {
    const waste = `
      SELECT f.ctid FROM ${table} f LEFT JOIN exports e ON e.org_id = f.org_id AND e.id = f.export_id AND e.run = f.run
       WHERE (e.id IS NULL OR e.state IN ('failed', 'expired')) ${orgId === null ? '' : 'AND f.org_id = $1'} LIMIT ${CHUNKS_AT_ONCE}`;
    const values = orgId === null ? [] : [uuidText(orgId)];
    for (;;) {
      const { rowCount } = await db.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${waste}))`, values);
      if ((rowCount ?? 0) < CHUNKS_AT_ONCE) break;
    }
  }
}

/** The last leaf, counted from 1, up to which a page may go: `bytesMax` of data and texts, at least one event. */
export async function findPageEnd(db: Queryable, orgId: Buffer, after: number, until: number, bytesMax: number): Promise<number> {
  const { rows } = await db.query<{ beyond: string | null }>({
    name: 'find_page_end',
    text: `SELECT min(sequence) AS beyond FROM (
             SELECT sequence, bytes, sum(bytes) OVER (ORDER BY sequence) AS total FROM (
               SELECT e.sequence, octet_length(e.data) + coalesce(octet_length(t.sealed), 0) AS bytes
                 FROM events e LEFT JOIN assessment_texts t ON t.org_id = e.org_id AND t.id = e.id
                WHERE e.org_id = $1 AND e.sequence > $2 AND e.sequence <= $3) AS sizes) AS totals
            WHERE total > $4 AND total > bytes`,
    values: [uuidText(orgId), after, until, bytesMax],
  });
  const beyond = rows[0]?.beyond ?? null;
  return beyond === null ? until : Math.max(Number(beyond) - 1, after + 1);
}

/** When the first event from `sequence` on was recorded; `null`: there is none. */
export async function findRecordedAt(
  db: Queryable,
  orgId: Buffer,
  sequence: number,
): Promise<{ readonly sequence: number; readonly atMs: number } | null> {
  const { rows } = await db.query<{ sequence: string; recorded_at: Date }>(
    'SELECT sequence, recorded_at FROM events WHERE org_id = $1 AND sequence >= $2 ORDER BY sequence LIMIT 1',
    [uuidText(orgId), sequence],
  );
  const row = rows[0];
  return row === undefined ? null : { sequence: Number(row.sequence), atMs: Number(row.recorded_at) };
}

/** Whether an event tells of an erasure that a tree of this size does not have yet. */
export async function isRedactedAfter(db: Queryable, orgId: Buffer, size: number): Promise<boolean> {
  const { rows } = await db.query(
    "SELECT 1 FROM events WHERE org_id = $1 AND sequence > $2 AND kind = 'audit.redacted' LIMIT 1",
    [uuidText(orgId), size],
  );
  return rows.length > 0;
}

/** `exp_…` */
export function exportIdOf({ id }: ExportKey): string {
  return formatId('exp', id);
}

function keyOf({ orgId, id }: ExportKey): [string, string] {
  return [uuidText(orgId), uuidText(id)];
}

function timeOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
