#!/usr/bin/env node
// The command `svc`: finds what was asked for in the table of commands, and ends with its exit code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCommand, readCall, unknownCommand, wordsOf, type Group } from './arguments.ts';
import type { Command, Context } from './command.ts';
import { GROUPS } from './commands.ts';
import { explain } from './explain.ts';
import { CommandError, EXIT, UsageError } from './faults.ts';
import { helpOfAll, helpOfCommand, helpOfGroup } from './help.ts';
import { Output } from './output.ts';
import { resolveProfile } from './profiles.ts';
import { nearest } from './text.ts';

/** How long a command that was interrupted has to end by itself. */
const ENDING_MS_MAX = 2_000;

// oxlint-disable-next-line node/no-process-env -- the one place that reads it
const env = process.env;

const interrupted = new AbortController();
/** Of the signal that ended the command. */
let interruptedCode: number = EXIT.interrupted;

async function main(args: readonly string[]): Promise<number> {
  const words = wordsOf(args);
  const flags = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  const output = new Output({
    stdout: process.stdout,
    stderr: process.stderr,
    isJson: flags.includes('--json'),
    hasColour: !flags.includes('--no-color') && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    columns: /^\d{1,4}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : undefined,
    // What goes on and on ends; what has its answer keeps its exit code.
    onClosed: () => interrupted.abort(),
  });
  try {
    if (words.length === 0) {
      if (args.length > flags.length + 1)
        throw new UsageError("The command goes before the two dashes: svc assess -- '-5 degrees'");
      return begin(flags, output);
    }
    if (words[0]!.text === '__complete') return await complete(args.slice(words[0]!.at + 1), output);
    if (words[0]!.text === 'help')
      return await help(
        words.slice(1).map(({ text }) => text),
        output,
      );
    return await run(groupOf(words[0]!.text), args, output);
  } catch (err) {
    return fail(err, output);
  }
}

/** No command was named. */
function begin(flags: readonly string[], output: Output): number {
  if (flags.includes('--version')) {
    const version = versionOf();
    output.answer({ version }, () => output.line(`svc ${version}`));
    return EXIT.done;
  }
  const unknown = flags.find(
    (flag) =>
      /^-./.test(flag) && !['--json', '--no-color', '--help', '-h'].includes(flag) && !/^--(profile|base-url)\b/.test(flag),
  );
  if (unknown !== undefined) throw new UsageError(`svc has no option ${unknown}. svc help lists those there are.`);
  const isHelp = flags.includes('--help') || flags.includes('-h');
  if (output.isJson && !isHelp) throw new UsageError('No command was named. svc help lists those there are.');
  output.raw(helpOfAll(GROUPS, output.width));
  return EXIT.done;
}

/** `svc help`, `svc help webhooks`, `svc help webhooks create`. */
async function help(words: readonly string[], output: Output): Promise<number> {
  if (words.length === 0) {
    output.raw(helpOfAll(GROUPS, output.width));
    return EXIT.done;
  }
  return run(groupOf(words[0]!), [...words, '--help'], output);
}

function groupOf(word: string): Group {
  const group = GROUPS.find((group) => group.word === word);
  if (group === undefined)
    throw unknownCommand(
      word,
      nearest(
        word,
        GROUPS.map(({ word }) => word),
      ),
      'svc help',
    );
  return group;
}

async function run(group: Group, args: readonly string[], output: Output): Promise<number> {
  const commands = await group.load();
  const found = findCommand(group, commands, args);
  if (found === null) {
    const isHelp = args.includes('--help') || args.includes('-h');
    if (output.isJson && !isHelp)
      throw new UsageError(`svc ${group.word} needs a command behind it. svc help ${group.word} lists those there are.`);
    output.raw(helpOfGroup(group, commands, output.width));
    return EXIT.done;
  }
  const { command } = found;
  if (command.isRaw === true) return command.run(await contextOf(command, readRaw(found.args), output));
  const call = readCall(command, found.args);
  if (call.options.flag('help')) {
    output.raw(
      commands.length > 1 && command.words.length === 1
        ? helpOfGroup(group, commands, output.width)
        : helpOfCommand(command, output.width),
    );
    return EXIT.done;
  }
  return command.run(await contextOf(command, call, output));
}

type Call = ReturnType<typeof readCall>;

/** Of a command that reads its arguments itself. */
function readRaw(args: readonly string[]): Call {
  return { ...readCall({ words: [], summary: '', examples: [], run: () => Promise.resolve(0) }, []), rest: args };
}

async function contextOf(command: Command, { positionals, rest, options }: Call, output: Output): Promise<Context> {
  const asked = { profile: options.text('profile'), baseUrl: options.text('base-url') };
  // A command that asks no service must work where the profiles cannot be read.
  if (command.isOffline === true || command.isRaw === true) return { ...offline(output), positionals, rest, options };
  const profile = await resolveProfile(asked, env);
  const { openClient } = await import('./connection.ts');
  let client: ReturnType<typeof openClient> | null = null;
  return {
    ...offline(output),
    positionals,
    rest,
    options,
    profile,
    svc: () =>
      (client ??= openClient({
        baseUrl: profile.baseUrl,
        orgId: profile.orgId,
        apiKey: profile.apiKey(),
        signal: interrupted.signal,
        onRateLimit: (seconds) => output.note(`Rate limit: waiting ${seconds} s.`),
      })),
  };
}

function offline(output: Output) {
  return {
    output,
    env,
    signal: interrupted.signal,
    stdin: process.stdin,
    profile: { name: 'default', baseUrl: '', orgId: null },
    svc: () => {
      throw new Error('This command asks no service.');
    },
  };
}

/** What could follow, for the shells: a line each. Says nothing where it does not know. */
async function complete(words: readonly string[], output: Output): Promise<number> {
  const { candidates } = await import('./complete.ts');
  for (const line of await candidates(GROUPS, words, env)) output.line(line);
  return EXIT.done;
}

async function fail(err: unknown, output: Output): Promise<number> {
  // Whoever reads has enough, as `head`. What the command has to say all the same it says by a code.
  if (output.isClosed) return err instanceof CommandError ? err.exitCode : EXIT.done;
  if (interrupted.signal.aborted) return interruptedCode;
  const { code, message, requestId, details, exitCode } = await explain(err, (env['SVC_API_KEY'] ?? '') !== '');
  if (output.isJson) {
    const error = { code, message, request_id: requestId, exit_code: exitCode, ...(details.length === 0 ? {} : { details }) };
    output.failure({ error });
  } else {
    output.note(`${message.trimEnd()}${requestId === null ? '' : ` (request ${requestId})`}`);
  }
  return exitCode;
}

function versionOf(): string {
  const text = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

for (const [signal, code] of [
  ['SIGINT', EXIT.interrupted],
  ['SIGTERM', EXIT.terminated],
  ['SIGHUP', EXIT.hungUp],
] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(code);
    interruptedCode = code;
    interrupted.abort();
    setTimeout(() => process.exit(code), ENDING_MS_MAX).unref();
  });
}
// Of commands that write by themselves. Whoever reads has enough, as `head`.
process.stdout.on('error', () => process.exit(EXIT.done));
const exitCode = await main(process.argv.slice(2));
// Not left to the event loop: a request in flight, or a producer that goes on, would keep the process.
process.stdout.write('', () => process.exit(exitCode));
