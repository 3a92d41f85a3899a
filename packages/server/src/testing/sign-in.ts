// Sessions for tests that are not about signing in.

import type { Role } from '../access/scopes.ts';
import { newUuid, parseId } from '../ids.ts';
import { issueToken, startUserSession } from '../sessions/service.ts';
import type { Session } from '../sessions/store.ts';
import type { TestService } from './service.ts';

/** What a user holds after a sign-in. */
interface SignedIn {
  readonly session: Session;
  /** The session token. */
  readonly token: string;
  /** A Cookie header. */
  readonly cookie: string;
  /** What writes by cookie carry. */
  readonly ownPage: Readonly<Record<'origin' | 'x-svc-csrf', string>>;
}

/** Opens a user's session in the first organization, as the service does once the identity provider has vouched for him. */
export async function signIn({ services, organization }: TestService, role: Role): Promise<SignedIn> {
  const user = {
    orgId: organization.uuid,
    subject: `a ${role}`,
    name: role,
    role,
    issuer: 'https://login.example.com',
    idTokenDigest: newUuid(),
  };
  const session = (await startUserSession(services, user, '127.0.0.1', async () => true))!;
  const { token } = await issueToken(services, organization.id, { ...session, subject: user.subject });
  const { cookies } = services;
  return {
    session,
    token,
    cookie: `${cookies.nameOf('session')}=${cookies.seal(organization.uuid, parseId('ses', session.id)!)}`,
    ownPage: { origin: cookies.origin, 'x-svc-csrf': cookies.csrfToken(session.id) },
  };
}
