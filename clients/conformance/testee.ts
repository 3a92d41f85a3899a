// A testee: the small program of a language that does with its client what it is told, one JSON line for another.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a testee is started. */
export interface TesteeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A result as JSON: what is in it depends on the command. */
export type Result = ReturnType<typeof JSON.parse>;

const ANSWER_MS_MAX = 60_000;
const STDERR_CHARS_MAX = 4_000;

export class Testee {
  /** As it is named in the `User-Agent`. */
  readonly language: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: {
    readonly id: string;
    readonly resolve: (result: Result) => void;
    readonly reject: (err: Error) => void;
  }[] = [];
  #stderr = '';
  #count = 0;

  constructor(language: string, { command, args, env = {} }: TesteeCommand) {
    this.language = language;
    // oxlint-disable-next-line node/no-process-env -- programs need their PATH and HOME
    this.#process = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'pipe' });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS_MAX);
    });
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#take(line));
    this.#process.on('error', (err) => this.#fail(err));
    this.#process.on('close', (code) => this.#fail(new Error(`the testee ended with exit code ${code}: ${this.#stderr}`)));
    this.#process.stdin.on('error', () => {});
  }

  /** Resolves with the result of a command. Rejects where the testee crashed, ended, or takes longer than a minute. */
  ask(command: Readonly<Record<string, unknown>>): Promise<Result> {
    const id = `${++this.#count}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${String(command['do'])} in ${ANSWER_MS_MAX / 1_000} s: ${this.#stderr}`)),
        ANSWER_MS_MAX,
      );
      const settle =
        <Value>(then: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          then(value);
        };
      this.#waiting.push({ id, resolve: settle(resolve), reject: settle(reject) });
      if (this.#process.exitCode !== null || !this.#process.stdin.writable)
        this.#fail(new Error(`the testee has ended: ${this.#stderr}`));
      else this.#process.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    });
  }

  /** Ends its input, upon which it ends. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.pid === undefined) return;
    const closed = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.stdin.end();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5_000);
    await closed;
    clearTimeout(timer);
  }

  #take(line: string): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    try {
      const result: Result = JSON.parse(line);
      if (result.id !== waiting.id) throw new Error(`the result has the id ${String(result.id)}, not ${waiting.id}`);
      if (typeof result.crash === 'string') throw new Error(`it crashed: ${result.crash}`);
      waiting.resolve(result);
    } catch (err) {
      waiting.reject(new Error(`${(err as Error).message}\n${line.slice(0, 1_000)}\n${this.#stderr}`));
    }
  }

  #fail(err: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(err);
  }
}
