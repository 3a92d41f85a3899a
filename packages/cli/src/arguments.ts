// The command line, read by the table of commands.

import { parseArgs } from 'node:util';
import type { Command, Option, Options } from './command.ts';
import { UsageError } from './faults.ts';
import { nearest } from './text.ts';

export const GLOBAL_OPTIONS: Readonly<Record<string, Option>> = {
  json: { kind: 'flag', meaning: 'JSON for programs, on stdout; errors as JSON on stderr' },
  profile: { kind: 'text', meaning: 'The profile to use', placeholder: '<name>' },
  'base-url': { kind: 'text', meaning: 'Where the service is', placeholder: '<url>' },
  'no-color': { kind: 'flag', meaning: 'No colours' },
  help: { kind: 'flag', short: 'h', meaning: 'How it is used' },
  version: { kind: 'flag', meaning: 'The version of svc' },
};

/** Commands that begin with the same word. They are loaded when one of them is asked for. */
export interface Group {
  readonly word: string;
  /** One line, without a full stop. */
  readonly summary: string;
  load(): Promise<readonly Command[]>;
}

/** Where the words of the command lie among the arguments: options may stand between them. */
interface Word {
  readonly text: string;
  readonly at: number;
}

/** Every argument before `--` that is no option and no value of a global option. */
export function wordsOf(args: readonly string[]): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const text = args[at]!;
    if (text === '--') break;
    if (text === '--profile' || text === '--base-url') at++;
    else if (!text.startsWith('-') || text === '-') words.push({ text, at });
  }
  return words;
}

export interface Found {
  readonly command: Command;
  /** The arguments without the words of the command. */
  readonly args: readonly string[];
}

/** The command of a group that the words name; the one of most words. `null`: the group alone was named. Throws a `UsageError`. */
export function findCommand(group: Group, commands: readonly Command[], args: readonly string[]): Found | null {
  const words = wordsOf(args);
  const command = commands
    .filter((command) => command.words.every((word, i) => words[i]?.text === word))
    .reduce<Command | null>(
      (best, command) => (best === null || command.words.length > best.words.length ? command : best),
      null,
    );
  if (command !== null) {
    const taken = new Set(words.slice(0, command.words.length).map(({ at }) => at));
    return { command, args: args.filter((_, at) => !taken.has(at)) };
  }
  if (words.length === 1) return null;
  const known = commands.map(({ words }) => words.join(' '));
  const typed = words.map(({ text }) => text);
  // Of `webhooks delivry whk_1` as of `policy shadow strat` the words that could be a command are compared.
  const near = [2, 3].map((n) => nearest(typed.slice(0, n).join(' '), known)).find((found) => found !== undefined);
  throw unknownCommand(typed.slice(0, 2).join(' '), near, `svc help ${group.word}`);
}

/** `near`: the command that was probably meant. */
export function unknownCommand(typed: string, near: string | undefined, list: string): UsageError {
  const advice = near === undefined ? `${list} lists those there are.` : `Did you mean 'svc ${near}'?`;
  return new UsageError(`There is no command 'svc ${typed}'. ${advice}`);
}

type Value = string | boolean | readonly (string | boolean)[] | undefined;

export interface Call {
  readonly positionals: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
  readonly options: Options;
}

/** The arguments of a command, without its words, against its table. Throws a `UsageError`. */
export function readCall(command: Command, args: readonly string[]): Call {
  const known: Readonly<Record<string, Option>> = { ...GLOBAL_OPTIONS, ...command.options };
  const { values, positionals } = parse(command, known, args);
  for (const [name, value] of Object.entries(values)) checkValue(name, known[name]!, value);
  // Who asks for help need not know what is missing.
  const named = values['help'] === true ? { positionals: {}, rest: [] } : readPositionals(command, positionals);
  return { ...named, options: optionsOf(known, values) };
}

function parse(command: Command, known: Readonly<Record<string, Option>>, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { kind, short, isRepeated }]) => [
      name,
      {
        type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
        multiple: isRepeated === true,
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Readonly<Record<string, Value>>, positionals };
  } catch (err) {
    throw explained(err, command, known);
  }
}

/** What is wrong with the arguments, from the code of `parseArgs` and the word that its message quotes first. */
function explained(err: unknown, command: Command, known: Readonly<Record<string, Option>>): unknown {
  if (!(err instanceof Error && 'code' in err)) return err;
  const quoted = /'([^']*)'/.exec(err.message)?.[1] ?? '';
  const help = `svc ${command.words.join(' ')} --help`;
  switch (err.code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION': {
      const typed = quoted.split('=')[0]!;
      const near = nearest(typed.replace(/^-+/, ''), Object.keys(known));
      const advice = near === undefined ? `${help} lists those there are.` : `Did you mean --${near}?`;
      return new UsageError(`svc ${command.words.join(' ')} has no option ${typed}. ${advice}`, { cause: err });
    }
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE': {
      const name = /--([a-z0-9-]+)/.exec(quoted)?.[1] ?? '';
      const option = known[name];
      const advice =
        option?.kind === 'flag'
          ? 'takes no value'
          : option?.kind === 'integer'
            ? 'needs a whole number'
            : `needs a value; one that begins with a dash is written --${name}=-…`;
      return new UsageError(`--${name} ${advice}.`, { cause: err });
    }
    default:
      return new UsageError(`These arguments cannot be read. ${help} tells how it is used.`, { cause: err });
  }
}

function checkValue(name: string, option: Option, value: Value): void {
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string') as readonly string[];
  for (const text of texts) {
    if (option.kind === 'integer' && !(/^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)))) {
      throw new UsageError(`--${name} is '${text}'; it must be a whole number.`);
    }
    if (option.choices !== undefined && !option.choices.includes(text)) {
      const near = nearest(text, option.choices);
      const advice = near === undefined ? `It is one of ${option.choices.join(', ')}.` : `Did you mean ${near}?`;
      throw new UsageError(`--${name} cannot be '${text}'. ${advice}`);
    }
  }
}

function readPositionals(command: Command, given: readonly string[]): Pick<Call, 'positionals' | 'rest'> {
  const declared = command.positionals ?? [];
  const usage = `It is used as: ${usageOf(command)}`;
  const missing = declared.findIndex(({ isOptional }, i) => isOptional !== true && given[i] === undefined);
  if (missing >= 0) throw new UsageError(`<${declared[missing]!.name}> is missing. ${usage}`);
  const repeats = declared.at(-1)?.isRepeated === true;
  if (given.length > declared.length && !repeats) {
    const surplus = given[declared.length]!;
    const advice =
      declared.length > 0 && !/\s/.test(given[declared.length - 1]!) ? 'Put a text of several words into quotes. ' : '';
    throw new UsageError(`'${surplus}' is too much. ${advice}${usage}`);
  }
  const named = declared.flatMap(({ name }, i) => (given[i] === undefined ? [] : [[name, given[i]] as const]));
  return { positionals: Object.fromEntries(named), rest: repeats ? given.slice(declared.length - 1) : [] };
}

/** `svc webhooks test <webhook_id> [--event <kind>] …`. */
export function usageOf({ words, positionals = [] }: Command): string {
  const places = positionals.map(({ name, isOptional, isRepeated }) => {
    const place = `<${name}>${isRepeated === true ? '…' : ''}`;
    return isOptional === true ? `[${place}]` : place;
  });
  return ['svc', ...words, ...places, '[options]'].join(' ');
}

function optionsOf(known: Readonly<Record<string, Option>>, values: Readonly<Record<string, Value>>): Options {
  const valueOf = (name: string): Value => {
    if (known[name] === undefined) throw new Error(`The command reads --${name}, which its table does not have.`);
    return values[name];
  };
  return {
    text(name) {
      const value = valueOf(name);
      return typeof value === 'string' ? value : undefined;
    },
    texts(name) {
      const value = valueOf(name);
      return Array.isArray(value) ? (value as readonly string[]) : typeof value === 'string' ? [value] : [];
    },
    integer(name) {
      const value = valueOf(name);
      return typeof value === 'string' ? Number(value) : undefined;
    },
    flag: (name) => valueOf(name) === true,
  };
}
