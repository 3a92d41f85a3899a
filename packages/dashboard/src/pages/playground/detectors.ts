// Detectors that a policy turns on.

import type { Policy } from '@svc/client';

/** Off unless a policy says otherwise. */
export type OptionalDetector = 'groundedness';

export function hasDetector(policy: Policy, name: OptionalDetector): boolean {
  return policy.detectors?.[name]?.enabled === true;
}

export function withDetector(policy: Policy, name: OptionalDetector): Policy {
  return { ...policy, detectors: { ...policy.detectors, [name]: { ...policy.detectors?.[name], enabled: true } } };
}
