// The deployment as its logs know it: how they are named, and on which server they are kept.

import { randomBytes } from 'node:crypto';
import { formatId, uuidText } from '../ids.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import { KEYS_STATE } from './keys.ts';

/** The deployment's own log, whose leaves are the checkpoints of all others. */
export const DEPLOYMENT_LOG: Buffer = Buffer.alloc(16);

/** What the names of a deployment's logs are made of. */
export interface Deployment {
  readonly id: Buffer;
  /** Host, and port where it is not the usual one, of the address at the first start. It never changes. */
  readonly name: string;
  /** Grows when a backup was restored: all logs go on under another origin. */
  readonly epoch: number;
  /** 8 random hex digits, drawn with the epoch: of two copies of a database each goes on under a name of its own. Empty in epoch 1. */
  readonly branch: string;
}

const BRANCH_BYTES = 4;

/**
 * `<name>/org/<org_id>`, of the deployment's own log `<name>/deployment/<id>`; from epoch 2 on with `/<epoch>-<branch>`. Names of signing keys are the
 * same.
 */
export function originOf(deployment: Deployment, orgId: Buffer): string {
  const { epoch, branch } = deployment;
  return `${logNameOf(deployment, orgId)}${epoch === 1 ? '' : `/${epoch}-${branch}`}`;
}

/** Whether `origin` is, or was, one of this log's. */
export function isOriginOf(origin: string, deployment: Deployment, orgId: Buffer): boolean {
  const log = logNameOf(deployment, orgId);
  return origin === log || origin.startsWith(`${log}/`);
}

function logNameOf({ id, name }: Deployment, orgId: Buffer): string {
  return `${name}/${orgId.equals(DEPLOYMENT_LOG) ? `deployment/${uuidText(id)}` : `org/${formatId('org', orgId)}`}`;
}

/** Under which origin a checkpoint was signed: the first line of its note. */
export function originOfNote(note: string): string {
  return note.slice(0, note.indexOf('\n'));
}

/** The deployment as the database has it. Throws before the first start has named it. */
export async function readDeployment(db: Queryable): Promise<Deployment> {
  const deployment = await findDeployment(db);
  if (deployment === null) throw new Error('the logs of this deployment have no name yet');
  return deployment;
}

/** `null`: no service has been started on this database yet. */
export async function findDeployment(db: Queryable): Promise<Deployment | null> {
  const { rows } = await db.query<DeploymentRow>('SELECT id, name, epoch, branch FROM trail_deployment');
  return rows[0] === undefined ? null : deploymentOf(rows[0]);
}

/** What a transaction that signs goes by. */
export interface HeldDeployment {
  readonly deployment: Deployment;
  /** For `TrailKeys.follow`. */
  readonly keys: string;
  /** Whether the server, and its history, are those on which the logs were kept. Else a backup may have been restored, and nothing may be signed. */
  readonly isSameServer: boolean;
  /** Of the database, so that nodes whose clocks differ agree on which keys sign. */
  readonly nowMs: number;
}

// Whoever signs shares it; whoever changes epoch or keys has it alone. So nothing is signed under an origin, or by a key, that was given up.
const DEPLOYMENT_LOCK = 7_381_009;

/** How PostgreSQL tells a server and its history from others: another after a restore, a switch to a standby, or a move by dump. */
const SERVER = `(SELECT system_identifier::text FROM pg_control_system()) AS system_identifier,
  ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS timeline`;

/** Until the transaction ends, epoch and keys stay as they are. Before the first statement of a transaction that signs. */
export async function holdDeployment(tx: Transaction): Promise<HeldDeployment> {
  await tx.query({ name: 'hold_deployment', text: `SELECT pg_advisory_xact_lock_shared(${DEPLOYMENT_LOCK})` });
  // Another statement: its snapshot is taken with the lock held.
  const { rows } = await tx.query<DeploymentRow & { keys: string; is_same_server: boolean; now: Date }>({
    name: 'held_deployment',
    text: `SELECT d.id, d.name, d.epoch, d.branch, ${KEYS_STATE}, clock_timestamp() AS now,
                  d.system_identifier = s.system_identifier AND d.timeline = s.timeline AS is_same_server
             FROM trail_deployment d, (SELECT ${SERVER}) s`,
  });
  const row = rows[0];
  if (row === undefined) throw new Error('the logs of this deployment have no name yet');
  return { deployment: deploymentOf(row), keys: row.keys, isSameServer: row.is_same_server, nowMs: row.now.getTime() };
}

/** Waits for all that sign, and lets nobody sign until the transaction ends. Before epoch or keys are changed. */
export async function lockDeployment(tx: Transaction): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${DEPLOYMENT_LOCK})`);
}

/** Names the deployment at its first start, and says on which server it is. Later it changes nothing. */
export async function nameDeployment(tx: Transaction, id: Buffer, name: string): Promise<void> {
  await tx.query(
    `INSERT INTO trail_deployment (id, name, system_identifier, timeline)
     SELECT $1, $2, s.system_identifier, s.timeline FROM (SELECT ${SERVER}) s ON CONFLICT DO NOTHING`,
    [uuidText(id), name],
  );
}

/** Begins an epoch, on the server that is there now. Returns the deployment with it. */
export async function beginEpoch(tx: Transaction, epoch: number): Promise<Deployment> {
  await tx.query(
    `UPDATE trail_deployment SET epoch = $1, branch = $2, system_identifier = s.system_identifier, timeline = s.timeline
       FROM (SELECT ${SERVER}) s`,
    [epoch, randomBytes(BRANCH_BYTES).toString('hex')],
  );
  return readDeployment(tx);
}

interface DeploymentRow {
  readonly id: string;
  readonly name: string;
  readonly epoch: number;
  readonly branch: string;
}

function deploymentOf({ id, name, epoch, branch }: DeploymentRow): Deployment {
  return { id: Buffer.from(id.replaceAll('-', ''), 'hex'), name, epoch, branch };
}
