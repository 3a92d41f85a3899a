// What a command is. The table of all is in commands.ts; main.ts finds the one that was asked for and runs it.

import type { Svc } from '@svc/client';
import type { Output } from './output.ts';
import type { Profile } from './profiles.ts';

export interface Command {
  /** As it is typed: `['webhooks', 'create']`. */
  readonly words: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** More, for `--help`; paragraphs. */
  readonly description?: string;
  readonly positionals?: readonly Positional[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Whole lines, each of which works: `svc assess 'Hello'`. At least one. */
  readonly examples: readonly string[];
  /** It asks no service: `svc()` and `profile` are not there, and it works where the profiles cannot be read. */
  readonly isOffline?: boolean;
  /** It reads its arguments itself, `--help` and `--json` too: all are in `rest`, and nothing in `options`. */
  readonly isRaw?: boolean;
  /** Answers the exit code. Throws what a request threw, a `UsageError` or a `CommandError`: main.ts says it in a line. */
  run(context: Context): Promise<number>;
}

interface Positional {
  /** `webhook_id`; shown as `<webhook_id>`. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** The last one may come several times. */
  readonly isRepeated?: boolean;
}

export interface Option {
  readonly kind: 'text' | 'flag' | 'integer';
  readonly short?: string;
  /** One line, without a full stop. */
  readonly meaning: string;
  /** What the value is called in help: `<url>`. */
  readonly placeholder?: string;
  /** The only values; completion offers them. */
  readonly choices?: readonly string[];
  readonly isRepeated?: boolean;
}

/** What a command was called with, checked against its table. */
export interface Context {
  /** By the name of the positional; of a repeated one see `rest`. */
  readonly positionals: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
  readonly options: Options;
  readonly output: Output;
  /** The client of the profile in use. Throws a `CommandError` (exit code 4) that says how to sign in, where there is none. */
  readonly svc: () => Svc;
  /** Where the service is and by what name the profile goes, without a credential. */
  readonly profile: Profile;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly stdin: NodeJS.ReadStream;
  /** The environment: `EDITOR`, for one. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Values by the option's name as it is declared, without dashes. */
export interface Options {
  text(name: string): string | undefined;
  /** Of a repeated option, in order; empty when it was not given. */
  texts(name: string): readonly string[];
  integer(name: string): number | undefined;
  flag(name: string): boolean;
}
