// Secrets that the service must read again, such as a client secret: encrypted at rest, bound to where they belong.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './master-key.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

/** Encrypts and decrypts with AES-256-GCM under a key derived from the master key. */
export class Vault {
  readonly #key: Buffer;

  constructor(master: Buffer) {
    this.#key = deriveKey(master, 'vault');
  }

  /** `purpose`: what the secret is and whose, e.g. `sso client secret of org_…`. Opened elsewhere it is refused. */
  seal(purpose: string, secret: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws for what was not sealed here for this purpose. */
  open(purpose: string, sealed: Buffer): string {
    if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES)
      throw new Error('a sealed secret has an unknown form');
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag);
    const opened = Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return opened.toString('utf8');
  }
}
