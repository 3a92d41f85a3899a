// The texts of organizations that keep them: encrypted, bound to their assessment, gone with its event (audit/retention.ts).

import type { CompiledPolicy, Inference } from '@svc/engine';
import type { Vault } from '../access/vault.ts';
import { formatId, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

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
