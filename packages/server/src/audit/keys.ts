// The keys that sign checkpoints: Ed25519, in the database, the seeds encrypted. One key signs for all logs, under the name of each.

import { formatVerifier, noteSigner, noteVerifier, type NoteVerifier } from '@svc/trail';
import { hash, randomBytes, type KeyObject } from 'node:crypto';
import type { Vault } from '../access/vault.ts';
import type { Database, Queryable, Transaction } from '../storage/database.ts';

/** The subject of the change feed that tells of a rotation. */
export const TRAIL_KEYS_SUBJECT = 'trail keys';

// Who verifies has to get the new key by another way than from whom it verifies: that takes people some weeks.
export const OVERLAP_DAYS = 30;
// Two nodes that start on an empty database at once must not each make a first key.
const FIRST_KEY_LOCK = 7_381_008;
const SEED_BYTES = 32;
const ID_DIGITS = 16;

/** A key as it is given out: for ever, also when it signs no more, for what it signed has to be verified. */
export interface TrailVerifier {
  /** 16 hex digits; the same for all logs. */
  readonly id: string;
  /** `<origin>+<key id>+<base64>`. */
  readonly vkey: string;
  readonly createdAtMs: number;
  /** Since when another signs; this one signs too until it is retired. `null`: it is the newest. */
  readonly replacedAtMs: number | null;
  /** When it stopped, or will stop, to sign. */
  readonly retiredAtMs: number | null;
}

/** What signs a note. */
export interface TrailSigner {
  readonly verifier: NoteVerifier;
  readonly key: KeyObject;
}

interface TrailKey {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly sealedSeed: Buffer;
  readonly createdAtMs: number;
  readonly replacedAtMs: number | null;
  readonly retiredAtMs: number | null;
}

/** Tells the state of all keys apart from any other: what was loaded under another is out of date. Part of a statement, as `keys`. */
export const KEYS_STATE =
  "(SELECT string_agg(id || coalesce(retired_at::text, ''), ' ' ORDER BY created_at, id) FROM trail_keys) AS keys";

/** The keys of the deployment's logs, as this node, or the thread that signs, knows them. */
export class TrailKeys {
  readonly #db: Database;
  readonly #vault: Vault;
  #loading: Promise<void> = Promise.resolve();
  /** Newest first. */
  #keys: readonly TrailKey[] = [];
  /** By id. */
  #opened = new Map<string, KeyObject>();
  #state = '';

  constructor(db: Database, vault: Vault) {
    this.#db = db;
    this.#vault = vault;
  }

  /** Reads the keys; makes the first one. One after the other, so that the newest read is the last. */
  load(): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#load());
    return this.#loading;
  }

  /** For who has read `KEYS_STATE` in his transaction: reads the keys, in the same one, where they are others by now. */
  async follow(tx: Transaction, state: string): Promise<void> {
    if (state !== this.#state) this.#use(await listTrailKeys(tx), state);
  }

  /** All that sign for a log now: the newest, and those that it replaced not long ago. */
  signers(origin: string, nowMs: number = Date.now()): TrailSigner[] {
    return this.#keys
      .filter(({ retiredAtMs }) => retiredAtMs === null || retiredAtMs > nowMs)
      .map((key) => ({ verifier: noteVerifier(origin, key.publicKey), key: this.#open(key) }));
  }

  /** All keys that ever signed for a log, newest first. */
  verifiers(origin: string): TrailVerifier[] {
    return this.#keys.map(({ id, publicKey, createdAtMs, replacedAtMs, retiredAtMs }) => ({
      id,
      vkey: vkeyOf(origin, publicKey),
      createdAtMs,
      replacedAtMs,
      retiredAtMs,
    }));
  }

  async #load(): Promise<void> {
    let keys = await listTrailKeys(this.#db);
    if (keys.length === 0) {
      await this.#db.transaction(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
        if ((await listTrailKeys(tx)).length === 0) await insertTrailKey(tx, this.#vault);
      });
      keys = await listTrailKeys(this.#db);
    }
    // Whoever signs reads them again with their state.
    this.#use(keys, '');
  }

  #use(keys: readonly TrailKey[], state: string): void {
    this.#keys = keys;
    this.#state = state;
    for (const id of this.#opened.keys()) if (!keys.some((key) => key.id === id)) this.#opened.delete(id);
  }

  #open({ id, sealedSeed }: TrailKey): KeyObject {
    let key = this.#opened.get(id);
    if (key === undefined) {
      key = noteSigner(id, Buffer.from(this.#vault.open(purposeOf(id), sealedSeed), 'base64')).key;
      this.#opened.set(id, key);
    }
    return key;
  }
}

/** What a rotation changed. */
export interface TrailKeyRotation {
  readonly newKey: { readonly id: string; readonly publicKey: Buffer };
  /** Those that signed before, newest first. */
  readonly oldKeys: readonly { readonly id: string; readonly publicKey: Buffer }[];
}

/** Makes a new key sign. Those that signed go on beside it for the overlap, or, when they are `compromised`, stop at once. */
export async function rotateTrailKeys(tx: Transaction, vault: Vault, areCompromised: boolean): Promise<TrailKeyRotation> {
  const nowMs = await databaseTime(tx);
  const oldKeys = (await listTrailKeys(tx)).filter(({ retiredAtMs }) => retiredAtMs === null || retiredAtMs > nowMs);
  const now = new Date(nowMs);
  await tx.query('UPDATE trail_keys SET replaced_at = $1, retired_at = $2 WHERE replaced_at IS NULL', [
    now,
    new Date(nowMs + OVERLAP_DAYS * 86_400_000),
  ]);
  if (areCompromised) await tx.query('UPDATE trail_keys SET retired_at = $1 WHERE retired_at > $1', [now]);
  return { newKey: await insertTrailKey(tx, vault), oldKeys };
}

/** The verifier key of a log. */
export function vkeyOf(origin: string, publicKey: Buffer): string {
  return formatVerifier(noteVerifier(origin, publicKey));
}

/** Newest first. */
async function listTrailKeys(db: Queryable): Promise<TrailKey[]> {
  const { rows } = await db.query<{
    id: string;
    public_key: Buffer;
    sealed_seed: Buffer;
    created_at: Date;
    replaced_at: Date | null;
    retired_at: Date | null;
  }>('SELECT id, public_key, sealed_seed, created_at, replaced_at, retired_at FROM trail_keys ORDER BY created_at DESC, id');
  return rows.map((row) => ({
    id: row.id,
    publicKey: row.public_key,
    sealedSeed: row.sealed_seed,
    createdAtMs: row.created_at.getTime(),
    replacedAtMs: row.replaced_at?.getTime() ?? null,
    retiredAtMs: row.retired_at?.getTime() ?? null,
  }));
}

async function insertTrailKey(tx: Transaction, vault: Vault): Promise<{ id: string; publicKey: Buffer }> {
  const seed = randomBytes(SEED_BYTES);
  const { publicKey } = noteSigner('new', seed).verifier;
  const id = hash('sha256', publicKey, 'hex').slice(0, ID_DIGITS);
  await tx.query('INSERT INTO trail_keys (id, public_key, sealed_seed, created_at) VALUES ($1, $2, $3, clock_timestamp())', [
    id,
    publicKey,
    vault.seal(purposeOf(id), seed.toString('base64')),
  ]);
  return { id, publicKey };
}

async function databaseTime(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]!.now.getTime();
}

const purposeOf = (id: string) => `trail key ${id}`;
