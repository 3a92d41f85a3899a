// Sign-in of the dashboard: authorization code with PKCE, run by the server. What must be remembered meanwhile is in a sealed cookie of the
// browser that began it, so that no one else can finish it and any node can.

import { AppError, invalid } from '../http/errors.ts';
import { acceptedType } from '../http/media-type.ts';
import type { Call } from '../http/route.ts';
import { parseId } from '../ids.ts';
import type { Services } from '../services.ts';
import { sessionCookie } from '../sessions/service.ts';
import { beginSignIn, exchangeCode, SignInFailed } from './authorization-code.ts';
import { IssuerError } from './issuer.ts';
import { clientSecretOf, providerUnavailable, redirectUriOf, refused, signIn } from './service.ts';
import { findOnlySso, findSsoByOrganization, type SsoSettings } from './store.ts';

// Time to type a password and find the second factor.
const SIGN_IN_SECONDS_MAX = 600;
const PURPOSE = 'sign-in';

interface Pending {
  readonly organization: string;
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
  readonly expiresAtMs: number;
}

/** What a person at a browser is told of a sign-in that came to nothing; the reason is for the log. */
type Failure = 'again' | 'declined' | 'refused' | 'unavailable' | 'limited' | 'no_sso' | 'which_organization';

/** A refusal that tells the person more than its code does. */
class Told extends Error {
  readonly failure: Failure;
  readonly refusal: AppError;

  constructor(failure: Failure, refusal: AppError) {
    super(refusal.message, { cause: refusal });
    this.failure = failure;
    this.refusal = refusal;
  }
}

/** Sends the browser to the identity provider: answers the address. */
export function startSignIn(
  services: Services,
  call: Call,
  organization: string | undefined,
  returnTo: string | undefined,
): Promise<string> {
  return orBack(services, call, returnTo ?? '/', () => start(services, call, organization, returnTo ?? '/'));
}

async function start(services: Services, call: Call, organization: string | undefined, returnTo: string): Promise<string> {
  const settings = await settingsOf(services, organization);
  const { issuer, clientId, orgId } = settings;
  const begun = await beginSignIn(services.issuers, { issuer, clientId, redirectUri: redirectUriOf(services) }).catch(toAppError);
  const pending: Pending = {
    organization: orgId.toString('hex'),
    issuer,
    state: begun.state,
    nonce: begun.nonce,
    codeVerifier: begun.codeVerifier,
    returnTo,
    expiresAtMs: services.clock() + SIGN_IN_SECONDS_MAX * 1_000,
  };
  const sealed = services.vault.seal(PURPOSE, JSON.stringify(pending)).toString('base64url');
  call.setHeader('set-cookie', services.cookies.set('sign_in', sealed, SIGN_IN_SECONDS_MAX));
  return begun.url;
}

/** What the identity provider sends the browser back with (RFC 6749 §4.1.2, RFC 9207). */
export interface Callback {
  readonly code?: string;
  readonly state?: string;
  readonly iss?: string;
  readonly error?: string;
}

/**
 * Opens the session and answers where the browser goes on: to the page that wanted it, or to the sign-in with what to tell the person. Who does
 * not ask for a page gets `unauthorized`, as for everything that does not fit.
 */
export function finishSignIn(services: Services, call: Call, callback: Callback): Promise<string> {
  call.setHeader('set-cookie', services.cookies.set('sign_in', '', 0));
  const pending = pendingOf(services, call);
  return orBack(services, call, pending?.returnTo ?? '/', () => finish(services, call, callback, pending));
}

async function finish(services: Services, call: Call, callback: Callback, pending: Pending | null): Promise<string> {
  if (pending === null) throw new Told('again', refused(services, call, 'no sign-in was begun in this browser, or too long ago'));
  if (callback.state !== pending.state) throw new Told('again', refused(services, call, 'the state is another'));
  if (callback.iss !== undefined && callback.iss !== pending.issuer)
    throw refused(services, call, 'the answer is of another issuer');
  if (callback.code === undefined) throw new Told('declined', refused(services, call, 'the identity provider refused'));
  const orgId = Buffer.from(pending.organization, 'hex');
  const settings = await findSsoByOrganization(services.db, orgId);
  if (settings === null || settings.issuer !== pending.issuer) throw refused(services, call, 'the settings have changed');
  const idToken = await exchangeCode(services.issuers, services.egress, {
    issuer: settings.issuer,
    clientId: settings.clientId,
    clientSecret: clientSecretOf(services, settings),
    redirectUri: redirectUriOf(services),
    code: callback.code,
    codeVerifier: pending.codeVerifier,
  }).catch((err: unknown) => {
    if (err instanceof SignInFailed) throw refused(services, call, err.message);
    return toAppError(err);
  });
  const session = await signIn(services, call, settings, idToken, pending.nonce);
  call.setHeader('set-cookie', sessionCookie(services, orgId, session.id, session.expiresAtMs));
  return pending.returnTo;
}

/** A path of this host: nothing that a browser could take for another. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\');
}

/** Whoever asks for a page is led to the sign-in, which says what to do; programs get the refusal itself. */
async function orBack(services: Services, call: Call, returnTo: string, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (err) {
    const failure = failureOf(err);
    if (failure === null || !isForPage(call)) throw err instanceof Told ? err.refusal : err;
    services.log.info({ request_id: call.requestId, failure, err }, 'a browser was led back to the sign-in');
    const told = new URLSearchParams({ sign_in: failure, request: call.requestId, return_to: returnTo });
    return `/?${told.toString()}`;
  }
}

function isForPage(call: Call): boolean {
  return acceptedType(call.header('accept'), ['application/json', 'text/html']) === 'text/html';
}

/** `null`: nothing that a person could do something about. */
function failureOf(err: unknown): Failure | null {
  const refusal = err instanceof Told ? err.refusal : err;
  if (!(refusal instanceof AppError)) return null;
  switch (refusal.code) {
    case 'rate_limited':
      return 'limited';
    case 'unauthorized':
      return err instanceof Told ? err.failure : 'refused';
    case 'unavailable':
      return 'unavailable';
    case 'not_found':
      return 'no_sso';
    case 'invalid_request':
      return 'which_organization';
    default:
      return null;
  }
}

async function settingsOf({ db }: Services, organization: string | undefined): Promise<SsoSettings> {
  const orgId = organization === undefined ? null : parseId('org', organization);
  if (organization === undefined) {
    const only = await findOnlySso(db);
    if (only === null) throw invalid('/query/organization', 'is required: which organization is signed in to');
    return only;
  }
  const settings = orgId === null ? null : await findSsoByOrganization(db, orgId);
  if (settings === null) throw new AppError('not_found', 'This organization has no single sign-on.');
  return settings;
}

function pendingOf({ cookies, vault, clock }: Services, call: Call): Pending | null {
  const sealed = cookies.find('sign_in', call.header('cookie'));
  if (sealed === undefined) return null;
  try {
    const pending = JSON.parse(vault.open(PURPOSE, Buffer.from(sealed, 'base64url'))) as Pending;
    return pending.expiresAtMs > clock() ? pending : null;
  } catch {
    return null; // not sealed here
  }
}

function toAppError(err: unknown): never {
  throw err instanceof IssuerError || err instanceof SignInFailed ? providerUnavailable(err) : err;
}
