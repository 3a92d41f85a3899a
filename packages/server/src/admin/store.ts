// SQL over all organizations, which only the operator asks for.

import { ORGANIZATION_COLUMNS, organizationOf, type Organization, type OrganizationRow } from '../organizations/organization.ts';
import type { PlanLimits } from '../organizations/plans.ts';
import type { Queryable, Transaction } from '../storage/database.ts';

/** An organization, and the numbers it has of its own over those of its plan. */
export interface ListedOrganization {
  readonly organization: Organization;
  readonly ownLimits: Partial<PlanLimits> | null;
}

/** All of them, oldest first: a list that leaves some out would be taken for all, and each is a line. */
export async function listOrganizations(db: Queryable): Promise<ListedOrganization[]> {
  const { rows } = await db.query<OrganizationRow>(`SELECT ${ORGANIZATION_COLUMNS} FROM organizations o ORDER BY o.id`);
  return rows.map((row) => ({ organization: organizationOf(row), ownLimits: row.org_limits }));
}

export async function hasOrganizations(db: Queryable): Promise<boolean> {
  return (await db.query('SELECT 1 FROM organizations LIMIT 1')).rows.length > 0;
}

/** Makes `next` the pepper of new keys. False when it is no longer `current`: another rotation came first. */
export async function replacePepper(tx: Transaction, current: string, next: string): Promise<boolean> {
  const { rowCount } = await tx.query('UPDATE instance SET pepper = $2 WHERE id = 1 AND pepper = $1', [current, next]);
  return rowCount === 1;
}
