// The judges of each organization, as this node remembers them.

import type { ChangeFeed } from '../journal/change-feed.ts';
import type { Database } from '../storage/database.ts';
import { findAllJudges, type Judge } from './store.ts';

// At most 20 judges each, with instructions of up to 32 768 characters.
const ORGANIZATIONS_MAX = 500;
const SUBJECT = 'judges of ';

/** By id. */
type Judges = ReadonlyMap<string, Judge>;

/** The subject of the change feed for an organization's judges. */
export function judgesSubject(orgId: string): string {
  return SUBJECT + orgId;
}

export class JudgeDirectory {
  readonly #db: Database;
  readonly #changes: ChangeFeed;
  /** The one read longest ago first. */
  readonly #known = new Map<string, Judges>();
  readonly #reading = new Map<string, Promise<Judges>>();

  constructor(db: Database, changes: ChangeFeed) {
    this.#db = db;
    this.#changes = changes;
    changes.onChange((subject) => {
      if (subject === null) this.#known.clear();
      else if (subject.startsWith(SUBJECT)) this.#known.delete(subject.slice(SUBJECT.length));
    });
  }

  /** The organization's judges as they are now. Parallel calls share one read. Throws `unavailable`. */
  async get(orgId: string, orgUuid: Buffer): Promise<Judges> {
    await this.#changes.sync();
    const known = this.#known.get(orgId);
    if (known !== undefined) return known;
    let reading = this.#reading.get(orgId);
    if (reading === undefined) {
      reading = this.#read(orgId, orgUuid).finally(() => this.#reading.delete(orgId));
      this.#reading.set(orgId, reading);
    }
    return reading;
  }

  async #read(orgId: string, orgUuid: Buffer): Promise<Judges> {
    const { judges, asOf } = await findAllJudges(this.#db, orgUuid);
    // Changed in the meantime, and told of already: what was read may be the state before.
    if (this.#changes.isOutdated([judgesSubject(orgId)], asOf)) return this.#read(orgId, orgUuid);
    const known = new Map(judges.map((judge) => [judge.id, judge]));
    if (this.#known.size >= ORGANIZATIONS_MAX) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(orgId, known);
    return known;
  }
}
