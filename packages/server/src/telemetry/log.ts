// Structured logs, one JSON object a line. Never bodies, headers, queries, statements or values of the customers'.

import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';

export type { Logger };

/** What of an error may be logged. Messages of database errors quote values, and stacks repeat messages: both stay out. */
function serializeError(err: unknown): object {
  if (!(err instanceof Error)) return { type: typeof err };
  const code = 'code' in err && typeof err.code === 'string' ? err.code : undefined;
  const frames = err.stack?.split('\n').filter((line) => line.trimStart().startsWith('at ')).slice(0, 8).map((line) => line.trim());
  return {
    type: err.constructor.name,
    code,
    message: err.constructor.name === 'DatabaseError' ? undefined : err.message,
    frames,
    cause: err.cause === undefined ? undefined : serializeError(err.cause),
  };
}

/** The process's log, on standard output. */
export function createLog(level: Config['logLevel']): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
  });
}
