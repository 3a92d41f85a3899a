// What a request may take: budgets of organizations, windows of probes, failures of addresses.

import type { Organization } from '../organizations/organization.ts';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { budgetSeconds } from './clock.ts';
import type { BudgetName, Cost, LimitDecision, ProbeKind } from './decision.ts';
import { AddressLimits, MESSAGES_PER_MINUTE } from './addresses.ts';
import { LocalLimits } from './local.ts';
import { SharedLimits } from './shared.ts';
import { restoreUsage, startUsageKeeper } from './usage.ts';

export type { LimitDecision };

const SWEEP_INTERVAL_MS = 60_000;

/**
 * The limiter. In memory, `take` and `takeProbe` answer at once, not by a promise; with a shared store they answer by one, which never
 * rejects: without the store a node goes on with its share.
 */
export interface Limits {
  /** Takes all of the cost or none of it. `shows`: the budget that the view tells of when nothing refuses. */
  take(organization: Organization, cost: Cost, shows: BudgetName): LimitDecision | Promise<LimitDecision>;
  /** Takes one call of a probe instance (`orgId`: `org_…`), from a sliding window without burst, apart from all budgets. */
  takeProbe(orgId: string, probe: string, kind: ProbeKind): LimitDecision | Promise<LimitDecision>;
  /** What `takeProbe` would tell, by this node's memory, having taken nothing. */
  viewProbe(orgId: string, probe: string, kind: ProbeKind): LimitDecision;
  /** Counts a failed credential: 60 a minute per address (/64 for IPv6), by this node alone. `count: 0` only looks. */
  takeFailure(address: string, count?: 0 | 1): LimitDecision;
  /** Counts a message of an inbox, by its token; false: it takes no more for now. */
  takeMessage(token: string): boolean;
  /** True when the next failure from there would be refused. */
  hasFailedTooOften(address: string): boolean;
  /** Counts a call that needs no credential, in the same way and apart from failures. */
  takeCall(address: string): LimitDecision;
  /** Writes down what was used. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Opens the limiter with what was used in the five minutes before. `valkeyUrl`: the store that several nodes share, `null`: each node hands
 * out its share, the limit divided by `liveNodes()` (this one included). `onDegraded` hears when the store fails and when it is back.
 * Throws when the database cannot be read.
 */
export async function openLimits(options: {
  readonly db: Database;
  readonly valkeyUrl: string | null;
  readonly liveNodes: () => number;
  readonly log: Logger;
  readonly onDegraded: (isDegraded: boolean) => void;
}): Promise<Limits> {
  const { db, valkeyUrl, liveNodes, log, onDegraded } = options;
  const local = new LocalLimits(liveNodes, budgetSeconds);
  await restoreUsage(db, local);
  const shared = valkeyUrl === null ? null : await SharedLimits.open({ url: valkeyUrl, local, log, onDegraded });
  const decider = shared ?? local;
  const failures = new AddressLimits('failure');
  const calls = new AddressLimits('call');
  const messages = new AddressLimits('message', MESSAGES_PER_MINUTE);
  const stopKeeper = startUsageKeeper(db, local, log);
  const sweeper = setInterval(() => {
    local.sweep();
    failures.sweep(budgetSeconds());
    calls.sweep(budgetSeconds());
    messages.sweep(budgetSeconds());
  }, SWEEP_INTERVAL_MS).unref();
  let closed: Promise<void> | undefined;
  const close = async () => {
    clearInterval(sweeper);
    shared?.close();
    await stopKeeper();
  };
  return {
    take: (organization, cost, shows) => decider.take(organization, cost, shows),
    takeProbe: (orgId, probe, kind) => decider.takeProbe(orgId, probe, kind),
    viewProbe: (orgId, probe, kind) => local.viewProbe(orgId, probe, kind),
    takeFailure: (address, count = 1) => failures.take(address, count),
    takeMessage: (token) => messages.take(token, 1).refusedBy === null,
    hasFailedTooOften: (address) => failures.isUsedUp(address),
    takeCall: (address) => calls.take(address, 1),
    close: () => (closed ??= close()),
  };
}
