// The ground of the delivery drill: a database of its own with fsync on, organizations, receivers, and an endpoint for each pair of them.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkMasterKey } from '../access/master-key.ts';
import { Peppers } from '../access/peppers.ts';
import { Vault } from '../access/vault.ts';
import { secretPurpose } from '../delivery/attempt.ts';
import { newSigningSecret } from '../delivery/signatures.ts';
import { newUuid, parseId, uuidText } from '../ids.ts';
import { ChangeFeed } from '../journal/change-feed.ts';
import { changeEvent, openJournal, type Journal } from '../journal/journal.ts';
import { createOrganization, SYSTEM, type NewOrganization } from '../organizations/service.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import { startEmbeddedPostgres } from '../storage/embedded.ts';
import { migrate } from '../storage/migrate.ts';
import { createLog } from '../telemetry/log.ts';
import { insertEndpoint } from '../webhooks/store.ts';
import type { WatchedEndpoint } from './delivery-history.ts';
import type { Ground } from './delivery-processes.ts';
import { ReceptionLog, startHealthyReceiver, type HealthyReceiver } from './delivery-receivers.ts';
import { MANNERS, startHostileReceiver, type HostileReceiver } from './hostile-receiver.ts';

const ORGANIZATIONS = 12;
// Each endpoint listens to one of these; flagged assessments are in all of them.
const SUBSCRIPTIONS = [['inference.flagged'], ['*'], ['inference.flagged', 'inference.blocked']] as const;
const HOSTILE_PER_ORGANIZATION = 2;
const POLL_MS = 50;

/** What the drill stands on. */
export interface DrillGround extends Ground {
  readonly db: Database;
  /** Records events without delivering them. */
  readonly journal: Journal;
  readonly organizations: readonly NewOrganization[];
  readonly endpoints: readonly WatchedEndpoint[];
  readonly receivers: readonly HealthyReceiver[];
  readonly log: ReceptionLog;
  /** `kill -9` of the database, which comes up again by itself. */
  killDatabase(): Promise<void>;
  close(): Promise<void>;
}

/** Prepares everything. */
export async function prepareGround(): Promise<DrillGround> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-deliveries-'));
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined, settings: { max_connections: '300' } });
  const { port, user, password, database } = server.connection;
  const databaseUrl = `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const master = randomBytes(32);
  const { log: silent } = createLog('silent');
  const db = openDatabase(databaseUrl, () => undefined);
  await migrate(db);
  await checkMasterKey(db, master);
  const changes = new ChangeFeed(db, silent);
  await changes.open();
  const journal = await openJournal(db, changes, Date.now, silent);
  const log = new ReceptionLog();
  const receivers = await Promise.all(SUBSCRIPTIONS.map(() => startHealthyReceiver(log)));
  const hostile = await Promise.all(MANNERS.map((manner) => startHostileReceiver(manner, log.add)));
  const organizations: NewOrganization[] = [];
  const makers = { journal, peppers: await Peppers.load(db, master), clock: Date.now };
  for (let i = 0; i < ORGANIZATIONS; i++) organizations.push(await createOrganization(makers, `Organization ${i}`, 'enterprise'));
  const endpoints = await createEndpoints({ db, log, vault: new Vault(master), organizations, receivers, hostile });
  return {
    databaseUrl,
    masterKey: master.toString('base64'),
    dataDir: join(folder, 'nodes'),
    db,
    journal,
    organizations,
    endpoints,
    receivers,
    log,
    killDatabase: () => killDatabase(folder),
    async close() {
      await Promise.all([...receivers, ...hostile].map((receiver) => receiver.close()));
      await journal.close();
      await changes.close();
      await db.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

async function createEndpoints(of: {
  readonly db: Database;
  readonly log: ReceptionLog;
  readonly vault: Vault;
  readonly organizations: readonly NewOrganization[];
  readonly receivers: readonly HealthyReceiver[];
  readonly hostile: readonly HostileReceiver[];
}): Promise<WatchedEndpoint[]> {
  const endpoints: WatchedEndpoint[] = [];
  for (const [i, { uuid: orgId }] of of.organizations.entries()) {
    const own = Array.from({ length: HOSTILE_PER_ORGANIZATION }, (_, j) => i * HOSTILE_PER_ORGANIZATION + j);
    const targets = [...of.receivers, ...own.map((at) => of.hostile[at % of.hostile.length]!)];
    for (const [j, { url }] of targets.entries()) {
      const uuid = newUuid();
      const id = uuidText(uuid);
      const secret = newSigningSecret();
      const kinds = SUBSCRIPTIONS[j % SUBSCRIPTIONS.length]!;
      of.log.secrets.set(id, secret);
      await insertEndpoint(of.db, {
        orgId,
        uuid,
        kind: 'webhook',
        mode: 'live',
        name: null,
        description: null,
        url: `${url}/${id}`,
        config: null,
        events: kinds,
        sealedSecret: of.vault.seal(secretPurpose(id), secret),
        createdAtMs: Date.now(),
      });
      const afterSequence = await lastSequence(of.db, uuidText(orgId));
      endpoints.push({ orgId: uuidText(orgId), id, kinds, isHealthy: j < of.receivers.length, afterSequence });
    }
  }
  return endpoints;
}

async function lastSequence(db: Database, orgId: string): Promise<number> {
  const { rows } = await db.query<{ last: string }>('SELECT last_sequence AS last FROM event_counters WHERE org_id = $1', [
    orgId,
  ]);
  return Number(rows[0]!.last);
}

/** Records a flagged assessment as one that was made; answers its id, in PostgreSQL's text form. Rejects like `Journal.append`. */
export async function recordFlagged(journal: Journal, { uuid: orgId }: NewOrganization): Promise<string> {
  const data = { outcome: 'flagged', findings: [{ category: 'data.pii', detector: 'pii', severity: 'high', preview: '4111…' }] };
  const event = changeEvent(orgId, 'inference.flagged', SYSTEM, Date.now(), data);
  await journal.append(event);
  return uuidText(event.id);
}

/** Has a node assess a flagged text; answers the id of its event, in PostgreSQL's text form; `null`: it was not answered 200. */
export async function assessFlagged(baseUrl: string, key: string): Promise<string | null> {
  const res = await fetch(`${baseUrl}/v1/assessments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"input":"my card is 4111 1111 1111 1111"}',
  });
  const { event_id: id } = (await res.json()) as { event_id: string };
  return res.status === 200 ? uuidText(parseId('evt', id)!) : null;
}

/** Resolves once `isSo`; throws when it takes longer than `timeMsMax`. */
export async function until(what: string, timeMsMax: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + timeMsMax;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain until ${what}`);
    await delay(POLL_MS);
  }
}

async function killDatabase(folder: string): Promise<void> {
  const pid = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    process.kill(pid, 'SIGKILL'); // not the leader of a group, as inside a user namespace
  }
}
