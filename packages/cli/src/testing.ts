// What tests of the command share: svc as a child process, with a home of its own. Nothing of it is imported by the command.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program, for `process.execPath`. */
const MAIN = join(import.meta.dirname, 'main.ts');

/** Each test starts svc many times: what was compiled for the first serves the others. */
const COMPILED = join(tmpdir(), 'svc-test-compiled');

/** What came of a command. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  /** So far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when stdout or stderr holds `text`; rejects when it has ended without. */
  until(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** A home for profiles, and svc in it. Its environment has no variable of the test's own that svc reads. */
export interface Home {
  readonly path: string;
  /** `env`: besides; `undefined` takes a variable away. */
  start(
    args: readonly string[],
    options?: { readonly input?: string | Buffer | null; readonly env?: Env; readonly cwd?: string },
  ): Started;
  /** `start`, to its end. `input`: of stdin, which is empty when not given; `null`: stays open. */
  svc(...args: readonly string[]): Promise<Ended>;
  run(
    args: readonly string[],
    options?: { readonly input?: string | Buffer | null; readonly env?: Env; readonly cwd?: string },
  ): Promise<Ended>;
  /** A folder with a program `svc`, for shells. */
  bin(): Promise<string>;
  remove(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** `env`: of all commands of this home, such as `SVC_API_KEY` and `SVC_BASE_URL`. */
export async function makeHome(env: Env = {}): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'svc-home-'));
  const clean = Object.fromEntries(
    // oxlint-disable-next-line node/no-process-env -- handed on to the command
    Object.entries(process.env).filter(([name]) => !/^(SVC_|XDG_|NO_COLOR$|COLUMNS$|EDITOR$|VISUAL$)/.test(name)),
  );
  const start: Home['start'] = (args, { input = '', env: more = {}, cwd } = {}) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...clean, HOME: path, NODE_COMPILE_CACHE: COMPILED, ...env, ...more },
      ...(cwd === undefined ? {} : { cwd }),
    });
    return started(child, input);
  };
  const run: Home['run'] = (args, options) => start(args, options).ended;
  const bin: Home['bin'] = async () => {
    const folder = join(path, 'bin');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    await chmod(join(folder, 'svc'), 0o755);
    return folder;
  };
  return { path, start, run, svc: (...args) => run(args), bin, remove: () => rm(path, { recursive: true, force: true }) };
}

function started(child: ChildProcessWithoutNullStreams, input: string | Buffer | null): Started {
  let stdout = '';
  let stderr = '';
  let code: number | null | undefined;
  const waiting = new Set<() => void>();
  const changed = () => {
    for (const check of waiting) check();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    changed();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    changed();
  });
  // A command that has ended reads no more.
  child.stdin.on('error', () => {});
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject).on('close', (closed) => {
      code = closed;
      resolve({ code, stdout, stderr });
      changed();
    });
  });
  return {
    child,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    until: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (stdout.includes(text) || stderr.includes(text)) resolve();
          else if (code === undefined) return;
          else reject(new Error(`svc ended with ${code} without '${text}'.\n${stdout}\n${stderr}`));
          waiting.delete(check);
        };
        waiting.add(check);
        check();
      }),
  };
}
