// An organization: everything belongs to one.

import { idFromUuidText, parseId, uuidText } from '../ids.ts';
import type { Transaction } from '../storage/database.ts';
import { limitsOf, type Plan, type PlanLimits } from './plans.ts';

export interface Organization {
  /** `org_…` */
  readonly id: string;
  readonly uuid: Buffer;
  readonly name: string;
  readonly plan: Plan;
  readonly limits: PlanLimits;
  readonly createdAtMs: number;
}

/** The columns of `organizations`, in a row that may hold others. */
export interface OrganizationRow {
  readonly org_id: string;
  readonly org_name: string;
  readonly org_plan: Plan;
  readonly org_limits: Partial<PlanLimits> | null;
  readonly org_created_at: Date;
}

/** What a SELECT names to make an `OrganizationRow`; `o` is the table's alias. */
export const ORGANIZATION_COLUMNS =
  'o.id AS org_id, o.name AS org_name, o.plan AS org_plan, o.limits AS org_limits, o.created_at AS org_created_at';

export function organizationOf(row: OrganizationRow): Organization {
  const id = idFromUuidText('org', row.org_id);
  return {
    id,
    uuid: parseId('org', id)!,
    name: row.org_name,
    plan: row.org_plan,
    limits: limitsOf(row.org_plan, row.org_limits),
    createdAtMs: row.org_created_at.getTime(),
  };
}

/** Until the transaction ends no other one changes the organization, its keys, its policy or how its users sign in. */
export async function lockOrganization(tx: Transaction, orgId: Buffer): Promise<void> {
  await tx.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [uuidText(orgId)]);
}
