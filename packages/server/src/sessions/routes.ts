// Session tokens, the dashboard's cookie, and the sessions of an organization.

import { Type } from 'typebox';
import { actorOf } from '../access/principal.ts';
import { notFound } from '../http/errors.ts';
import { pageById } from '../http/pagination.ts';
import { route, type Call, type Route } from '../http/route.ts';
import { isoTime, ListOf, PAGE_QUERY } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Services } from '../services.ts';
import { signInByIdToken } from '../sso/service.ts';
import { BrowserSession, ExchangeToken, presentSession, SessionBody, SessionToken } from './schemas.ts';
import { endAllSessions, endSession, issueToken, refreshToken, sessionCookie, startBrowserSession } from './service.ts';
import { listSessions } from './store.ts';

const tag = 'Sessions';
// The longest ID token, and a little: who has no credential yet takes no more memory than that.
const SIGN_IN_BODY_BYTES_MAX = 20_480;
const SessionParams = Type.Object({ session_id: Type.String({ maxLength: 64, description: 'The session’s id, `ses_…`.' }) });

const presentToken = ({ token, expiresAtMs }: { token: string; expiresAtMs: number }) => ({
  token,
  expires_at: isoTime(expiresAtMs),
});

const endOwn = (services: Services, { principal, address }: Call) =>
  endSession(services, principal, actorOf(principal, address), parseId('ses', principal.session!.id));

export const sessionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/.well-known/jwks.json',
    operationId: 'getSigningKeys',
    tag,
    summary: 'Read the keys that verify session tokens',
    description: 'A JSON Web Key Set (RFC 7517). A key that no longer signs stays until what it signed has expired.',
    access: 'public',
    limit: null,
    responses: {
      200: {
        description: 'The keys.',
        schema: Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }, { title: 'SigningKeys' }),
      },
    },
    handle: ({ signingKeys }) => signingKeys.jwks,
  }),
  route({
    method: 'POST',
    path: '/v1/auth/token',
    operationId: 'exchangeToken',
    tag,
    summary: 'Exchange an ID token of the identity provider for a session token',
    description:
      'The organization is the one whose single sign-on names the token’s issuer and client; where several do, `X-Svc-Org-Id` says which.',
    access: 'anonymous',
    limit: null,
    bodyBytesMax: SIGN_IN_BODY_BYTES_MAX,
    body: ExchangeToken,
    responses: { 200: { description: 'A session token.', schema: SessionToken } },
    async handle(services, call) {
      const { organizationId, session } = await signInByIdToken(services, call, call.body.sso_token);
      return presentToken(await issueToken(services, organizationId, { ...session, subject: session.subject! }));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/auth/token/refresh',
    operationId: 'refreshToken',
    tag,
    summary: 'Get a new session token before the present one expires',
    description: 'For the same session, until twelve hours after the sign-in. The present token stays good until it expires.',
    access: 'session',
    limit: 'requests',
    responses: { 200: { description: 'A new session token.', schema: SessionToken } },
    handle: async (services, { principal }) => presentToken(await refreshToken(services, principal)),
  }),
  route({
    method: 'DELETE',
    path: '/v1/auth/token',
    operationId: 'endToken',
    tag,
    summary: 'End the session of the session token in use',
    description: 'Every token of the session, and the dashboard’s cookie for it, is refused from this answer on.',
    access: 'session',
    limit: 'requests',
    responses: { 200: { description: 'The session that ended.', schema: SessionBody } },
    handle: async (services, call) => presentSession(await endOwn(services, call)),
  }),
  route({
    method: 'POST',
    path: '/v1/auth/session',
    operationId: 'openBrowserSession',
    tag,
    summary: 'Sign a browser in with an admin key or a session token',
    description:
      'Sets an HttpOnly cookie that stands for the key or the token. Writes by cookie must come from pages of the service.',
    access: 'any',
    limit: 'requests',
    responses: {
      201: { description: 'The session.', schema: BrowserSession, headers: { 'Set-Cookie': 'The session.' } },
    },
    async handle(services, { principal, address, setHeader }) {
      const { id, expiresAtMs } = await startBrowserSession(services, principal, address);
      setHeader('set-cookie', sessionCookie(services, principal.organization.uuid, id, expiresAtMs));
      return { session_id: id, csrf_token: services.cookies.csrfToken(id), expires_at: isoTime(expiresAtMs) };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/auth/session',
    operationId: 'getBrowserSession',
    tag,
    summary: 'Read the session in use, with its CSRF token',
    access: 'any',
    limit: 'requests',
    responses: { 200: { description: 'The session.', schema: BrowserSession } },
    handle({ cookies }, { principal: { session } }) {
      if (session === null) throw notFound('session');
      return {
        session_id: session.id,
        csrf_token: cookies.csrfToken(session.id),
        expires_at: isoTime(session.expiresAtMs),
      };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/auth/session',
    operationId: 'endBrowserSession',
    tag,
    summary: 'Sign out',
    access: 'any',
    limit: 'requests',
    responses: { 200: { description: 'The session that ended.', schema: SessionBody } },
    async handle(services, call) {
      if (call.principal.session === null) throw notFound('session');
      const session = await endOwn(services, call);
      call.setHeader('set-cookie', services.cookies.set('session', '', 0));
      return presentSession(session);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions',
    operationId: 'listSessions',
    tag,
    summary: 'List sessions',
    description: 'Newest first, ended ones included.',
    access: 'admin:*',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of sessions.', schema: ListOf(SessionBody, 'SessionList') } },
    handle: ({ db }, { principal: { organization }, query }) =>
      pageById(
        'ses',
        query,
        (before, limit) => listSessions(db, organization.uuid, before, limit),
        presentSession,
        ({ id }) => id,
      ),
  }),
  route({
    method: 'DELETE',
    path: '/v1/sessions',
    operationId: 'endSessions',
    tag,
    summary: 'End all sessions of the organization',
    description: 'Its tokens and cookies are refused on every node within a second. API keys stay as they are.',
    access: 'admin:*',
    limit: 'requests',
    responses: {
      200: {
        description: 'How many ended.',
        schema: Type.Object({ ended: Type.Integer({ description: 'Sessions that ended.' }) }, { title: 'EndedSessions' }),
      },
    },
    handle: async (services, { principal, address }) => ({
      ended: await endAllSessions(services, principal, actorOf(principal, address)),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/sessions/{session_id}',
    operationId: 'endSession',
    tag,
    summary: 'End a session',
    description: 'Its tokens and cookies are refused on every node within a second. Ending it again answers the same.',
    access: 'admin:*',
    limit: 'requests',
    params: SessionParams,
    responses: { 200: { description: 'The session, with `ended_at`.', schema: SessionBody } },
    async handle(services, { principal, address, params }) {
      const id = parseId('ses', params.session_id);
      return presentSession(await endSession(services, principal, actorOf(principal, address), id));
    },
  }),
];
