// A stand-in for the service, for tests that need it to misbehave: signs policies, counts what arrives, and fails as it is told.

import { canonicalJson, DETECTOR_VERSIONS, policyDigest, type PolicyDocument } from '@svc/engine';
import type { TelemetryEvent } from '@svc/telemetry';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { PolicyBundle } from '../policy/bundle.ts';

type Json = ReturnType<typeof JSON.parse>;

export interface SigningKey {
  readonly key: KeyObject;
  readonly keyId: string;
  readonly publicKey: string;
}

export function newSigningKey(keyId = 'pk_test'): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return { key: privateKey, keyId, publicKey: raw.toString('base64') };
}

/** A bundle as the service makes it. */
export function signedBundle(
  { key, keyId, publicKey }: SigningKey,
  version: number,
  policy: PolicyDocument,
  times: { issuedAtMs?: number; expiresAtMs?: number } = {},
): PolicyBundle {
  const { issuedAtMs = Date.now(), expiresAtMs = issuedAtMs + 7 * 86_400_000 } = times;
  const members = {
    version,
    digest: policyDigest(policy),
    policy,
    detector_versions: DETECTOR_VERSIONS,
    issued_at: new Date(issuedAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
  };
  const value = sign(null, Buffer.from(`svc-policy-bundle-v1\n${canonicalJson(members)}`), key).toString('base64');
  return { ...members, signature: { algorithm: 'ed25519', key_id: keyId, public_key: publicKey, value } };
}

type Operation = 'telemetry' | 'heartbeat' | 'policy-sync';
type Fault = (res: ServerResponse, body: Json) => boolean;

export interface Desk {
  readonly url: string;
  /** Events that were taken, each id once. */
  readonly events: Map<string, TelemetryEvent>;
  /** Batches that were taken or not, by their events. */
  readonly batches: (readonly TelemetryEvent[])[];
  readonly heartbeats: Json[];
  readonly headers: IncomingHttpHeaders[];
  /** What policy-sync answers; `null`: 404. */
  bundle: unknown;
  /** Answers in place of the usual; false: the usual after all. */
  fault: ((operation: Operation) => Fault | null) | null;
  close(): Promise<void>;
}

export async function startDesk(bundle: unknown = null): Promise<Desk> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const text = (req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
      const operation = (req.url ?? '').split('/').at(-1) as Operation;
      desk.headers.push(req.headers);
      answer(operation, text === '' ? null : JSON.parse(text), req.headers, res);
    });
  });
  const desk: Omit<Desk, 'url' | 'close'> = { events: new Map(), batches: [], heartbeats: [], headers: [], bundle, fault: null };

  function answer(operation: Operation, body: Json, headers: IncomingHttpHeaders, res: ServerResponse): void {
    if (operation === 'telemetry') desk.batches.push(body.events);
    if (operation === 'heartbeat') desk.heartbeats.push(body);
    if (desk.fault?.(operation)?.(res, body) === true) return;
    if (operation === 'heartbeat') {
      const policy = desk.bundle as PolicyBundle | null;
      const known = policy === null ? {} : { policy: { version: policy.version, digest: policy.digest } };
      return reply(res, 200, { server_time: new Date().toISOString(), ...known, next_heartbeat_s: 30 });
    }
    if (operation === 'policy-sync') {
      if (desk.bundle === null) return reply(res, 404, { error: { code: 'not_found' } });
      const etag = `"${JSON.stringify(desk.bundle).length}-${(desk.bundle as PolicyBundle).signature?.value.slice(0, 16)}"`;
      if (headers['if-none-match'] === etag) return void res.writeHead(304).end();
      res.setHeader('etag', etag);
      return reply(res, 200, desk.bundle);
    }
    let duplicates = 0;
    for (const event of body.events as TelemetryEvent[]) {
      if (desk.events.has(event.id)) duplicates++;
      else desk.events.set(event.id, event);
    }
    return reply(res, 202, { accepted: body.events.length - duplicates, duplicates, rejected: [] });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(desk, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

export function reply(res: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
