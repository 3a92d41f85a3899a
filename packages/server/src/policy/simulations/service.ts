// Rules of simulations: what is taken, what it costs, how many there may be.

import { policyDigest, type Inference } from '@svc/engine';
import { takeAssessments } from '../../http/access-check.ts';
import { AppError, invalid, notFound } from '../../http/errors.ts';
import type { Call } from '../../http/route.ts';
import { formatId } from '../../ids.ts';
import { lintJudges } from '../../judges/policy-check.ts';
import { lockOrganization } from '../../organizations/organization.ts';
import type { Services } from '../../services.ts';
import { atPolicy, refuseProblems } from '../service.ts';
import { findCurrentPolicy } from '../store.ts';
import { emptyProgress } from './progress.ts';
import { SAMPLE_DEFAULT, type SimulateInput } from './schemas.ts';
import {
  countUnfinishedSimulations,
  deleteOldSimulations,
  findSimulationById,
  insertSimulation,
  type Sample,
  type Simulation,
} from './store.ts';

/** How many an organization has of live keys, and of test keys; those that are over included. */
const SIMULATIONS_MAX = 20;

/** What an item is sealed for. */
export function itemPurpose(orgId: Buffer, id: Buffer, index: number): string {
  return `item ${index} of ${formatId('sim', id)} of ${formatId('org', orgId)}`;
}

/**
 * Queues a simulation of a linted policy and takes one assessment for each item. Throws `invalid_request`, `payload_too_large` for more items
 * than the plan takes, `rate_limited`, and `conflict` when too many wait; nothing is taken for what is refused.
 */
export async function createSimulation(services: Services, call: Call, input: SimulateInput): Promise<Simulation> {
  const { organization, mode, id: principalId } = call.principal;
  const { uuid: orgId } = organization;
  const { policy, items } = input;
  const sample = items === undefined ? sampleOf(input.sample) : null;
  refuseProblems(atPolicy((await lintJudges(services.db, orgId, policy)).errors));
  if (items !== undefined) refuseTooMany(call, items);
  const id = call.newResourceId();
  const sealedItems = items?.map((item, i) => services.vault.seal(itemPurpose(orgId, id, i), JSON.stringify(item))) ?? null;
  await services.db.transaction(async (tx) => {
    await lockOrganization(tx, orgId);
    if ((await countUnfinishedSimulations(tx, orgId, mode)) >= SIMULATIONS_MAX)
      throw new AppError('conflict', `${SIMULATIONS_MAX} simulations are not over yet. Wait for one of them.`);
    // Under the lock, so that no other takes the last place meanwhile.
    if (items !== undefined) await takeAssessments(services, call.principal, items.length, call.setHeader);
    await deleteOldSimulations(tx, orgId, mode, SIMULATIONS_MAX - 1);
    const { version } = await findCurrentPolicy(tx, orgId);
    await insertSimulation(tx, {
      orgId,
      id,
      mode,
      digest: policyDigest(policy),
      document: policy,
      createdAtMs: services.clock(),
      createdBy: principalId,
      sample,
      sealedItems,
      liveVersion: version,
      total: items?.length ?? null,
      result: emptyProgress(),
    });
  });
  services.simulations.wake();
  return getSimulation(services, call, id);
}

/** A simulation of the credential's mode, or `not_found`. */
export async function getSimulation(
  services: Services,
  { principal: { organization, mode } }: Pick<Call, 'principal'>,
  id: Buffer | null,
): Promise<Simulation> {
  const simulation = id === null ? null : await findSimulationById(services.db, organization.uuid, mode, id);
  if (simulation === null) throw notFound('simulation');
  return simulation;
}

function refuseTooMany(call: Call, items: readonly Inference[]): void {
  const { batch_size: most } = call.principal.organization.limits;
  if (items.length > most)
    throw new AppError('payload_too_large', `The plan takes ${most} items in a batch, these are ${items.length}.`);
}

function sampleOf({ since, until, limit = SAMPLE_DEFAULT }: SimulateInput['sample'] = {}): Sample {
  const sinceMs = timeOf('since', since);
  const untilMs = timeOf('until', until);
  if (sinceMs !== null && untilMs !== null && sinceMs >= untilMs) throw invalid('/sample/since', 'must be before until');
  return { sinceMs, untilMs, limit };
}

function timeOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(`/sample/${name}`, 'is not a time');
  return ms;
}
