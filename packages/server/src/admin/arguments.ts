// The command line: which command, with which options, and how it is used.

import { parseArgs } from 'node:util';
import type { Operator } from './operator.ts';
import { UsageError } from './faults.ts';

/** An option of a command. */
export interface Option<T = unknown> {
  /** What stands for its value in the usage; `null`: a switch, which has none. */
  readonly value: string | null;
  readonly isRequired: boolean;
  readonly meaning: string;
  /** What a value may be, as the error says it. */
  readonly allowed: string;
  /** The value, or `undefined` when `text` is not allowed. */
  parse(text: string): T | undefined;
}

/** What a command answers: an object for programs, the same in words for people. */
interface Result {
  readonly json: object;
  readonly text: string;
}

/** A command; `Values` are those of its options, `undefined` where one was not given. */
export interface Command<Values = Readonly<Record<string, unknown>>> {
  readonly name: string;
  readonly summary: string;
  readonly options: { readonly [Name in keyof Values]: Option<NonNullable<Values[Name]>> };
  /** Throws `UsageError` when options that are right by themselves do not fit together. */
  check?(values: Values): void;
  run(operator: Operator, values: Values): Promise<Result>;
}

/** What the command line asks for. */
export interface Call {
  readonly isJson: boolean;
  /** `null`: to be told how the commands are used. */
  readonly run: ((operator: Operator) => Promise<Result>) | null;
}

/** Reads the words after the program's name. Throws `UsageError`. */
export function readCall(commands: readonly Command[], words: readonly string[]): Call {
  const [name, ...rest] = words;
  if (name === undefined) throw new UsageError('Name a command.');
  const isHelp = name === 'help' || name === '--help';
  const command = commands.find((command) => command.name === name);
  if (!isHelp && command === undefined) throw new UsageError(`There is no command '${name}'.`);
  const given = readOptions(name, command?.options ?? {}, rest);
  const isJson = given['json'] === true;
  if (command === undefined) return { isJson, run: null };
  const values = valuesOf(command, given);
  command.check?.(values);
  return { isJson, run: (operator) => command.run(operator, values) };
}

type Given = Readonly<Record<string, string | boolean | undefined>>;

function readOptions(command: string, options: Command['options'], words: string[]): Given {
  const types = Object.entries(options).map(([name, { value }]) => [
    name,
    { type: value === null ? ('boolean' as const) : ('string' as const) },
  ]);
  try {
    return parseArgs({ args: words, options: { ...Object.fromEntries(types), json: { type: 'boolean' } } }).values as Given;
  } catch (err) {
    throw explainParseError(err, command, options);
  }
}

/** What is wrong with the words, from the code of `parseArgs` and the word that its message quotes first. */
function explainParseError(err: unknown, command: string, options: Command['options']): unknown {
  if (!(err instanceof Error && 'code' in err)) return err;
  const quoted = /'([^']*)'/.exec(err.message)?.[1] ?? '';
  switch (err.code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION': {
      const known = [...Object.keys(options), 'json'].map((name) => `--${name}`).join(', ');
      return new UsageError(`${command} has no option ${quoted}; it has ${known}.`, { cause: err });
    }
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE': {
      const name = quoted.split(' ')[0]!;
      const takesValue = (options[name.slice(2)]?.value ?? null) !== null;
      const advice = takesValue ? `needs a value; one that begins with a dash is written ${name}=-…` : 'takes no value';
      return new UsageError(`${name} ${advice}.`, { cause: err });
    }
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return new UsageError(`'${quoted}' belongs to no option. Put a value that holds spaces into quotes.`, { cause: err });
    default:
      return err;
  }
}

function valuesOf(command: Command, given: Given): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(command.options).map(([name, option]) => [name, valueOf(name, option, given[name])]));
}

function valueOf(name: string, option: Option, given: string | boolean | undefined): unknown {
  if (given === undefined) {
    if (option.isRequired) throw new UsageError(`--${name} is missing; it is ${option.allowed}.`);
    return undefined;
  }
  const value = option.parse(String(given));
  if (value === undefined) throw new UsageError(`--${name} is '${given}'; allowed is ${option.allowed}.`);
  return value;
}

const MEANING_COLUMN = 36;

/** How all commands are used. */
export function usageOf(commands: readonly Command[]): string {
  return [
    'Usage: npm run -s admin -- <command> [--option value]…',
    '',
    'Works on the database of the service, which may be running or not; settings come from the same environment variables.',
    'With --json each command prints one JSON object.',
    '',
    ...commands.flatMap((command) => [command.name, `  ${command.summary}`, ...optionLines(command), '']),
    'help',
    '  Prints this.',
  ].join('\n');
}

function optionLines({ options }: Command): string[] {
  return Object.entries(options).map(([name, { value, isRequired, meaning, allowed }]) => {
    const usage = value === null ? `--${name}` : `--${name} ${value}`;
    const bounds = value === null ? '' : ` (${isRequired ? '' : 'optional; '}${allowed})`;
    return `    ${usage.padEnd(MEANING_COLUMN)} ${meaning}${bounds}`;
  });
}
