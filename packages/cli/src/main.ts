#!/usr/bin/env node
// The command `svc`: finds what was asked for in the table of commands, and ends with its exit code.

import { run as verify } from '@svc/verifier';

interface Command {
  /** As it is typed. */
  readonly words: readonly string[];
  readonly summary: string;
  /** Answers the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

const COMMANDS: readonly Command[] = [
  {
    words: ['audit', 'verify'],
    summary: 'check evidence of an audit trail, offline',
    run: (args) => verify(args),
  },
];

const USAGE = 64;

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(helpText());
    return 0;
  }
  const command = COMMANDS.find(({ words }) => words.every((word, i) => args[i] === word));
  if (command !== undefined) return command.run(args.slice(command.words.length));
  process.stderr.write(`There is no command 'svc ${args.slice(0, 2).join(' ')}'. svc --help lists those there are.\n`);
  return USAGE;
}

function helpText(): string {
  const lines = COMMANDS.map(({ words, summary }) => `  svc ${words.join(' ').padEnd(20)}${summary}`);
  return `svc <command> [options]\n\n${lines.join('\n')}\n\nsvc <command> --help tells more of each.\n`;
}

process.exitCode = await main(process.argv.slice(2));
