// Questions to whoever sits at the terminal.

import type { Context, Option } from './command.ts';
import { CommandError, EXIT, UsageError } from './faults.ts';
import { harmless } from './text.ts';

/** Of commands that ask before they do what cannot be undone. */
export const YES: Option = { kind: 'flag', short: 'y', meaning: 'Do not ask' };

/**
 * Asks for a yes, with the effect spelled out in `question`; with `--yes` there is no question. Throws a `UsageError` where nobody can be asked,
 * and a `CommandError` where the answer is no.
 */
export async function confirm(context: Context, question: string): Promise<void> {
  if (context.options.flag('yes')) return;
  if (!canAsk(context))
    throw new UsageError('This cannot be undone and there is no terminal to ask on. Give --yes if you mean it.');
  const answer = await ask(context, `${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.');
}

/** Whether there is a terminal to ask on. */
export function canAsk({ stdin, output }: Pick<Context, 'stdin' | 'output'>): boolean {
  return stdin.isTTY && process.stderr.isTTY && !output.isJson;
}

/** A line that is typed; what is typed is shown. */
export function ask(context: Pick<Context, 'stdin' | 'signal'>, question: string): Promise<string> {
  return readTyped(context, question, true);
}

/** A line that is typed unseen. */
export function askHidden(context: Pick<Context, 'stdin' | 'signal'>, question: string): Promise<string> {
  return readTyped(context, question, false);
}

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_U = '\x15';
/** What keys such as arrows send, and the marks around a paste. */
// oxlint-disable-next-line no-control-regex -- they begin with one
const KEY_SEQUENCE = /\x1b[[O]\??[0-9;]*[a-zA-Z~]/g;

// In raw mode, where the terminal shows nothing by itself: what is hidden never is on the screen, and Ctrl-C comes as a character.
async function readTyped(
  { stdin, signal }: Pick<Context, 'stdin' | 'signal'>,
  question: string,
  isShown: boolean,
): Promise<string> {
  signal.throwIfAborted();
  process.stderr.write(harmless(question));
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = '';
      const onData = (data: string) => {
        // A paste may bring several lines; the first is the answer.
        for (const character of data.replace(KEY_SEQUENCE, '')) {
          if (character === '\r' || character === '\n') return done(() => resolve(typed));
          if (character === CTRL_C) return done(() => reject(new CommandError('Interrupted.', EXIT.interrupted)));
          if (character === CTRL_D && typed === '') return done(() => reject(new CommandError('Nothing was done.')));
          if (character === '\x7f' || character === '\b') {
            if (typed !== '' && isShown) process.stderr.write('\b \b');
            typed = Array.from(typed).slice(0, -1).join('');
          } else if (character === CTRL_U) {
            if (isShown) process.stderr.write('\b \b'.repeat(Array.from(typed).length));
            typed = '';
          } else if (character >= ' ') {
            typed += character;
            if (isShown) process.stderr.write(harmless(character));
          }
        }
      };
      const onEnd = () => done(() => reject(new CommandError('Nothing was done.')));
      const done = (settle: () => void) => {
        stdin.off('data', onData).off('end', onEnd);
        settle();
      };
      stdin.on('data', onData).on('end', onEnd);
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  }
}
