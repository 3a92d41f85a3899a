// The operator's commands, beside the service: npm run -s admin -- <command> [--option value]…
// Exit code 0: done; 1: it could not be done; 2: the command line is wrong.

import { readCall, usageOf } from './admin/arguments.ts';
import { COMMANDS } from './admin/commands.ts';
import { sentenceOf, UsageError } from './admin/faults.ts';
import { openOperator } from './admin/operator.ts';
import { readConfig } from './config.ts';

async function main(words: readonly string[]): Promise<void> {
  const { run, isJson } = readCall(COMMANDS, words);
  const print = (json: object, text: string) => process.stdout.write(`${isJson ? JSON.stringify(json) : text}\n`);
  if (run === null) {
    const usage = usageOf(COMMANDS);
    print({ usage }, usage);
    return;
  }
  const operator = await openOperator(readConfig(), { say, onIdleError: () => {}, onLost: fail });
  try {
    const { json, text } = await run(operator);
    // Before anything else can fail: a key is shown this once.
    print(json, text);
  } finally {
    await operator.close();
  }
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function fail(err: unknown): never {
  if (err instanceof UsageError) {
    say(`${err.message}\n\n${usageOf(COMMANDS)}`);
    process.exit(2);
  }
  say(sentenceOf(err));
  process.exit(1);
}

// A connection that is lost in a transaction says so by an event, beside the statement that fails.
process.on('uncaughtException', fail);
await main(process.argv.slice(2)).catch(fail);
