// The probes of each organization as this node remembers them, and how new ones come to be known.

import type { Actor, Journal } from '../journal/journal.ts';
import type { ChangeFeed } from '../journal/change-feed.ts';
import { Remembered } from '../journal/remembered.ts';
import { AppError } from '../http/errors.ts';
import type { Limits } from '../limits/limits.ts';
import { lockOrganization, type Organization } from '../organizations/organization.ts';
import type { Database } from '../storage/database.ts';
import { probeEvent } from './events.ts';
import { countProbes, deleteLongestUnseen, findGroups, findProbe, insertProbe, type Mode, type ProbeKey } from './store.ts';

/** Of an organization, of each mode. */
const PROBES_MAX = 1_000;
// Each holds up to a thousand names of each mode.
const ORGANIZATIONS_MAX = 500;
/** For so long new names are refused as the last one was, without another look. */
const REFUSED_MS = 5_000;
// Beyond that one is looked at again.
const REFUSALS_MAX = 1_000;
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

interface Refusal {
  readonly untilMs: number;
  readonly error: AppError;
}

interface Parts {
  readonly db: Database;
  readonly changes: ChangeFeed;
  readonly journal: Journal;
  readonly limits: Limits;
  readonly clock: () => number;
}

export class ProbeRegistry {
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #limits: Limits;
  readonly #clock: () => number;
  /** Groups by mode and name. */
  readonly #groups: Remembered<Map<string, string>>;
  /** Why new names are refused, by organization and mode. */
  readonly #refusals = new Map<string, Refusal>();

  constructor({ db, changes, journal, limits, clock }: Parts) {
    this.#db = db;
    this.#journal = journal;
    this.#limits = limits;
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

  /** Why a probe of this name would be refused, as far as that is known without asking anybody; `null`: it may call. */
  refusalOf({ id: orgId }: Pick<Organization, 'id'>, mode: Mode, probeId: string): AppError | null {
    const refusal = this.#refusals.get(`${orgId} ${mode}`);
    if (refusal === undefined || refusal.untilMs <= this.#clock()) return null;
    return this.#groups.last(orgId)?.has(`${mode} ${probeId}`) === false ? refusal.error : null;
  }

  /**
   * The group of the probe that calls; one that is not known is registered. Throws `conflict` where there are too many, `rate_limited` where too
   * many are new.
   */
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

  /** Registers the probe unless it is registered; answers its group. Throws as `groupOf` does. */
  async register(caller: ProbeCaller): Promise<string> {
    const { organization, mode, probeId } = caller;
    const refused = this.refusalOf(organization, mode, probeId);
    if (refused !== null) throw refused;
    // By another node, perhaps.
    const known = await findProbe(this.#db, keyOf(caller));
    if (known !== null) return known.group;
    const { refusedBy, waitSeconds } = await this.#limits.takeProbe(organization.id, mode, 'registration');
    if (refusedBy !== null) throw await this.#refuse(caller, tooManyNew(refusedBy, waitSeconds));
    try {
      return await this.#insert(caller);
    } catch (err) {
      if (err instanceof AppError && err.code === 'conflict') throw await this.#refuse(caller, err);
      throw err;
    }
  }

  #insert(caller: ProbeCaller): Promise<string> {
    const key = keyOf(caller);
    return this.#journal.transaction(async (tx, record, expire) => {
      // So that of two that come at once no one is the thousand and first.
      await lockOrganization(tx, key.orgId);
      const known = await findProbe(tx, key);
      if (known !== null) return known.group;
      if ((await countProbes(tx, key)) >= PROBES_MAX) {
        if (key.mode === 'live') throw tooMany();
        // Nobody looks after those of test keys.
        await deleteLongestUnseen(tx, key);
        expire(probesSubject(caller.organization.id));
      }
      const nowMs = this.#clock();
      await insertProbe(tx, key, nowMs);
      if (key.mode === 'live') record(probeEvent(key, 'probe.registered', caller.actor, nowMs, { group: GROUP_DEFAULT }));
      return GROUP_DEFAULT;
    });
  }

  /** Remembers the refusal for those that come next. Who is known to another node by now is to be known here, and is not refused. */
  async #refuse({ organization, mode }: ProbeCaller, error: AppError): Promise<AppError> {
    const nowMs = this.#clock();
    const holder = `${organization.id} ${mode}`;
    // Of many at once the first looks.
    if ((this.#refusals.get(holder)?.untilMs ?? 0) > nowMs) return error;
    this.#refusals.delete(holder);
    if (this.#refusals.size >= REFUSALS_MAX) this.#refusals.delete(this.#refusals.keys().next().value!);
    this.#refusals.set(holder, { untilMs: nowMs + REFUSED_MS, error });
    const { groups } = await findGroups(this.#db, organization.uuid);
    const here = this.#groups.last(organization.id);
    for (const [name, group] of groups) if (here?.has(name) === false) here.set(name, group);
    return error;
  }
}

function tooManyNew(limit: string, waitSeconds: number): AppError {
  return new AppError('rate_limited', `The limit of ${limit} is used up. Repeat in ${waitSeconds} s.`, {
    headers: { 'retry-after': String(waitSeconds) },
  });
}

function tooMany(): AppError {
  return new AppError(
    'conflict',
    `The organization has ${PROBES_MAX} probes already. Delete those that are gone, or give this one the name of one that it takes the place of.`,
    { headers: { 'retry-after': String(REFUSED_MS / 1_000) } },
  );
}
