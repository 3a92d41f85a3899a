// What was seen of probes since it was last written down: written together, never on the way of a request.

import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { addMinutes, touchProbes, type MinuteCounts, type ProbeKey, type Touch } from './store.ts';

const INTERVAL_MS = 10_000;
const MINUTE_MS = 60_000;
// Not written for long, because the database is away: what is older is only for the rates, and is forgotten.
const MINUTES_MAX = 20_000;

/** What became of telemetry. */
export type Counts = Pick<MinuteCounts, 'accepted' | 'duplicates' | 'rejected'>;

export class ProbeTouches {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #seen = new Map<string, Touch>();
  #minutes = new Map<string, MinuteCounts>();
  #writing: Promise<void> | null = null;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), INTERVAL_MS).unref();
  }

  /** A call of a probe, and what became of the telemetry it brought. */
  add(key: ProbeKey, nowMs: number, counts?: Counts): void {
    const name = `${key.orgId.toString('hex')} ${key.mode} ${key.probeId}`;
    this.#seen.set(name, { ...key, lastSeenAtMs: Math.max(nowMs, this.#seen.get(name)?.lastSeenAtMs ?? nowMs) });
    if (counts === undefined) return;
    const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    this.#count(`${name} ${minuteMs}`, { ...key, minuteMs, ...counts });
  }

  /** Writes down what was seen so far. Safe to call at any time. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#writing = this.#write().finally(() => (this.#writing = null));
    return this.#writing;
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const [seen, minutes] = [this.#seen, this.#minutes];
    this.#seen = new Map();
    this.#minutes = new Map();
    try {
      await touchProbes(this.#db, [...seen.values()]);
    } catch (err) {
      this.#log.warn({ err }, 'when probes were last seen could not be written; it is tried again');
      for (const touch of seen.values()) this.add(touch, touch.lastSeenAtMs);
    }
    try {
      await addMinutes(this.#db, [...minutes.values()]);
    } catch (err) {
      this.#log.warn({ err }, 'what probes reported could not be counted; it is tried again');
      for (const [name, counts] of minutes) this.#count(name, counts);
    }
  }

  #count(name: string, counts: MinuteCounts): void {
    const known = this.#minutes.get(name);
    if (known === undefined && this.#minutes.size >= MINUTES_MAX) return;
    this.#minutes.set(name, {
      ...counts,
      accepted: counts.accepted + (known?.accepted ?? 0),
      duplicates: counts.duplicates + (known?.duplicates ?? 0),
      rejected: counts.rejected + (known?.rejected ?? 0),
    });
  }
}
