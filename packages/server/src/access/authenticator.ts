// From the Authorization header to a principal. Nearly always answered from memory.

import { createHmac, createSecretKey, hash } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { parseKey } from './key-format.ts';
import { findCredentialByDigest, touchApiKeys, type Credential } from './store.ts';
import type { Principal } from './principal.ts';

// A revocation made on another node is seen when the entry is read again: while requests go on in the background, at the latest before the
// first one after a second.
const FRESH_MS = 1_000;
const REFRESH_MS = 400;
const ENTRIES_MAX = 100_000;
const TOUCH_INTERVAL_MS = 10_000;

interface Entry {
  readonly credential: Credential | null;
  /** Of the monotonic clock: a wall clock that goes back must not keep a revoked key alive. */
  readonly readAt: number;
}

export interface Authenticator {
  /** What is stored of a key. */
  digest(key: string): Buffer;
  /** The principal of a credential held in memory; `undefined`: ask `resolve`. `null`: refused. */
  lookUp(authorization: string | undefined, nowMs: number): Principal | null | undefined;
  /** The same, read from the database. Parallel calls for one key share one read. */
  resolve(authorization: string, nowMs: number): Promise<Principal | null>;
  /** Ends a key at once on this node. */
  forget(keyId: Buffer): void;
  /** Writes the times of last use. */
  close(): Promise<void>;
}

/** `pepper`: the 32 bytes under which digests are made. */
export function createAuthenticator(db: Database, pepper: Buffer, log: Logger): Authenticator {
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<Credential | null>>();
  const used = new Map<string, { orgId: Buffer; keyId: Buffer; atMs: number }>();
  // Reads that began before a revocation must not bring the key back.
  let revocations = 0;

  // A key object, made once: from bytes Node makes a new one for each HMAC, which takes ten times as long as the HMAC itself.
  const secret = createSecretKey(pepper);
  const digest = (key: string) => createHmac('sha256', secret).update(key).digest();

  function admit(credential: Credential | null, nowMs: number): Principal | null {
    if (credential === null || credential.expiresAtMs <= nowMs) return null;
    const { principal, keyId } = credential;
    used.set(principal.id, { orgId: principal.organization.uuid, keyId, atMs: nowMs });
    return principal;
  }

  async function read(name: string, bytes: Buffer): Promise<Credential | null> {
    const begun = revocations;
    const readAt = performance.now();
    const credential = await findCredentialByDigest(db, bytes);
    if (begun !== revocations) return read(name, bytes);
    if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!);
    entries.delete(name); // re-inserted at the end: the oldest entry is the first
    entries.set(name, { credential, readAt });
    return credential;
  }

  function readOnce(key: string): Promise<Credential | null> {
    const name = nameOf(key);
    let pending = reading.get(name);
    if (pending === undefined) {
      pending = read(name, digest(key)).finally(() => reading.delete(name));
      reading.set(name, pending);
    }
    return pending;
  }

  async function touch(): Promise<void> {
    if (used.size === 0) return;
    const uses = [...used.values()];
    used.clear();
    await touchApiKeys(db, uses).catch((err: unknown) => log.warn({ err }, 'times of last use could not be written'));
  }
  const timer = setInterval(() => void touch(), TOUCH_INTERVAL_MS).unref();

  return {
    digest,
    lookUp(authorization, nowMs) {
      const key = bearerOf(authorization);
      if (key === null) return null;
      const entry = entries.get(nameOf(key));
      const ageMs = entry === undefined ? Infinity : performance.now() - entry.readAt;
      if (ageMs >= REFRESH_MS && ageMs < FRESH_MS) readOnce(key).catch(() => {}); // the next request that must wait for it hears of a fault
      if (ageMs < FRESH_MS) return admit(entry!.credential, nowMs);
      return parseKey(key) === null ? null : undefined;
    },
    async resolve(authorization, nowMs) {
      return admit(await readOnce(bearerOf(authorization)!), nowMs);
    },
    forget(keyId) {
      revocations++;
      for (const [name, entry] of entries) if (entry.credential?.keyId.equals(keyId) === true) entries.delete(name);
    },
    async close() {
      clearInterval(timer);
      await touch();
    },
  };
}

/** By what an entry is found: not the key itself, which is kept nowhere. SHA-256 is enough for 190 random bits, and takes a third of an HMAC. */
function nameOf(key: string): string {
  return hash('sha256', key, 'base64');
}

/** RFC 6750 §2.1; the scheme's case does not matter. */
function bearerOf(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > 256) return null;
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : null;
}
