// How a probe names itself.

import type { Principal } from '../access/principal.ts';

export const PROBE_HEADER = 'x-svc-probe-id';

/** What a probe may call itself. */
export const PROBE_NAME = /^[A-Za-z0-9._:-]{1,128}$/;

/** The name in the header; without one the credential is the probe. `null`: it is not a name, or there is no key to go by. */
export function probeNameOf(header: string | readonly string[] | undefined, { key }: Pick<Principal, 'key'>): string | null {
  if (header === undefined) return key?.id ?? null;
  return typeof header === 'string' && PROBE_NAME.test(header) ? header : null;
}

/** Whose window a call of a probe is taken from: the caller's own where no probe is named. A test key uses up nothing of a live probe's. */
export function limitedProbe(header: string | readonly string[] | undefined, principal: Principal): string {
  return `${principal.mode} ${probeNameOf(header, principal) ?? principal.id}`;
}
