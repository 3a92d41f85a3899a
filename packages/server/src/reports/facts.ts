// What is known of an organization and its log in a period: all that evidence and gaps are told from.

import { DEFAULT_POLICY, type PolicyDocument } from '@svc/engine';
import type { Principal } from '../access/principal.ts';
import type { Services } from '../services.ts';
import type { Period } from './period.ts';
import type { Sheet } from './sheet.ts';
import {
  countDeliveredIncidents,
  countOpenDrifts,
  listPoliciesInForce,
  readDeliveryHealth,
  readLogFacts,
  readProbeFacts,
  readSheets,
  readSpans,
  type AsOf,
  type CountedSheet,
  type DeliveryHealth,
  type LogFacts,
  type PolicyInForce,
  type ProbeFacts,
  type Spans,
} from './store.ts';
import { sumOf } from './summary.ts';

export interface Facts {
  readonly nowMs: number;
  readonly period: Period;
  /** False: the period ended before today, and says nothing of how things are now. */
  readonly isOfNow: boolean;
  readonly asOf: AsOf;
  /** By the day. */
  readonly days: readonly CountedSheet[];
  /** All days together. */
  readonly sum: Sheet;
  readonly log: LogFacts | null;
  readonly spans: Spans;
  /** The versions that were in force, newest first, as they are with what they leave out. */
  readonly policies: readonly PolicyInForce[];
  readonly probes: ProbeFacts;
  readonly drifts: { readonly open: number; readonly unacknowledged: number };
  readonly endpoints: DeliveryHealth['endpoints'];
  /** Of flagged and blocked inferences and of drifts. */
  readonly deliveredIncidents: number;
}

/** Test credentials see test objects only, and the log has none of these. */
export async function gatherFacts(
  { db: { reader }, clock }: Pick<Services, 'db' | 'clock'>,
  { organization: { uuid: orgId }, mode }: Principal,
  period: Period,
): Promise<Facts> {
  const nowMs = clock();
  const isOfNow = period.untilMs > nowMs;
  if (mode === 'test') return { ...NOTHING, nowMs, period, isOfNow, sum: await sumOf([]) };
  const { asOf, sheets: days } = await readSheets(reader, orgId, period);
  const log = await readLogFacts(reader, orgId, period);
  const spans = await readSpans(reader, orgId, log?.oldestAtMs ?? null);
  const policies = await listPoliciesInForce(reader, orgId, period);
  const probes = await readProbeFacts(reader, orgId);
  const drifts = await countOpenDrifts(reader, orgId);
  const { endpoints } = await readDeliveryHealth(reader, orgId, { sinceMs: nowMs, untilMs: nowMs });
  const deliveredIncidents = await countDeliveredIncidents(reader, orgId, period);
  const sum = await sumOf(days);
  return { nowMs, period, isOfNow, asOf, days, sum, log, spans, policies, probes, drifts, endpoints, deliveredIncidents };
}

const NOTHING: Omit<Facts, 'nowMs' | 'period' | 'isOfNow' | 'sum'> = {
  asOf: { treeSize: 0, keptFrom: 1, checkpoint: null },
  days: [],
  log: null,
  policies: [],
  spans: {
    firstInferenceAtMs: null,
    lastInferenceAtMs: null,
    keptInferenceAtMs: null,
    firstProbeAtMs: null,
    lastProbeDeletedAtMs: null,
  },
  probes: { registered: 0, offline: 0 },
  drifts: { open: 0, unacknowledged: 0 },
  endpoints: { active: 0, paused: 0 },
  deliveredIncidents: 0,
};

/** How long events are kept by a policy, in days. */
export function retentionDaysOf({ data }: PolicyDocument): number {
  return data?.retention_days ?? DEFAULT_POLICY.data.retention_days;
}

/** Whether a policy lets pass what could not be assessed. */
export function allowsOnError({ on_error: onError }: PolicyDocument): boolean {
  const { input, output } = { ...DEFAULT_POLICY.on_error, ...onError };
  return input === 'allow' || output === 'allow';
}

/** Detectors that a policy switches off though they are on by default. */
export function detectorsSwitchedOff({ detectors }: PolicyDocument): string[] {
  const usual: Readonly<Record<string, { readonly enabled?: boolean }>> = DEFAULT_POLICY.detectors;
  return Object.entries(detectors ?? {})
    .filter(([name, settings]) => settings?.enabled === false && usual[name]?.enabled !== false)
    .map(([name]) => name);
}
