// The checkpoint that this browser has seen last of an organization's log, and since when it remembers. Checkpoints are no secrets.

import type { CheckpointStore } from '@svc/client';

export interface Held {
  /** When it began to remember, by the clock of this machine. */
  readonly since: string;
  /** When the checkpoint was last held against a newer one. */
  readonly at: string;
  readonly origin: string;
  readonly size: number;
  /** As it was signed. */
  readonly note: string;
  /** By which it was checked. */
  readonly keys: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

function nameOf(orgId: string): string {
  return `svc.checkpoint.${orgId}`;
}

/** `null`: nothing is remembered; `unreadable`: something is, and it is not what was written. */
export function readHeld(orgId: string): Held | 'unreadable' | null {
  let kept: string | null;
  try {
    kept = localStorage.getItem(nameOf(orgId));
  } catch {
    return null;
  }
  if (kept === null) return null;
  try {
    const { since, at, text } = JSON.parse(kept) as Members;
    const { keys, note } = JSON.parse(String(text)) as Members;
    if (typeof note !== 'string' || !Array.isArray(keys) || typeof since !== 'string' || typeof at !== 'string')
      return 'unreadable';
    const [origin = '', size] = note.split('\n');
    return { since, at, origin, size: Number(size), note, keys: keys.map(String) };
  } catch {
    return 'unreadable';
  }
}

export function forgetHeld(orgId: string): void {
  localStorage.removeItem(nameOf(orgId));
}

/** Where a `CheckpointMemory` keeps what it has seen. What cannot be kept is not kept, and `isKept` says so. */
export class HeldStore implements CheckpointStore {
  readonly #orgId: string;
  isKept = true;

  constructor(orgId: string) {
    this.#orgId = orgId;
  }

  load(): string | null {
    try {
      const kept = localStorage.getItem(nameOf(this.#orgId));
      // What is not what was written is not taken for nothing: the memory refuses it.
      return kept === null ? null : textOf(kept);
    } catch {
      this.isKept = false;
      return null;
    }
  }

  save(text: string): void {
    const before = readHeld(this.#orgId);
    const at = new Date().toISOString();
    const since = before === null || before === 'unreadable' ? at : before.since;
    try {
      localStorage.setItem(nameOf(this.#orgId), JSON.stringify({ since, at, text }));
    } catch {
      this.isKept = false;
    }
  }
}

function textOf(kept: string): string {
  try {
    const { text } = JSON.parse(kept) as Members;
    return typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}
