// What a limiter is asked, and what it answers.

import type { BudgetView } from './budget.ts';

/** The two budgets of an organization. */
export const BUDGETS = ['requests', 'assessments'] as const;
export type BudgetName = (typeof BUDGETS)[number];

/** What a request takes from each budget of its organization; 0: nothing. */
export type Cost = Readonly<Record<BudgetName, number>>;

/** What a probe calls, each with a limit of its own; `registration`: names that are new, of an organization and mode together. */
export type ProbeKind = 'telemetry' | 'heartbeat' | 'policy_sync' | 'registration';

export function isProbeKind(name: string): name is ProbeKind {
  return Object.hasOwn(PROBE_LIMITS, name);
}

/** Whether a request may go on, and what its headers say. */
export interface LimitDecision {
  /** The limit that refused, as a person reads it; `null`: none did. */
  readonly refusedBy: string | null;
  /** Whole seconds until it would be let through; `Infinity`: never. 0 when nothing refused. */
  readonly waitSeconds: number;
  /** The limit that refused, or the one that was asked for; `reset` is a second of the wall clock. */
  readonly view: BudgetView;
}

/** The limits as `refusedBy` names them. */
export const REFUSALS: Readonly<Record<BudgetName | ProbeKind | 'failure' | 'call' | 'message', string>> = {
  requests: 'API requests of the organization in a minute',
  assessments: 'assessments of the organization in a minute',
  telemetry: 'telemetry requests of a probe in a second',
  heartbeat: 'heartbeats of a probe in a minute',
  policy_sync: 'policy syncs of a probe in a minute',
  registration: 'new probes of the organization in a minute',
  failure: 'failed credentials of an address in a minute',
  message: 'messages of an inbox in a minute',
  call: 'sign-ins begun from an address in a minute',
};

/** The limits of one probe instance, or of all that are new: calls in any window of so many seconds, without burst. */
export const PROBE_LIMITS: Readonly<Record<ProbeKind, { readonly limit: number; readonly windowSeconds: number }>> = {
  telemetry: { limit: 100, windowSeconds: 1 },
  heartbeat: { limit: 10, windowSeconds: 60 },
  policy_sync: { limit: 10, windowSeconds: 60 },
  // As many as there may be, within four minutes.
  registration: { limit: 300, windowSeconds: 60 },
};
