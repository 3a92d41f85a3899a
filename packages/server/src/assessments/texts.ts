// The texts of organizations that keep them: encrypted, bound to their assessment, gone after the policy's retention.

import { DEFAULT_POLICY, type CompiledPolicy, type Inference } from '@svc/engine';
import type { Vault } from '../access/vault.ts';
import { formatId, uuidText } from '../ids.ts';
import { forEachOrganization } from '../organizations/each.ts';
import { findCurrentPolicy } from '../policy/store.ts';
import type { Queryable } from '../storage/database.ts';

const ROWS_AT_ONCE = 5_000;
const DAY_MS = 86_400_000;

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
  return JSON.parse(unsealText(vault, orgId, id, sealed)) as Inference;
}

/** The same as JSON. */
export function unsealText(vault: Vault, orgId: Buffer, id: Buffer, sealed: Buffer): string {
  return vault.open(purposeOf(orgId, id), sealed);
}

/**
 * Deletes texts that have been kept for as long as their organization's policy says: the one in force now, whatever was said when the text was
 * kept, so that who shortens it means what is there. Throws at the end for organizations that failed.
 */
export async function purgeTexts(db: Queryable, nowMs: number): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM organizations o WHERE EXISTS (SELECT 1 FROM assessment_texts t WHERE t.org_id = o.id)',
  );
  await forEachOrganization(rows, ({ id }) => purgeTextsOf(db, Buffer.from(id.replaceAll('-', ''), 'hex'), nowMs));
}

/** The policy is read here: PostgreSQL's own JSON operators fail at texts that may well be in one, such as an escaped NUL. */
async function purgeTextsOf(db: Queryable, orgId: Buffer, nowMs: number): Promise<void> {
  const { document } = await findCurrentPolicy(db, orgId);
  const days = document.data?.retention_days ?? DEFAULT_POLICY.data.retention_days;
  const before = new Date(nowMs - days * DAY_MS);
  for (;;) {
    const { rowCount } = await db.query(
      `DELETE FROM assessment_texts WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM assessment_texts WHERE org_id = $1 AND created_at < $2 LIMIT ${ROWS_AT_ONCE}))`,
      [uuidText(orgId), before],
    );
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return;
  }
}
