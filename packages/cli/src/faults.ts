// What ends a command early, and with which exit code.

/** Stable: scripts go by them. `docs/guide/cli.md` lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** The command did its work, and the answer is no: a blocked assessment, a policy with errors. */
  no: 3,
  /** Not signed in, or the credential is refused. */
  refused: 4,
  notFound: 5,
  rateLimited: 6,
  unreached: 7,
  hungUp: 129,
  interrupted: 130,
  /** The reader of stdout went away before all was done, as of a program that SIGPIPE ends. */
  closed: 141,
  terminated: 143,
} as const;

/** The command line is wrong. The message says what to write instead; one sentence or two. */
export class UsageError extends Error {}

/** It cannot be done. The message says why, and what to do next. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
