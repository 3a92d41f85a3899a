// An identity provider for tests: a real oidc-provider on a port of this machine, which people sign in to by plain HTTP.

import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
// @ts-expect-error The package has no types: what is used of it is declared below.
import { Provider } from 'oidc-provider';
// @ts-expect-error The same. Left to itself the provider uses the same adapter, with a warning.
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';

const DEFAULT_ACCOUNTS: Accounts = {
  ada: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', groups: ['engineering', 'governance'] },
  grace: { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper', groups: ['engineering'] },
};

// Signs all of RS* and PS*; the others sign what their curve says.
const KEY_KINDS = ['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

// For people at a browser.
const SIGN_IN_PAGE = `<!doctype html><html lang="en"><title>The provider</title>
<form><label>Name <input name="account"></label><button>Sign in</button></form>
<form><input type="hidden" name="cancel" value="1"><button>Cancel</button></form></html>`;

// A sign-in has three redirects.
const REDIRECTS_MAX = 10;

/** Claims of people, by the name they sign in with, which is also their `sub`. */
type Accounts = Readonly<Record<string, Claims>>;
type Claims = Readonly<Record<string, unknown>>;

/** How `signIdToken` writes a token. `keyId`: `null` leaves it out. */
interface SigningOptions {
  readonly algorithm?: string;
  readonly keyId?: string | null;
  readonly type?: string;
}

/** A provider that runs. Two people have an account unless told otherwise: `ada`, of two groups, and `grace`, of one of them. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly redirectUri: string;
  /** A client with a secret that needs encoding in a header. */
  readonly confidential: { readonly clientId: string; readonly clientSecret: string };
  /** A client without a secret. */
  readonly publicClient: { readonly clientId: string; readonly clientSecret: null };
  /** Signs a person in, as a browser without a session would; answers the redirect that brings the code. Throws for unknown people. */
  login(authorizationUrl: string, account: string): Promise<string>;
  /** Any token, signed by a current key. Claims not named are those of a good token for the public client; `undefined` leaves one out. */
  signIdToken(claims?: Claims, options?: SigningOptions): Promise<string>;
  /** Puts new keys in the place of the old ones. */
  rotateKeys(): Promise<void>;
  /** Cuts every connection, and every new one, until `start`. */
  stop(): void;
  start(): void;
  close(): Promise<void>;
}

/** Starts a provider with two clients that must use PKCE. `secretMethod`: the one way in which it takes a client secret. */
export async function startIdentityProvider({
  redirectUri = 'http://127.0.0.1/callback',
  accounts = DEFAULT_ACCOUNTS,
  secretMethod = 'client_secret_basic',
}: {
  redirectUri?: string;
  accounts?: Accounts;
  secretMethod?: 'client_secret_basic' | 'client_secret_post';
} = {}): Promise<IdentityProvider> {
  let handle: (req: IncomingMessage, res: ServerResponse) => void = (_, res) => res.writeHead(503).end();
  let isStopped = false;
  const server = createServer((req, res) => handle(req, res));
  server.on('connection', (socket) => void (isStopped && socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const confidential = { clientId: 'svc-confidential', clientSecret: 'a secret: 100% +&=' };
  const publicClient = { clientId: 'svc-public', clientSecret: null };
  const adapter: unknown = createMemoryAdapter(0); // outlives a rotation, as a database does
  let keys: readonly JWK[] = [];

  async function rotateKeys(): Promise<void> {
    keys = await Promise.all(KEY_KINDS.map(newKey));
    const clients = [
      { ...clientOf(confidential.clientId, redirectUri, secretMethod), client_secret: confidential.clientSecret },
      clientOf(publicClient.clientId, redirectUri, 'none'),
    ];
    handle = handlerOf(newProvider(issuer, { adapter, keys, clients, accounts, secretMethod }));
  }
  await rotateKeys();

  return {
    issuer,
    redirectUri,
    confidential,
    publicClient,
    login: (authorizationUrl, account) => login(issuer, authorizationUrl, account),
    signIdToken: (claims, options) => signIdToken(keys, { iss: issuer, aud: publicClient.clientId, ...claims }, options),
    rotateKeys,
    stop() {
      isStopped = true;
      server.closeAllConnections();
    },
    start() {
      isStopped = false;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What is used of the package's `Provider`. */
interface OidcProvider {
  callback(): (req: IncomingMessage, res: ServerResponse) => void;
  interactionFinished(req: IncomingMessage, res: ServerResponse, result: Interaction): Promise<void>;
  readonly Grant: new (of: { accountId: string; clientId: string }) => Grant;
}
type Interaction = { readonly login: { readonly accountId: string } } | { readonly error: string };
interface Grant {
  addOIDCScope(scopes: string): void;
  save(): Promise<string>;
}
interface OidcContext {
  readonly oidc: {
    readonly provider: OidcProvider;
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly params: { readonly scope: string };
  };
}

function newProvider(
  issuer: string,
  set: { adapter: unknown; keys: readonly JWK[]; clients: readonly object[]; accounts: Accounts; secretMethod: string },
): OidcProvider {
  const HOUR_SECONDS = 3_600;
  return new Provider(issuer, {
    adapter: set.adapter,
    jwks: { keys: set.keys },
    clients: set.clients,
    clientAuthMethods: [set.secretMethod, 'none'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims: false, // the claims of the scopes are in the ID token, as with most providers
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: OidcContext, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: (_: OidcContext, id: string) => {
      const claims = set.accounts[id];
      return claims === undefined ? undefined : { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
    loadExistingGrant: consent,
    renderError: (ctx: { body: unknown }, error: unknown) => void (ctx.body = error),
    ttl: {
      AccessToken: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: HOUR_SECONDS,
      Grant: HOUR_SECONDS,
    },
  }) as OidcProvider;
}

function clientOf(clientId: string, redirectUri: string, authMethod: string): Readonly<Record<string, unknown>> {
  return {
    client_id: clientId,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    require_auth_time: true,
  };
}

/** Consent is not asked for, as with a client of one's own company. */
async function consent({ oidc }: OidcContext): Promise<Grant> {
  const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
  grant.addOIDCScope(oidc.params.scope);
  await grant.save();
  return grant;
}

/** The sign-in page is ours: who opens it with a name is signed in under it, others are asked for one. All else is the provider's. */
function handlerOf(provider: OidcProvider): (req: IncomingMessage, res: ServerResponse) => void {
  const handle = provider.callback();
  return (req, res) => {
    const { pathname, searchParams } = new URL(req.url!, 'http://127.0.0.1');
    if (!pathname.startsWith('/sign-in/')) return handle(req, res);
    const account = searchParams.get('account');
    if (account === null && !searchParams.has('cancel')) return void res.setHeader('content-type', 'text/html').end(SIGN_IN_PAGE);
    const result = account === null ? { error: 'access_denied' } : { login: { accountId: account } };
    provider.interactionFinished(req, res, result).catch((err: unknown) => res.writeHead(500).end(String(err)));
  };
}

async function newKey(algorithm: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig' };
}

async function login(issuer: string, authorizationUrl: string, account: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(authorizationUrl);
  for (let i = 0; i < REDIRECTS_MAX; i++) {
    if (url.pathname.startsWith('/sign-in/')) url.searchParams.set('account', account);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const res = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const location = res.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${res.status} instead of a redirect: ${await res.text()}`);
    for (const line of res.headers.getSetCookie()) keepCookie(cookies, line);
    url = new URL(location, url);
    if (url.origin !== issuer) return url.href;
  }
  throw new Error(`the provider redirected more than ${REDIRECTS_MAX} times`);
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}

async function signIdToken(keys: readonly JWK[], claims: Claims, options: SigningOptions = {}): Promise<string> {
  const { algorithm = 'RS256', type = 'JWT' } = options;
  const key = keys.find((jwk) => isFor(jwk, algorithm))!;
  const { keyId = key.kid! } = options;
  const nowSeconds = Math.floor(Date.now() / 1_000);
  // JSON leaves out what is `undefined`.
  const payload = { sub: 'ada', iat: nowSeconds, exp: nowSeconds + 3_600, ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(payload)))
    .setProtectedHeader({ alg: algorithm, typ: type, ...(keyId === null ? {} : { kid: keyId }) })
    .sign(await importJWK(key, algorithm));
}

function isFor({ kty, crv }: JWK, algorithm: string): boolean {
  switch (algorithm.slice(0, 2)) {
    case 'ES':
      return crv === { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[algorithm];
    case 'Ed':
      return kty === 'OKP';
    default:
      return kty === 'RSA';
  }
}
