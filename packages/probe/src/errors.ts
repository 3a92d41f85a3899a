// Faults that an operator can mend, told in one line.

/** The probe cannot start, for a reason that its message says in a sentence. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Too much is to be decided at once: the same can be asked again in a moment. Nothing was decided. */
export class BusyError extends Error {
  override readonly name = 'BusyError';

  constructor() {
    super('Too many long texts are waiting to be assessed.');
  }
}

/** The `code` of a Node error, such as `ENOENT`; `null` for anything else. */
export function codeOf(err: unknown): string | null {
  return typeof err === 'object' && err !== null && 'code' in err && typeof err.code === 'string' ? err.code : null;
}

/** A short name of what went wrong, without what an exception may quote. */
export function reasonOf(err: unknown): string {
  return codeOf(err) ?? (err instanceof Error ? err.name : typeof err);
}
