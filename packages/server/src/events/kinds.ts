// The kinds of events that are recorded.

export const INFERENCE_KINDS = ['inference.allowed', 'inference.flagged', 'inference.blocked'] as const;

export const EVENT_KINDS = [
  ...INFERENCE_KINDS,
  'api_key.created',
  'api_key.revoked',
  'service_account.created',
  'service_account.updated',
  'service_account.deleted',
  'session.started',
  'session.ended',
  'sso.updated',
  'organization.created',
  'organization.updated',
  'policy.updated',
] as const;
