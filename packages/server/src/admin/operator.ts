// What the operator's commands work with: the service's own database, journal and keys, without HTTP.

import { checkMasterKey, loadMasterKey } from '../access/master-key.ts';
import { Peppers } from '../access/peppers.ts';
import { Vault } from '../access/vault.ts';
import type { Config } from '../config.ts';
import { ChangeFeed } from '../journal/change-feed.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import { startDatabase, type DatabaseListeners } from '../start-database.ts';
import type { Database } from '../storage/database.ts';
import { createLog } from '../telemetry/log.ts';

/** What a command is handed. */
export interface Operator {
  readonly db: Database;
  readonly journal: Journal;
  readonly peppers: Peppers;
  readonly vault: Vault;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/**
 * Opens the database of the settings, whether a service runs on it or not, migrates it and checks the master key. `close` leaves all as it
 * was found. Throws what `startDatabase` throws, and `MasterKeyError`.
 */
export async function openOperator(config: Config, listeners: DatabaseListeners): Promise<Operator & { close(): Promise<void> }> {
  const { db, close } = await startDatabase(config, listeners, { mayJoin: true });
  try {
    const master = await loadMasterKey(config.masterKey, config.dataDir);
    await checkMasterKey(db, master);
    // What fails is told by the command itself, and its output is for people and programs.
    const { log } = createLog('silent');
    // Not opened: this process serves nobody, and must not be counted among the nodes that share the limits.
    const journal = await openJournal(db, new ChangeFeed(db, log), Date.now, log);
    return {
      db,
      journal,
      peppers: await Peppers.load(db, master),
      vault: new Vault(master),
      clock: Date.now,
      async close() {
        await journal.close();
        await close();
      },
    };
  } catch (err) {
    await close();
    throw err;
  }
}
