// What the log holds that can speak to a rule, by what it is. Frameworks name these by their ids.

import type { Facts } from './facts.ts';
import type { Sheet, Seen } from './sheet.ts';
import { totalOf } from './summary.ts';

/** Something that there is. */
export interface Evidence {
  readonly what: string;
  readonly count: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  readonly firstSequence: number | null;
  readonly lastSequence: number | null;
  /** Where to see it, as paths: one a kind of event, which leads to as many as are counted. */
  readonly endpoints: readonly string[];
}

/** Events of kinds, named or by the beginning of their name (`drift.`), in the period. */
interface EventsSpec {
  readonly what: string;
  readonly kinds: readonly string[];
  /** Whether what there is of them tells what it is to tell; absent: always. */
  readonly isThere?: (facts: Facts) => boolean;
}

type Spec = EventsSpec | ((facts: Facts) => Evidence | null);

/** By id. `what` is a sentence about what was found; a function tells what no count of events tells. */
const SPECS = {
  inferences: {
    what: 'Inferences that were assessed here, each with its outcome, findings, coverage and policy version; and those that a probe decided and reported as flagged or blocked, each with what the probe told of it.',
    kinds: ['inference.'],
  },
  telemetry: {
    what: 'Batches of inferences that probes reported, each with its counts and the digest of its rows.',
    kinds: ['telemetry.received'],
    isThere: ({ sum }: Facts) => totalOf(sum.groups.telemetry, 'accepted') > 0,
  },
  findings: { what: 'Inferences that were flagged or blocked.', kinds: ['inference.flagged', 'inference.blocked'] },
  drift: {
    what: 'Drifts of a model’s behaviour that became sure or ended, and baselines that they are measured by.',
    kinds: ['drift.sustained', 'drift.recovered', 'drift.baselined'],
  },
  drift_acknowledged: { what: 'Drifts that somebody acknowledged.', kinds: ['drift.acknowledged'] },
  policies: policiesIn,
  policy_changes: {
    what: 'Changes of the governance policy, each with its version, its digest and who made it.',
    kinds: ['policy.updated', 'policy.shadow_promoted'],
  },
  policy_trials: {
    what: 'Candidate policies that ran beside the one in force.',
    kinds: ['policy.shadow_started', 'policy.shadow_stopped', 'policy.shadow_promoted'],
  },
  judge_changes: { what: 'Changes of the models outside that are asked for their opinion.', kinds: ['judge.'] },
  probe_changes: { what: 'Probes that were registered, changed, fell silent or came back.', kinds: ['probe.'] },
  access_changes: {
    what: 'Changes of who has access: keys, service accounts, sessions, sign-in and the organization.',
    kinds: ['api_key.', 'service_account.', 'session.', 'sso.', 'organization.'],
  },
  endpoint_changes: {
    what: 'Changes of where events are sent, and endpoints that stopped answering or came back.',
    kinds: ['webhook.', 'integration.'],
  },
  deliveries: deliveriesIn,
  exports: { what: 'Exports that were asked for.', kinds: ['export.created'] },
  redactions: {
    what: 'Erasures of values from events, each with its fields and its basis. The log’s proofs still hold.',
    kinds: ['audit.redacted'],
  },
  prunings: {
    what: 'Deletions of events older than the policy keeps them. Their hashes stay in the log.',
    kinds: ['audit.pruned'],
  },
  log: logIn,
  kept: keptEvents,
  checkpoints: checkpointsIn,
  anchoring: anchoringOf,
} as const satisfies Readonly<Record<string, Spec>>;

export type EvidenceId = keyof typeof SPECS;
export const EVIDENCE_IDS = Object.keys(SPECS) as EvidenceId[];

/** What there is of it in the period; `null`: nothing. */
export function evidenceOf(id: EvidenceId, facts: Facts): Evidence | null {
  const spec: Spec = SPECS[id];
  if (typeof spec === 'function') return spec(facts);
  if (spec.isThere?.(facts) === false) return null;
  const kinds = kindsIn(facts.sum, spec.kinds);
  return eventsIn(
    spec.what,
    facts,
    kinds,
    kinds.map((kind) => eventsPath(facts, kind)),
  );
}

/** The kinds of events of a sheet that have one of these names, or begin with it where it ends with a dot. */
function kindsIn({ kinds }: Sheet, names: readonly string[]): string[] {
  return Array.from(kinds.keys()).filter((kind) =>
    names.some((name) => (name.endsWith('.') ? kind.startsWith(name) : kind === name)),
  );
}

function eventsIn(what: string, { sum }: Facts, kinds: readonly string[], endpoints: readonly string[]): Evidence | null {
  const seen = kinds.map((kind) => sum.kinds.get(kind)!);
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
    endpoints,
  };
}

/** Where the period's events are listed; `kind` absent: all of them. */
export function eventsPath({ period: { sinceMs, untilMs } }: Pick<Facts, 'period'>, kind?: string): string {
  const time = `since=${new Date(sinceMs).toISOString()}&until=${new Date(untilMs).toISOString()}`;
  return `/v1/events?${kind === undefined ? '' : `kind=${kind}&`}${time}`;
}

/** Of events that evidence counts, those that are deleted. */
interface Deleted {
  readonly count: number;
  /** False: there are more, as the deletion went through a day. */
  readonly isAll: boolean;
}

/** Of the events that any of `ids` counts: how many are before what the log keeps. */
export function deletedOf(ids: readonly EvidenceId[], { sum, days, asOf: { keptFrom } }: Facts): Deleted {
  const kinds = new Set(ids.flatMap((id) => (id === 'log' ? [...sum.kinds.keys()] : kindsOf(SPECS[id], sum))));
  let [count, isAll] = [0, true];
  for (const { sheet } of days) {
    for (const kind of kinds) {
      const seen = sheet.kinds.get(kind);
      if (seen === undefined || seen.firstSequence >= keptFrom) continue;
      const isWhole = seen.lastSequence < keptFrom;
      count += isWhole ? seen.count : 1;
      // The first is, the last is not.
      if (!isWhole && seen.count > 2) isAll = false;
    }
  }
  return { count, isAll };
}

function kindsOf(spec: Spec, sum: Sheet): string[] {
  return typeof spec === 'function' ? [] : kindsIn(sum, spec.kinds);
}

const WITHOUT_EVENTS = { firstAtMs: null, lastAtMs: null, firstSequence: null, lastSequence: null };

function policiesIn({ policies }: Facts): Evidence | null {
  if (policies.length === 0) return null;
  const what = 'Versions of the governance policy that were in force in the period, each kept as it was.';
  return { ...WITHOUT_EVENTS, what, count: policies.length, endpoints: ['/v1/policy/versions'] };
}

function deliveriesIn({ deliveredIncidents: count }: Facts): Evidence | null {
  if (count === 0) return null;
  const what =
    'Deliveries of the period’s flagged and blocked inferences and drifts that their receiver took. Deliveries are kept for 30 days.';
  return { ...WITHOUT_EVENTS, what, count, endpoints: ['/v1/webhooks', '/v1/integrations'] };
}

function logIn(facts: Facts): Evidence | null {
  const isWhole = facts.log?.missing === 0;
  const what = `Events in the organization’s log.${isWhole ? ' Those that it keeps now were counted: their sequence has no gap.' : ''}`;
  return eventsIn(what, facts, [...facts.sum.kinds.keys()], [eventsPath(facts)]);
}

function keptEvents({ isOfNow, log, spans: { keptInferenceAtMs }, asOf: { treeSize, keptFrom } }: Facts): Evidence | null {
  if (!isOfNow || log === null || keptInferenceAtMs === null || treeSize < keptFrom) return null;
  return {
    what: `Events that are kept now, of any time. The first of them that tells of inferences was recorded on ${isoDay(keptInferenceAtMs)}.`,
    count: treeSize - keptFrom + 1,
    firstAtMs: log.oldestAtMs,
    lastAtMs: null,
    firstSequence: keptFrom,
    lastSequence: treeSize,
    endpoints: ['/v1/events'],
  };
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function checkpointsIn({ log }: Facts): Evidence | null {
  if (log === null || log.checkpoints.count === 0) return null;
  const { count, firstSize, lastSize } = log.checkpoints;
  const what = `Signed checkpoints of the period that are kept, of sizes ${firstSize} to ${lastSize}. Of those older than an hour the last of each hour is kept.`;
  return { ...WITHOUT_EVENTS, what, count, endpoints: ['/v1/audit/checkpoint'] };
}

function anchoringOf({ log, isOfNow }: Facts): Evidence | null {
  if (!isOfNow || log === null || log.anchoredSize === null) return null;
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
    endpoints: ['/v1/audit/deployment'],
  };
}

/** The names of those who signed a checkpoint beside its own log. Signatures of witnesses were checked before they were stored. */
export function witnessesOf(note: string | null): string[] {
  if (note === null) return [];
  const origin = note.slice(0, note.indexOf('\n'));
  const names = Array.from(note.matchAll(/^— ([^ +]+) /gmu), ([, name]) => name!);
  return [...new Set(names)].filter((name) => name !== origin);
}
