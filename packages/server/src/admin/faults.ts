// What a failed command says: one sentence, without a stack and without what an error may quote.

import { AppError } from '../http/errors.ts';
import { isPlainError } from '../start-error.ts';
import { isConnectionFault } from '../storage/database.ts';

/** The command line cannot be understood. The message says what is wrong with it. */
export class UsageError extends Error {}

/** A command cannot do what it was asked for. The message says why. */
export class CommandError extends Error {}

/** The sentence about anything thrown. */
export function sentenceOf(err: unknown): string {
  if (isPlainError(err) || err instanceof CommandError || err instanceof AppError) return err.message;
  if (!(err instanceof Error)) return 'The command failed for an unknown reason.';
  const code = 'code' in err && typeof err.code === 'string' ? err.code : null;
  if (isConnectionFault(err))
    return `The database was lost or did not answer in time (${code ?? 'no answer'}). See whether the change was made before you repeat the command.`;
  if ('path' in err && typeof err.path === 'string')
    return `${err.path} cannot be used (${code}). Run the command as the user that runs the service.`;
  // Messages of other errors may quote values or addresses.
  return `The command failed by a fault that it does not know (${err.constructor.name}${code === null ? '' : ` ${code}`}).`;
}
