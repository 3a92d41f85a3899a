// Structured logs, one JSON object a line. Never bodies, headers, queries, statements or values of the customers'.

import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';

export type { Logger };

/** What of an error may be logged. Messages of database errors quote values, and stacks repeat messages: both stay out. */
function serializeError(err: unknown): object {
  if (!(err instanceof Error)) return { type: typeof err };
  const code = 'code' in err && typeof err.code === 'string' ? err.code : undefined;
  const frames = err.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 8)
    .map((line) => line.trim());
  return {
    type: err.constructor.name,
    code,
    message: err.constructor.name === 'DatabaseError' ? undefined : err.message,
    frames,
    cause: err.cause === undefined ? undefined : serializeError(err.cause),
  };
}

// Lines are handed to the system together: a write for each costs as much as a third of a small request.
const BUFFER_BYTES = 8_192;
const FLUSH_INTERVAL_MS = 250;

/** The process's log, on standard output, up to 250 ms late; `flush` writes what waits, for the end of the process. */
export function createLog(level: Config['logLevel']): { readonly log: Logger; readonly flush: () => void } {
  const destination = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES });
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
  };
  setInterval(() => destination.flush(), FLUSH_INTERVAL_MS).unref();
  return { log: pino(options, destination), flush: () => destination.flushSync() };
}
