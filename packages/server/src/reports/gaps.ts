// What is missing from the evidence, or makes it weak, by what it is. Frameworks name these by their ids.

import { inferencesOf, eventsOf, totalOf } from './summary.ts';
import { allowsOnError, detectorsSwitchedOff, retentionDaysOf, type Facts } from './facts.ts';
import { witnessesOf } from './evidence.ts';
import { DAY_MS, HOUR_MS } from './tally.ts';

export interface Gap {
  readonly what: string;
  readonly count: number | null;
  /** Where to see it, as a path. */
  readonly endpoint: string | null;
}

/** The longest six months, from March to September. */
const SIX_MONTHS_DAYS = 184;

/** By id; `null`: there is no such gap. */
const GAPS = {
  no_inferences({ sum }: Facts): Gap | null {
    const { sources } = sum.groups;
    if (inferencesOf(sources.get('api'), sources.get('probe')).inferences > 0) return null;
    return { what: 'No inference was assessed or reported in the period.', count: null, endpoint: '/v1/assessments' };
  },
  hours_without_events(facts: Facts): Gap | null {
    const hours = emptyHours(facts);
    if (hours === 0) return null;
    const what = `In ${hours} whole ${plural(hours, 'hour')} of the period nothing at all was recorded though probes were registered. That may be rest, or a probe that does not report.`;
    return { what, count: hours, endpoint: '/v1/probes' };
  },
  probes_silent({ sum, probes }: Facts): Gap | null {
    const times = eventsOf(sum, 'probe.offline');
    if (times === 0 && probes.offline === 0) return null;
    const what = `${times} ${plural(times, 'time')} in the period a probe was not heard for three intervals; ${probes.offline} of ${probes.registered} ${plural(probes.registered, 'probe')} ${probes.offline === 1 ? 'is' : 'are'} silent now. What they saw meanwhile comes later, or is lost.`;
    return { what, count: times, endpoint: '/v1/events?kind=probe.offline' };
  },
  telemetry_rejected({ sum }: Facts): Gap | null {
    const rejected = totalOf(sum.groups.telemetry, 'rejected');
    if (rejected === 0) return null;
    const what = `${rejected} reported ${plural(rejected, 'inference')} ${rejected === 1 ? 'was' : 'were'} refused: over a limit, to be sent again, or malformed.`;
    return { what, count: rejected, endpoint: '/v1/events?kind=telemetry.received' };
  },
  undecided({ sum }: Facts): Gap | null {
    const { undecided } = inferencesOf(sum.groups.sources.get('probe'));
    if (undecided === 0) return null;
    const what = `${undecided} reported ${plural(undecided, 'inference')} ${undecided === 1 ? 'was' : 'were'} assessed by nobody: the probe had not decided and sent no text.`;
    return { what, count: undecided, endpoint: '/v1/probes' };
  },
  coverage_incomplete({ sum }: Facts): Gap | null {
    const partial = totalOf(sum.groups.coverage, 'partial');
    const failed = totalOf(sum.groups.coverage, 'failed');
    if (partial + failed === 0) return null;
    const what = `${partial} ${plural(partial, 'assessment')} looked at a part only, ${failed} failed. What was not looked at may hold what would have been found.`;
    return { what, count: partial + failed, endpoint: '/v1/assessments?category=system.coverage' };
  },
  detector_faults({ sum }: Facts): Gap | null {
    const faults = Array.from(sum.groups.faults, ([name, { total }]) => ({ name, total })).sort((a, b) => b.total - a.total);
    if (faults.length === 0) return null;
    const count = faults.reduce((total, fault) => total + fault.total, 0);
    const listed = faults.slice(0, NAMES_LISTED).map(({ name, total }) => `${name} (${total})`);
    const what = `Detectors failed or ran out of time: ${listed.join(', ')}${faults.length > NAMES_LISTED ? ' and others' : ''}.`;
    return { what, count, endpoint: '/v1/assessments?category=system.coverage' };
  },
  detectors_off({ policies }: Facts): Gap | null {
    const off = new Set(policies.flatMap(({ document }) => detectorsSwitchedOff(document)));
    if (off.size === 0) return null;
    const what = `A policy in force in the period switched detectors off that are on by default: ${[...off].join(', ')}.`;
    return { what, count: off.size, endpoint: '/v1/policy/versions' };
  },
  monitor_mode({ sum }: Facts): Gap | null {
    const monitored = totalOf(sum.groups.modes, 'monitor');
    if (monitored === 0) return null;
    const blocked = totalOf(sum.groups.suppressed, 'block');
    const redacted = totalOf(sum.groups.suppressed, 'redact');
    const what = `${monitored} ${plural(monitored, 'assessment')} ${monitored === 1 ? 'was' : 'were'} made in monitor mode, which only watches: ${blocked} would have been blocked and ${redacted} redacted.`;
    return { what, count: monitored, endpoint: '/v1/policy/versions' };
  },
  on_error_allow({ policies }: Facts): Gap | null {
    const versions = policies.filter(({ document }) => allowsOnError(document)).map(({ version }) => version);
    if (versions.length === 0) return null;
    const shown = versions.slice(0, NAMES_LISTED).join(', ');
    const what = `Policy ${plural(versions.length, 'version')} ${shown} ${versions.length === 1 ? 'lets' : 'let'} pass what could not be assessed (on_error: allow).`;
    return { what, count: versions.length, endpoint: '/v1/policy/versions' };
  },
  drift_unacknowledged({ drifts: { open, unacknowledged } }: Facts): Gap | null {
    if (unacknowledged === 0) return null;
    const what = `${open} ${plural(open, 'drift')} ${open === 1 ? 'persists' : 'persist'} now; ${unacknowledged} of them nobody has acknowledged.`;
    return { what, count: unacknowledged, endpoint: '/v1/drift?state=sustained' };
  },
  endpoints_paused({ sum, endpoints: { active, paused } }: Facts): Gap | null {
    const times = eventsOf(sum, 'webhook.paused');
    if (times === 0 && paused === 0) return null;
    const what = `${times} ${plural(times, 'time')} in the period an endpoint took nothing for a day; ${paused} of ${active + paused} ${paused === 1 ? 'is' : 'are'} paused now. Events wait for ${paused === 1 ? 'it' : 'them'}.`;
    return { what, count: Math.max(times, paused), endpoint: '/v1/events?kind=webhook.paused' };
  },
  retention_short({ policies }: Facts): Gap | null {
    const days = Math.min(...policies.map(({ document }) => retentionDaysOf(document)));
    if (days >= SIX_MONTHS_DAYS) return null;
    const what = `A policy in force in the period keeps events for ${days} days. Six months can be ${SIX_MONTHS_DAYS}.`;
    return { what, count: null, endpoint: '/v1/policy' };
  },
  log_young({ log, asOf, nowMs }: Facts): Gap | null {
    const oldestAtMs = log?.oldestAtMs ?? null;
    if (asOf.keptFrom > 1) return null;
    const what = 'Six months cannot be shown yet:';
    if (oldestAtMs === null) return { what: `${what} the log is empty.`, count: null, endpoint: '/v1/events' };
    const days = Math.floor((nowMs - oldestAtMs) / DAY_MS);
    if (days >= SIX_MONTHS_DAYS) return null;
    const began = days === 0 ? 'today' : `${days} ${plural(days, 'day')} ago`;
    return { what: `${what} the log began ${began}. Nothing of it was deleted.`, count: null, endpoint: '/v1/events' };
  },
  kept_short({ log, asOf, nowMs }: Facts): Gap | null {
    if (asOf.keptFrom <= 1) return null;
    const days = log === null || log.oldestAtMs === null ? 0 : Math.floor((nowMs - log.oldestAtMs) / DAY_MS);
    if (days >= SIX_MONTHS_DAYS) return null;
    const what = `Events were deleted, and the oldest that is kept is ${days} ${plural(days, 'day')} old: less than six months.`;
    return { what, count: asOf.keptFrom - 1, endpoint: '/v1/events?kind=audit.pruned' };
  },
  log_behind({ log }: Facts): Gap | null {
    if (log === null || log.behind === 0) return null;
    const what = `${log.behind === 1_000 ? 'A thousand events or more are' : `${log.behind} ${plural(log.behind, 'event')} ${log.behind === 1 ? 'is' : 'are'}`} recorded and not in the log’s tree yet.`;
    return { what, count: log.behind, endpoint: '/v1/audit/checkpoint' };
  },
  origin_restored({ sum }: Facts): Gap | null {
    const times = eventsOf(sum, 'audit.restored');
    if (times === 0) return null;
    const what = `${times} ${plural(times, 'time')} in the period the database was set back, and the log went on under a new origin. What was recorded after the backup is not in it.`;
    return { what, count: times, endpoint: '/v1/events?kind=audit.restored' };
  },
  no_witness({ log }: Facts): Gap | null {
    const note = log?.deploymentNote ?? null;
    if (log !== null && log.anchoredSize !== null && witnessesOf(note).length > 0) return null;
    const what =
      log === null || log.anchoredSize === null || note === null
        ? 'The log is not entered in the log of the deployment yet.'
        : 'No witness outside this deployment has signed its log. Whoever runs the service could show two logs to two readers; one who holds an earlier checkpoint would notice.';
    return { what, count: null, endpoint: '/v1/audit/deployment' };
  },
};

// Of names, so that a sentence stays one.
const NAMES_LISTED = 10;

export type GapId = keyof typeof GAPS;
export const GAP_IDS = Object.keys(GAPS) as GapId[];

/** The gap, where there is one. */
export function gapOf(id: GapId, facts: Facts): Gap | null {
  return GAPS[id](facts);
}

/** Whole hours of the period, until now, since the first of today's probes was registered, in which no event was recorded. */
function emptyHours({ days, period, probes: { firstAtMs }, nowMs }: Facts): number {
  if (firstAtMs === null) return 0;
  const from = Math.ceil(Math.max(period.sinceMs, firstAtMs) / HOUR_MS);
  const to = Math.floor(Math.min(period.untilMs, nowMs) / HOUR_MS);
  const hoursByDay = new Map(days.map(({ startMs, sheet }) => [startMs / DAY_MS, sheet.hours]));
  let empty = 0;
  for (let hour = from; hour < to; hour++) {
    const bits = hoursByDay.get(Math.floor(hour / 24)) ?? 0;
    if ((bits & (1 << (hour % 24))) === 0) empty++;
  }
  return empty;
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
