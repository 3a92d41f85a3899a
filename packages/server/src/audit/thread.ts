// The thread that writes the logs, apart from the one that answers requests: it extends the trees, anchors their checkpoints, makes exports, and
// writes down what blocks of events hold.

import { parentPort, workerData } from 'node:worker_threads';
import { Vault } from '../access/vault.ts';
import { BlockIndexer } from '../events/block-indexer.ts';
import { ExportWorker } from '../exports/worker.ts';
import { openDatabase } from '../storage/database.ts';
import { createLog } from '../telemetry/log.ts';
import { Anchor } from './anchor.ts';
import type { FromThread, ThreadSettings, ToThread } from './audit-thread.ts';
import { TreeExtender } from './extender.ts';
import { TrailKeys } from './keys.ts';
import { readDeployment } from './origin.ts';
import { lastEpochOf, type RestoredReason } from './restored.ts';
import { TrailMemory } from './trail-memory.ts';

// One each for the extender, the anchors, an export and the blocks.
const POOL_SIZES = { connections: 4, readers: 2 };

const settings = workerData as ThreadSettings;
const main = parentPort!;
const { log, flush } = createLog(settings.logLevel);
const db = openDatabase(settings.connection, (err) => log.warn({ err }, 'an idle database connection was lost'), POOL_SIZES);
const vault = new Vault(Buffer.from(settings.master));
const keys = new TrailKeys(db, vault);
await keys.load();
const memory = await TrailMemory.open(settings.dataDir, await readDeployment(db), log);
const onSetBack = (reason: RestoredReason, seenEpoch: number) =>
  tell({ type: 'set back', reason, seenEpoch, usedEpoch: lastEpochOf(memory) });
const indexer = new BlockIndexer({ db, log });
indexer.start();
const onGrown = (orgId: Buffer, from: number, to: number) => indexer.grew(orgId, from, to);
const extender = new TreeExtender({ db, vault, keys, memory, log, onGrown, onSetBack });
extender.start();
const exporter = new ExportWorker({ db, vault, log });
exporter.start();
const anchor = new Anchor({ db, keys, memory, witnesses: settings.witnesses, log, onSetBack });
anchor.start();

main.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'wake':
      extender.wake();
      exporter.wake();
      return;
    case 'catch up':
      extender.catchUp().then(
        () => tell({ type: 'caught up', call: message.call, fault: null }),
        (err: unknown) =>
          tell({ type: 'caught up', call: message.call, fault: err instanceof Error ? err.message : String(err) }),
      );
      return;
    case 'close':
      void close();
  }
});
tell({ type: 'ready' });

async function close(): Promise<void> {
  await Promise.all([extender.close(), anchor.close(), exporter.close(), indexer.close()]);
  await memory.flush();
  await db.close();
  flush();
  process.exit(0); // of this thread alone
}

function tell(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin; the rule is for browser windows.
  main.postMessage(message);
}
