// What handlers work with. Made once, in main.ts (and by tests), and passed down.

import type { Authenticator } from './access/authenticator.ts';
import type { Peppers } from './access/peppers.ts';
import type { Vault } from './access/vault.ts';
import type { CidrList } from './addresses/cidr.ts';
import type { AuditThread } from './audit/audit-thread.ts';
import type { TrailKeys } from './audit/keys.ts';
import type { LongTexts } from './assessments/long-texts.ts';
import type { Sender } from './delivery/attempt.ts';
import type { Dispatcher } from './delivery/dispatcher.ts';
import type { DriftWorker } from './drift/worker.ts';
import type { Egress } from './egress/egress.ts';
import type { Downloads } from './exports/downloads.ts';
import type { JudgePanel } from './judges/panel.ts';
import type { ChangeFeed } from './journal/change-feed.ts';
import type { Turns } from './http/turns.ts';
import type { Journal } from './journal/journal.ts';
import type { Remembered } from './journal/remembered.ts';
import type { Limits } from './limits/limits.ts';
import type { PolicyCache } from './policy/cache.ts';
import type { Probes } from './probes/probes.ts';
import type { Shadow } from './policy/shadow/cache.ts';
import type { SimulationWorker } from './policy/simulations/worker.ts';
import type { TrialThread } from './policy/trial-thread.ts';
import type { SessionCookies } from './sessions/cookies.ts';
import type { SigningKeys } from './sessions/signing-keys.ts';
import type { SessionTokens } from './sessions/tokens.ts';
import type { Issuers } from './sso/issuer.ts';
import type { Database } from './storage/database.ts';
import type { Logger } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

export interface Services {
  readonly db: Database;
  /** What changed on any node. */
  readonly changes: ChangeFeed;
  readonly journal: Journal;
  readonly authenticator: Authenticator;
  /** Under what keys are stored. */
  readonly peppers: Peppers;
  /** Encrypts what must be read again. */
  readonly vault: Vault;
  readonly signingKeys: SigningKeys;
  /** What checkpoints of the logs are verified with. */
  readonly trailKeys: TrailKeys;
  /** Writes the logs. */
  readonly audit: AuditThread;
  /** Of bundles. */
  readonly downloads: Downloads;
  readonly tokens: SessionTokens;
  readonly cookies: SessionCookies;
  /** The identity providers. */
  readonly issuers: Issuers;
  /** The way to identity providers. */
  readonly egress: Egress;
  /** What deliveries are sent with. */
  readonly sender: Sender;
  readonly dispatcher: Dispatcher;
  /** Hops whose X-Forwarded-For is believed. */
  readonly trustedProxies: CidrList;
  readonly policies: PolicyCache;
  /** Candidates that run beside the policies in force. */
  readonly shadows: Remembered<Shadow | null>;
  /** The thread on which candidates decide what takes long. */
  readonly trials: TrialThread;
  readonly simulations: SimulationWorker;
  /** Reads the trails for drift. */
  readonly drift: DriftWorker;
  /** Asks the models outside that policies name. */
  readonly judges: JudgePanel;
  /** What is known of probes, and in what order what they send is worked on. */
  readonly probes: Probes;
  readonly limits: Limits;
  /** Look-ups of credentials for addresses that have failed too often. */
  readonly guesses: Turns;
  /** Assesses long texts off the main thread. */
  readonly longTexts: LongTexts;
  readonly metrics: Metrics;
  /** `null`: metrics are answered to this machine alone. */
  readonly metricsToken: string | null;
  /** Under which clients reach the service; without a trailing slash. Known once it listens. */
  readonly baseUrl: () => string;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
}
