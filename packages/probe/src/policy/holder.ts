// The policy that decides: the newest that could be believed, kept on disk so that a start needs no service.

import { compilePolicy, DEFAULT_POLICY, DETECTOR_VERSIONS, type CompiledPolicy } from '@svc/engine';
import type { Logger } from 'pino';
import { join } from 'node:path';
import { reasonOf } from '../errors.ts';
import { readIfThere, replaceFile } from '../files.ts';
import { BundleError, trustFrom, verifyBundle, type PolicyBundle, type PolicyProblem, type Trust } from './bundle.ts';

/** What decides while no policy has ever been seen: the engine's own, or a refusal of everything. */
export type OnNoPolicy = 'default' | 'block';

export interface HolderOptions {
  readonly folder: string;
  readonly onNoPolicy: OnNoPolicy;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The policy in force, with where it is from. */
export interface PolicyInForce {
  readonly compiled: CompiledPolicy;
  /** `null`: none has been seen yet. */
  readonly bundle: PolicyBundle | null;
  /** Nothing is to pass, for want of a policy. */
  readonly isRefusal: boolean;
}

export class PolicyHolder {
  readonly #options: HolderOptions;
  #inForce: PolicyInForce;
  #trust: Trust | null = null;
  #etag: string | null = null;
  #problem: PolicyProblem | null = null;
  /** A key was pinned, and nobody knows which: none is pinned in its place, or whoever can spoil a file could choose it. */
  #isKeyLost = false;

  private constructor(options: HolderOptions) {
    this.#options = options;
    const isRefusal = options.onNoPolicy === 'block';
    const document = isRefusal ? { ...DEFAULT_POLICY, on_error: { input: 'block', output: 'block' } } : DEFAULT_POLICY;
    this.#inForce = { compiled: compilePolicy(document as Parameters<typeof compilePolicy>[0], 0), bundle: null, isRefusal };
  }

  /** Takes what an earlier run has left. What cannot be believed any more is told and left alone. */
  static async load(options: HolderOptions): Promise<PolicyHolder> {
    const holder = new PolicyHolder(options);
    const pinned = await holder.#read('trust.json');
    const kept = await holder.#read('policy.json');
    if (pinned === null && kept === null) return holder;
    holder.#trust = trustFrom(pinned?.value);
    holder.#isKeyLost = holder.#trust === null;
    try {
      holder.#requireKey();
      if (kept === null || !isKept(kept.value))
        throw new BundleError('policy_lost', 'The policy that was in force is gone from the disk, or cannot be read.');
      holder.#enforce(verifyBundle(kept.value.bundle, holder.#trust), kept.value.etag);
    } catch (err) {
      holder.#refuse(err, 'the policy on disk is not used');
    }
    return holder;
  }

  get inForce(): PolicyInForce {
    return this.#inForce;
  }

  /** Of the bundle in force; `null`: none. */
  get etag(): string | null {
    return this.#etag;
  }

  /** Why what was received or found last is not used; `null`: it is. */
  get problem(): PolicyProblem | null {
    return this.#problem;
  }

  /** Whether the policy in force is one that the service no longer vouches for. */
  get isStale(): boolean {
    const { bundle } = this.#inForce;
    return bundle !== null && Date.parse(bundle.expires_at) <= this.#options.now();
  }

  /** What the service says is in force is what is in force here. */
  confirm(): void {
    if (!this.#isKeyLost) this.#problem = null;
  }

  /** Takes a bundle from the service: verified, kept, in force. False: it is not believed, or older than what is there, and nothing has changed. */
  async take(value: unknown, etag: string | null): Promise<boolean> {
    try {
      this.#requireKey();
      const bundle = verifyBundle(value, this.#trust);
      const { bundle: before } = this.#inForce;
      const isOlder = before?.version === bundle.version && Date.parse(bundle.issued_at) < Date.parse(before.issued_at);
      if (isOlder) return false;
      const { key_id, public_key } = bundle.signature;
      const trust = { key_id, public_key, version: bundle.version };
      this.#warnOfVersions(bundle);
      this.#enforce(bundle, etag);
      this.#problem = null;
      await this.#keep(trust, bundle, etag);
      return true;
    } catch (err) {
      this.#refuse(err, 'a policy from the service is refused, the old one goes on');
      return false;
    }
  }

  /** The pin first: a policy on disk without it is not believed. A disk that fails takes nothing away from what is in force. */
  async #keep(trust: Trust, bundle: PolicyBundle, etag: string | null): Promise<void> {
    const isPinned = this.#trust !== null && JSON.stringify(this.#trust) === JSON.stringify(trust);
    this.#trust = trust;
    try {
      if (!isPinned) await replaceFile(this.#path('trust.json'), JSON.stringify(trust));
      await replaceFile(this.#path('policy.json'), JSON.stringify({ etag, bundle }));
    } catch (err) {
      this.#options.log.error({ err }, 'the policy could not be kept on disk: a restart without the service would miss it');
    }
  }

  #enforce(bundle: PolicyBundle, etag: string | null): void {
    const before = this.#inForce.bundle;
    if (before?.version !== bundle.version || before.digest !== bundle.digest) {
      this.#inForce = { compiled: compilePolicy(bundle.policy, bundle.version), bundle, isRefusal: false };
      this.#options.log.info({ policy_version: bundle.version, policy_digest: bundle.digest }, 'a policy is in force');
    } else this.#inForce = { ...this.#inForce, bundle };
    this.#etag = etag;
  }

  #requireKey(): void {
    if (!this.#isKeyLost) return;
    const message =
      'The key that was pinned at the first contact is gone from trust.json, or cannot be read. To pin the next one, stop the probe and delete trust.json and policy.json.';
    throw new BundleError('key_lost', message);
  }

  /** A file of an earlier run; `null`: there is none. Its value is `undefined` where it cannot be read. */
  async #read(name: string): Promise<{ readonly value: unknown } | null> {
    try {
      const text = await readIfThere(this.#path(name));
      return text === null ? null : { value: JSON.parse(text) };
    } catch (err) {
      this.#options.log.error({ file: name, reason: reasonOf(err) }, 'a file of an earlier run cannot be read');
      return { value: undefined };
    }
  }

  #refuse(err: unknown, what: string): void {
    if (!(err instanceof BundleError)) throw err;
    this.#problem = err.problem;
    this.#options.log.error({ problem: err.problem, reason: err.message }, what);
  }

  /** The same policy finds other things with other detectors: worth a word, no reason to decide nothing. */
  #warnOfVersions(bundle: PolicyBundle): void {
    if (bundle.version === this.#inForce.bundle?.version) return;
    const own: Readonly<Record<string, string>> = DETECTOR_VERSIONS;
    const others = Object.entries(bundle.detector_versions).filter(([id, version]) => own[id] !== version);
    if (others.length === 0) return;
    const detectors = Object.fromEntries(others.map(([id, version]) => [id, { service: version, probe: own[id] ?? null }]));
    this.#options.log.warn({ detectors }, 'the service has other versions of detectors: its findings may differ');
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }
}

function isKept(value: unknown): value is { bundle: unknown; etag: string | null } {
  if (typeof value !== 'object' || value === null) return false;
  const { bundle, etag } = value as { bundle?: unknown; etag?: unknown };
  return bundle !== undefined && (etag === null || typeof etag === 'string');
}
