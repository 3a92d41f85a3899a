// Idempotency-Key: a POST that is sent again makes nothing twice and answers the same.
//
// What is kept is the id of the resource that the request makes, given before it runs, never its answer: secrets and texts stay out, and a
// request that was cut off by a crash is found again by whether its resource exists.

import { createHash } from 'node:crypto';
import { uuidText } from '../ids.ts';
import type { Database } from '../storage/database.ts';
import { purgeOlderThan } from '../storage/purge.ts';
import { AppError, type ErrorCode, type ErrorDetail } from './errors.ts';

const KEPT_HOURS = 24;
// Longer than any request runs; after it the node that ran the request is taken for dead.
const LOCK_SECONDS = 60;

export interface IdempotentRequest {
  readonly orgId: Buffer;
  readonly principalId: string;
  readonly operation: string;
  readonly key: string;
  readonly body: string;
}

/** `run`: this request is the first, or takes over from a node that died. `replay`: it was answered before. */
export type Claim =
  | { readonly state: 'run' | 'replay'; readonly resourceId: Buffer; readonly tookOver: boolean; readonly answer: unknown }
  | { readonly state: 'refused'; readonly error: AppError };

/** 1–255 visible ASCII characters. */
export function isIdempotencyKey(key: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(key);
}

interface ClaimRow {
  readonly resource_id: string;
  readonly state: 'running' | 'succeeded' | 'refused';
  readonly refusal: { code: ErrorCode; message: string; details: ErrorDetail[] } | null;
  readonly answer: unknown;
  readonly is_same_body: boolean;
  readonly is_claimed: boolean;
  readonly is_new: boolean;
}

/*
 * One statement decides who runs: it inserts the key, or takes over one that is older than it is kept or whose holder's time is up. A row that
 * it may not touch is read by the second half. A claim that is taken over keeps its resource id.
 */
const CLAIM = `
WITH claimed AS (
  INSERT INTO idempotency_keys AS k (org_id, principal_id, operation, key, body_digest, resource_id, state, locked_until, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'running', now() + make_interval(secs => ${LOCK_SECONDS}), now())
  ON CONFLICT (org_id, principal_id, operation, key) DO UPDATE
     SET locked_until = excluded.locked_until,
         state = 'running',
         refusal = NULL,
         answer = NULL,
         body_digest = excluded.body_digest,
         resource_id = CASE WHEN k.created_at < now() - interval '${KEPT_HOURS} hours' THEN excluded.resource_id ELSE k.resource_id END,
         created_at = CASE WHEN k.created_at < now() - interval '${KEPT_HOURS} hours' THEN excluded.created_at ELSE k.created_at END
   WHERE k.created_at < now() - interval '${KEPT_HOURS} hours'
      OR (k.state = 'running' AND k.locked_until < now() AND k.body_digest = excluded.body_digest)
  RETURNING resource_id, state, refusal, answer, true AS is_same_body, true AS is_claimed, resource_id = $6 AS is_new
)
SELECT * FROM claimed
UNION ALL
SELECT resource_id, state, refusal, answer, body_digest = $5, false, false FROM idempotency_keys
 WHERE org_id = $1 AND principal_id = $2 AND operation = $3 AND key = $4 AND NOT EXISTS (SELECT 1 FROM claimed)`;

/** Claims the key for `request`, with `resourceId` for what it will make. Throws `idempotency_mismatch` and `conflict`. */
export async function claimKey(db: Database, request: IdempotentRequest, resourceId: Buffer): Promise<Claim> {
  const digest = createHash('sha256').update(request.body).digest();
  const values = [uuidText(request.orgId), request.principalId, request.operation, request.key, digest, uuidText(resourceId)];
  const { rows } = await db.query<ClaimRow>({ name: 'claim_idempotency_key', text: CLAIM, values });
  const row = rows[0];
  if (row !== undefined && !row.is_same_body) {
    throw new AppError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another payload. Use a new key for a new request.',
    );
  }
  // No row: the holder inserted it after this statement began and has not committed what we could read.
  if (row === undefined || (!row.is_claimed && row.state === 'running')) {
    throw new AppError('conflict', 'A request with this Idempotency-Key is still in flight. Repeat it in a moment.', {
      headers: { 'retry-after': '1' },
    });
  }
  if (row.state === 'refused' && !row.is_claimed) {
    const { code, message, details } = row.refusal!;
    return { state: 'refused', error: new AppError(code, message, { details }) };
  }
  const id = Buffer.from(row.resource_id.replaceAll('-', ''), 'hex');
  return {
    state: row.is_claimed ? 'run' : 'replay',
    resourceId: id,
    tookOver: row.is_claimed && !row.is_new,
    answer: row.answer,
  };
}

const WHERE_KEY = 'org_id = $1 AND principal_id = $2 AND operation = $3 AND key = $4';

/** Keeps how the request ended: `null` for success, else the refusal; and what it answered, where that is to be kept. */
export async function settleKey(
  db: Database,
  request: IdempotentRequest,
  refusal: AppError | null,
  answer: unknown = null,
): Promise<void> {
  await db.query(`UPDATE idempotency_keys SET state = $5, refusal = $6, answer = $7 WHERE ${WHERE_KEY}`, [
    uuidText(request.orgId),
    request.principalId,
    request.operation,
    request.key,
    refusal === null ? 'succeeded' : 'refused',
    refusal === null ? null : JSON.stringify({ code: refusal.code, message: refusal.message, details: refusal.details }),
    answer === null ? null : JSON.stringify(answer),
  ]);
}

/**
 * Lets the same request run again at once, under the same id: it failed by a fault, after which it is not certain that nothing was committed.
 * What was committed is then found, not made twice.
 */
export async function unlockKey(db: Database, request: IdempotentRequest): Promise<void> {
  await db.query(
    `UPDATE idempotency_keys SET locked_until = now() - interval '1 second' WHERE ${WHERE_KEY} AND state = 'running'`,
    [uuidText(request.orgId), request.principalId, request.operation, request.key],
  );
}

/** Lets the key be used anew: nothing came of the request. */
export async function releaseKey(db: Database, request: IdempotentRequest): Promise<void> {
  await db.query(`DELETE FROM idempotency_keys WHERE ${WHERE_KEY} AND state = 'running'`, [
    uuidText(request.orgId),
    request.principalId,
    request.operation,
    request.key,
  ]);
}

/** Deletes keys that are no longer kept. */
export function purgeKeys(db: Database): Promise<void> {
  return purgeOlderThan(db, 'idempotency_keys', KEPT_HOURS);
}
