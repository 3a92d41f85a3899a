// The log of an organization's trail: checkpoints, proofs, tiles, keys; and what is erased of events.

import { formatProofFile } from '@svc/trail';
import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { matchesTag } from '../http/etag.ts';
import { route, SerializedBytes, type Call, type Route } from '../http/route.ts';
import { ErrorResponse, isoTime } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Services } from '../services.ts';
import { shownDisclosures } from './envelope.ts';
import type { TrailVerifier } from './keys.ts';
import type { PublishedCheckpoint } from './log-store.ts';
import { DEPLOYMENT_LOG, originOf, readDeployment } from './origin.ts';
import { checkpointAt, logOf, proveEvent, proveGrowth, readTileAt, waitForCheckpoint, type EventProof } from './proofs.ts';
import { findRedaction, redactEvent } from './redactions.ts';
import {
  AuditKeysBody,
  CheckpointQuery,
  ConsistencyBody,
  ConsistencyQuery,
  NewRedaction,
  ProofBody,
  ProofQuery,
  RedactionBody,
} from './schemas.ts';

const tag = 'Audit';
const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';
/** What an address answers depends on who asks. */
const VARY = 'authorization, cookie';

const text = (content: string) => new SerializedBytes(TEXT, Buffer.from(content));

export const auditRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/audit/checkpoint',
    operationId: 'getCheckpoint',
    tag,
    summary: 'Read a checkpoint',
    description:
      'A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the organization’s log. Keep the last one you have seen, and ask for the proof that the next one grew out of it. Of those older than an hour the last of each hour is kept.',
    access: 'events:read',
    limit: 'requests',
    produces: ['text/plain'],
    query: CheckpointQuery,
    responses: {
      200: {
        description: 'The checkpoint.',
        schema: Type.String({ description: 'The signed note.' }),
        headers: { etag: 'For `If-None-Match`.' },
      },
      304: { description: '`If-None-Match` names this checkpoint.', schema: null },
    },
    async handle(services, call) {
      const orgId = logOf(call.principal);
      const { size } = call.query;
      const checkpoint =
        size === undefined
          ? await waitForCheckpoint(services, orgId, 0, call.recheck)
          : await checkpointAt(services, orgId, size);
      return answerCheckpoint(call, checkpoint);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/audit/consistency',
    operationId: 'proveConsistency',
    tag,
    summary: 'Prove that the log only grew',
    description:
      'The proof that the tree of `to` leaves begins with that of `from` leaves: that nothing before was changed or removed.',
    access: 'events:read',
    limit: 'requests',
    query: ConsistencyQuery,
    responses: { 200: { description: 'The proof.', schema: ConsistencyBody } },
    async handle(services, { principal, query, recheck }) {
      const { from, to, hashes } = await proveGrowth(services, logOf(principal), query.from, query.to, recheck);
      return { from, to, hashes: hashes.map(base64) };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/audit/tile/{tile_path}',
    takesRestOfPath: true,
    operationId: 'getTile',
    tag,
    summary: 'Read a tile of the log',
    description:
      'As c2sp.org/tlog-tiles has them: 256 hashes of 32 bytes, or with `.p/<W>` the first W of them; under `entries/` the leaves themselves, each after its length in two bytes, for as long as the events are kept. An organization reads one bundle of entries at a time, else it is told `unavailable`.',
    access: 'events:read',
    limit: 'requests',
    produces: [BYTES],
    params: Type.Object({
      tile_path: Type.String({
        description: '`<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`; `N` in groups of three digits, `x001/234`.',
        examples: ['0/000.p/1'],
      }),
    }),
    responses: { 200: { description: 'The tile.', schema: Type.String() } },
    async handle(services, { principal, params, setHeader }) {
      const bytes = await readTileAt(services, logOf(principal), params.tile_path);
      // What is under this path never changes, nor does a part of it.
      setHeader('cache-control', 'private, max-age=31536000, immutable');
      setHeader('vary', VARY);
      return new SerializedBytes(BYTES, bytes);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/audit/keys',
    operationId: 'listAuditKeys',
    tag,
    summary: 'List the keys that sign checkpoints',
    description: 'Who checks checkpoints keeps these keys himself, from before he has to trust them; see the guide.',
    access: 'events:read',
    limit: 'requests',
    responses: { 200: { description: 'The keys of the organization’s log and of the deployment’s.', schema: AuditKeysBody } },
    handle: (services, { principal }) => keysOf(services, logOf(principal)),
  }),
  route({
    method: 'GET',
    path: '/v1/events/{event_id}/proof',
    operationId: 'proveEvent',
    tag,
    summary: 'Prove that an event is in the log',
    description:
      'A kilobyte that anybody can check without this service. As `text/plain` it is a proof file (c2sp.org/tlog-proof). Waits for the log, which is a second behind the trail at most.',
    access: 'events:read',
    limit: 'requests',
    produces: ['application/json', 'text/plain'],
    params: Type.Object({ event_id: Type.String({ maxLength: 64, description: 'The event’s id, `evt_…`.' }) }),
    query: ProofQuery,
    responses: { 200: { description: 'The proof.', schema: ProofBody } },
    async handle(services, { principal, params, query, mediaType, recheck }) {
      // Test credentials see no events.
      const id = principal.mode === 'test' ? null : parseId('evt', params.event_id);
      const proof = await proveEvent(services, principal.organization.uuid, id, query.size, recheck);
      if (mediaType() === 'application/json') return presentProof(proof);
      return text(formatProofFile({ index: proof.index, proof: proof.hashes, checkpoint: proof.checkpoint.note }));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/audit/redactions',
    operationId: 'redactEvent',
    tag,
    summary: 'Erase values of an event',
    description:
      'For good: the values and their salts are deleted, the event’s leaf and every proof stay as they are. What was delivered or exported before is out of reach; deliveries that are still under way go on without the values. The trail keeps who did it and why, as `audit.redacted`.',
    access: 'admin:*',
    limit: 'requests',
    body: NewRedaction,
    responses: {
      201: { description: 'The values are erased.', schema: RedactionBody },
      404: { description: '`not_found`: there is no such event in this organization.', schema: ErrorResponse },
      409: {
        description: '`conflict`: a field is not there, or erased already; or the event is not what its leaf in the log says.',
        schema: ErrorResponse,
      },
    },
    handle: redactEvent,
    replay: (services, call, resourceId) => findRedaction(services, call, resourceId),
  }),
];

function answerCheckpoint(call: Pick<Call, 'header' | 'setHeader' | 'setStatus'>, { note }: PublishedCheckpoint) {
  const etag = `"${hash('sha256', note, 'base64url')}"`;
  call.setHeader('etag', etag);
  call.setHeader('cache-control', 'private, no-cache');
  call.setHeader('vary', VARY);
  const known = call.header('if-none-match');
  if (known === undefined || !matchesTag(known, etag)) return text(note);
  call.setStatus(304);
  return undefined;
}

function presentProof({ leaf, index, hash: leafHash, hashes, checkpoint }: EventProof) {
  return {
    event_id: leaf.event.id,
    sequence: leaf.event.sequence,
    leaf_index: index,
    leaf_hash: base64(leafHash),
    leaf_matches: leaf.hash.equals(leafHash),
    envelope: leaf.text,
    disclosures: shownDisclosures(leaf).map(({ disclosed }) => disclosed),
    erased: [...leaf.erased],
    tree_size: checkpoint.size,
    root: base64(checkpoint.root),
    hashes: hashes.map(base64),
    checkpoint: checkpoint.note,
  };
}

async function keysOf({ db, trailKeys, clock }: Services, orgId: Buffer) {
  const deployment = await readDeployment(db);
  const nowMs = clock();
  const of = (log: Buffer) => {
    const origin = originOf(deployment, log);
    return { origin, keys: trailKeys.verifiers(origin).map((key) => presentKey(key, nowMs)) };
  };
  return { ...of(orgId), deployment: of(DEPLOYMENT_LOG) };
}

function presentKey({ vkey, createdAtMs, replacedAtMs, retiredAtMs }: TrailVerifier, nowMs: number) {
  const isRetired = retiredAtMs !== null && retiredAtMs <= nowMs;
  return {
    verifier_key: vkey,
    status: isRetired ? 'retired' : replacedAtMs === null ? 'active' : 'overlap',
    created_at: isoTime(createdAtMs),
    replaced_at: replacedAtMs === null ? null : isoTime(replacedAtMs),
    retired_at: retiredAtMs === null ? null : isoTime(retiredAtMs),
  };
}

function base64(hash: Buffer): string {
  return hash.toString('base64');
}
