// Checkpoints (c2sp.org/tlog-checkpoint): origin, size and root of a log, as the text of a signed note.

import { HASH_BYTES } from './hashes.ts';

export interface Checkpoint {
  /** Which log; neither empty nor with a newline. */
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** The text that is signed. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** `null` for a text that is not of a checkpoint. Lines after the third are extensions, and are left unread. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin, size, root, ...rest] = text.split('\n');
  if (origin === undefined || origin === '' || size === undefined || root === undefined || rest.at(-1) !== '') return null;
  // An extension line may hold anything but nothing.
  if (rest.slice(0, -1).includes('')) return null;
  const bytes = Buffer.from(root, 'base64');
  const isSize = /^(0|[1-9]\d{0,15})$/.test(size) && Number.isSafeInteger(Number(size));
  if (!isSize || bytes.length !== HASH_BYTES || bytes.toString('base64') !== root) return null;
  return { origin, size: Number(size), root: bytes };
}
