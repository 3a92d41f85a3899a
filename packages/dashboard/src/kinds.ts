// The kinds of events: what they are called, when each comes, and the groups in which a person looks for them.

import type { CreateWebhook } from '@svc/client';

type Taken = CreateWebhook['events'][number];
export type Kind = Exclude<Taken, '*'>;

/** All kinds but these two, which come with every inference, are `*`. */
export const ALL = '*';
export const NOT_IN_ALL: readonly Kind[] = ['inference.allowed', 'telemetry.received'];

/** When each comes. A kind that the API has and this list has not does not compile. */
const WHEN = {
  'inference.blocked': 'An inference was assessed, and the policy blocks it.',
  'inference.flagged': 'An inference was assessed and goes through, with findings.',
  'inference.allowed': 'An inference was assessed, without a finding. Comes with most inferences.',
  'telemetry.received': 'A probe reported a batch. Comes every few seconds from each probe.',
  'drift.sustained': 'A signal of a model changed, and stays so.',
  'drift.recovered': 'A signal is back where it was.',
  'drift.baselined': 'What is usual was learned, or told to be learned anew.',
  'drift.acknowledged': 'Somebody has seen a drift.',
  'policy.updated': 'A version of the policy was stored.',
  'policy.shadow_started': 'A candidate runs beside the policy, or was changed.',
  'policy.shadow_stopped': 'A candidate ended.',
  'policy.shadow_promoted': 'A candidate became the policy.',
  'probe.registered': 'A probe called for the first time.',
  'probe.updated': 'A probe was changed.',
  'probe.deleted': 'A probe was deleted.',
  'probe.online': 'A silent probe is back.',
  'probe.offline': 'A probe fell silent.',
  'probe.skewed': 'A probe decides by an older policy.',
  'api_key.created': 'A key was made.',
  'api_key.revoked': 'A key was revoked.',
  'service_account.created': 'A service account was made.',
  'service_account.updated': 'A service account was changed.',
  'service_account.deleted': 'A service account was deleted.',
  'session.started': 'Somebody signed in, or a key opened a session.',
  'session.ended': 'A session was ended by someone, not by time.',
  'sso.updated': 'Single sign-on was set or ended.',
  'organization.created': 'The organization was made.',
  'organization.updated': 'The plan was changed.',
  'webhook.created': 'A webhook was made.',
  'webhook.updated': 'A webhook was changed, or its secret was.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.paused': 'A webhook or an integration failed for 24 hours.',
  'webhook.recovered': 'A paused webhook or integration answers again.',
  'integration.created': 'An integration was made.',
  'integration.updated': 'An integration was changed.',
  'integration.deleted': 'An integration was deleted.',
  'judge.created': 'A judge was made.',
  'judge.updated': 'A judge was changed.',
  'judge.deleted': 'A judge was deleted.',
  'export.created': 'An export was asked for.',
  'audit.redacted': 'Values of an event were erased.',
  'audit.pruned': 'The oldest events were deleted by retention.',
  'audit.key_rotated': 'The key that signs the log was exchanged.',
  'audit.restored': 'The log goes on under a new origin.',
} as const satisfies Readonly<Record<Kind, string>>;

export const KINDS = Object.keys(WHEN) as readonly Kind[];

export function whenOf(kind: Kind): string {
  return WHEN[kind];
}

const GROUP_TITLES: Readonly<Record<string, string>> = {
  inference: 'Inferences',
  telemetry: 'Inferences',
  drift: 'Drift',
  policy: 'Policy',
  probe: 'Probes',
  api_key: 'Access',
  service_account: 'Access',
  session: 'Access',
  sso: 'Access',
  organization: 'Access',
  export: 'Trail',
  webhook: 'Webhooks and integrations',
  integration: 'Webhooks and integrations',
  judge: 'Judges',
  audit: 'Trail',
};

/** Kinds by what they are about. */
export const KIND_GROUPS: ReadonlyMap<string, readonly Kind[]> = Map.groupBy(
  KINDS,
  (kind) => GROUP_TITLES[kind.slice(0, kind.indexOf('.'))] ?? 'Others',
);
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
