// The probes of each organization as this node remembers them, and how new ones come to be known.

import type { Actor, Journal } from '../journal/journal.ts';
import type { ChangeFeed } from '../journal/change-feed.ts';
import { Remembered } from '../journal/remembered.ts';
import { AppError } from '../http/errors.ts';
import { lockOrganization, type Organization } from '../organizations/organization.ts';
import type { Database } from '../storage/database.ts';
import { probeEvent } from './events.ts';
import { countProbes, findGroups, findProbe, insertProbe, type Mode, type ProbeKey } from './store.ts';

/** Of an organization, of both modes. */
const PROBES_MAX = 1_000;
// Each holds up to a thousand names.
const ORGANIZATIONS_MAX = 500;
const SUBJECT = 'probes of ';
export const GROUP_DEFAULT = 'default';

/** The subject of the change feed for an organization's probes. A probe that is new needs no telling: who does not know it asks. */
export function probesSubject(orgId: string): string {
  return SUBJECT + orgId;
}

/** Which probe calls, and on whose behalf. */
export interface ProbeCaller {
  readonly organization: Organization;
  readonly mode: Mode;
  readonly probeId: string;
  readonly actor: Actor;
}

export function keyOf({ organization, mode, probeId }: Omit<ProbeCaller, 'actor'>): ProbeKey {
  return { orgId: organization.uuid, mode, probeId };
}

export class ProbeRegistry {
  readonly #journal: Journal;
  readonly #clock: () => number;
  /** Groups by mode and name. */
  readonly #groups: Remembered<Map<string, string>>;

  constructor(db: Database, changes: ChangeFeed, journal: Journal, clock: () => number) {
    this.#journal = journal;
    this.#clock = clock;
    this.#groups = new Remembered(changes, {
      subject: SUBJECT,
      entriesMax: ORGANIZATIONS_MAX,
      async read(_orgId, orgUuid) {
        const { groups, asOf } = await findGroups(db, orgUuid);
        return { value: groups, asOf };
      },
    });
  }

  /** The group of the probe that calls; one that is not known is registered. Throws `conflict` where there are too many. */
  async groupOf(caller: ProbeCaller): Promise<string> {
    const { organization, mode, probeId } = caller;
    const name = `${mode} ${probeId}`;
    const groups = this.#groups.peek(organization.id) ?? (await this.#groups.get(organization.id, organization.uuid));
    const known = groups.get(name);
    if (known !== undefined) return known;
    const group = await this.register(caller);
    // Into what was read before: where anything has changed meanwhile, that is thrown away.
    groups.set(name, group);
    return group;
  }

  /** Registers the probe unless it is registered; answers its group. */
  register(caller: ProbeCaller): Promise<string> {
    const key = keyOf(caller);
    return this.#journal.transaction(async (tx, record) => {
      // So that of two that come at once no one is the thousand and first.
      await lockOrganization(tx, key.orgId);
      const known = await findProbe(tx, key);
      if (known !== null) return known.group;
      if ((await countProbes(tx, key.orgId)) >= PROBES_MAX) throw tooMany();
      const nowMs = this.#clock();
      await insertProbe(tx, key, nowMs);
      if (key.mode === 'live') record(probeEvent(key, 'probe.registered', caller.actor, nowMs, { group: GROUP_DEFAULT }));
      return GROUP_DEFAULT;
    });
  }
}

function tooMany(): AppError {
  return new AppError(
    'conflict',
    `The organization has ${PROBES_MAX} probes already. Delete those that are gone, or give this one the name of one that it takes the place of.`,
  );
}
