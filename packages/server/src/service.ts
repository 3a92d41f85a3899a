// The whole service, from its settings to a listening server and back.

import { warmUp } from '@svc/engine';
import { createWorkerPool } from '@svc/engine/worker-pool';
import { open, rename, unlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import { Authenticator } from './access/authenticator.ts';
import { LongTexts } from './assessments/long-texts.ts';
import { checkMasterKey, loadMasterKey } from './access/master-key.ts';
import { PEPPER_SUBJECT, Peppers } from './access/peppers.ts';
import { Vault } from './access/vault.ts';
import { CidrList, parseCidr, type Cidr } from './addresses/cidr.ts';
import { AuditThread, type ThreadSettings } from './audit/audit-thread.ts';
import { TRAIL_KEYS_SUBJECT, TrailKeys } from './audit/keys.ts';
import { checkRestored, declareRestored, openTrail, type TrailParts } from './audit/restored.ts';
import type { Config } from './config.ts';
import type { Sender } from './delivery/attempt.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { DriftWorker } from './drift/worker.ts';
import { createEgress } from './egress/egress.ts';
import { Downloads } from './exports/downloads.ts';
import { JudgeCaller } from './judges/caller.ts';
import { createJudgeDirectory } from './judges/directory.ts';
import { JudgePanel } from './judges/panel.ts';
import { ChangeFeed } from './journal/change-feed.ts';
import { openJournal } from './journal/journal.ts';
import { openLimits } from './limits/limits.ts';
import { createFirstOrganization, type NewOrganization } from './organizations/service.ts';
import { PolicyCache } from './policy/cache.ts';
import { createShadowCache } from './policy/shadow/cache.ts';
import { SimulationWorker } from './policy/simulations/worker.ts';
import { TrialThread } from './policy/trial-thread.ts';
import { createProbes } from './probes/probes.ts';
import { startWatchingProbes } from './probes/watch.ts';
import type { Services } from './services.ts';
import { SessionCookies } from './sessions/cookies.ts';
import { SIGNING_KEYS_SUBJECT, SigningKeys } from './sessions/signing-keys.ts';
import { SessionTokens } from './sessions/tokens.ts';
import { Issuers } from './sso/issuer.ts';
import { startDatabase, type StartedDatabase } from './start-database.ts';
import { Turns } from './http/turns.ts';
import { StartError } from './start-error.ts';
import type { Logger } from './telemetry/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { startClosingStreams } from './streams/closing.ts';
import { startHousekeeping } from './workers/housekeeping.ts';

// Some tenths of a second of look-ups.
const GUESSES_WAITING_MAX = 200;

export interface RunningService {
  /** Under which clients reach it. */
  readonly baseUrl: string;
  /** The organization made at the first start; `null` later. */
  readonly firstOrganization: NewOrganization | null;
  readonly services: Services;
  /** Requests in flight finish, the journal is flushed, the embedded database is stopped. Safe to call twice. */
  close(): Promise<void>;
}

/** Closes what was opened, in reverse order, each once. */
class Closers {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async closeAll(): Promise<void> {
    while (this.#closers.length > 0) await this.#closers.pop()!();
  }
}

/** Starts the service. Whatever fails, what was opened before is closed again. `clock`: Unix milliseconds. */
export async function startService(
  config: Config,
  log: Logger,
  onFatal: (err: Error) => void,
  clock: () => number = Date.now,
): Promise<RunningService> {
  const closers = new Closers();
  try {
    return await openAll(config, log, onFatal, clock, closers);
  } catch (err) {
    await closers.closeAll();
    throw err;
  }
}

async function openAll(
  config: Config,
  log: Logger,
  onFatal: (err: Error) => void,
  clock: () => number,
  closers: Closers,
): Promise<RunningService> {
  const listeners = {
    say: (sentence: string) => log.info(sentence),
    onIdleError: (err: Error) => log.warn({ err }, 'an idle database connection was lost'),
    onLost: onFatal,
  };
  const database = await startDatabase(config, listeners, { mayJoin: false });
  closers.add(database.close);
  const services = await createServices(config, database, log, clock, closers);
  const app = buildApp(services);
  closers.add(() => app.close());
  // Before the first deadline counts.
  warmUp();
  const baseUrl = await listen(app.fastify, config);
  services.setBaseUrl(baseUrl);
  // After listening: an address that is taken must not cost the keys, which are shown once; nor must a file that cannot be written.
  const bootstrap = config.bootstrapFile === null ? null : await openBootstrapFile(config.bootstrapFile);
  const firstOrganization = await createFirstOrganization(services, 'My organization', config.bootstrapPlan);
  await bootstrap?.finish(firstOrganization, baseUrl);
  return { baseUrl, firstOrganization, services, close: () => closers.closeAll() };
}

async function createServices(
  config: Config,
  { db, connection }: StartedDatabase,
  log: Logger,
  clock: () => number,
  closers: Closers,
) {
  const master = await loadMasterKey(config.masterKey, config.dataDir);
  await checkMasterKey(db, master);
  const changes = new ChangeFeed(db, log);
  closers.add(() => changes.close());
  await changes.open();
  const metrics = createMetrics(changes);
  const journal = await openJournal(db, changes, clock, log);
  closers.add(() => journal.close());
  const peppers = await Peppers.load(db, master);
  const vault = new Vault(master);
  const signingKeys = new SigningKeys(db, vault);
  await signingKeys.load();
  const trail = { db, journal, dataDir: config.dataDir, clock, log };
  await openTrail(trail, config.publicUrl);
  const trailKeys = new TrailKeys(db, vault);
  await trailKeys.load();
  const audit = startAuditThread(trail, changes, {
    connection,
    master,
    dataDir: config.dataDir,
    logLevel: config.logLevel,
    witnesses: config.witnesses ?? [],
  });
  closers.add(() => audit.close());
  const tokens = new SessionTokens(signingKeys);
  const cookies = new SessionCookies(master, config.publicUrl !== null);
  const authenticator = new Authenticator(db, changes, peppers, tokens, cookies, log);
  closers.add(() => authenticator.close());
  // What was let in by a key that has been replaced is looked at anew.
  reloadOnChange(changes, log, {
    [PEPPER_SUBJECT]: () => peppers.reload(db).then(() => authenticator.forgetAll()),
    [TRAIL_KEYS_SUBJECT]: () => trailKeys.load(),
    [SIGNING_KEYS_SUBJECT]: () => signingKeys.load().then(() => authenticator.forgetAll()),
  });
  const limits = await openLimits({
    db,
    valkeyUrl: config.valkeyUrl,
    liveNodes: () => changes.nodes,
    log,
    onDegraded: (isDegraded) => metrics.limitsDegraded.set(isDegraded ? 1 : 0),
  });
  closers.add(() => limits.close());
  let baseUrl = config.publicUrl ?? '';
  const allowed = config.egressAllowCidrs ?? new CidrList([]);
  const egress = createEgress({ allowed, allowHttp: false });
  closers.add(() => egress.close());
  const ownEgress = createEgress({ allowed: everywhere(), allowHttp: true });
  closers.add(() => ownEgress.close());
  const webhookEgress = createEgress({ allowed, allowHttp: config.allowHttpWebhooks });
  closers.add(() => webhookEgress.close());
  const sender: Sender = { egress: webhookEgress, ownEgress, vault, baseUrl: () => baseUrl, clock };
  const dispatcher = new Dispatcher({ db, journal, log }, sender);
  dispatcher.start();
  closers.add(() => dispatcher.close());
  const workers = createWorkerPool({ size: 1 });
  await workers.ready();
  closers.add(() => workers.close());
  const trials = new TrialThread();
  closers.add(() => trials.close());
  const simulations = new SimulationWorker({ db, vault, clock, log }, trials);
  simulations.start();
  closers.add(() => simulations.close());
  const drift = new DriftWorker({ db, journal, clock, log });
  drift.start();
  closers.add(() => drift.close());
  const probes = createProbes({ db, changes, journal, limits, vault, clock, log });
  closers.add(() => probes.close());
  closers.add(startWatchingProbes({ db, journal, clock, log }));
  closers.add(startHousekeeping({ db, journal, vault, signingKeys, clock, log }));
  const services: Services = {
    db,
    changes,
    journal,
    authenticator,
    peppers,
    vault,
    signingKeys,
    trailKeys,
    audit,
    downloads: new Downloads(),
    tokens,
    cookies,
    issuers: new Issuers(egress, clock),
    egress,
    sender,
    dispatcher,
    trustedProxies: config.trustedProxies ?? new CidrList([]),
    policies: new PolicyCache(db, changes),
    shadows: createShadowCache(db, changes, () => trials.start()),
    trials,
    simulations,
    drift,
    probes,
    judges: new JudgePanel(createJudgeDirectory(db, changes), new JudgeCaller(egress, vault, log)),
    limits,
    guesses: new Turns(GUESSES_WAITING_MAX),
    longTexts: new LongTexts(workers),
    metrics,
    metricsToken: config.metricsToken,
    baseUrl: () => baseUrl,
    clock,
    log,
  };
  closers.add(startClosingStreams(services));
  const setBaseUrl = (url: string) => {
    baseUrl = url;
    tokens.issuer = url;
    cookies.origin = url;
  };
  return { ...services, setBaseUrl };
}

/** Starts what writes the logs. Where the database was set back while it runs, a new origin begins. */
function startAuditThread(trail: TrailParts, changes: ChangeFeed, settings: ThreadSettings): AuditThread {
  const { journal, log } = trail;
  const warn = (err: unknown) => log.error({ err }, 'a new origin of the logs could not be begun; nothing is signed until it is');
  const audit = new AuditThread({
    ...settings,
    log,
    onSetBack: (reason, seenEpoch, usedEpoch) => void declareRestored(trail, reason, seenEpoch, usedEpoch).catch(warn),
  });
  audit.start();
  journal.onCommit(() => audit.wake());
  changes.onChange((subject) => {
    if (subject === null) void checkRestored(trail).catch(warn);
  });
  return audit;
}

/** For calls to this very service, whatever its address. */
function everywhere(): CidrList {
  return new CidrList(['0.0.0.0/0', '::/0'].map((range) => parseCidr(range) as Cidr));
}

/** Reads again what this node holds in memory, when another changes it. */
function reloadOnChange(changes: ChangeFeed, log: Logger, loaders: Readonly<Record<string, () => Promise<void>>>): void {
  changes.onChange((subject) => {
    const due = subject === null ? Object.values(loaders) : subject in loaders ? [loaders[subject]!] : [];
    for (const load of due) load().catch((err: unknown) => log.error({ err, subject }, 'what changed could not be read again'));
  });
}

async function listen(fastify: ReturnType<typeof buildApp>['fastify'], config: Config): Promise<string> {
  try {
    await fastify.listen({ host: config.host, port: config.port });
  } catch (err) {
    throw listenErrorOf(err, config);
  }
  if (config.publicUrl !== null) return config.publicUrl;
  const { port } = fastify.server.address() as AddressInfo;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenErrorOf(err: unknown, { host, port }: Config): unknown {
  const code = err instanceof Error && 'code' in err ? err.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${port} on ${host} is taken by another program. Stop it, or set SVC_PORT to another port.`);
    case 'EACCES':
      return new StartError(`Port ${port} needs privileges that this user does not have. Set SVC_PORT to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is not an address of this machine. Set SVC_HOST to one that is.`);
    default:
      return err;
  }
}

/** Opens a new file beside `path`, readable by its owner alone, that takes the place of `path` when it is finished. */
async function openBootstrapFile(path: string) {
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'wx', 0o600).catch((err: unknown) => {
    const code = err instanceof Error && 'code' in err ? String(err.code) : 'unknown fault';
    throw new StartError(
      `The file ${path} cannot be written (${code}). Set SVC_BOOTSTRAP_FILE to one that this user may write.`,
      { cause: err },
    );
  });
  return {
    /** Writes the keys of the first start; later there are none, and the file stays as it is. */
    async finish(organization: NewOrganization | null, baseUrl: string): Promise<void> {
      if (organization !== null) {
        const { id, keys } = organization;
        const content = { org_id: id, admin_key: keys.admin, live_key: keys.live, test_key: keys.test, base_url: baseUrl };
        await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
        await file.sync();
      }
      await file.close();
      await (organization === null ? unlink(draft) : rename(draft, path));
    },
  };
}
