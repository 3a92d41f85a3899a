// Rules of integrations: endpoints whose config is a vendor's.

import { createSchemaChecker } from '@svc/engine';
import { secretPurpose } from '../delivery/attempt.ts';
import { AppError, type ErrorDetail } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { uuidText } from '../ids.ts';
import type { Services } from '../services.ts';
import { changeEndpoint, checkUrl, createEndpoint, getEndpoint, scopeOf } from '../webhooks/service.ts';
import type { Endpoint } from '../webhooks/store.ts';
import { INTEGRATION_KINDS, type Adapter } from './adapter.ts';
import { ADAPTERS, adapterOf } from './registry.ts';

type Config = Readonly<Record<string, unknown>>;

const CHECKERS = new Map(INTEGRATION_KINDS.map((kind) => [kind, createSchemaChecker(ADAPTERS[kind].config)] as const));

/** Makes an integration, with its event. Throws `invalid_request` for a config that the vendor would not take. */
export async function createIntegration(
  services: Services,
  call: Call,
  input: { kind: Adapter['kind']; name: string; events: readonly string[]; config: Config },
): Promise<Endpoint> {
  const { kind, name, events, config } = input;
  const adapter = adapterOf(kind);
  await checkConfig(services, adapter, config);
  const { open, secret } = split(adapter, config);
  return createEndpoint(services, call, {
    kind,
    name,
    description: null,
    url: null,
    config: open,
    events,
    secret: JSON.stringify(secret),
  });
}

/**
 * Changes an integration. Members of the config that are absent stay as they are, but for the secrets of another address: they are not sent to
 * one they were not given for.
 */
export async function patchIntegration(
  services: Services,
  call: Call,
  id: Buffer | null,
  input: { name?: string; events?: readonly string[]; config?: Config },
): Promise<Endpoint> {
  const scope = scopeOf(call.principal, 'integration');
  const before = await getEndpoint(services, scope, id);
  const adapter = adapterOf(before.kind);
  const stored = wholeConfig(services, before);
  const config = { ...stored, ...input.config };
  if (input.config !== undefined) {
    await checkConfig(services, adapter, config);
    refuseForeignSecrets(adapter, stored, config, input.config);
  }
  const { open, secret } = split(adapter, config);
  return changeEndpoint(services, call, scope, id, (endpoint) => ({
    ...endpoint,
    name: input.name ?? endpoint.name,
    events: input.events ?? endpoint.events,
    ...(input.config === undefined
      ? {}
      : { config: open, sealedSecret: services.vault.seal(secretPurpose(uuidText(endpoint.uuid)), JSON.stringify(secret)) }),
  }));
}

function wholeConfig({ vault }: Services, { uuid, config, sealedSecret }: Endpoint): Config {
  return { ...config, ...(JSON.parse(vault.open(secretPurpose(uuidText(uuid)), sealedSecret)) as Config) };
}

async function checkConfig(services: Services, adapter: Adapter, config: Config): Promise<void> {
  const faults = CHECKERS.get(adapter.kind)!(config);
  const details = faults.length > 0 ? faults : adapter.check(config);
  if (details.length > 0) throw refusal(details);
  for (const url of adapter.urlsOf(config)) {
    const pointer = 'url' in config ? '/config/url' : '/config';
    await checkUrl(services, url, pointer);
  }
}

function refuseForeignSecrets(adapter: Adapter, before: Config, after: Config, given: Config): void {
  const isSamePlace = JSON.stringify(adapter.urlsOf(before)) === JSON.stringify(adapter.urlsOf(after));
  const missing = adapter.secrets.filter((name) => name in before && !(name in given));
  if (isSamePlace || missing.length === 0) return;
  throw refusal(missing.map((name) => ({ pointer: `/${name}`, message: 'is required with another address' })));
}

function refusal(details: readonly ErrorDetail[]): AppError {
  const within = details.map(({ pointer, message }) => ({ pointer: `/config${pointer}`, message }));
  return new AppError('invalid_request', 'The request is not valid.', { details: within });
}

/** What may be answered, and what is encrypted. */
function split(adapter: Adapter, config: Config): { open: Config; secret: Config } {
  const isSecret = ([name]: [string, unknown]) => adapter.secrets.includes(name);
  const members = Object.entries(config);
  return {
    open: Object.fromEntries(members.filter((member) => !isSecret(member))),
    secret: Object.fromEntries(members.filter(isSecret)),
  };
}
