// From what a request presents (an API key, a session token, a cookie) to a principal. Nearly always answered from memory, which holds no
// longer than what it says is true: the change feed ends it.

import { hash } from 'node:crypto';
import { parseId } from '../ids.ts';
import type { ChangeFeed } from '../journal/change-feed.ts';
import type { SessionCookies } from '../sessions/cookies.ts';
import { TOKEN_SECONDS, type SessionTokens } from '../sessions/tokens.ts';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { parseKey } from './key-format.ts';
import type { Peppers } from './peppers.ts';
import type { Principal } from './principal.ts';
import { findKeyCredential, findSessionCredential, rekeyApiKey, touchApiKeys, type Credential } from './store.ts';

/** Why a credential is refused. All but an expired session token are refused in the same words. */
export type Refusal = 'unauthorized' | 'token_expired';
export type Verdict = Principal | Refusal;

/** What a request presents. `value` is a secret. */
export interface Presented {
  readonly by: 'bearer' | 'cookie';
  readonly value: string;
}

const ENTRIES_MAX = 100_000;
// Keys that do not exist: a misconfigured client asks again and again, and a guesser must not push out those that do.
const UNKNOWN_MAX = 10_000;
const UNKNOWN_MS = 5_000;
// Changes are told of by the feed; but what an operator changes in the database by hand must hold some day too.
const ENTRY_MS_MAX = 60_000;
const REREAD_MS = 50_000;
const TOUCH_INTERVAL_MS = 10_000;
// Ten times what a session token with every scope takes.
const AUTHORIZATION_CHARS_MAX = 8_192;

interface Entry {
  readonly credential: Credential;
  readonly whenExpired: Refusal;
  /** Of the monotonic clock. */
  readonly readAtMs: number;
}

function entryOf(credential: Credential, whenExpired: Refusal): Entry {
  return { credential, whenExpired, readAtMs: performance.now() };
}

export class Authenticator {
  readonly #db: Database;
  readonly #changes: ChangeFeed;
  readonly #peppers: Peppers;
  readonly #tokens: SessionTokens;
  readonly #cookies: SessionCookies;
  readonly #log: Logger;
  /** By name, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Names of the entries that hang on a subject. */
  readonly #bySubject = new Map<string, Set<string>>();
  /** Names of keys that do not exist, with the monotonic time until which that is believed. */
  readonly #unknown = new Map<string, number>();
  readonly #reading = new Map<string, Promise<Entry | Refusal>>();
  readonly #used = new Map<string, { orgId: Buffer; keyId: Buffer; atMs: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Database, changes: ChangeFeed, peppers: Peppers, tokens: SessionTokens, cookies: SessionCookies, log: Logger) {
    this.#db = db;
    this.#changes = changes;
    this.#peppers = peppers;
    this.#tokens = tokens;
    this.#cookies = cookies;
    this.#log = log;
    changes.onChange((subject) => this.#forget(subject));
    this.#timer = setInterval(() => void this.#touch(), TOUCH_INTERVAL_MS).unref();
  }

  /** The answer when it is known without asking the database; `undefined`: ask `resolve`. */
  lookUp(presented: Presented | null, nowMs: number): Verdict | undefined {
    if (presented === null) return 'unauthorized';
    if (!this.#changes.isCurrent) return isWellFormed(presented) ? undefined : 'unauthorized';
    const name = nameOf(presented);
    const entry = this.#entries.get(name);
    if (entry !== undefined) {
      const ageMs = performance.now() - entry.readAtMs;
      if (ageMs < REREAD_MS) return this.#admit(entry, nowMs);
      // Read again beside the requests, so that none waits for it.
      if (ageMs < ENTRY_MS_MAX) {
        this.#readOnce(name, presented, nowMs).catch(() => {});
        return this.#admit(entry, nowMs);
      }
      this.#drop(name);
    }
    if ((this.#unknown.get(name) ?? -Infinity) > performance.now()) return 'unauthorized';
    return isWellFormed(presented) ? undefined : 'unauthorized';
  }

  /** The same, asking the database. Parallel calls for one credential share one read. Throws `unavailable`. */
  async resolve(presented: Presented, nowMs: number): Promise<Verdict> {
    if (!isWellFormed(presented)) return 'unauthorized';
    await this.#changes.sync();
    const name = nameOf(presented);
    const entry = this.#entries.get(name) ?? (await this.#readOnce(name, presented, nowMs));
    return typeof entry === 'string' ? entry : this.#admit(entry, nowMs);
  }

  #readOnce(name: string, presented: Presented, nowMs: number): Promise<Entry | Refusal> {
    let reading = this.#reading.get(name);
    if (reading === undefined) {
      reading = this.#read(name, presented, nowMs).finally(() => this.#reading.delete(name));
      this.#reading.set(name, reading);
    }
    return reading;
  }

  /** Writes the times of last use. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#touch();
  }

  #admit({ credential, whenExpired }: Entry, nowMs: number): Verdict {
    if (credential.expiresAtMs <= nowMs) return whenExpired;
    const { principal, keyUuid } = credential;
    if (keyUuid !== null) this.#used.set(principal.key!.id, { orgId: principal.organization.uuid, keyId: keyUuid, atMs: nowMs });
    return principal;
  }

  async #read(name: string, presented: Presented, nowMs: number): Promise<Entry | Refusal> {
    const found = await this.#find(presented, nowMs);
    if (typeof found === 'string') {
      this.#drop(name);
      if (isKey(presented)) this.#keepUnknown(name);
      return found;
    }
    // What was read may have been changed since by a commit that has been applied here already: it must not come back.
    if (this.#changes.isOutdated(found.credential.subjects, found.credential.asOf)) return this.#read(name, presented, nowMs);
    this.#keep(name, found);
    return found;
  }

  #find(presented: Presented, nowMs: number): Promise<Entry | Refusal> {
    if (presented.by === 'cookie') return this.#findByCookie(presented.value);
    return isKey(presented) ? this.#findByKey(presented.value) : this.#findByToken(presented.value, nowMs);
  }

  async #findByKey(key: string): Promise<Entry | Refusal> {
    const credential = await findKeyCredential(this.#db, this.#peppers.digests(key));
    if (credential === null) return 'unauthorized';
    if (credential.pepper !== this.#peppers.current) {
      await rekeyApiKey(this.#db, credential.principal.organization.uuid, credential.keyUuid!, this.#peppers.digest(key));
    }
    return entryOf(credential, 'unauthorized');
  }

  async #findByToken(token: string, nowMs: number): Promise<Entry | Refusal> {
    const claims = await this.#tokens.verify(token, nowMs);
    if (typeof claims === 'string') return claims;
    const orgId = parseId('org', claims.org);
    const sessionId = parseId('ses', claims.sid);
    const credential = orgId === null || sessionId === null ? null : await findSessionCredential(this.#db, orgId, sessionId);
    if (credential === null) return 'unauthorized';
    // The token ends at its own time, also where the session goes on or has come to its end before.
    const expiresAtMs = Math.min(claims.exp * 1_000, nowMs + TOKEN_SECONDS * 1_000);
    return entryOf({ ...credential, expiresAtMs }, 'token_expired');
  }

  async #findByCookie(cookie: string): Promise<Entry | Refusal> {
    const session = this.#cookies.open(cookie);
    const credential = session === null ? null : await findSessionCredential(this.#db, session.orgId, session.sessionId);
    return credential === null ? 'unauthorized' : entryOf(credential, 'unauthorized');
  }

  #keep(name: string, entry: Entry): void {
    this.#drop(name);
    if (this.#entries.size >= ENTRIES_MAX) this.#drop(this.#entries.keys().next().value!);
    this.#entries.set(name, entry);
    for (const subject of entry.credential.subjects) {
      const names = this.#bySubject.get(subject);
      if (names === undefined) this.#bySubject.set(subject, new Set([name]));
      else names.add(name);
    }
  }

  #keepUnknown(name: string): void {
    if (this.#unknown.size >= UNKNOWN_MAX) this.#unknown.delete(this.#unknown.keys().next().value!);
    this.#unknown.delete(name); // re-inserted at the end: the oldest is the first
    this.#unknown.set(name, performance.now() + UNKNOWN_MS);
  }

  #drop(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    for (const subject of entry.credential.subjects) {
      const names = this.#bySubject.get(subject);
      names?.delete(name);
      if (names?.size === 0) this.#bySubject.delete(subject);
    }
  }

  /** Every credential is read again when it is next used. */
  forgetAll(): void {
    this.#entries.clear();
    this.#bySubject.clear();
    this.#unknown.clear();
  }

  #forget(subject: string | null): void {
    if (subject === null) return this.forgetAll();
    for (const name of this.#bySubject.get(subject) ?? []) this.#drop(name);
  }

  async #touch(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses = [...this.#used.values()];
    this.#used.clear();
    await touchApiKeys(this.#db, uses).catch((err: unknown) => this.#log.warn({ err }, 'times of last use could not be written'));
  }
}

/** What a request presents: the Authorization header (RFC 6750 §2.1; the scheme's case does not matter), else the cookie. */
export function presentedBy(authorization: string | undefined, cookie: string | undefined): Presented | null {
  if (authorization !== undefined) {
    if (authorization.length > AUTHORIZATION_CHARS_MAX || authorization.slice(0, 7).toLowerCase() !== 'bearer ') return null;
    return { by: 'bearer', value: authorization.slice(7).trim() };
  }
  return cookie === undefined ? null : { by: 'cookie', value: cookie };
}

function isKey({ by, value }: Presented): boolean {
  return by === 'bearer' && value.startsWith('svc_');
}

/** A typo, or a scanner's noise, is refused without a look-up. */
function isWellFormed(presented: Presented): boolean {
  if (presented.by === 'cookie') return true;
  return isKey(presented) ? parseKey(presented.value) !== null : /^[\w-]+\.[\w-]+\.[\w-]+$/.test(presented.value);
}

/** By what an entry is found: not the secret itself, which is kept nowhere. SHA-256 is enough for 190 random bits, and takes a third of an HMAC. */
function nameOf({ by, value }: Presented): string {
  return hash('sha256', by === 'bearer' ? value : `cookie ${value}`, 'base64');
}
