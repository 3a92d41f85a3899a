// Wire shapes of single sign-on.

import { Type, type Static } from 'typebox';
import { ROLES } from '../access/scopes.ts';
import { isoTime, Line, Nullable, Time } from '../http/schemas.ts';
import type { SsoSettings } from './store.ts';

const GROUPS_MAX = 500;
const REQUIRED_CLAIMS_MAX = 20;

const SETTINGS = {
  issuer: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description:
      'The identity provider, exactly as its tokens name it (`iss`). Its discovery document is read when this is stored.',
    examples: ['https://login.example.com/tenant'],
  }),
  client_id: Line(300, 'The client that stands for this service at the identity provider.'),
  groups_claim: Line(200, 'The claim that lists a user’s groups.', { minLength: 1 }),
  roles: Type.Record(Type.String({ minLength: 1, maxLength: 300 }), Type.Enum([...ROLES]), {
    maxProperties: GROUPS_MAX,
    description:
      'The role of each group. Who is in several has the highest; who is in none is refused, unless there is a `default_role`.',
  }),
  default_role: Nullable(Type.Enum([...ROLES], { description: 'The role of who is in none of the groups. Needs `require`.' })),
  require: Type.Record(
    Type.String({ minLength: 1, maxLength: 200 }),
    Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean()]),
    {
      maxProperties: REQUIRED_CLAIMS_MAX,
      description: 'Claims that a token must have with exactly this value, or, where the claim is a list, in it.',
    },
  ),
};

export const PutSso = Type.Object(
  {
    issuer: SETTINGS.issuer,
    client_id: SETTINGS.client_id,
    client_secret: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'For a sign-in through this service. Absent: the stored one stays, if issuer and client do. Null: none.',
        }),
      ),
    ),
    groups_claim: Type.Optional(SETTINGS.groups_claim),
    roles: SETTINGS.roles,
    default_role: Type.Optional(SETTINGS.default_role),
    require: Type.Optional(SETTINGS.require),
  },
  { additionalProperties: false, title: 'PutSso' },
);
export type PutSso = Static<typeof PutSso>;

export const SsoBody = Type.Object(
  {
    ...SETTINGS,
    has_client_secret: Type.Boolean({ description: 'Whether one is stored. It is never answered.' }),
    redirect_uri: Type.String({ description: 'To be registered at the identity provider.' }),
    updated_at: Time('When this was last changed.'),
    updated_by: Type.String({ description: 'By whom.' }),
  },
  { title: 'Sso' },
);

/** Settings as the API shows them: without the secret. */
export function presentSso(settings: SsoSettings, redirectUri: string): Static<typeof SsoBody> {
  return {
    issuer: settings.issuer,
    client_id: settings.clientId,
    groups_claim: settings.groupsClaim,
    roles: { ...settings.roles },
    default_role: settings.defaultRole,
    require: { ...settings.require },
    has_client_secret: settings.sealedClientSecret !== null,
    redirect_uri: redirectUri,
    updated_at: isoTime(settings.updatedAtMs),
    updated_by: settings.updatedBy,
  };
}
