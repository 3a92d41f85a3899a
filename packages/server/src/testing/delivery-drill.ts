// Kills workers, nodes and the database in the middle of deliveries, again and again, freezes a worker past its lease, and checks that nothing
// is lost. Everything is real: processes, sockets, a PostgreSQL with fsync.

import { setTimeout as delay } from 'node:timers/promises';
import { freezeWorker, thawWorker } from './delivery-freeze.ts';
import { assessFlagged, prepareGround, recordFlagged, until, type DrillGround } from './delivery-ground.ts';
import { checkHistory, type History } from './delivery-history.ts';
import { startNode, startWorker, type Running } from './delivery-processes.ts';

const NODES = 2;
const WORKERS = 2;
// A worker is killed at a random moment of its first third of a second: it claims in the first milliseconds of it.
const WORKER_LIFE_MS_MAX = 300;
const NODE_LIFE_MS_MAX = 4_000;
const RESTART_PAUSE_MS = 50;
// Events a second of each of three producers, for three healthy endpoints and two hostile ones each: beside it processes start all the time.
const EVENTS_PER_SECOND = 15;
const DATABASE_UP_MS_MAX = 60_000;
// What is left of them when the workers have been killed often enough.
const NODE_KILLS_MS_MAX = 120_000;
// Leases of 30 s, the sweep that ends them, and what has piled up.
const SETTLE_MS_MAX = 300_000;

export interface DeliveryDrillResult extends History {
  /** Events that were answered as recorded. */
  readonly answered: number;
  readonly workerKills: number;
  readonly nodeKills: number;
  readonly databaseKills: number;
  /** Deliveries in the hands of a worker that was frozen until others had made them. */
  readonly frozen: number;
  /** Of these, how many its late end changed. */
  readonly changedLate: number;
}

/** How often what is killed, at least. The database is killed at equal distances between the workers' kills. */
export interface DeliveryDrillOptions {
  readonly workerKills: number;
  readonly nodeKills: number;
  readonly databaseKills: number;
}

/** Runs the drill; its end waits for leases of 30 s. */
export async function deliveryDrill(options: DeliveryDrillOptions): Promise<DeliveryDrillResult> {
  const ground = await prepareGround();
  const drill = new Drill(ground, options);
  try {
    return await drill.run();
  } finally {
    await drill.close();
    await ground.close();
  }
}

class Drill {
  readonly #ground: DrillGround;
  readonly #options: DeliveryDrillOptions;
  readonly #running = new Set<Running>();
  readonly #answered = new Set<string>();
  #workerKills = 0;
  #nodeKills = 0;
  #databaseKills = 0;
  #isLoading = true;
  #isClosed = false;

  constructor(ground: DrillGround, options: DeliveryDrillOptions) {
    this.#ground = ground;
    this.#options = options;
  }

  async run(): Promise<DeliveryDrillResult> {
    await (await startWorker(this.#ground)).end(); // an orderly end leaves what was compiled for the next starts
    const frozen = await freezeWorker(this.#ground, await this.#start(startWorker));
    for (const id of frozen.eventIds) this.#answered.add(id);
    const nodes = Array.from({ length: NODES }, (_, i) => this.#liveNode(i));
    const producer = this.#record();
    await Promise.all([this.#killDatabases(), ...Array.from({ length: WORKERS }, () => this.#killWorkers())]);
    await until('the last node is killed', NODE_KILLS_MS_MAX, () => this.#nodeKills >= this.#options.nodeKills);
    this.#isLoading = false;
    await Promise.all([producer, ...nodes]);
    await this.#start(startWorker);
    await until('healthy endpoints have everything', SETTLE_MS_MAX, async () => (await this.#unsettled()) === 0);
    const changedLate = await thawWorker(this.#ground, frozen);
    this.#running.delete(frozen.worker);
    const { db, endpoints, log } = this.#ground;
    const history = await checkHistory(db, endpoints, log.entries, this.#answered);
    return {
      ...history,
      answered: this.#answered.size,
      workerKills: this.#workerKills,
      nodeKills: this.#nodeKills,
      databaseKills: this.#databaseKills,
      frozen: frozen.deliveryIds.length,
      changedLate,
    };
  }

  async close(): Promise<void> {
    this.#isLoading = false;
    this.#isClosed = true;
    await Promise.all([...this.#running].map((running) => running.kill()));
  }

  async #start(begin: (ground: DrillGround) => Promise<Running>): Promise<Running> {
    const running = await begin(this.#ground);
    this.#running.add(running);
    if (this.#isClosed) await this.#kill(running);
    return running;
  }

  async #kill(running: Running): Promise<void> {
    await running.kill();
    this.#running.delete(running);
  }

  /** Records events past the nodes, so that all of them are for the workers. */
  async #record(): Promise<void> {
    const { journal, organizations } = this.#ground;
    for (let i = 0; this.#isLoading; i++) {
      await recordFlagged(journal, organizations[i % organizations.length]!).then(
        (id) => this.#answered.add(id),
        () => undefined, // not answered: it may be there or not
      );
      await delay(1_000 / EVENTS_PER_SECOND);
    }
  }

  /** A node under load, killed and started again. The last one is left running. */
  async #liveNode(index: number): Promise<void> {
    while (this.#isLoading) {
      const node = await this.#start(startNode).catch(() => null);
      if (node === null) {
        await delay(RESTART_PAUSE_MS); // the database is down
        continue;
      }
      const life = this.#nodeKills < this.#options.nodeKills ? NODE_LIFE_MS_MAX * Math.random() : Infinity;
      await this.#assess(node, index, life);
      if (!this.#isLoading || life === Infinity) return;
      this.#nodeKills++;
      await this.#kill(node);
    }
  }

  /** Assesses what is flagged, over HTTP, one after the other, for `lifeMs` or to the end of the load. */
  async #assess(node: Running, index: number, lifeMs: number): Promise<void> {
    const baseUrl = /svc is running at (\S+)/.exec(node.output)![1]!;
    const { organizations } = this.#ground;
    const endsAt = performance.now() + lifeMs;
    for (let i = index; this.#isLoading && performance.now() < endsAt; i++) {
      const id = await assessFlagged(baseUrl, organizations[i % organizations.length]!.keys.live).catch(() => null);
      if (id !== null) this.#answered.add(id);
      await delay(1_000 / EVENTS_PER_SECOND);
    }
  }

  async #killWorkers(): Promise<void> {
    while (this.#workerKills < this.#options.workerKills && !this.#isClosed) {
      const worker = await this.#start(startWorker).catch(() => null);
      await delay(worker === null ? RESTART_PAUSE_MS : WORKER_LIFE_MS_MAX * Math.random());
      if (worker === null) continue;
      this.#workerKills++;
      await this.#kill(worker);
    }
  }

  async #killDatabases(): Promise<void> {
    const { workerKills, databaseKills } = this.#options;
    for (let i = 1; i <= databaseKills; i++) {
      const share = (workerKills * i) / (databaseKills + 1);
      await until('the next kill of the database', Infinity, () => this.#workerKills >= share);
      const before = await this.#databaseStart();
      await this.#ground.killDatabase();
      this.#databaseKills++;
      const isAnother = () =>
        this.#databaseStart().then(
          (start) => start > before,
          () => false,
        );
      await until('the database is up again', DATABASE_UP_MS_MAX, isAnother);
    }
  }

  async #databaseStart(): Promise<Date> {
    const { rows } = await this.#ground.db.query<{ start: Date }>('SELECT pg_postmaster_start_time() AS start');
    return rows[0]!.start;
  }

  async #unsettled(): Promise<number> {
    const ids = this.#ground.endpoints.filter(({ isHealthy }) => isHealthy).map(({ id }) => id);
    const { rows } = await this.#ground.db.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM deliveries WHERE state <> 'succeeded' AND endpoint_id = ANY ($1::uuid[])",
      [ids],
    );
    return rows[0]!.count;
  }
}
