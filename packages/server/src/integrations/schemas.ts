// Wire shapes of integrations.

import { Type, type Static } from 'typebox';
import { Line } from '../http/schemas.ts';
import { formatId } from '../ids.ts';
import { Events, presentHealth, WebhookBody } from '../webhooks/schemas.ts';
import type { Endpoint } from '../webhooks/store.ts';
import { INTEGRATION_KINDS } from './adapter.ts';
import { ADAPTERS, adapterOf } from './registry.ts';

const CONFIGS = INTEGRATION_KINDS.map((kind) => ADAPTERS[kind].config);
const Name = Line(200, 'What it is for.');
/** Documented as one of the vendors' configs; which one it must be follows from `kind`, and is checked by that. */
const Config = Type.Unsafe<Record<string, unknown>>(
  Type.Union(CONFIGS, { description: 'What the vendor needs. Secret members are kept encrypted and never answered.' }),
);
const AnyConfig = Type.Object({}, { additionalProperties: true });

const create = <T extends typeof Config | typeof AnyConfig>(config: T) =>
  Type.Object(
    {
      kind: Type.Enum([...INTEGRATION_KINDS], { description: 'Where events go.' }),
      name: Name,
      events: Events,
      config,
    },
    { additionalProperties: false, title: 'CreateIntegration' },
  );
export const CreateIntegration = create(Config);
/** The same without the vendors' rules. */
export const CreateIntegrationEnvelope = create(AnyConfig);

const patch = <T extends typeof Config | typeof AnyConfig>(config: T) =>
  Type.Object(
    { name: Type.Optional(Name), events: Type.Optional(Events), config: Type.Optional(config) },
    { additionalProperties: false, minProperties: 1, title: 'PatchIntegration' },
  );
export const PatchIntegration = patch(Config);
export const PatchIntegrationEnvelope = patch(AnyConfig);

const { mode, status, failing_since, last_success_at, created_at, updated_at } = WebhookBody.properties;
export const IntegrationBody = Type.Object(
  {
    id: Type.String({ examples: ['int_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    kind: Type.Enum([...INTEGRATION_KINDS]),
    name: Type.String(),
    events: Type.Array(Type.String()),
    config: Type.Object({}, { additionalProperties: true, description: 'Without its secret members.' }),
    secrets: Type.Array(Type.String(), { description: 'Members of the config that are stored and never answered.' }),
    mode,
    status,
    failing_since,
    last_success_at,
    created_at,
    updated_at,
  },
  { title: 'Integration' },
);

export function presentIntegration(endpoint: Endpoint): Static<typeof IntegrationBody> {
  const { old_secret_until: _, ...health } = presentHealth(endpoint);
  const adapter = adapterOf(endpoint.kind);
  return {
    id: formatId('int', endpoint.uuid),
    kind: adapter.kind,
    name: endpoint.name!,
    events: [...endpoint.events],
    config: { ...endpoint.config },
    secrets: [...adapter.secrets],
    ...health,
  };
}
