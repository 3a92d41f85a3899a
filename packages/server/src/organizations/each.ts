// Work that is done for many organizations, one after another.

/**
 * Does `work` for each of them. One that fails stops none of the others: what failed is thrown at the end, together, as the reasons of an
 * `AggregateError`.
 */
export async function forEachOrganization<Organization>(
  organizations: readonly Organization[],
  work: (organization: Organization) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const organization of organizations) await work(organization).catch((err: unknown) => failures.push(err));
  if (failures.length > 0)
    throw new AggregateError(failures, `failed for ${failures.length} of ${organizations.length} organizations`);
}
