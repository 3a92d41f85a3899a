// A worker that is frozen past its lease, as in a machine that swaps or is moved, and thinks when it goes on that no time has passed.

import { recordFlagged, until, type DrillGround } from './delivery-ground.ts';
import type { Running } from './delivery-processes.ts';

// An endpoint's share, so that more than one has something under way.
const FROZEN_MIN = 8;
const UNDER_WAY_MS_MAX = 20_000;

/** A worker that is stopped in the middle of attempts. */
export interface FrozenWorker {
  readonly worker: Running;
  /** What it holds of healthy endpoints: received, and not answered while it ran. */
  readonly deliveryIds: readonly string[];
  /** The events that were recorded for it. */
  readonly eventIds: readonly string[];
}

/** Stops `worker`, the only process that delivers, in the middle of attempts. The receivers answer once it is stopped. */
export async function freezeWorker(ground: DrillGround, worker: Running): Promise<FrozenWorker> {
  const { receivers, organizations, journal } = ground;
  for (const receiver of receivers) receiver.hold();
  const eventIds: string[] = [];
  for (const organization of organizations) eventIds.push(await recordFlagged(journal, organization));
  const held = () => receivers.reduce((sum, receiver) => sum + receiver.held, 0);
  await until('requests are under way', UNDER_WAY_MS_MAX, () => held() >= FROZEN_MIN);
  worker.process.kill('SIGSTOP');
  for (const receiver of receivers) receiver.release();
  const healthy = new Set(ground.endpoints.filter(({ isHealthy }) => isHealthy).map(({ id }) => id));
  const received = ground.log.entries.filter(({ endpointId }) => healthy.has(endpointId));
  return { worker, deliveryIds: received.map(({ deliveryId }) => deliveryId), eventIds };
}

/** Lets it go on and end in order, after others have made its deliveries. Answers how many of them its late ends changed. */
export async function thawWorker({ db }: DrillGround, { worker, deliveryIds }: FrozenWorker): Promise<number> {
  const stateOf = async () => {
    const { rows } = await db.query<{ state: string }>(
      `SELECT d::text || coalesce((SELECT string_agg(a::text, ' ' ORDER BY number) FROM attempts a
                                    WHERE a.org_id = d.org_id AND a.delivery_id = d.id), '') AS state
         FROM deliveries d WHERE id = ANY ($1::uuid[]) ORDER BY id`,
      [deliveryIds],
    );
    return rows.map(({ state }) => state);
  };
  const before = await stateOf();
  worker.process.kill('SIGCONT');
  const code = await worker.end();
  if (code !== 0) throw new Error(`the frozen worker did not end in order: ${code}`);
  const after = await stateOf();
  return before.filter((state, i) => state !== after[i]).length;
}
