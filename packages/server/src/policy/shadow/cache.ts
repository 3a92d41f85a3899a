// The candidate of each organization, compiled, as this node remembers it.

import { compilePolicy, type CompiledPolicy } from '@svc/engine';
import type { ChangeFeed } from '../../journal/change-feed.ts';
import { Remembered } from '../../journal/remembered.ts';
import type { Database } from '../../storage/database.ts';
import { findShadow, type ShadowRecord } from './store.ts';

/** As many as of policies in force. */
const ENTRIES_MAX = 500;
const SUBJECT = 'shadow of ';

/** A candidate that is ready to decide. */
export interface Shadow {
  readonly digest: string;
  /** `null`: today's lint refuses what was taken earlier. */
  readonly policy: CompiledPolicy | null;
  readonly sampleRate: number;
  readonly expiresAtMs: number;
}

/** The subject of the change feed for an organization's candidate. */
export function shadowSubject(orgId: string): string {
  return SUBJECT + orgId;
}

/** `null`: there is no candidate. `onLoad` hears when this node comes to hold one. */
export function createShadowCache(db: Database, changes: ChangeFeed, onLoad: () => void): Remembered<Shadow | null> {
  return new Remembered<Shadow | null>(changes, {
    subject: SUBJECT,
    entriesMax: ENTRIES_MAX,
    async read(_orgId, orgUuid) {
      const { shadow, asOf } = await findShadow(db, orgUuid);
      if (shadow !== null) onLoad();
      return { value: shadow === null ? null : ready(shadow), asOf };
    },
  });
}

function ready({ digest, document, sampleRate, expiresAtMs }: ShadowRecord): Shadow {
  return { digest, policy: compiledOrNull(document), sampleRate, expiresAtMs };
}

function compiledOrNull(document: ShadowRecord['document']): CompiledPolicy | null {
  try {
    return compilePolicy(document, 0);
  } catch {
    return null;
  }
}
