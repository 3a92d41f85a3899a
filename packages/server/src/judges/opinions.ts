// Opinions that judges gave a short while ago, so that the same text is not asked about twice.

import type { JudgeVerdict } from '@svc/engine';
import { createHash } from 'node:crypto';

const ENTRIES_MAX = 10_000;
const KEPT_MS = 600_000;

interface Entry {
  readonly verdicts: readonly JudgeVerdict[];
  readonly untilMs: number;
}

/** Holds digests and verdicts, no texts. */
export class Opinions {
  readonly #clock: () => number;
  /** The oldest first: all are kept equally long. */
  readonly #entries = new Map<string, Entry>();

  /** `clock`: milliseconds from any start, never going back. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get(key: string): readonly JudgeVerdict[] | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.untilMs > this.#clock()) return entry?.verdicts;
    this.#entries.delete(key);
    return undefined;
  }

  put(key: string, verdicts: readonly JudgeVerdict[]): void {
    this.#entries.delete(key);
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, { verdicts, untilMs: this.#clock() + KEPT_MS });
  }
}

/** Names a question: whose it is, which judge in which version, and all that it would be sent. */
export function opinionKey(orgId: string, judge: { readonly id: string; readonly version: number }, body: string): string {
  return createHash('sha256')
    .update(JSON.stringify([orgId, judge.id, judge.version]))
    .update(body)
    .digest('base64');
}
