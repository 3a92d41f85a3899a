// What webhooks and integrations have in common: both are endpoints to which events are delivered, with the same operations.

import { svc } from '../../api.ts';

export interface Endpoint {
  readonly area: 'webhooks' | 'integrations';
  readonly id: string;
}

export function resourceOf({ area }: Endpoint): typeof svc.webhooks | typeof svc.integrations {
  return svc[area];
}

/** Below it is all that was read of the endpoint. */
export function keyOf({ area, id }: Endpoint): readonly [string, string] {
  return [area, id];
}

/** `webhook` or `integration`. */
export function wordOf({ area }: Endpoint): string {
  return area.slice(0, -1);
}
