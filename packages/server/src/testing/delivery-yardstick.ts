// The yardstick of deliveries: a bare loop over the HTTP client that the service uses, which records, signs and guards nothing.

import { Pool } from 'undici';

/** Posts `request` `count` times in all, to each of `urls` with `inFlight` at once; the answers are read to their ends. */
export async function postToEach(
  urls: readonly string[],
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  count: number,
  inFlight: number,
): Promise<void> {
  const pools = urls.map((url) => new Pool(new URL(url).origin, { connections: inFlight }));
  const turns = Array.from({ length: count }).keys(); // shared by all
  const post = async (pool: Pool) => {
    for (const _ of turns) await (await pool.request({ method: 'POST', path: '/', ...request })).body.dump();
  };
  await Promise.all(pools.flatMap((pool) => Array.from({ length: inFlight }, () => post(pool))));
  await Promise.all(pools.map((pool) => pool.close()));
}
