// Rules of single sign-on: an organization's settings, and who may sign in with which role.

import { actorOf, type Principal } from '../access/principal.ts';
import { ROLES, type Role } from '../access/scopes.ts';
import { refuseCredential } from '../http/access-check.ts';
import { AppError, invalid } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { formatId, parseId } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import { endSessionsWithin, startUserSession } from '../sessions/service.ts';
import type { Transaction } from '../storage/database.ts';
import type { Session } from '../sessions/store.ts';
import { IdTokenRefused, peekIdToken, verifyIdToken, type IdTokenClaims } from './id-token.ts';
import { IssuerError } from './issuer.ts';
import type { PutSso } from './schemas.ts';
import { deleteSso, findSsoByOrganization, listSsoByClient, upsertSso, type SsoSettings } from './store.ts';

const GROUPS_CLAIM_DEFAULT = 'groups';
const NAME_CHARS_MAX = 200;

/** Where the identity provider sends browsers back to. */
export function redirectUriOf({ baseUrl }: Services): string {
  return `${baseUrl()}/v1/auth/sso/callback`;
}

/**
 * Stores how users sign in, with its `sso.updated` event. Whatever changes who may sign in, and as what, ends the sessions of all users.
 * Throws `invalid_request` for an issuer that cannot be reached or says it is another.
 */
export async function putSso(services: Services, principal: Principal, address: string, input: PutSso): Promise<SsoSettings> {
  const orgId = principal.organization.uuid;
  checkRules(input);
  await checkIssuer(services, input.issuer);
  const nowMs = services.clock();
  return services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, orgId);
    const previous = await findSsoByOrganization(tx, orgId);
    const settings: SsoSettings = {
      orgId,
      issuer: input.issuer,
      clientId: input.client_id,
      sealedClientSecret: sealedSecretOf(services, orgId, input, previous),
      groupsClaim: input.groups_claim ?? GROUPS_CLAIM_DEFAULT,
      roles: input.roles,
      defaultRole: input.default_role ?? null,
      require: input.require ?? {},
      updatedAtMs: nowMs,
      updatedBy: principal.id,
    };
    await upsertSso(tx, settings);
    const actor = actorOf(principal, address);
    const ended = isSameRule(settings, previous)
      ? 0
      : await endSessionsWithin(services, tx, orgId, 'users', actor, record, expire);
    record(changeEvent(orgId, 'sso.updated', actor, nowMs, { enabled: true, ...rulesOf(settings), sessions_ended: ended }));
    return settings;
  });
}

/** Ends single sign-on, and the sessions of all users. Again changes nothing. */
export async function removeSso(services: Services, principal: Principal, address: string): Promise<void> {
  const orgId = principal.organization.uuid;
  const nowMs = services.clock();
  await services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, orgId);
    if (!(await deleteSso(tx, orgId))) return;
    const actor = actorOf(principal, address);
    const ended = await endSessionsWithin(services, tx, orgId, 'users', actor, record, expire);
    record(changeEvent(orgId, 'sso.updated', actor, nowMs, { enabled: false, sessions_ended: ended }));
  });
}

/** The secret by which the service is known to the identity provider; `null`: a public client. */
export function clientSecretOf({ vault }: Services, { orgId, sealedClientSecret }: SsoSettings): string | null {
  return sealedClientSecret === null ? null : vault.open(secretPurpose(orgId), sealedClientSecret);
}

/** Opens a session for the user of an ID token. Throws `unauthorized`, or `rate_limited` for an address that fails too often. */
export async function signInByIdToken(
  services: Services,
  call: Call,
  idToken: string,
): Promise<{ organizationId: string; session: Session }> {
  const settings = await settingsFor(services, idToken, call.header('x-svc-org-id'));
  if (settings === null) throw refused(services, call, 'no organization signs in with this issuer and client, or several do');
  const session = await signIn(services, call, settings, idToken, undefined);
  return { organizationId: formatId('org', settings.orgId), session };
}

/** Opens a session by the rules of one organization. `nonce`: of a sign-in that the service began. */
export async function signIn(
  services: Services,
  call: Call,
  settings: SsoSettings,
  idToken: string,
  nonce: string | undefined,
): Promise<Session> {
  const { issuer, clientId, orgId } = settings;
  const rules = { issuer, clientId, ...(nonce === undefined ? {} : { nonce }) };
  const token = await verifyIdToken(services.issuers, rules, idToken, services.clock()).catch((err: unknown) => {
    if (err instanceof IdTokenRefused) throw refused(services, call, err.message);
    throw err instanceof IssuerError ? providerUnavailable(err) : err;
  });
  const role = roleOf(settings, token.claims);
  if (role === null) throw refused(services, call, 'the user has no role');
  const user = { orgId, subject: token.subject, name: nameOf(token), role, issuer, idTokenDigest: token.digest };
  // The provider may have taken seconds to answer: what was judged by must still be the rule.
  const isStillRule = async (tx: Transaction) => isSameRule(settings, await findSsoByOrganization(tx, orgId));
  const session = await startUserSession(services, user, call.address, isStillRule);
  if (session === null) throw refused(services, call, 'the token was used before, or the settings have changed');
  return session;
}

/** A sign-in that is refused, in the words of every refused credential; the reason is for the log. */
export function refused(services: Services, call: Pick<Call, 'address' | 'setHeader' | 'requestId'>, reason: string): AppError {
  services.log.info({ request_id: call.requestId, reason }, 'a sign-in was refused');
  return refuseCredential(services, call.address, 'unauthorized', call.setHeader);
}

/** The identity provider does not answer, or not as it must. */
export function providerUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The identity provider does not answer as it must. Repeat the sign-in in a moment.', {
    headers: { 'retry-after': '5' },
    cause,
  });
}

async function settingsFor({ db }: Services, idToken: string, orgHeader: string | undefined): Promise<SsoSettings | null> {
  const token = peekIdToken(idToken);
  const orgId = orgHeader === undefined ? null : parseId('org', orgHeader);
  if (token === null || (orgHeader !== undefined && orgId === null)) return null;
  const matching = await listSsoByClient(db, token.issuer, token.audiences, orgId);
  return matching.length === 1 ? matching[0]! : null;
}

/** The highest role that the user's groups give; `null`: none, or a required claim is missing. */
function roleOf(settings: SsoSettings, claims: IdTokenClaims['claims']): Role | null {
  const isLetIn = Object.entries(settings.require).every(([name, value]) => listOf(claims[name]).includes(value));
  if (!isLetIn) return null;
  const groups = new Set(listOf(claims[settings.groupsClaim]));
  const held = new Set(Object.entries(settings.roles).flatMap(([group, role]) => (groups.has(group) ? [role] : [])));
  return ROLES.findLast((role) => held.has(role)) ?? settings.defaultRole;
}

function listOf(claim: unknown): unknown[] {
  return Array.isArray(claim) ? claim : [claim];
}

/** What people call the user. */
function nameOf({ claims, subject }: IdTokenClaims): string {
  const names = [claims['email'], claims['name'], claims['preferred_username'], subject];
  const name = names.find((value): value is string => typeof value === 'string' && /^[^\p{C}]+$/u.test(value));
  return (name ?? subject).slice(0, NAME_CHARS_MAX);
}

function checkRules({ roles, default_role: defaultRole, require }: PutSso): void {
  const hasDefault = defaultRole !== undefined && defaultRole !== null;
  if (hasDefault && Object.keys(require ?? {}).length === 0)
    throw invalid('/default_role', 'needs require: without it everyone at the identity provider could sign in');
  if (!hasDefault && Object.keys(roles).length === 0)
    throw invalid('/roles', 'must give at least one group a role, unless there is a default_role');
}

async function checkIssuer(services: Services, issuer: string): Promise<void> {
  const fault = await services.egress.refusalOf(issuer);
  if (fault !== null) throw invalid('/issuer', fault);
  try {
    await services.issuers.discover(issuer);
  } catch (err) {
    if (!(err instanceof IssuerError)) throw err;
    services.log.info({ err }, 'an issuer could not be read');
    throw invalid('/issuer', 'does not answer /.well-known/openid-configuration with the metadata of this very issuer');
  }
}

function sealedSecretOf({ vault }: Services, orgId: Buffer, input: PutSso, previous: SsoSettings | null): Buffer | null {
  if (typeof input.client_secret === 'string') return vault.seal(secretPurpose(orgId), input.client_secret);
  if (input.client_secret === null) return null;
  // A secret is not sent to another provider than the one it was given for.
  const isSameClient = previous?.issuer === input.issuer && previous.clientId === input.client_id;
  return isSameClient ? previous.sealedClientSecret : null;
}

const secretPurpose = (orgId: Buffer) => `sso client secret of ${formatId('org', orgId)}`;

/** Who may sign in and as what. */
function rulesOf({ issuer, clientId, groupsClaim, roles, defaultRole, require }: SsoSettings) {
  return { issuer, client_id: clientId, groups_claim: groupsClaim, roles, default_role: defaultRole, require };
}

function isSameRule(settings: SsoSettings, previous: SsoSettings | null): boolean {
  return previous !== null && JSON.stringify(rulesOf(settings)) === JSON.stringify(rulesOf(previous));
}
