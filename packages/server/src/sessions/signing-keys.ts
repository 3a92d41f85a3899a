// The keys that sign session tokens: Ed25519, in the database, the private halves encrypted.

import { exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type CryptoKey, type JWK } from 'jose';
import { createHash } from 'node:crypto';
import type { Vault } from '../access/vault.ts';
import type { Database, Queryable, Transaction } from '../storage/database.ts';

/** The subject of the change feed that tells of a rotation. */
export const SIGNING_KEYS_SUBJECT = 'signing keys';
export const ALGORITHM = 'EdDSA';

// A retired key verifies what it signed until that has expired: the hour of a session token, and a little for nodes that heard of it late.
const OVERLAP_MINUTES = 65;
// Two nodes that start on an empty database at once must not each make a first key.
const FIRST_KEY_LOCK = 7_381_005;

interface SigningKeyRow {
  readonly id: string;
  readonly public_key: JWK;
  readonly sealed_private_key: Buffer;
  readonly is_retired: boolean;
}

/** What tokens are signed and verified with, as this node knows it. */
export class SigningKeys {
  readonly #db: Database;
  readonly #vault: Vault;
  #loading: Promise<void> = Promise.resolve();
  #signing: { readonly id: string; readonly key: CryptoKey } | null = null;
  #verifying = new Map<string, { readonly jwk: JWK; readonly key: CryptoKey }>();

  constructor(db: Database, vault: Vault) {
    this.#db = db;
    this.#vault = vault;
  }

  /** Reads the keys; makes the first one. One after the other, so that the newest read is the last. */
  load(): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#load());
    return this.#loading;
  }

  async #load(): Promise<void> {
    const rows = await listSigningKeys(this.#db);
    if (rows.length > 0) return this.#use(rows);
    await this.#db.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      if ((await listSigningKeys(tx)).length === 0) await insertSigningKey(tx, this.#vault);
    });
    return this.#use(await listSigningKeys(this.#db));
  }

  /** The key that signs. */
  get signing(): { readonly id: string; readonly key: CryptoKey } {
    return this.#signing!;
  }

  /** The key with this id, unless it does not exist or has been retired for longer than tokens live. */
  verifying(id: string): CryptoKey | null {
    return this.#verifying.get(id)?.key ?? null;
  }

  /** The public halves, as `/.well-known/jwks.json` answers them (RFC 7517 §5). */
  get jwks(): { readonly keys: readonly JWK[] } {
    return { keys: [...this.#verifying.values()].map(({ jwk }) => jwk) };
  }

  async #use(rows: readonly SigningKeyRow[]): Promise<void> {
    const newest = rows.find(({ is_retired: isRetired }) => !isRetired) ?? rows[0]!;
    const pem = this.#vault.open(purposeOf(newest.id), newest.sealed_private_key);
    const verifying = await Promise.all(
      rows.map(async ({ id, public_key: jwk }) => [id, { jwk, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey }] as const),
    );
    this.#signing = { id: newest.id, key: await importPKCS8(pem, ALGORITHM) };
    this.#verifying = new Map(verifying);
  }
}

/** Makes a new signing key and retires the others: at once and without overlap when they are `compromised`. Returns the new key's id. */
export async function rotateSigningKeys(tx: Transaction, vault: Vault, areCompromised: boolean): Promise<string> {
  if (areCompromised) await tx.query('DELETE FROM signing_keys');
  else await tx.query('UPDATE signing_keys SET retired_at = now() WHERE retired_at IS NULL');
  return insertSigningKey(tx, vault);
}

/** Newest first, without those that verify nothing any more. */
async function listSigningKeys(db: Queryable): Promise<SigningKeyRow[]> {
  const { rows } = await db.query<SigningKeyRow>(
    `SELECT id, public_key, sealed_private_key, retired_at IS NOT NULL AS is_retired FROM signing_keys
      WHERE retired_at IS NULL OR retired_at > now() - make_interval(mins => ${OVERLAP_MINUTES}) ORDER BY created_at DESC`,
  );
  return rows;
}

async function insertSigningKey(tx: Transaction, vault: Vault): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const { kty, crv, x } = await exportJWK(publicKey);
  const id = thumbprint(crv!, x!);
  await tx.query(
    'INSERT INTO signing_keys (id, public_key, sealed_private_key, created_at) VALUES ($1, $2, $3, clock_timestamp())',
    [
      id,
      JSON.stringify({ kty, crv, x, kid: id, alg: ALGORITHM, use: 'sig' }),
      vault.seal(purposeOf(id), await exportPKCS8(privateKey)),
    ],
  );
  return id;
}

/** RFC 7638 §3, of an Ed25519 key (RFC 8037 §2). */
function thumbprint(crv: string, x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv, kty: 'OKP', x }))
    .digest('base64url');
}

const purposeOf = (id: string) => `signing key ${id}`;
