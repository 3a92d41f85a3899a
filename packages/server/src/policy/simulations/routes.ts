// Simulations: what another policy would decide, before it decides anything.

import { createSchemaChecker, lintPolicy } from '@svc/engine';
import { Type } from 'typebox';
import { checkInference } from '../../assessments/check.ts';
import type { ErrorDetail } from '../../http/errors.ts';
import { BATCH_BODY_BYTES_MAX, route, type Route } from '../../http/route.ts';
import { isoTime } from '../../http/schemas.ts';
import { parseId } from '../../ids.ts';
import { atPolicy } from '../service.ts';
import { resultOf } from './progress.ts';
import { SimulateEnvelope, SimulateRequest, SimulationBody } from './schemas.ts';
import { createSimulation, getSimulation } from './service.ts';
import { findSimulationById, type Simulation } from './store.ts';

const tag = 'Policy';
const checkEnvelope = createSchemaChecker(SimulateEnvelope);
// More are not answered, and looking at each of a thousand that are wrong takes time.
const PROBLEMS_MAX = 20;

function checkSimulate(body: unknown): readonly ErrorDetail[] {
  const details = checkEnvelope(body);
  if (details.length > 0) return details;
  const { policy, sample, items } = body as { policy: unknown; sample?: unknown; items?: readonly unknown[] };
  if ((sample === undefined) === (items === undefined)) return [{ pointer: '', message: 'must have one of sample and items' }];
  return [...atPolicy(lintPolicy(policy).errors), ...itemProblems(items ?? [])];
}

function itemProblems(items: readonly unknown[]): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  for (const [index, item] of items.entries()) {
    for (const { pointer, message } of checkInference(item)) problems.push({ pointer: `/items/${index}${pointer}`, message });
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return problems;
}

function present(simulation: Simulation) {
  return {
    id: simulation.id,
    state: simulation.state,
    progress: { done: simulation.done, total: simulation.total },
    created_at: isoTime(simulation.createdAtMs),
    finished_at: simulation.finishedAtMs === null ? null : isoTime(simulation.finishedAtMs),
    policy: { digest: simulation.digest },
    error: simulation.error,
    result: simulation.state === 'succeeded' ? resultOf(simulation.result) : null,
  };
}

export const simulationRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/policy/simulate',
    operationId: 'simulatePolicy',
    tag,
    summary: 'Try a policy on what was assessed before, or on items',
    description:
      'Compares what the policy would decide with what was decided. Where the text of an assessment was kept (`data.store: full`) it is decided anew; else from the findings that were kept, and the result says what these could not tell. Items are decided by the policy in force and by this one. Judges are not asked. What probes reported is not looked at.',
    access: 'policy:read',
    limit: 'batch',
    bodyBytesMax: BATCH_BODY_BYTES_MAX,
    body: SimulateRequest,
    checkBody: checkSimulate,
    responses: { 202: { description: 'The simulation, which goes on by itself.', schema: SimulationBody } },
    async handle(services, call) {
      return present(await createSimulation(services, call, call.body));
    },
    async replay(services, { principal: { organization, mode } }, resourceId) {
      const simulation = await findSimulationById(services.db, organization.uuid, mode, resourceId);
      return simulation === null ? null : present(simulation);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/policy/simulations/{simulation_id}',
    operationId: 'getPolicySimulation',
    tag,
    summary: 'Read how far a simulation has come, and what it found',
    description: 'Kept for 30 days, the last 20 of an organization’s live keys and the last 20 of its test keys.',
    access: 'policy:read',
    limit: 'requests',
    params: Type.Object({ simulation_id: Type.String({ maxLength: 64, description: 'Its id, `sim_…`.' }) }),
    responses: { 200: { description: 'The simulation.', schema: SimulationBody } },
    async handle(services, call) {
      return present(await getSimulation(services, call, parseId('sim', call.params.simulation_id)));
    },
  }),
];
