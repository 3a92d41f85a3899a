// A process that does nothing but deliver: what the delivery drill kills, because it is up again sooner than a whole service. SIGTERM ends it
// in order. Its database and master key are in DRILL_DATABASE_URL and DRILL_MASTER_KEY.

import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { Vault } from '../access/vault.ts';
import { Dispatcher } from '../delivery/dispatcher.ts';
import { createEgress } from '../egress/egress.ts';
import { ChangeFeed } from '../journal/change-feed.ts';
import { openJournal } from '../journal/journal.ts';
import { openDatabase } from '../storage/database.ts';
import { createLog } from '../telemetry/log.ts';

const { log } = createLog('silent');
const db = openDatabase(process.env['DRILL_DATABASE_URL']!, () => undefined);
const changes = new ChangeFeed(db, log);
await changes.open();
const journal = await openJournal(db, changes, Date.now, log);
const egress = createEgress({ allowed: new CidrList([parseCidr('127.0.0.0/8') as Cidr]), allowHttp: false });
const vault = new Vault(Buffer.from(process.env['DRILL_MASTER_KEY']!, 'base64'));
const sender = { egress, ownEgress: egress, vault, baseUrl: () => 'http://drill.invalid', clock: Date.now };
const dispatcher = new Dispatcher({ db, journal, log }, sender);
dispatcher.start();
process.once('SIGTERM', () => void close().then(() => process.exit(0)));
process.stdout.write('ready\n');
// At once, not with the first tick of its timer.
await dispatcher.sweep().catch(() => undefined);

async function close(): Promise<void> {
  await dispatcher.close();
  await egress.close();
  await journal.close();
  await changes.close();
  await db.close();
}
