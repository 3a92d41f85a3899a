// What handlers work with. Made once, in main.ts (and by tests), and passed down.

import type { Authenticator } from './access/authenticator.ts';
import type { LongTexts } from './assessments/long-texts.ts';
import type { Journal } from './journal/journal.ts';
import type { Limits } from './limits/limits.ts';
import type { PolicyCache } from './policy/cache.ts';
import type { Database } from './storage/database.ts';
import type { Logger } from './telemetry/log.ts';

export interface Services {
  readonly db: Database;
  readonly journal: Journal;
  readonly authenticator: Authenticator;
  /** The name of the pepper under which new keys are stored. */
  readonly pepperName: string;
  readonly policies: PolicyCache;
  readonly limits: Limits;
  /** Assesses long texts off the main thread. */
  readonly longTexts: LongTexts;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
}
