// What a node holds of probes.

import type { Vault } from '../access/vault.ts';
import type { ChangeFeed } from '../journal/change-feed.ts';
import type { Journal } from '../journal/journal.ts';
import type { Limits } from '../limits/limits.ts';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { PolicyBundles } from './bundle.ts';
import { Refusals } from './refusals.ts';
import { ProbeRegistry } from './registry.ts';
import { ProbeTouches } from './touches.ts';
import { FairTurns, ProbeLocks } from './turns.ts';

// The pool has ten connections, and not telemetry alone needs them. More at once would not be faster: the disk is one.
const COMMITS_AT_ONCE = 4;
// Some 250 batches as probes send them, eight of the largest.
const WAITING_BYTES_MAX = 67_108_864;
// Of it for one organization: what one sends too much of is not for others to wait for.
const WAITING_BYTES_EACH_MAX = WAITING_BYTES_MAX / 4;

export interface Probes {
  readonly registry: ProbeRegistry;
  readonly touches: ProbeTouches;
  readonly refusals: Refusals;
  readonly locks: ProbeLocks;
  readonly commits: FairTurns;
  readonly bundles: PolicyBundles;
  /** Writes down what was seen. */
  close(): Promise<void>;
}

interface Parts {
  readonly db: Database;
  readonly changes: ChangeFeed;
  readonly journal: Journal;
  readonly limits: Limits;
  readonly vault: Vault;
  readonly clock: () => number;
  readonly log: Logger;
}

export function createProbes({ db, changes, journal, limits, vault, clock, log }: Parts): Probes {
  const touches = new ProbeTouches(db, log);
  const locks = new ProbeLocks(db, log);
  return {
    registry: new ProbeRegistry({ db, changes, journal, limits, clock }),
    touches,
    refusals: new Refusals(),
    locks,
    commits: new FairTurns(COMMITS_AT_ONCE, WAITING_BYTES_MAX, WAITING_BYTES_EACH_MAX),
    bundles: new PolicyBundles(db, vault, clock),
    async close() {
      await touches.close();
      await locks.close();
    },
  };
}
