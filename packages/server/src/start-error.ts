// Faults that the operator can mend: a sentence is all there is to say of them.

import { MasterKeyError } from './access/master-key.ts';
import { ConfigError } from './config.ts';
import { EmbeddedPostgresError } from './storage/embedded.ts';
import { MigrationError } from './storage/migrate.ts';

/** Something outside of the service keeps it from starting. The message says what to do. */
export class StartError extends Error {}

const PLAIN_ERRORS = [ConfigError, MasterKeyError, StartError, EmbeddedPostgresError, MigrationError];

/** True for an error whose message, without a stack, tells the operator what to do, and holds no secret. */
export function isPlainError(err: unknown): err is Error {
  return PLAIN_ERRORS.some((kind) => err instanceof kind);
}
