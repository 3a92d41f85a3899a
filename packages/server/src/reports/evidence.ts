// What the log holds that can speak to a rule, by what it is. Frameworks name these by their ids.

import type { Facts } from './facts.ts';
import type { Seen } from './sheet.ts';

/** Something that there is. */
export interface Evidence {
  readonly what: string;
  readonly count: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  readonly firstSequence: number | null;
  readonly lastSequence: number | null;
  /** Where to see it, as a path. */
  readonly endpoint: string;
}

/** Events of kinds, named or by the beginning of their name (`drift.`), in the period. */
interface EventsSpec {
  readonly what: string;
  readonly kinds: readonly string[];
  readonly endpoint: string;
}

/** By id. `what` is a sentence about what was found; a function tells what no count of events tells. */
const SPECS = {
  inferences: {
    what: 'Inferences that were assessed, or that a probe reported as flagged or blocked, each with its outcome, findings, coverage and policy version.',
    kinds: ['inference.'],
    endpoint: '/v1/assessments',
  },
  telemetry: {
    what: 'Batches of inferences that probes reported, each with its counts and the digest of its rows.',
    kinds: ['telemetry.received'],
    endpoint: '/v1/events?kind=telemetry.received',
  },
  findings: {
    what: 'Inferences that were flagged or blocked.',
    kinds: ['inference.flagged', 'inference.blocked'],
    endpoint: '/v1/events?outcome=flagged',
  },
  drift: {
    what: 'Drifts of a model’s behaviour that became sure or ended, and baselines that they are measured by.',
    kinds: ['drift.sustained', 'drift.recovered', 'drift.baselined'],
    endpoint: '/v1/drift',
  },
  drift_acknowledged: {
    what: 'Drifts that somebody acknowledged.',
    kinds: ['drift.acknowledged'],
    endpoint: '/v1/events?kind=drift.acknowledged',
  },
  policies: policiesIn,
  policy_changes: {
    what: 'Changes of the governance policy, each with its version, its digest and who made it.',
    kinds: ['policy.updated', 'policy.shadow_promoted'],
    endpoint: '/v1/policy/versions',
  },
  policy_trials: {
    what: 'Candidate policies that ran beside the one in force.',
    kinds: ['policy.shadow_started', 'policy.shadow_stopped', 'policy.shadow_promoted'],
    endpoint: '/v1/policy/shadow',
  },
  judge_changes: {
    what: 'Changes of the models outside that are asked for their opinion.',
    kinds: ['judge.'],
    endpoint: '/v1/events?kind=judge.updated',
  },
  probe_changes: {
    what: 'Probes that were registered, changed, fell silent or came back.',
    kinds: ['probe.'],
    endpoint: '/v1/probes',
  },
  access_changes: {
    what: 'Changes of who has access: keys, service accounts, sessions, sign-in and the organization.',
    kinds: ['api_key.', 'service_account.', 'session.', 'sso.', 'organization.'],
    endpoint: '/v1/events?kind=api_key.created',
  },
  endpoint_changes: {
    what: 'Changes of where events are sent, and endpoints that stopped answering or came back.',
    kinds: ['webhook.', 'integration.'],
    endpoint: '/v1/webhooks',
  },
  exports: { what: 'Exports that were asked for.', kinds: ['export.created'], endpoint: '/v1/events?kind=export.created' },
  redactions: {
    what: 'Erasures of values from events, each with its fields and its basis. The log’s proofs still hold.',
    kinds: ['audit.redacted'],
    endpoint: '/v1/events?kind=audit.redacted',
  },
  prunings: {
    what: 'Deletions of events older than the policy keeps them. Their hashes stay in the log.',
    kinds: ['audit.pruned'],
    endpoint: '/v1/events?kind=audit.pruned',
  },
  log: { what: 'Events in the organization’s log, without a gap in their sequence.', kinds: [''], endpoint: '/v1/events' },
  kept: keptEvents,
  checkpoints: checkpointsIn,
  anchoring: anchoringOf,
} as const satisfies Readonly<Record<string, EventsSpec | ((facts: Facts) => Evidence | null)>>;

export type EvidenceId = keyof typeof SPECS;
export const EVIDENCE_IDS = Object.keys(SPECS) as EvidenceId[];

/** What there is of it in the period; `null`: nothing. */
export function evidenceOf(id: EvidenceId, facts: Facts): Evidence | null {
  const spec: EventsSpec | ((facts: Facts) => Evidence | null) = SPECS[id];
  return typeof spec === 'function' ? spec(facts) : eventsIn(spec, facts);
}

function eventsIn({ what, kinds, endpoint }: EventsSpec, { sum }: Facts): Evidence | null {
  const seen = Array.from(sum.kinds)
    .filter(([kind]) => kinds.some((name) => (name === '' || name.endsWith('.') ? kind.startsWith(name) : kind === name)))
    .map(([, counted]) => counted);
  if (seen.length === 0) return null;
  const first = seen.reduce((a, b) => (b.firstSequence < a.firstSequence ? b : a));
  const last = seen.reduce((a, b) => (b.lastSequence > a.lastSequence ? b : a));
  return {
    what,
    count: seen.reduce((total, { count }: Seen) => total + count, 0),
    firstAtMs: first.firstAtMs,
    lastAtMs: last.lastAtMs,
    firstSequence: first.firstSequence,
    lastSequence: last.lastSequence,
    endpoint,
  };
}

const WITHOUT_EVENTS = { firstAtMs: null, lastAtMs: null, firstSequence: null, lastSequence: null };

function policiesIn({ policies }: Facts): Evidence | null {
  if (policies.length === 0) return null;
  const what = 'Versions of the governance policy that were in force in the period, each kept as it was.';
  return { ...WITHOUT_EVENTS, what, count: policies.length, endpoint: '/v1/policy/versions' };
}

function keptEvents({ log, asOf }: Facts): Evidence | null {
  if (log === null || log.oldestAtMs === null || asOf.treeSize < asOf.keptFrom) return null;
  return {
    what: 'Events that are kept now, of any time.',
    count: asOf.treeSize - asOf.keptFrom + 1,
    firstAtMs: log.oldestAtMs,
    lastAtMs: null,
    firstSequence: asOf.keptFrom,
    lastSequence: asOf.treeSize,
    endpoint: '/v1/events',
  };
}

function checkpointsIn({ log }: Facts): Evidence | null {
  if (log === null || log.checkpoints.count === 0) return null;
  const { count, firstSize, lastSize } = log.checkpoints;
  const what = `Signed checkpoints of the period that are kept, of sizes ${firstSize} to ${lastSize}. Of those older than an hour the last of each hour is kept.`;
  return { ...WITHOUT_EVENTS, what, count, endpoint: '/v1/audit/checkpoint' };
}

function anchoringOf({ log }: Facts): Evidence | null {
  if (log === null || log.anchoredSize === null) return null;
  const witnesses = witnessesOf(log.deploymentNote);
  const seenBy =
    witnesses.length === 0 ? 'no witness outside has' : `${witnesses.join(', ')} ${witnesses.length === 1 ? 'has' : 'have'}`;
  return {
    what: `The log up to ${log.anchoredSize} events is entered in the log of the deployment, whose latest checkpoint ${seenBy} signed.`,
    count: 1,
    firstAtMs: null,
    lastAtMs: log.anchoredAtMs,
    firstSequence: null,
    lastSequence: log.anchoredSize === 0 ? null : log.anchoredSize,
    endpoint: '/v1/audit/deployment',
  };
}

/** The names of those who signed a checkpoint beside its own log. Signatures of witnesses were checked before they were stored. */
export function witnessesOf(note: string | null): string[] {
  if (note === null) return [];
  const origin = note.slice(0, note.indexOf('\n'));
  const names = Array.from(note.matchAll(/^— ([^ +]+) /gmu), ([, name]) => name!);
  return [...new Set(names)].filter((name) => name !== origin);
}
