// The texts of organizations that keep them: encrypted, bound to their assessment, gone after the policy's retention.

import { DEFAULT_POLICY, type CompiledPolicy, type Inference } from '@svc/engine';
import type { Vault } from '../access/vault.ts';
import { formatId, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

const ROWS_AT_ONCE = 5_000;

function purposeOf(orgId: Buffer, id: Buffer): string {
  return `text of ${formatId('asm', id)} of ${formatId('org', orgId)}`;
}

/** The inference as it is kept, where the policy says so; else `null`. */
export function sealText(
  vault: Vault,
  { document }: CompiledPolicy,
  orgId: Buffer,
  id: Buffer,
  inference: Inference,
): Buffer | null {
  return document.data?.store === 'full' ? vault.seal(purposeOf(orgId, id), JSON.stringify(inference)) : null;
}

/** Those of `ids` whose texts are kept, in hex. */
export async function findKept(db: Queryable, orgId: Buffer, ids: readonly Buffer[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>('SELECT id FROM assessment_texts WHERE org_id = $1 AND id = ANY ($2::uuid[])', [
    uuidText(orgId),
    ids.map(uuidText),
  ]);
  return new Set(rows.map(({ id }) => id.replaceAll('-', '')));
}

/** What was assessed, still sealed; `null`: it is not kept. */
export async function findSealedText(db: Queryable, orgId: Buffer, id: Buffer): Promise<Buffer | null> {
  const { rows } = await db.query<{ sealed: Buffer }>('SELECT sealed FROM assessment_texts WHERE org_id = $1 AND id = $2', [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0]?.sealed ?? null;
}

/** Throws for what was not sealed for this assessment. */
export function openText(vault: Vault, orgId: Buffer, id: Buffer, sealed: Buffer): Inference {
  return JSON.parse(vault.open(purposeOf(orgId, id), sealed)) as Inference;
}

/*
 * How long is what the policy in force says now, whatever it said when the text was kept: who shortens it means what is there. One look into the
 * index for each organization.
 */
const PURGE = `
DELETE FROM assessment_texts WHERE ctid = ANY (ARRAY(
  SELECT old.ctid
    FROM organizations o
   CROSS JOIN LATERAL (
     SELECT coalesce((p.document -> 'data' ->> 'retention_days')::int, ${DEFAULT_POLICY.data.retention_days}) AS days
       FROM policy_versions p WHERE p.org_id = o.id ORDER BY p.version DESC LIMIT 1
   ) AS kept
   CROSS JOIN LATERAL (
     SELECT t.ctid FROM assessment_texts t
      WHERE t.org_id = o.id AND t.created_at < $1::timestamptz - make_interval(days => kept.days) LIMIT ${ROWS_AT_ONCE}
   ) AS old
   WHERE EXISTS (SELECT 1 FROM assessment_texts any_text WHERE any_text.org_id = o.id)
   LIMIT ${ROWS_AT_ONCE}))`;

/** Deletes texts that have been kept for as long as their organization's policy says. */
export async function purgeTexts(db: Queryable, nowMs: number): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query(PURGE, [new Date(nowMs)]);
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return;
  }
}
