// Single sign-on: an organization's settings, and the sign-in of browsers.

import { Type } from 'typebox';
import { invalid, notFound } from '../http/errors.ts';
import { route, type Route } from '../http/route.ts';
import { finishSignIn, isOwnPath, startSignIn } from './browser-sign-in.ts';
import { presentSso, PutSso, SsoBody } from './schemas.ts';
import { putSso, redirectUriOf, removeSso } from './service.ts';
import { findSsoByOrganization } from './store.ts';

const tag = 'Single sign-on';

export const ssoRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/organization/sso',
    operationId: 'getSso',
    tag,
    summary: 'Read how users sign in',
    access: 'admin:*',
    limit: 'requests',
    responses: { 200: { description: 'The settings, without the client secret.', schema: SsoBody } },
    async handle(services, { principal }) {
      const settings = await findSsoByOrganization(services.db, principal.organization.uuid);
      if (settings === null) throw notFound('single sign-on');
      return presentSso(settings, redirectUriOf(services));
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/organization/sso',
    operationId: 'putSso',
    tag,
    summary: 'Set how users sign in',
    description:
      'Replaces what was set before. Whatever changes who may sign in, and as what, ends the sessions of all users, who sign in again. The issuer’s discovery document must be readable from here.',
    access: 'admin:*',
    limit: 'requests',
    body: PutSso,
    responses: { 200: { description: 'The settings, without the client secret.', schema: SsoBody } },
    async handle(services, { principal, address, body }) {
      return presentSso(await putSso(services, principal, address, body), redirectUriOf(services));
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/organization/sso',
    operationId: 'deleteSso',
    tag,
    summary: 'End single sign-on',
    description: 'Ends the sessions of all users. Doing it again changes nothing.',
    access: 'admin:*',
    limit: 'requests',
    responses: {
      200: {
        description: 'There is none any more.',
        schema: Type.Object({ enabled: Type.Literal(false) }, { title: 'NoSso' }),
      },
    },
    async handle(services, { principal, address }) {
      await removeSso(services, principal, address);
      return { enabled: false as const };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/auth/sso/start',
    operationId: 'startSignIn',
    tag,
    summary: 'Sign a browser in at the identity provider',
    description: 'Sends the browser to the identity provider of the organization: authorization code with PKCE, state and nonce.',
    access: 'anonymous',
    limit: 'address',
    query: Type.Object(
      {
        organization: Type.Optional(
          Type.String({ maxLength: 64, description: 'The organization, `org_…`. Not needed where only one has single sign-on.' }),
        ),
        return_to: Type.Optional(
          Type.String({
            maxLength: 500,
            default: '/',
            description: 'Where the browser goes on after the sign-in: a path of the service.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: {
      302: {
        description: 'To the identity provider.',
        schema: null,
        headers: { Location: 'Its sign-in page.', 'Set-Cookie': 'The sign-in.' },
      },
    },
    async handle(services, call) {
      const { organization, return_to: returnTo } = call.query;
      if (returnTo !== undefined && !isOwnPath(returnTo))
        throw invalid('/query/return_to', 'must be a path of the service, such as /');
      call.setHeader('location', await startSignIn(services, call, organization, returnTo));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/auth/sso/callback',
    operationId: 'finishSignIn',
    tag,
    summary: 'Where the identity provider sends the browser back to',
    access: 'anonymous',
    limit: null,
    query: Type.Object({
      code: Type.Optional(Type.String({ maxLength: 4_096, description: 'The authorization code.' })),
      state: Type.Optional(Type.String({ maxLength: 500, description: 'As it was sent to the provider.' })),
      iss: Type.Optional(Type.String({ maxLength: 2_048, description: 'The issuer (RFC 9207).' })),
      error: Type.Optional(Type.String({ maxLength: 500, description: 'Why the provider refused.' })),
    }),
    responses: {
      302: {
        description: 'To where the sign-in was begun.',
        schema: null,
        headers: { Location: 'A path of the service.', 'Set-Cookie': 'The session.' },
      },
    },
    async handle(services, call) {
      call.setHeader('location', await finishSignIn(services, call, call.query));
    },
  }),
];
