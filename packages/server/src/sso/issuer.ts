// What an identity provider says of itself: its metadata (OpenID Connect Discovery 1.0) and its signing keys (RFC 7517).

import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';

// A key that the provider has withdrawn is accepted no longer than this.
const FRESH_MS = 600_000;

// The last good documents outlive an outage of the provider by this: a working day, and not a holiday.
const LAST_GOOD_MS = 86_400_000;

// Tokens with made-up key ids make us ask a provider at most this often.
const UNKNOWN_KEY_MS = 30_000;

// A provider that has just failed is left alone this long, so that not every sign-in waits for its time-out.
const RETRY_MS = 5_000;

const TIMEOUT_MS = 5_000;

// Documents in the wild have up to 10 KiB.
const BODY_BYTES_MAX = 262_144;

// The largest providers publish about ten keys.
const KEYS_MAX = 100;

const URL_LENGTH_MAX = 2_048;
const SCOPES_MAX = 1_000;
const ISSUERS_MAX = 1_000;

/** The guarded way out. */
export interface HttpOut {
  request(request: {
    method: 'GET' | 'POST';
    url: string;
    headers?: Readonly<Record<string, string>>;
    body?: string;
    timeoutMs: number;
    bodyBytesMax: number;
  }): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: Buffer; isTruncated: boolean }>;
}

/** What we use of a provider's metadata (OpenID Connect Discovery 1.0 §3). The endpoints are absolute URLs, https if the issuer is. */
export interface IssuerMetadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly scopesSupported: readonly string[];
  /** `client_secret_basic` when the provider does not say. */
  readonly tokenEndpointAuthMethods: readonly string[];
}

/** A provider cannot be read, or says something that cannot be used. The message is for the log. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/** The providers, their documents kept for ten minutes, and for a day while a provider is down. At most 1 000 are held. */
export class Issuers {
  readonly #out: HttpOut;
  readonly #clock: () => number;
  /** The least recently used one first. */
  readonly #entries = new Map<string, Entry>();

  /** `clock`: milliseconds, of which only differences are used. */
  constructor(out: HttpOut, clock: () => number) {
    this.#out = out;
    this.#clock = clock;
  }

  /** The provider's metadata. Parallel calls share one request. Throws `IssuerError`. */
  discover(issuer: string): Promise<IssuerMetadata> {
    return this.#entryOf(issuer).metadata.get(FRESH_MS);
  }

  /**
   * Finds the provider's key for a token, for `jwtVerify`. A key id that is not in the set makes us read the set again, at most every 30 s.
   * The finder throws `IssuerError`, or what jose throws when not exactly one key fits.
   */
  keysOf(issuer: string): JWTVerifyGetKey {
    const { keys } = this.#entryOf(issuer);
    return async (header, token) => {
      const find = await keys.get(FRESH_MS);
      try {
        return await find(header, token);
      } catch (err) {
        if (!(err instanceof errors.JWKSNoMatchingKey)) throw err;
        return (await keys.get(UNKNOWN_KEY_MS))(header, token);
      }
    };
  }

  #entryOf(issuer: string): Entry {
    const entry = this.#entries.get(issuer) ?? this.#newEntry(issuer);
    this.#entries.delete(issuer);
    if (this.#entries.size >= ISSUERS_MAX) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(issuer, entry);
    return entry;
  }

  // jose's `createRemoteJWKSet` is not used: it reads a clock of its own, keeps no last good set, and does not follow a changed `jwks_uri`.
  #newEntry(issuer: string): Entry {
    const metadata = new Kept(async () => metadataOf(issuer, await this.#read(discoveryUrl(issuer))), this.#clock);
    const readKeys = async () => keySetOf(await this.#read((await metadata.get(FRESH_MS)).jwksUri));
    return { metadata, keys: new Kept(readKeys, this.#clock) };
  }

  async #read(url: string): Promise<Readonly<Record<string, unknown>>> {
    const request = { method: 'GET', url, headers: { accept: 'application/json' }, timeoutMs: TIMEOUT_MS } as const;
    const answer = await this.#out.request({ ...request, bodyBytesMax: BODY_BYTES_MAX }).catch((err: unknown) => {
      throw new IssuerError(`${url} could not be read: ${err instanceof Error ? err.message : 'unknown'}`, { cause: err });
    });
    if (answer.status !== 200) throw new IssuerError(`${url} answered with status ${answer.status}`);
    if (answer.isTruncated) throw new IssuerError(`${url} answered with more than ${BODY_BYTES_MAX} bytes, or too slowly`);
    const document = parseObject(answer.body);
    if (document === null) throw new IssuerError(`${url} did not answer with a JSON object`);
    return document;
  }
}

interface Entry {
  readonly metadata: Kept<IssuerMetadata>;
  readonly keys: Kept<JWTVerifyGetKey>;
}

/** A value that is read from afar, and kept. */
class Kept<T> {
  readonly #read: () => Promise<T>;
  readonly #clock: () => number;
  #good: { readonly value: T; readonly atMs: number } | null = null;
  #failed: { readonly err: unknown; readonly atMs: number } | null = null;
  #reading: Promise<T> | null = null;

  constructor(read: () => Promise<T>, clock: () => number) {
    this.#read = read;
    this.#clock = clock;
  }

  /** The value, at most `ageMsMax` old; when it cannot be read, the last good one of this day. */
  async get(ageMsMax: number): Promise<T> {
    if (this.#good !== null && this.#isWithin(ageMsMax, this.#good.atMs)) return this.#good.value;
    if (this.#failed !== null && this.#isWithin(RETRY_MS, this.#failed.atMs)) return this.#lastGood(this.#failed.err);
    this.#reading ??= this.#readNow().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readNow(): Promise<T> {
    const atMs = this.#clock();
    try {
      const value = await this.#read();
      this.#good = { value, atMs };
      this.#failed = null;
      return value;
    } catch (err) {
      this.#failed = { err, atMs: this.#clock() };
      return this.#lastGood(err);
    }
  }

  #lastGood(err: unknown): T {
    if (this.#good !== null && this.#isWithin(LAST_GOOD_MS, this.#good.atMs)) return this.#good.value;
    throw err;
  }

  /** A clock that went back makes a value old, not young for long. */
  #isWithin(ms: number, atMs: number): boolean {
    const ageMs = this.#clock() - atMs;
    return ageMs >= 0 && ageMs < ms;
  }
}

/** A final slash of the issuer is left out (OpenID Connect Discovery 1.0 §4.1). */
function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

function metadataOf(issuer: string, document: Readonly<Record<string, unknown>>): IssuerMetadata {
  // Exact, or one provider could speak for another (OpenID Connect Discovery 1.0 §4.3).
  if (document['issuer'] !== issuer) throw new IssuerError(`${discoveryUrl(issuer)} is the metadata of another issuer`);
  return {
    authorizationEndpoint: endpointOf(issuer, document, 'authorization_endpoint'),
    tokenEndpoint: endpointOf(issuer, document, 'token_endpoint'),
    jwksUri: endpointOf(issuer, document, 'jwks_uri'),
    scopesSupported: textsOf(document['scopes_supported']) ?? [],
    tokenEndpointAuthMethods: textsOf(document['token_endpoint_auth_methods_supported']) ?? ['client_secret_basic'],
  };
}

function endpointOf(issuer: string, document: Readonly<Record<string, unknown>>, name: string): string {
  const value = document[name];
  const url = typeof value === 'string' && value.length <= URL_LENGTH_MAX ? URL.parse(value) : null;
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new IssuerError(`${name} of ${issuer} is missing or not a URL that can be used`);
  }
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && issuer.startsWith('http:'));
  if (!isSecure) throw new IssuerError(`${name} of ${issuer} is not https`);
  return url.href;
}

function textsOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  return value.slice(0, SCOPES_MAX).filter((entry) => typeof entry === 'string');
}

function keySetOf(document: Readonly<Record<string, unknown>>): JWTVerifyGetKey {
  const keys = document['keys'];
  if (!Array.isArray(keys) || keys.length > KEYS_MAX) throw new IssuerError(`a key set has no list of at most ${KEYS_MAX} keys`);
  try {
    return createLocalJWKSet({ keys });
  } catch (err) {
    throw new IssuerError('a key set has entries that are no keys', { cause: err });
  }
}

/** The JSON object of a body, or `null`. */
export function parseObject(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
