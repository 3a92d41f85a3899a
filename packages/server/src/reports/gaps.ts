// What is missing from the evidence, or makes it weak, by what it is. Frameworks name these by their ids.

import { inferencesOf, eventsOf, totalOf } from './summary.ts';
import { allowsOnError, detectorsSwitchedOff, retentionDaysOf, type Facts } from './facts.ts';
import { deletedOf, eventsPath, witnessesOf, type EvidenceId } from './evidence.ts';
import { DAY_MS, HOUR_MS } from './tally.ts';

export interface Gap {
  readonly what: string;
  readonly count: number | null;
  /** Where to see it, as paths. */
  readonly endpoints: readonly string[];
}

/** The longest six months, from March to September. */
const SIX_MONTHS_DAYS = 184;

/** By id; `null`: there is no such gap. */
const GAPS = {
  no_inferences({ sum }: Facts): Gap | null {
    const { sources } = sum.groups;
    if (inferencesOf(sources.get('api'), sources.get('probe')).inferences > 0) return null;
    return { what: 'No inference was assessed or reported in the period.', count: null, endpoints: ['/v1/assessments'] };
  },
  hours_without_events(facts: Facts): Gap | null {
    const hours = emptyHours(facts);
    if (hours === 0) return null;
    const what = `In ${hours} whole ${plural(hours, 'hour')} of the period no inference was assessed or reported. Looked at are the hours from the first probe or inference until now while there are probes, else until the last inference. That may be rest, or something that does not report.`;
    return { what, count: hours, endpoints: [summaryPath(facts)] };
  },
  probes_silent(facts: Facts): Gap | null {
    const { registered } = facts.probes;
    const times = eventsOf(facts.sum, 'probe.offline');
    const silent = facts.isOfNow ? facts.probes.offline : 0;
    if (times === 0 && silent === 0) return null;
    const now = facts.isOfNow
      ? `; ${silent} of ${registered} ${plural(registered, 'probe')} ${silent === 1 ? 'is' : 'are'} silent now`
      : '';
    const what = `${times} ${plural(times, 'time')} in the period a probe was not heard for three intervals${now}. What it saw meanwhile comes later, or is lost.`;
    return { what, count: times, endpoints: [eventsPath(facts, 'probe.offline')] };
  },
  telemetry_rejected(facts: Facts): Gap | null {
    const rejected = totalOf(facts.sum.groups.telemetry, 'rejected');
    if (rejected === 0) return null;
    const what = `${rejected} reported ${plural(rejected, 'inference')} ${rejected === 1 ? 'was' : 'were'} refused: over a limit, to be sent again, or malformed.`;
    return { what, count: rejected, endpoints: [eventsPath(facts, 'telemetry.received')] };
  },
  undecided({ sum }: Facts): Gap | null {
    const { undecided } = inferencesOf(sum.groups.sources.get('probe'));
    if (undecided === 0) return null;
    const what = `${undecided} reported ${plural(undecided, 'inference')} ${undecided === 1 ? 'was' : 'were'} assessed by nobody: the probe had not decided and sent no text.`;
    return { what, count: undecided, endpoints: ['/v1/probes'] };
  },
  coverage_incomplete({ sum }: Facts): Gap | null {
    const partial = totalOf(sum.groups.coverage, 'partial');
    const failed = totalOf(sum.groups.coverage, 'failed');
    if (partial + failed === 0) return null;
    const what = `${partial} ${plural(partial, 'assessment')} looked at a part only, ${failed} failed. What was not looked at may hold what would have been found.`;
    return { what, count: partial + failed, endpoints: ['/v1/assessments?category=system.coverage'] };
  },
  detector_faults({ sum }: Facts): Gap | null {
    const faults = Array.from(sum.groups.faults, ([name, { total }]) => ({ name, total })).sort((a, b) => b.total - a.total);
    if (faults.length === 0) return null;
    const count = faults.reduce((total, fault) => total + fault.total, 0);
    const listed = faults.slice(0, NAMES_LISTED).map(({ name, total }) => `${name} (${total})`);
    const what = `Detectors failed or ran out of time: ${listed.join(', ')}${faults.length > NAMES_LISTED ? ' and others' : ''}.`;
    return { what, count, endpoints: ['/v1/assessments?category=system.coverage'] };
  },
  detectors_off({ policies }: Facts): Gap | null {
    const off = new Set(policies.flatMap(({ document }) => detectorsSwitchedOff(document)));
    if (off.size === 0) return null;
    const what = `A policy in force in the period switched detectors off that are on by default: ${[...off].join(', ')}.`;
    return { what, count: off.size, endpoints: ['/v1/policy/versions'] };
  },
  monitor_mode({ sum }: Facts): Gap | null {
    const monitored = totalOf(sum.groups.modes, 'monitor');
    if (monitored === 0) return null;
    const blocked = totalOf(sum.groups.suppressed, 'block');
    const redacted = totalOf(sum.groups.suppressed, 'redact');
    const what = `${monitored} ${plural(monitored, 'assessment')} ${monitored === 1 ? 'was' : 'were'} made in monitor mode, which only watches: ${blocked} would have been blocked and ${redacted} redacted.`;
    return { what, count: monitored, endpoints: ['/v1/policy/versions'] };
  },
  on_error_allow({ policies }: Facts): Gap | null {
    const versions = policies.filter(({ document }) => allowsOnError(document)).map(({ version }) => version);
    if (versions.length === 0) return null;
    const shown = versions.slice(0, NAMES_LISTED).join(', ');
    const what = `Policy ${plural(versions.length, 'version')} ${shown} ${versions.length === 1 ? 'lets' : 'let'} pass what could not be assessed (on_error: allow).`;
    return { what, count: versions.length, endpoints: ['/v1/policy/versions'] };
  },
  drift_unacknowledged({ isOfNow, drifts: { open, unacknowledged } }: Facts): Gap | null {
    if (!isOfNow || unacknowledged === 0) return null;
    const what = `${open} ${plural(open, 'drift')} ${open === 1 ? 'persists' : 'persist'} now; ${unacknowledged} of them nobody has acknowledged.`;
    return { what, count: unacknowledged, endpoints: ['/v1/drift?state=sustained'] };
  },
  endpoints_paused(facts: Facts): Gap | null {
    const times = eventsOf(facts.sum, 'webhook.paused');
    const paused = facts.isOfNow ? facts.endpoints.paused : 0;
    if (times === 0 && paused === 0) return null;
    const all = facts.endpoints.active + paused;
    const now = facts.isOfNow ? `; ${paused} of ${all} ${paused === 1 ? 'is' : 'are'} paused now` : '';
    const what = `${times} ${plural(times, 'time')} in the period an endpoint took nothing for a day${now}. Events wait until it answers.`;
    return { what, count: Math.max(times, paused), endpoints: [eventsPath(facts, 'webhook.paused')] };
  },
  retention_short({ policies }: Facts): Gap | null {
    const days = Math.min(...policies.map(({ document }) => retentionDaysOf(document)));
    if (days >= SIX_MONTHS_DAYS) return null;
    const what = `A policy in force in the period keeps events for ${days} days. Six months can be ${SIX_MONTHS_DAYS}.`;
    return { what, count: null, endpoints: ['/v1/policy'] };
  },
  log_young({ isOfNow, spans: { keptInferenceAtMs }, asOf, nowMs }: Facts): Gap | null {
    if (!isOfNow || asOf.keptFrom > 1) return null;
    const what = 'Six months cannot be shown yet:';
    if (keptInferenceAtMs === null)
      return { what: `${what} the log tells of no inference.`, count: null, endpoints: ['/v1/events'] };
    const days = Math.floor((nowMs - keptInferenceAtMs) / DAY_MS);
    if (days >= SIX_MONTHS_DAYS) return null;
    const began = days === 0 ? 'today' : `${days} ${plural(days, 'day')} ago`;
    return {
      what: `${what} the first inference was assessed or reported ${began}. Nothing of the log was deleted.`,
      count: null,
      endpoints: ['/v1/events'],
    };
  },
  kept_short({ isOfNow, spans: { keptInferenceAtMs }, asOf, nowMs }: Facts): Gap | null {
    if (!isOfNow || asOf.keptFrom <= 1) return null;
    const days = keptInferenceAtMs === null ? 0 : Math.floor((nowMs - keptInferenceAtMs) / DAY_MS);
    if (days >= SIX_MONTHS_DAYS) return null;
    const what = `Events were deleted, and the oldest that is kept and tells of inferences is ${days} ${plural(days, 'day')} old: less than six months.`;
    return { what, count: asOf.keptFrom - 1, endpoints: ['/v1/events?kind=audit.pruned'] };
  },
  /** How long events are kept and who has seen the log is not written down for each day. */
  past_period({ isOfNow }: Facts): Gap | null {
    if (isOfNow) return null;
    const what =
      'The period ended before today. Which events are kept and who has signed the log beside its operator is known of now alone, and is told by a report until today.';
    return { what, count: null, endpoints: [] };
  },
  rows_missing({ log }: Facts): Gap | null {
    const missing = log?.missing ?? 0;
    if (missing === 0) return null;
    const what = `${missing} ${plural(missing, 'event')} that the log’s tree covers ${missing === 1 ? 'is' : 'are'} not there, though nothing tells that ${missing === 1 ? 'it was' : 'they were'} deleted. An export names ${missing === 1 ? 'it' : 'them'}.`;
    return { what, count: missing, endpoints: ['/v1/events'] };
  },
  log_behind({ log }: Facts): Gap | null {
    if (log === null || log.behind === 0) return null;
    const what = `${log.behind === 1_000 ? 'A thousand events or more are' : `${log.behind} ${plural(log.behind, 'event')} ${log.behind === 1 ? 'is' : 'are'}`} recorded and not in the log’s tree yet.`;
    return { what, count: log.behind, endpoints: ['/v1/audit/checkpoint'] };
  },
  origin_restored(facts: Facts): Gap | null {
    const times = eventsOf(facts.sum, 'audit.restored');
    if (times === 0) return null;
    const what = `${times} ${plural(times, 'time')} in the period the database was set back, and the log went on under a new origin. What was recorded after the backup is not in it.`;
    return { what, count: times, endpoints: [eventsPath(facts, 'audit.restored')] };
  },
  no_witness({ log, isOfNow }: Facts): Gap | null {
    if (!isOfNow) return null;
    const note = log?.deploymentNote ?? null;
    if (log !== null && log.anchoredSize !== null && witnessesOf(note).length > 0) return null;
    const what =
      log === null || log.anchoredSize === null || note === null
        ? 'The log is not entered in the log of the deployment yet.'
        : 'No witness outside this deployment has signed its log. Whoever runs the service could show two logs to two readers; one who holds an earlier checkpoint would notice.';
    return { what, count: null, endpoints: ['/v1/audit/deployment'] };
  },
};

// Of names, so that a sentence stays one.
const NAMES_LISTED = 10;

export type GapId = keyof typeof GAPS;
export const GAP_IDS = Object.keys(GAPS) as GapId[];

/** The gap of evidence that counts events which are deleted since; `null`: they are all there. */
export function prunedGap(evidence: readonly EvidenceId[], facts: Facts): Gap | null {
  const { count, isAll } = deletedOf(evidence, facts);
  if (count === 0) return null;
  const isOne = count === 1 && isAll;
  const what = `${isAll ? '' : 'At least '}${count} of these events ${isOne ? 'is' : 'are'} deleted; only ${isOne ? 'its hash remains' : 'their hashes remain'}.`;
  return { what, count, endpoints: ['/v1/events?kind=audit.pruned'] };
}

/** The gap, where there is one. */
export function gapOf(id: GapId, facts: Facts): Gap | null {
  return GAPS[id](facts);
}

/**
 * Whole hours of the period without an inference that was assessed or reported, from the first probe or inference of all time until now where there are
 * probes, else until the last inference, or the last probe was deleted.
 */
function emptyHours({ days, period, probes, spans, nowMs }: Facts): number {
  const firstAtMs = Math.min(...timesOf(spans.firstProbeAtMs, spans.firstInferenceAtMs));
  const lastAtMs = probes.registered > 0 ? nowMs : Math.max(...timesOf(spans.lastProbeDeletedAtMs, spans.lastInferenceAtMs));
  const from = Math.ceil(Math.max(period.sinceMs, firstAtMs) / HOUR_MS);
  const to = Math.floor(Math.min(period.untilMs, nowMs, lastAtMs) / HOUR_MS);
  const hoursByDay = new Map(days.map(({ startMs, sheet }) => [startMs / DAY_MS, sheet.hours]));
  let empty = 0;
  for (let hour = from; hour < to; hour++) {
    const bits = hoursByDay.get(Math.floor(hour / 24)) ?? 0;
    if ((bits & (1 << (hour % 24))) === 0) empty++;
  }
  return empty;
}

function timesOf(...times: readonly (number | null)[]): number[] {
  return times.filter((time) => time !== null);
}

/** Where the period is counted. */
function summaryPath({ period: { sinceMs, untilMs } }: Facts): string {
  return `/v1/reports/summary?since=${new Date(sinceMs).toISOString()}&until=${new Date(untilMs).toISOString()}`;
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
