// Structured logs, one JSON object a line. Never what was said, never headers or keys.

import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** What of an error may be logged. */
function serializeError(err: unknown): object {
  if (!(err instanceof Error)) return { type: typeof err };
  const code = 'code' in err && typeof err.code === 'string' ? err.code : undefined;
  const frames = err.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 8)
    .map((line) => line.trim());
  return { type: err.constructor.name, code, message: err.message, frames };
}

/** The process's log, on standard error: standard output says where the probe listens. */
export function createLog(level: Config['logLevel']): { readonly log: Logger; readonly flush: () => void } {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 0 });
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
  };
  return { log: pino(options, destination), flush: () => destination.flushSync() };
}
