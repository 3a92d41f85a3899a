// The kinds of events, in the groups in which a person looks for them.

import type { EventsListQuery } from '@svc/client';

export type EventKind = NonNullable<EventsListQuery['kind']>;

export const KIND_GROUPS: readonly (readonly [title: string, kinds: readonly EventKind[]])[] = [
  ['Inferences', ['inference.allowed', 'inference.flagged', 'inference.blocked', 'telemetry.received']],
  ['Drift', ['drift.sustained', 'drift.recovered', 'drift.baselined', 'drift.acknowledged']],
  ['Policy', ['policy.updated', 'policy.shadow_started', 'policy.shadow_stopped', 'policy.shadow_promoted']],
  ['Probes', ['probe.registered', 'probe.updated', 'probe.deleted', 'probe.online', 'probe.offline', 'probe.skewed']],
  [
    'Access',
    [
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
    ],
  ],
  [
    'Webhooks and integrations',
    [
      'webhook.created',
      'webhook.updated',
      'webhook.deleted',
      'webhook.paused',
      'webhook.recovered',
      'integration.created',
      'integration.updated',
      'integration.deleted',
    ],
  ],
  ['Judges', ['judge.created', 'judge.updated', 'judge.deleted']],
  ['Trail', ['export.created', 'audit.redacted', 'audit.pruned', 'audit.key_rotated', 'audit.restored']],
];

const NAMES: Readonly<Record<string, string>> = {
  api_key: 'API key',
  sso: 'Single sign-on',
  audit: 'Trail',
};

/** `Inference blocked`, `API key created`, also of a kind that this page does not know. */
export function kindTitle(kind: string): string {
  const [subject = kind, ...rest] = kind.split('.');
  const words = subject.replaceAll('_', ' ');
  const name = NAMES[subject] ?? words.charAt(0).toUpperCase() + words.slice(1);
  return [name, rest.join(' ').replaceAll('_', ' ')].join(' ').trim();
}

export function isInference(kind: string): boolean {
  return kind.startsWith('inference.');
}
