// A real service whose journal the benchmark of deliveries writes to: commands come from the parent, and the times of commits go back.

import { readConfig } from '../packages/server/src/config.ts';
import { secretPurpose } from '../packages/server/src/delivery/attempt.ts';
import { newSigningSecret } from '../packages/server/src/delivery/signatures.ts';
import { formatId, newUuid, uuidText } from '../packages/server/src/ids.ts';
import { changeEvent } from '../packages/server/src/journal/journal.ts';
import { createOrganization, SYSTEM } from '../packages/server/src/organizations/service.ts';
import { startService } from '../packages/server/src/service.ts';
import { createLog } from '../packages/server/src/telemetry/log.ts';
import { insertEndpoint } from '../packages/server/src/webhooks/store.ts';
import type { Arrivals } from './delivery-receivers.ts';

/** Makes an organization with a webhook for each URL; answers a number by which to name them. */
export interface CreateCommand {
  readonly do: 'create';
  readonly urls: readonly string[];
}

/** Records events, in turn for each of the organizations made. `perSecond`: `null`: as many as are committed. Answers the commits. */
export interface RecordCommand {
  readonly do: 'record';
  readonly organizations: readonly string[];
  readonly count: number;
  readonly perSecond: number | null;
}

// Appends that wait at once where nothing sets the pace: a full batch of the journal.
const WAITING_MAX = 1_000;
const TICK_MS = 10;

const config = readConfig();
const running = await startService(config, createLog(config.logLevel).log, (err) => {
  throw err;
});
process.on('message', (command: CreateCommand | RecordCommand) => void run(command).then((answer) => process.send!(answer)));
process.once('disconnect', () => void running.close().then(() => process.exit(0)));
process.send!('ready');

function run(command: CreateCommand | RecordCommand): Promise<string[] | Commits> {
  return command.do === 'create' ? create(command) : record(command);
}

async function create({ urls }: CreateCommand): Promise<string[]> {
  const { services } = running;
  const organizations: string[] = [];
  for (const url of urls) {
    const { uuid: orgId } = await createOrganization(services, 'An organization', 'enterprise');
    const uuid = newUuid();
    await insertEndpoint(services.db, {
      orgId,
      uuid,
      kind: 'webhook',
      mode: 'live',
      name: null,
      description: null,
      url,
      config: null,
      events: ['inference.flagged'],
      sealedSecret: services.vault.seal(secretPurpose(uuidText(uuid)), newSigningSecret()),
      createdAtMs: Date.now(),
    });
    organizations.push(orgId.toString('hex'));
  }
  return organizations;
}

/** When events were committed, by their ids, and to which organization of the command; `beganAtMs`: before the first. */
export type Commits = Arrivals & { readonly beganAtMs: number; readonly at: number[] };

/** An assessment of a flagged text with three findings, about 1 KiB. */
const DATA = {
  outcome: 'flagged',
  model: 'gpt-5',
  findings: Array.from({ length: 3 }, (_, i) => ({
    id: `finding-${i}`,
    category: 'data.pii',
    detector: 'pii',
    severity: 'high',
    confidence: 0.99,
    pointer: `/messages/${i}/content`,
    start: 11,
    end: 30,
    preview: '4111 **** **** 1111',
    explanation: 'A number of a payment card, whose check digit is right, near a word that tells what it is.',
  })),
};

async function record({ organizations, count, perSecond }: RecordCommand): Promise<Commits> {
  const orgIds = organizations.map((hex) => Buffer.from(hex, 'hex'));
  const commits: Commits = { ids: [], atMs: [], at: [], beganAtMs: nowMs() };
  const append = async (turn: number) => {
    const at = turn % orgIds.length;
    const event = changeEvent(orgIds[at]!, 'inference.flagged', SYSTEM, Date.now(), DATA);
    await running.services.journal.append(event);
    commits.ids.push(formatId('evt', event.id));
    commits.atMs.push(nowMs());
    commits.at.push(at);
  };
  await (perSecond === null ? appendAll(count, append) : appendAt(perSecond, count, append));
  return commits;
}

type Append = (turn: number) => Promise<void>;

async function appendAll(count: number, append: Append): Promise<void> {
  const turns = Array.from({ length: count }).keys(); // shared by the writers
  const write = async () => {
    for (const turn of turns) await append(turn);
  };
  await Promise.all(Array.from({ length: WAITING_MAX }, write));
}

async function appendAt(perSecond: number, count: number, append: Append): Promise<void> {
  const beganAtMs = nowMs();
  const appends: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(count, ((nowMs() - beganAtMs) * perSecond) / 1_000);
      for (let turn = appends.length; turn < due; turn++) appends.push(append(turn));
      if (appends.length < count) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(appends);
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
