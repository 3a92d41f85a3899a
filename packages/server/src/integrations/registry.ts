// The adapters by their kind.

import type { Adapter, IntegrationKind } from './adapter.ts';
import { datadog } from './datadog/adapter.ts';
import { pagerduty } from './pagerduty/adapter.ts';
import { slack } from './slack/adapter.ts';
import { splunk } from './splunk/adapter.ts';
import { teams } from './teams/adapter.ts';

export { INTEGRATION_KINDS } from './adapter.ts';

/** Every vendor's adapter. A config given to one has been validated by its schema. */
export const ADAPTERS: Readonly<Record<IntegrationKind, Adapter>> = { slack, pagerduty, teams, datadog, splunk };

/** The adapter of an integration's kind. Throws for what is none: only known kinds are stored. */
export function adapterOf(kind: string): Adapter {
  const adapter = find(kind);
  if (adapter === undefined) throw new Error(`No adapter for the kind ${kind}.`);
  return adapter;
}

/** Deliveries that one request may carry to an endpoint with this config; 1 for webhooks. */
export function batchMaxOf(kind: string, config: object | null): number {
  const adapter = find(kind);
  return adapter === undefined || config === null ? 1 : adapter.batchMax(config);
}

function find(kind: string): Adapter | undefined {
  return Object.values(ADAPTERS).find((adapter) => adapter.kind === kind);
}
