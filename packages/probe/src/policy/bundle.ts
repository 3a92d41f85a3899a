// A policy as the service signs it for its probes, and whether one may be believed.

import { canonicalJson, lintPolicy, policyDigest, type PolicyDocument } from '@svc/engine';
import { createPublicKey, verify } from 'node:crypto';

/** What is signed begins with this line, so that a signature of something else by the same key is none of a bundle. */
const CONTEXT = 'svc-policy-bundle-v1\n';
/** The DER form of a raw Ed25519 public key begins with these bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

export interface PolicyBundle {
  readonly version: number;
  readonly digest: string;
  readonly policy: PolicyDocument;
  readonly detector_versions: Readonly<Record<string, string>>;
  readonly issued_at: string;
  readonly expires_at: string;
  readonly signature: {
    readonly algorithm: 'ed25519';
    readonly key_id: string;
    /** Base64 of 32 bytes. */
    readonly public_key: string;
    readonly value: string;
  };
}

/** What was pinned at the first contact. */
export interface Trust {
  readonly key_id: string;
  readonly public_key: string;
  /** The highest version that was believed: versions never go back. */
  readonly version: number;
}

/** What is wrong with the policy. `key_lost`, `policy_lost`: the files of an earlier run, of which one is gone or cannot be read. */
export type PolicyProblem =
  | 'malformed'
  | 'key_changed'
  | 'bad_signature'
  | 'downgraded'
  | 'not_readable'
  | 'key_lost'
  | 'policy_lost';

/** Why a bundle is not believed. `message` is a sentence for the operator. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
  readonly problem: PolicyProblem;

  constructor(problem: PolicyProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * The bundle that `value` is. Throws a `BundleError` unless it is whole, signed by the pinned key (`trust`; `null`: by the key it names, which the
 * caller then pins), of no lower version than was believed before, and a policy that this release can carry out. It may have expired: what was
 * signed once is better than nothing.
 */
export function verifyBundle(value: unknown, trust: Trust | null): PolicyBundle {
  const bundle = bundleFrom(value);
  const { signature, ...signed } = bundle;
  if (trust !== null && signature.public_key !== trust.public_key)
    throw new BundleError(
      'key_changed',
      `The policy is signed by the key ${signature.key_id}, not by ${trust.key_id}, which was pinned at the first contact.`,
    );
  if (!isSigned(canonicalJson(signed), signature))
    throw new BundleError('bad_signature', 'The signature of the policy does not hold: somebody has changed it on the way.');
  if (policyDigest(bundle.policy) !== bundle.digest)
    throw new BundleError('malformed', 'The digest of the policy is that of another one.');
  if (trust !== null && bundle.version < trust.version)
    throw new BundleError('downgraded', `The policy has version ${bundle.version}, lower than ${trust.version} before.`);
  const [error] = lintPolicy(bundle.policy).errors;
  if (error !== undefined)
    throw new BundleError(
      'not_readable',
      `Version ${bundle.version} of the policy needs another release of the probe: ${error.pointer} ${error.message}.`,
    );
  return bundle;
}

/** What was pinned, as it was kept; `null`: it is none. */
export function trustFrom(value: unknown): Trust | null {
  const trust = value as Trust | null;
  const isWhole =
    typeof trust === 'object' &&
    trust !== null &&
    typeof trust.key_id === 'string' &&
    isKey(trust.public_key) &&
    Number.isSafeInteger(trust.version) &&
    trust.version >= 0;
  return isWhole ? trust : null;
}

function bundleFrom(value: unknown): PolicyBundle {
  const bundle = value as PolicyBundle | null;
  const isWhole =
    typeof bundle === 'object' &&
    bundle !== null &&
    Number.isSafeInteger(bundle.version) &&
    bundle.version >= 0 &&
    typeof bundle.digest === 'string' &&
    typeof bundle.policy === 'object' &&
    typeof bundle.detector_versions === 'object' &&
    !Number.isNaN(Date.parse(bundle.issued_at)) &&
    !Number.isNaN(Date.parse(bundle.expires_at)) &&
    typeof bundle.signature === 'object' &&
    bundle.signature !== null &&
    bundle.signature.algorithm === 'ed25519' &&
    typeof bundle.signature.key_id === 'string' &&
    isKey(bundle.signature.public_key) &&
    typeof bundle.signature.value === 'string';
  if (isWhole) return bundle;
  throw new BundleError('malformed', 'What the service has sent is not a signed policy.');
}

function isKey(text: unknown): boolean {
  return typeof text === 'string' && Buffer.from(text, 'base64').length === KEY_BYTES;
}

function isSigned(text: string, { public_key: publicKey, value }: PolicyBundle['signature']): boolean {
  const der = Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'base64')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(CONTEXT + text), key, Buffer.from(value, 'base64'));
}
