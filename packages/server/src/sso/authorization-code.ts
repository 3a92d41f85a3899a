// Sign-in by authorization code with PKCE: the way to the provider, and the code for an ID token (RFC 6749 §4.1, RFC 7636).

import { hash, randomBytes } from 'node:crypto';
import { IssuerError, parseObject, type HttpOut, type Issuers } from './issuer.ts';

const TIMEOUT_MS = 5_000;

// Three tokens of some kilobytes.
const ANSWER_BYTES_MAX = 65_536;

// RFC 7636 §7.1 asks for 256 bits.
const RANDOM_BYTES = 32;

/** A client of ours at a provider. `clientSecret`: `null` for a public client. */
export interface SignInClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly redirectUri: string;
}

/** Where to send the browser, and what to keep until it comes back. `codeVerifier` must not reach the browser. */
export interface SignInBeginning {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A sign-in that the provider refuses. `reason` is for the log; it holds neither code nor secret. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly reason: string;

  constructor(reason: string) {
    super(`the sign-in failed: ${reason}`);
    this.reason = reason;
  }
}

/** Begins a sign-in at the provider. Throws `IssuerError`. */
export async function beginSignIn(issuers: Issuers, client: Omit<SignInClient, 'clientSecret'>): Promise<SignInBeginning> {
  const { authorizationEndpoint, scopesSupported } = await issuers.discover(client.issuer);
  const [state, nonce, codeVerifier] = [randomText(), randomText(), randomText()];
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    // Some providers say who belongs to which group only when asked; others refuse a scope they do not know.
    scope: scopesSupported.includes('groups') ? 'openid profile email groups' : 'openid profile email',
    state,
    nonce,
    code_challenge: hash('sha256', codeVerifier, 'base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, nonce, codeVerifier };
}

/** Exchanges a code for the ID token, which is not verified yet. Throws `SignInFailed`, or `IssuerError` when the provider is not reached. */
export async function exchangeCode(
  issuers: Issuers,
  out: HttpOut,
  client: SignInClient & { readonly code: string; readonly codeVerifier: string },
): Promise<string> {
  const { tokenEndpoint, tokenEndpointAuthMethods } = await issuers.discover(client.issuer);
  const { headers, parameters } = authenticate(client, tokenEndpointAuthMethods);
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: client.code,
    redirect_uri: client.redirectUri,
    code_verifier: client.codeVerifier,
    ...parameters,
  });
  return idTokenOf(await post(out, tokenEndpoint, headers, body));
}

/** How the client proves who it is: RFC 6749 §2.3.1, by header if the provider takes that; a public client says its id only. */
function authenticate(
  { clientId, clientSecret }: SignInClient,
  methods: readonly string[],
): { headers: Readonly<Record<string, string>>; parameters: Readonly<Record<string, string>> } {
  if (clientSecret === null) return { headers: {}, parameters: { client_id: clientId } };
  if (methods.includes('client_secret_basic')) {
    const credentials = Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString('base64');
    return { headers: { authorization: `Basic ${credentials}` }, parameters: {} };
  }
  if (methods.includes('client_secret_post')) {
    return { headers: {}, parameters: { client_id: clientId, client_secret: clientSecret } };
  }
  throw new SignInFailed('the provider takes no client secret, neither by header nor in the body');
}

/** RFC 6749 §2.3.1 has id and secret encoded as a form encodes a value, so that a colon or a percent sign does not split them. */
function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

async function post(out: HttpOut, url: string, headers: Readonly<Record<string, string>>, body: URLSearchParams) {
  try {
    return await out.request({
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: body.toString(),
      timeoutMs: TIMEOUT_MS,
      bodyBytesMax: ANSWER_BYTES_MAX,
    });
  } catch (err) {
    throw new IssuerError(`${url} could not be reached: ${err instanceof Error ? err.message : 'unknown'}`, { cause: err });
  }
}

function idTokenOf({ status, body, isTruncated }: Awaited<ReturnType<HttpOut['request']>>): string {
  if (isTruncated) throw new SignInFailed(`the token endpoint answered with more than ${ANSWER_BYTES_MAX} bytes, or too slowly`);
  const answer = parseObject(body);
  if (status !== 200) throw new SignInFailed(`the token endpoint answered with status ${status}${errorCodeOf(answer)}`);
  const idToken = answer?.['id_token'];
  if (typeof idToken !== 'string') throw new SignInFailed('the token endpoint answered without an ID token');
  return idToken;
}

/** The code of RFC 6749 §5.2, if that is what it looks like: what else a provider writes stays out of the log. */
function errorCodeOf(answer: Readonly<Record<string, unknown>> | null): string {
  const code = answer?.['error'];
  return typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? ` (${code})` : '';
}

function randomText(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}
