// The testee of the Go client: built once a run, into a temporary folder.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = join(import.meta.dirname, '../../go');
const BUILD_MS_MAX = 300_000;
const run = promisify(execFile);

/** The program, or a sentence that says why there is none. Throws where it does not compile. */
export type GoTools = { readonly testee: string } | { readonly missing: string };

let prepared: Promise<GoTools> | null = null;

export function prepareGo(): Promise<GoTools> {
  prepared ??= build();
  return prepared;
}

/** `null`: a Go that this module can be built with is there; else why not. Nothing is fetched from the network. */
export async function missingGo(): Promise<string | null> {
  try {
    await run('go', ['list', '.'], { cwd: FOLDER, env: goEnv(), timeout: BUILD_MS_MAX });
    return null;
  } catch (err) {
    const { code, stderr = '' } = err as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return 'Go is not installed';
    if (/go\.mod requires go/.test(stderr)) return stderr.trim();
    throw err;
  }
}

export function goEnv(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- programs need their PATH and HOME
  return { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly', GOPROXY: 'off' };
}

async function build(): Promise<GoTools> {
  const missing = await missingGo();
  if (missing !== null) return { missing };
  const folder = await mkdtemp(join(tmpdir(), 'svc-go-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const testee = join(folder, 'testee');
  try {
    await run('go', ['build', '-o', testee, './internal/testee'], { cwd: FOLDER, env: goEnv(), timeout: BUILD_MS_MAX });
  } catch (err) {
    await rm(folder, { recursive: true, force: true });
    throw err;
  }
  return { testee };
}
