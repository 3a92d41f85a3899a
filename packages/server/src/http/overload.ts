// Refusals by which the service saves itself: in the log a line now and then, or they would be the next load.

import type { Logger } from '../telemetry/log.ts';
import type { AppError } from './errors.ts';

const INTERVAL_MS = 1_000;

/** True for what we refuse because there is too much of it, and nothing has failed. */
export function isOverload(error: AppError): boolean {
  return error.code === 'unavailable' && error.cause === undefined;
}

/** One warning a second, with how many there were since the one before. */
export class OverloadLog {
  readonly #log: Logger;
  #nextAtMs = 0;
  #leftOut = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(line: object, message: string): void {
    const nowMs = performance.now();
    if (nowMs < this.#nextAtMs) {
      this.#leftOut++;
      return;
    }
    this.#log.warn({ ...line, left_out: this.#leftOut }, message);
    this.#nextAtMs = nowMs + INTERVAL_MS;
    this.#leftOut = 0;
  }
}
