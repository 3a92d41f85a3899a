// What probes call, and how people look after them.

import { createSchemaChecker } from '@svc/engine';
import { notFound } from '../http/errors.ts';
import { BATCH_BODY_BYTES_MAX, route, SerializedJson, type Route } from '../http/route.ts';
import { receiveHeartbeat } from './heartbeat.ts';
import { getProbe, listProbesPage, probeKeyOf, removeProbe, updateProbe } from './management.ts';
import {
  HeartbeatAnswer,
  HeartbeatRequest,
  PolicyBundleBody,
  ProbeBody,
  ProbeList,
  ProbeParams,
  ProbeQuery,
  ProbeUpdate,
  TelemetryEnvelope,
  TelemetryRequest,
  TelemetryResult,
} from './schemas.ts';
import { callerOf, probeIdOf, receiveTelemetry } from './service.ts';
import { findProbe } from './store.ts';

const tag = 'Probes';

const exists: Route['exists'] = async (services, principal, params) => {
  const { probe_id: probeId } = params as { probe_id: string };
  if ((await findProbe(services.db, probeKeyOf(principal, probeId))) === null) throw notFound('probe');
};

export const probeRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/svc/probe/telemetry',
    operationId: 'sendTelemetry',
    tag,
    summary: 'Report inferences that a probe has seen',
    description:
      'Answered once what was accepted is committed. An event whose `id` the probe has sent before is stored once, so a request without an answer may be sent again as it is. Events with `input` or `output` are assessed by the service, and cost one assessment each; of the others the probe’s own outcome is taken. The trail gets one `telemetry.received` for the batch, and an event for each inference that was flagged or blocked. The body may be packed by gzip.',
    access: 'assess:create',
    limit: 'telemetry',
    bodyBytesMax: BATCH_BODY_BYTES_MAX,
    takesGzip: true,
    body: TelemetryRequest,
    checkBody: createSchemaChecker(TelemetryEnvelope),
    responses: { 202: { description: 'What became of the events.', schema: TelemetryResult } },
    handle(services, call) {
      const { events } = call.body as unknown as TelemetryEnvelope;
      return receiveTelemetry(services, call, probeIdOf(call), events);
    },
  }),
  route({
    method: 'POST',
    path: '/api/svc/probe/heartbeat',
    operationId: 'sendHeartbeat',
    tag,
    summary: 'Say that a probe is there, and how it is',
    description: 'A probe that sends none for three intervals is taken for offline.',
    access: 'assess:create',
    limit: 'heartbeat',
    body: HeartbeatRequest,
    isBodyOptional: true,
    responses: { 200: { description: 'What is in force.', schema: HeartbeatAnswer } },
    handle: (services, call) => receiveHeartbeat(services, callerOf(call, probeIdOf(call)), call.body),
  }),
  route({
    method: 'GET',
    path: '/api/svc/probe/policy-sync',
    operationId: 'syncPolicy',
    tag,
    summary: 'Get the policy in force, signed',
    description:
      'For probes that decide by themselves: they keep it on disk, and go on with it where the service cannot be reached. The same bytes from every node until midnight UTC, or until the policy is changed.',
    access: 'assess:create',
    alsoAccess: 'policy:read',
    limit: 'policy_sync',
    responses: {
      200: {
        description: 'The signed policy.',
        schema: PolicyBundleBody,
        headers: { etag: 'The digest of the bundle, for `If-None-Match`.' },
      },
      304: { description: '`If-None-Match` names this bundle.', schema: null },
    },
    async handle(services, call) {
      const caller = callerOf(call, probeIdOf(call));
      const { organization } = caller;
      await services.probes.registry.groupOf(caller);
      services.probes.touches.add({ orgId: organization.uuid, mode: caller.mode, probeId: caller.probeId }, services.clock());
      const { version } =
        services.policies.peek(organization.id) ?? (await services.policies.get(organization.id, organization.uuid));
      const bundle = await services.probes.bundles.get(organization, version);
      call.setHeader('etag', `"${bundle.digest}"`);
      if (!isKnown(call.header('if-none-match'), bundle.digest)) return new SerializedJson(bundle.text);
      call.setStatus(304);
      return undefined;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/probes',
    operationId: 'listProbes',
    tag,
    summary: 'List probes',
    description: 'Of the credential’s mode, those that were registered last first.',
    access: 'probes:read',
    limit: 'requests',
    query: ProbeQuery,
    responses: { 200: { description: 'A page of probes.', schema: ProbeList } },
    handle: (services, { principal, query }) => listProbesPage(services, principal, query),
  }),
  route({
    method: 'GET',
    path: '/v1/probes/{probe_id}',
    operationId: 'getProbe',
    tag,
    summary: 'Read a probe',
    access: 'probes:read',
    limit: 'requests',
    params: ProbeParams,
    responses: { 200: { description: 'The probe.', schema: ProbeBody } },
    handle: (services, { principal, params }) => getProbe(services, principal, params.probe_id),
  }),
  route({
    method: 'PATCH',
    path: '/v1/probes/{probe_id}',
    operationId: 'updateProbe',
    tag,
    summary: 'Change a probe’s labels, or how often it is to be heard',
    access: 'probes:write',
    limit: 'requests',
    params: ProbeParams,
    body: ProbeUpdate,
    exists,
    responses: { 200: { description: 'The probe.', schema: ProbeBody } },
    handle: (services, call) => updateProbe(services, call, call.params.probe_id, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/v1/probes/{probe_id}',
    operationId: 'deleteProbe',
    tag,
    summary: 'Forget a probe',
    description: 'What it reported stays. It is registered anew when it calls again.',
    access: 'probes:write',
    limit: 'requests',
    params: ProbeParams,
    responses: { 200: { description: 'The probe as it was.', schema: ProbeBody } },
    handle: (services, call) => removeProbe(services, call, call.params.probe_id),
  }),
];

function isKnown(ifNoneMatch: string | undefined, digest: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(`"${digest}"`);
}
