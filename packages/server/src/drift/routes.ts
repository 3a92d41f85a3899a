// Drift: what is watched and how it stands, and what people say about it.

import { Type } from 'typebox';
import { pageById } from '../http/pagination.ts';
import { route, type Call, type Route } from '../http/route.ts';
import { ListOf } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Services } from '../services.ts';
import { EPISODES_SHOWN, presentDetail, presentMonitor } from './chart.ts';
import { MonitorBody, MonitorDetailBody, MonitorQuery, NoteBody } from './schemas.ts';
import { acknowledgeMonitor, getMonitor, isDone, rebaselineMonitor } from './service.ts';
import { CHART_DAYS, findOpenEpisodes, listEpisodes, listMonitors, listPoints, type StoredMonitor } from './store.ts';

const tag = 'Drift';
const DAY_MS = 86_400_000;
const Params = Type.Object({ monitor_id: Type.String({ maxLength: 64, description: 'The monitor’s id, `mon_…`.' }) });

async function presentPage(services: Services, orgId: Buffer, monitors: readonly StoredMonitor[]) {
  const open = await findOpenEpisodes(
    services.db.reader,
    orgId,
    monitors.map(({ uuid }) => uuid),
  );
  return new Map(
    monitors.map((monitor) => {
      const key = monitor.uuid.toString('hex');
      return [key, presentMonitor(monitor, open.get(key) ?? null)] as const;
    }),
  );
}

async function presentOne(services: Services, { principal }: Pick<Call, 'principal'>, id: string) {
  const { uuid: orgId } = principal.organization;
  const monitor = await getMonitor(services, principal, parseId('mon', id));
  const presented = await presentPage(services, orgId, [monitor]);
  return presented.get(monitor.uuid.toString('hex'))!;
}

type WithNote = Call<{ readonly monitor_id: string }, unknown, { readonly note?: string }>;

/** What both writes have in common: a note, and what they answer. */
function writes(act: (services: Services, call: Call, id: Buffer | null, note: string | null) => Promise<void>) {
  return {
    access: 'probes:write',
    limit: 'requests',
    params: Params,
    exists: (services: Services, principal: Call['principal'], { monitor_id: id }: { readonly monitor_id: string }) =>
      getMonitor(services, principal, parseId('mon', id)),
    body: NoteBody,
    isBodyOptional: true,
    responses: { 200: { description: 'The monitor.', schema: MonitorBody } },
    async handle(services: Services, call: WithNote) {
      await act(services, call, parseId('mon', call.params.monitor_id), call.body.note ?? null);
      return presentOne(services, call, call.params.monitor_id);
    },
    async replay(services: Services, call: WithNote, resourceId: Buffer) {
      const hasActed = await isDone(services, call.principal, resourceId);
      return hasActed ? presentOne(services, call, call.params.monitor_id) : null;
    },
  } as const;
}

export const driftRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/drift',
    operationId: 'listDriftMonitors',
    tag,
    summary: 'List what is watched for drift',
    description:
      'Each monitor watches one signal of one model in one group of probes. Newest first. What test keys do is not watched: they see none.',
    access: 'probes:read',
    limit: 'requests',
    query: MonitorQuery,
    responses: { 200: { description: 'A page of monitors.', schema: ListOf(MonitorBody, 'DriftMonitorList') } },
    async handle(services, { principal: { organization, mode }, query }) {
      const presented = new Map<string, ReturnType<typeof presentMonitor>>();
      const read = async (before: Buffer | null, limit: number) => {
        if (mode === 'test') return [];
        const monitors = await listMonitors(services.db.reader, organization.uuid, query, before, limit);
        for (const [key, one] of await presentPage(services, organization.uuid, monitors)) presented.set(key, one);
        return monitors;
      };
      return pageById(
        'mon',
        query,
        read,
        ({ uuid }) => presented.get(uuid.toString('hex'))!,
        ({ id }) => id,
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/drift/{monitor_id}',
    operationId: 'getDriftMonitor',
    tag,
    summary: 'Read a monitor, what it found, and its hours for a chart',
    access: 'probes:read',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The monitor.', schema: MonitorDetailBody } },
    async handle(services, { principal, params }) {
      const { uuid: orgId } = principal.organization;
      const monitor = await getMonitor(services, principal, parseId('mon', params.monitor_id));
      const sinceMs = services.clock() - CHART_DAYS * DAY_MS;
      const [episodes, points] = await Promise.all([
        listEpisodes(services.db.reader, orgId, monitor.uuid, EPISODES_SHOWN),
        listPoints(services.db.reader, orgId, monitor.uuid, sinceMs),
      ]);
      return presentDetail(monitor, episodes, points);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/drift/{monitor_id}/rebaseline',
    operationId: 'rebaselineDriftMonitor',
    tag,
    summary: 'Take the level of now for the usual one',
    description:
      'Gives up the baseline. The new one is learned from what was observed since the drift began, as far as it is known, and from what comes. A drift that persists ends with it. The trail keeps who did it, and the digests of both baselines.',
    ...writes(rebaselineMonitor),
  }),
  route({
    method: 'POST',
    path: '/v1/drift/{monitor_id}/acknowledge',
    operationId: 'acknowledgeDriftMonitor',
    tag,
    summary: 'Say that somebody takes care of a drift',
    description:
      'Of the drift that persists, once; otherwise a 409. Nothing else changes: it recovers, or is rebaselined, by itself.',
    ...writes(acknowledgeMonitor),
  }),
];
