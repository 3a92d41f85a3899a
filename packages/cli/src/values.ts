// Values that several commands take.

import type { Option } from './command.ts';

/** What a credential may be allowed. */
export const SCOPES = [
  'assess:create',
  'events:read',
  'policy:read',
  'policy:write',
  'probes:read',
  'probes:write',
  'webhooks:read',
  'webhooks:write',
  'reports:read',
  'admin:*',
] as const;

export const CREDENTIAL_OPTIONS = {
  expires: { kind: 'text', meaning: 'When it stops working: 90d, 12h, or a time; never when not given', placeholder: '<time>' },
} as const satisfies Readonly<Record<string, Option>>;
