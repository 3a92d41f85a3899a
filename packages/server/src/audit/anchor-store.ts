// The deployment's own log: which checkpoints of organizations are in it, and who cosigned it.

import { formatCosigner, parseCosigner, readCosignatures, type Cosignature, type Cosigner } from '@svc/trail';
import { uuidText } from '../ids.ts';
import { bigintArray, byteaArray, uuidArray } from '../journal/arrays.ts';
import type { Database, Queryable, Transaction } from '../storage/database.ts';
import type { ClaimedTree } from './extender-store.ts';
import { proveInclusion, type PublishedCheckpoint } from './log-store.ts';
import { DEPLOYMENT_LOG } from './origin.ts';

// Twice what a witness may take to answer: until then the checkpoint before, which has its cosignatures, is the better evidence.
const COSIGNING_S = 10;

/** A checkpoint of an organization as a leaf of the deployment's log: the leaf's bytes are SHA-256(salt, note). */
export interface Anchored {
  readonly index: number;
  /** 16 bytes. */
  readonly salt: Buffer;
  /** Of the organization's checkpoint. */
  readonly epoch: number;
  readonly size: number;
  readonly note: string;
  /** That the leaf is in the tree of `deployment`. */
  readonly hashes: readonly Buffer[];
  /** The note has the cosignatures that were given. */
  readonly deployment: PublishedCheckpoint;
  /** Those of witnesses that are or were in the settings, checked. */
  readonly cosignatures: readonly Cosignature[];
}

/** The newest checkpoint of an organization that is in the deployment's log, under a checkpoint of the present epoch. `null`: none is yet. */
export async function findAnchored(db: Queryable, orgId: Buffer): Promise<Anchored | null> {
  const cosigners = await listCosigners(db);
  const deployment = await findDeploymentCheckpoint(db, cosigners);
  if (deployment === null) return null;
  const { rows } = await db.query<{ index: string; salt: Buffer; epoch: number; size: string; note: string }>(
    `SELECT a.index, a.salt, a.epoch, a.size, c.note FROM anchors a JOIN checkpoints c USING (org_id, epoch, size)
      WHERE a.org_id = $1 AND a.index < $2 ORDER BY a.epoch DESC, a.size DESC LIMIT 1`,
    [uuidText(orgId), deployment.size],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const index = Number(row.index);
  return {
    index,
    salt: row.salt,
    epoch: row.epoch,
    size: Number(row.size),
    note: row.note,
    hashes: await proveInclusion(db, DEPLOYMENT_LOG, index, deployment.size),
    deployment,
    cosignatures: readCosignatures(deployment.note, cosigners),
  };
}

/** The newest; while its witnesses are being asked the one before, where there is one. */
async function findDeploymentCheckpoint(db: Queryable, cosigners: readonly Cosigner[]): Promise<PublishedCheckpoint | null> {
  const { rows } = await db.query<{
    epoch: number;
    size: string;
    root: Buffer;
    note: string;
    published_at: Date;
    is_new: boolean;
  }>(
    `SELECT epoch, size, root, note, published_at, published_at > now() - interval '${COSIGNING_S} s' AS is_new
       FROM checkpoints WHERE org_id = $1 AND epoch = (SELECT epoch FROM trail_deployment) ORDER BY size DESC LIMIT 2`,
    [uuidText(DEPLOYMENT_LOG)],
  );
  const [newest, before] = rows;
  if (newest === undefined) return null;
  const isAwaited = newest.is_new && readCosignatures(newest.note, cosigners).length < cosigners.length;
  const row = isAwaited ? (before ?? newest) : newest;
  return {
    epoch: row.epoch,
    size: Number(row.size),
    root: row.root,
    note: row.note,
    publishedAtMs: row.published_at.getTime(),
  };
}

async function listCosigners(db: Queryable): Promise<Cosigner[]> {
  const { rows } = await db.query<{ verifier_key: string }>('SELECT verifier_key FROM witnesses ORDER BY verifier_key');
  return rows.map(({ verifier_key: key }) => parseCosigner(key)).filter((cosigner) => cosigner !== null);
}

/** The deployment's tree, this transaction's alone. `null`: another node has it, or has extended it within the last `restS` seconds. */
export async function claimDeploymentTree(tx: Transaction, restS: number): Promise<ClaimedTree | null> {
  const { rows } = await tx.query<{ size: string; frontier: Buffer }>(
    `SELECT size, frontier FROM trees WHERE org_id = $1 AND coalesce(anchored_at <= now() - make_interval(secs => $2), true)
        FOR UPDATE SKIP LOCKED`,
    [uuidText(DEPLOYMENT_LOG), restS],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const size = Number(row.size);
  return { orgId: DEPLOYMENT_LOG, size, frontier: row.frontier, lastSequence: size };
}

/** An organization's newest checkpoint that is not in the deployment's log yet. */
export interface Unanchored {
  readonly orgId: Buffer;
  readonly size: number;
  readonly note: string;
}

/** Those that have waited longest first. */
export async function listUnanchored(tx: Transaction, epoch: number, limit: number): Promise<Unanchored[]> {
  const { rows } = await tx.query<{ org_id: string; size: string; note: string }>(
    `SELECT t.org_id, c.size, c.note FROM trees t
       JOIN checkpoints c ON c.org_id = t.org_id AND c.epoch = t.signed_epoch AND c.size = t.signed_size
      WHERE t.signed_epoch = $1 AND t.signed_size > t.anchored_size AND t.org_id <> $2
      ORDER BY t.anchored_at NULLS FIRST, t.org_id LIMIT $3`,
    [epoch, uuidText(DEPLOYMENT_LOG), limit],
  );
  return rows.map((row) => ({
    orgId: Buffer.from(row.org_id.replaceAll('-', ''), 'hex'),
    size: Number(row.size),
    note: row.note,
  }));
}

/** What the leaves from index `first` on are. */
export async function insertAnchors(
  tx: Transaction,
  epoch: number,
  first: number,
  leaves: readonly (Unanchored & { readonly salt: Buffer })[],
): Promise<void> {
  const orgIds = uuidArray(leaves.map(({ orgId }) => orgId));
  const sizes = bigintArray(leaves.map(({ size }) => size));
  await tx.query(
    `INSERT INTO anchors (index, org_id, epoch, size, salt)
     SELECT $1::int8 + place - 1, org_id, $2, size, salt
       FROM unnest($3::uuid[], $4::int8[], $5::bytea[]) WITH ORDINALITY AS l (org_id, size, salt, place)`,
    [first, epoch, orgIds, sizes, byteaArray(leaves.map(({ salt }) => salt))],
  );
  await tx.query(
    `UPDATE trees AS t SET anchored_size = l.size, anchored_at = now()
       FROM unnest($1::uuid[], $2::int8[]) AS l (org_id, size) WHERE t.org_id = l.org_id`,
    [orgIds, sizes],
  );
  await tx.query('UPDATE trees SET anchored_at = now() WHERE org_id = $1', [uuidText(DEPLOYMENT_LOG)]);
}

/** What is known of a witness. */
export interface WitnessState {
  /** The last checkpoint that it cosigned. */
  readonly epoch: number;
  readonly size: number;
  readonly hasCosigned: boolean;
  readonly failures: number;
  /** `null`: it does as it should. */
  readonly fault: string | null;
}

// As long as four questions take at most: what a node that was ended began, another begins again.
const ASKING_S = 20;

export async function enlistWitnesses(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query('INSERT INTO witnesses (verifier_key) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [keys]);
}

/** `null`: it is being asked by another node, or is to be left alone for now, or it has cosigned this checkpoint and not `isFirst`. */
export async function claimWitness(
  db: Queryable,
  key: string,
  { epoch, size }: Pick<PublishedCheckpoint, 'epoch' | 'size'>,
  isFirst: boolean,
): Promise<WitnessState | null> {
  const { rows } = await db.query<{
    epoch: number;
    size: string;
    has_cosigned: boolean;
    failures: number;
    fault: string | null;
  }>(
    `UPDATE witnesses SET next_at = now() + interval '${ASKING_S} s'
      WHERE verifier_key = $1 AND next_at <= now() AND ($4 OR NOT (epoch = $2 AND size = $3))
     RETURNING epoch, size, cosigned_at IS NOT NULL AS has_cosigned, failures, fault`,
    [key, epoch, size, isFirst],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { failures, fault } = row;
  return { epoch: row.epoch, size: Number(row.size), hasCosigned: row.has_cosigned, failures, fault };
}

/** Adds a cosignature, checked before, to the checkpoint's note. */
export async function addCosignature(
  db: Database,
  { epoch, size }: Pick<PublishedCheckpoint, 'epoch' | 'size'>,
  { cosigner, timeS, line }: Cosignature,
): Promise<void> {
  const place = [uuidText(DEPLOYMENT_LOG), epoch, size];
  await db.transaction(async (tx) => {
    const { rows } = await tx.query<{ note: string }>(
      'SELECT note FROM checkpoints WHERE org_id = $1 AND epoch = $2 AND size = $3 FOR UPDATE',
      place,
    );
    // The first one tells since when the log is as it is.
    if (rows[0] !== undefined && readCosignatures(rows[0].note, [cosigner]).length === 0)
      await tx.query('UPDATE checkpoints SET note = note || $4 WHERE org_id = $1 AND epoch = $2 AND size = $3', [...place, line]);
    await tx.query(
      `UPDATE witnesses SET epoch = $2, size = $3, cosigned_at = to_timestamp($4), next_at = now(), failures = 0, fault = NULL
        WHERE verifier_key = $1`,
      [formatCosigner(cosigner), epoch, size, timeS],
    );
  });
}

export async function releaseWitness(db: Queryable, key: string): Promise<void> {
  await db.query('UPDATE witnesses SET next_at = now() WHERE verifier_key = $1', [key]);
}

/** It is not asked again for `waitS` seconds. */
export async function failWitness(db: Queryable, key: string, fault: string, waitS: number): Promise<void> {
  await db.query(
    `UPDATE witnesses SET next_at = now() + make_interval(secs => $3), failures = failures + 1, fault = $2
      WHERE verifier_key = $1`,
    [key, fault, waitS],
  );
}

// One that errs, or lies, must not drive the logs on and on.
const SET_BACK_REST = "interval '7 days'";

/** True when its word, that the database was set back, has not been taken in the last week: it is taken now. */
export async function admitSetBack(db: Queryable, key: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE witnesses SET set_back_at = now() WHERE verifier_key = $1 AND (set_back_at IS NULL OR set_back_at < now() - ${SET_BACK_REST})`,
    [key],
  );
  return rowCount === 1;
}

const THIN_ROWS = 10_000;

/**
 * Of what was anchored in the last week, but in this hour and the one before, the last of each hour and organization is kept. The organization's
 * checkpoint goes with it, unless it is the last of its hour. The leaves stay in the tree.
 */
export async function thinAnchors(db: Queryable): Promise<void> {
  const hasLaterInHour = (table: string, time: string) =>
    `EXISTS (SELECT 1 FROM ${table} n WHERE n.org_id = o.org_id AND n.epoch = o.epoch AND n.size > o.size
                AND date_trunc('hour', n.${time}) = date_trunc('hour', o.${time}))`;
  let thinned: number;
  do {
    const { rows } = await db.query<{ thinned: number }>(
      `WITH old AS MATERIALIZED (
         SELECT index, org_id, epoch, size FROM anchors o
          WHERE anchored_at >= date_trunc('hour', now()) - interval '7 days'
            AND anchored_at < date_trunc('hour', now()) - interval '1 hour'
            AND ${hasLaterInHour('anchors', 'anchored_at')} LIMIT ${THIN_ROWS}
       ), anchors_thinned AS (
         DELETE FROM anchors o USING old WHERE o.index = old.index
       ), checkpoints_thinned AS (
         DELETE FROM checkpoints o USING old WHERE o.org_id = old.org_id AND o.epoch = old.epoch AND o.size = old.size
            AND ${hasLaterInHour('checkpoints', 'published_at')}
       )
       SELECT count(*)::int AS thinned FROM old`,
    );
    thinned = rows[0]!.thinned;
  } while (thinned === THIN_ROWS);
}
