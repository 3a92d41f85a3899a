// The kinds of events that are recorded.

export const INFERENCE_KINDS = ['inference.allowed', 'inference.flagged', 'inference.blocked'] as const;

export const EVENT_KINDS = [
  ...INFERENCE_KINDS,
  'api_key.created',
  'api_key.revoked',
  'organization.created',
  'policy.updated',
] as const;
