// Exports: stretches of the trail as evidence bundles, which are made beside the requests.

import { Type } from 'typebox';
import { errorBody } from '../http/errors.ts';
import { pageById } from '../http/pagination.ts';
import { route, SerializedJson, StreamedBytes, type Route } from '../http/route.ts';
import { isoTime, ListOf, PAGE_QUERY } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Services } from '../services.ts';
import { readZip } from './bundle.ts';
import { CreateExport, ExportBody } from './schemas.ts';
import { createExport, getExport, openBundle, rangeOf, removeExport } from './service.ts';
import { exportIdOf, findExportById, listExports, type Export } from './store.ts';

const tag = 'Exports';
const Params = Type.Object({ export_id: Type.String({ maxLength: 64, description: 'The export’s id, `exp_…`.' }) });

function present(services: Services, made: Export) {
  const { state, range, progress, zip } = made;
  const id = exportIdOf(made);
  const total = range === null ? null : range.toIndex - range.fromIndex;
  const done = range === null ? 0 : progress.position - range.fromIndex;
  return {
    id,
    state,
    format: made.format,
    since: timeOrNull(made.sinceMs),
    until: timeOrNull(made.untilMs),
    kinds: made.kinds === null ? null : [...made.kinds],
    held_size: made.heldSize,
    disclosures: made.hasDisclosures,
    progress: { done, total, percent: percentOf(state, done, total) },
    events: progress.events,
    tree_size: range?.treeSize ?? null,
    created_at: isoTime(made.createdAtMs),
    created_by: made.createdBy,
    expires_at: timeOrNull(made.expiresAtMs),
    download:
      state === 'ready' && zip !== null
        ? { url: `${services.baseUrl()}/v1/exports/${id}/bundle`, bytes: zip.bytes, sha256: zip.sha256.toString('hex') }
        : null,
    error: made.error,
  };
}

/** What is written is not ready yet: it is read once more for its digests. */
function percentOf(state: Export['state'], done: number, total: number | null): number {
  if (state === 'ready' || state === 'expired') return 100;
  if (total === null) return 0;
  return total === 0 ? 99 : Math.floor((done / total) * 99);
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

export const exportRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/exports',
    operationId: 'createExport',
    tag,
    summary: 'Export a stretch of the trail as an evidence bundle',
    description:
      'The bundle is a zip with the events as they are in the log, what they disclose, the signed checkpoint, and the hashes that lead from one to the other: anyone can check it, offline and without trusting this service. It is made beside the requests and kept for 7 days.',
    access: 'events:read',
    alsoAccess: 'reports:read',
    limit: 'requests',
    body: CreateExport,
    responses: { 202: { description: 'The export, which goes on by itself.', schema: ExportBody } },
    async handle(services, call) {
      return present(services, await createExport(services, call, call.body));
    },
    async replay(services, { principal: { organization } }, resourceId) {
      const made = await findExportById(services.db, organization.uuid, resourceId);
      return made === null ? null : present(services, made);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/exports',
    operationId: 'listExports',
    tag,
    summary: 'List exports',
    access: 'events:read',
    alsoAccess: 'reports:read',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of exports, newest first.', schema: ListOf(ExportBody, 'ExportList') } },
    async handle(services, { principal: { organization, mode }, query }) {
      return pageById(
        'exp',
        query,
        async (before, limit) => (mode === 'test' ? [] : listExports(services.db, organization.uuid, before, limit)),
        (made) => present(services, made),
        exportIdOf,
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/exports/{export_id}',
    operationId: 'getExport',
    tag,
    summary: 'Read how far an export has come, and where it can be downloaded',
    access: 'events:read',
    alsoAccess: 'reports:read',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The export.', schema: ExportBody } },
    async handle(services, call) {
      return present(services, await getExport(services, call, parseId('exp', call.params.export_id)));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/exports/{export_id}/bundle',
    operationId: 'downloadExport',
    tag,
    summary: 'Download an evidence bundle',
    description:
      'A download that broke off goes on with `Range`; `If-Range` with the `ETag` makes sure that it is the same bundle. An organization may have 8 under way on each node, and a client that takes nothing for a minute is cut off.',
    access: 'events:read',
    alsoAccess: 'reports:read',
    limit: 'requests',
    produces: ['application/zip'],
    params: Params,
    responses: {
      200: {
        description: 'The zip.',
        schema: Type.String(),
        headers: {
          ETag: 'The SHA-256 of the zip.',
          'Content-Disposition': 'A name for the file.',
          'Accept-Ranges': '`bytes`.',
        },
      },
      206: { description: 'The part that `Range` asks for.', schema: Type.String(), headers: { 'Content-Range': 'Which part.' } },
      416: {
        description: 'The range begins beyond the end.',
        schema: null,
        headers: { 'Content-Range': 'The length of the zip.' },
      },
    },
    async handle(services, call) {
      const { made, layout, etag } = await openBundle(services, call, parseId('exp', call.params.export_id));
      const asked = rangeOf(call.header('range'), call.header('if-range'), etag, layout.bytes);
      if (asked === 'unsatisfiable') {
        call.setHeader('accept-ranges', 'bytes');
        call.setHeader('etag', etag);
        call.setStatus(416);
        call.setHeader('content-range', `bytes */${layout.bytes}`);
        const message = `The bundle has ${layout.bytes} bytes, and the range begins after them.`;
        return new SerializedJson(JSON.stringify(errorBody({ code: 'invalid_request', message, details: [] }, call.requestId)));
      }
      const { from, to } = asked ?? { from: 0, to: layout.bytes };
      const { downloads, db } = services;
      const stream = downloads.open(made.orgId, db.reader, (reader) => readZip(reader, made, layout, from, to));
      call.setHeader('accept-ranges', 'bytes');
      call.setHeader('etag', etag);
      if (asked !== null) {
        call.setStatus(206);
        call.setHeader('content-range', `bytes ${from}-${to - 1}/${layout.bytes}`);
      }
      call.setHeader('content-disposition', `attachment; filename="${exportIdOf(made)}.zip"`);
      return new StreamedBytes('application/zip', stream, to - from);
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/exports/{export_id}',
    operationId: 'deleteExport',
    tag,
    summary: 'Delete an export',
    description: 'One that is under way ends. What was exported stays in the trail.',
    access: 'events:read',
    alsoAccess: 'reports:read',
    limit: 'requests',
    params: Params,
    responses: {
      200: { description: 'It is gone.', schema: Type.Object({ deleted: Type.Literal(true) }, { title: 'DeletedExport' }) },
    },
    async handle(services, call) {
      await removeExport(services, call, parseId('exp', call.params.export_id));
      return { deleted: true as const };
    },
  }),
];
