// Wire shapes of sessions and their tokens.

import { Type, type Static } from 'typebox';
import { ROLES, SCOPES } from '../access/scopes.ts';
import { isoTime, Nullable, Time } from '../http/schemas.ts';
import type { Session } from './store.ts';

export const ExchangeToken = Type.Object(
  {
    sso_token: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description:
        'An ID token (OpenID Connect) of the organization’s identity provider, at most ten minutes old. It is good for one exchange.',
    }),
  },
  { additionalProperties: false, title: 'ExchangeToken' },
);

export const SessionToken = Type.Object(
  {
    token: Type.String({ description: 'The session token (JWT). Send it as `Authorization: Bearer`.' }),
    expires_at: Time('When the token expires: an hour after its issue.'),
  },
  { title: 'SessionToken' },
);

export const BrowserSession = Type.Object(
  {
    session_id: Type.String({ examples: ['ses_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    csrf_token: Type.String({ description: 'Send it as `X-Svc-CSRF` with every write that is made by cookie.' }),
    expires_at: Time('When the session ends.'),
  },
  { title: 'BrowserSession' },
);

export const SessionBody = Type.Object(
  {
    id: Type.String({ examples: ['ses_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    subject: Nullable(Type.String({ description: 'The user, as the identity provider names him; null: opened with a key.' })),
    name: Type.String({ description: 'The user’s e-mail address or name, or the key’s name.' }),
    role: Nullable(Type.Enum([...ROLES])),
    scopes: Type.Array(Type.Enum([...SCOPES])),
    key_id: Nullable(Type.String({ description: 'The key that opened it.' })),
    address: Type.String({ description: 'From where it was opened.' }),
    signed_in_at: Time('When it was opened.'),
    expires_at: Time('When it ends at the latest: twelve hours after the sign-in.'),
    ended_at: Nullable(Time('When it was ended before that.')),
  },
  { title: 'Session' },
);

/** A session as the API shows it. */
export function presentSession(session: Session): Static<typeof SessionBody> {
  return {
    id: session.id,
    subject: session.subject,
    name: session.name,
    role: session.role as Static<typeof SessionBody>['role'],
    scopes: [...session.scopes],
    key_id: session.keyId,
    address: session.address,
    signed_in_at: isoTime(session.signedInAtMs),
    expires_at: isoTime(session.expiresAtMs),
    ended_at: session.endedAtMs === null ? null : isoTime(session.endedAtMs),
  };
}
