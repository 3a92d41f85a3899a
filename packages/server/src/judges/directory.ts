// The judges of each organization, as this node remembers them.

import type { ChangeFeed } from '../journal/change-feed.ts';
import { Remembered } from '../journal/remembered.ts';
import type { Database } from '../storage/database.ts';
import { findAllJudges, type Judge } from './store.ts';

// At most 20 judges each, with instructions of up to 32 768 characters.
const ORGANIZATIONS_MAX = 500;
const SUBJECT = 'judges of ';

/** An organization's judges by id. */
export type JudgeDirectory = Remembered<ReadonlyMap<string, Judge>>;

/** The subject of the change feed for an organization's judges. */
export function judgesSubject(orgId: string): string {
  return SUBJECT + orgId;
}

export function createJudgeDirectory(db: Database, changes: ChangeFeed): JudgeDirectory {
  return new Remembered<ReadonlyMap<string, Judge>>(changes, {
    subject: SUBJECT,
    entriesMax: ORGANIZATIONS_MAX,
    async read(_orgId, orgUuid) {
      const { judges, asOf } = await findAllJudges(db, orgUuid);
      return { value: new Map(judges.map((judge) => [judge.id, judge])), asOf };
    },
  });
}
