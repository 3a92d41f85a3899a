// The policy as probes get it: signed, so that one on disk can be trusted, and good for a week without the service.

import { canonicalJson, DETECTOR_VERSIONS, type PolicyDocument } from '@svc/engine';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Vault } from '../access/vault.ts';
import { isoTime } from '../http/schemas.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PolicyVersion } from '../policy/store.ts';
import { findCurrentPolicy } from '../policy/store.ts';
import type { Database } from '../storage/database.ts';
import { findOrInsertSigningKey, type SigningKeyRecord } from './store.ts';

/** What stands before the signed bytes, so that a signature of something else is never one of a policy. */
const CONTEXT = 'svc-policy-bundle-v1\n';
const DAY_MS = 86_400_000;
const VALID_MS = 7 * DAY_MS;
// One may be a megabyte.
const BUNDLES_MAX = 100;

/** A bundle but for its signature. */
interface SignedMembers {
  readonly version: number;
  readonly digest: string;
  readonly policy: PolicyDocument;
  readonly detector_versions: Readonly<Record<string, string>>;
  readonly issued_at: string;
  readonly expires_at: string;
}

export interface Bundle {
  /** The answer, serialized. */
  readonly text: string;
  /** Its digest, for `ETag`. */
  readonly digest: string;
}

/** The bundles of this node, made when they are asked for and once a day. Every node makes the same bytes. */
export class PolicyBundles {
  readonly #db: Database;
  readonly #vault: Vault;
  readonly #clock: () => number;
  /** By organization, the one made longest ago first. */
  readonly #known = new Map<string, { readonly version: number; readonly issuedAtMs: number; readonly bundle: Bundle }>();

  constructor(db: Database, vault: Vault, clock: () => number) {
    this.#db = db;
    this.#vault = vault;
    this.#clock = clock;
  }

  /** The bundle of the policy in force, which is `version` or a later one. */
  async get({ id, uuid }: Organization, version: number): Promise<Bundle> {
    const midnightMs = Math.floor(this.#clock() / DAY_MS) * DAY_MS;
    const known = this.#known.get(id);
    if (known !== undefined && known.version >= version && known.issuedAtMs >= midnightMs) return known.bundle;
    const policy = await findCurrentPolicy(this.#db, uuid);
    const issuedAtMs = Math.max(policy.createdAtMs, midnightMs);
    const bundle = bundleOf(policy, issuedAtMs, await this.#signingKey(id, uuid));
    this.#known.delete(id);
    if (this.#known.size >= BUNDLES_MAX) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(id, { version: policy.version, issuedAtMs, bundle });
    return bundle;
  }

  async #signingKey(orgId: string, orgUuid: Buffer): Promise<KeyObject> {
    const purpose = `policy signing key of ${orgId}`;
    const make = () => makeSigningKey(this.#vault, purpose);
    const { sealed } = await findOrInsertSigningKey(this.#db, orgUuid, make, this.#clock());
    return createPrivateKey(this.#vault.open(purpose, sealed));
  }
}

function makeSigningKey(vault: Vault, purpose: string): SigningKeyRecord {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { keyId: keyIdOf(publicBytesOf(privateKey)), sealed: vault.seal(purpose, pem) };
}

/** Follows from the key itself: who holds one can tell whether the other is it. */
function keyIdOf(publicBytes: Buffer): string {
  return `pk_${createHash('sha256').update(publicBytes).digest('hex').slice(0, 16)}`;
}

/** The 32 bytes of the public key (RFC 8032). */
function publicBytesOf(key: KeyObject): Buffer {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url');
}

function bundleOf(policy: PolicyVersion, issuedAtMs: number, key: KeyObject): Bundle {
  const members: SignedMembers = {
    version: policy.version,
    digest: policy.digest,
    policy: policy.document,
    detector_versions: DETECTOR_VERSIONS,
    issued_at: isoTime(issuedAtMs),
    expires_at: isoTime(issuedAtMs + VALID_MS),
  };
  const publicBytes = publicBytesOf(key);
  const signature = {
    algorithm: 'ed25519',
    key_id: keyIdOf(publicBytes),
    public_key: publicBytes.toString('base64'),
    value: sign(null, Buffer.from(CONTEXT + canonicalJson(members)), key).toString('base64'),
  };
  const text = JSON.stringify({ ...members, signature });
  return { text, digest: `sha256:${createHash('sha256').update(text).digest('hex')}` };
}
