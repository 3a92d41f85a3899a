// A Python with what the client and its tests need, in an environment of its own.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../python');
const REQUIREMENTS = join(FOLDER, 'requirements-test.txt');
const MINOR_MIN = 10;
const INSTALL_MS_MAX = 240_000;
const PROBE_MS_MAX = 60_000;
const PIP_INSTALL = [
  '-m',
  'pip',
  'install',
  '--quiet',
  '--retries',
  '1',
  '--disable-pip-version-check',
  '--only-binary',
  ':all:',
];
let prepared: Promise<{ python: string } | { missing: string }> | undefined;

/**
 * The path of its program, or a sentence that says why there is none. Made once for each list of requirements; needs PyPI then. Rejects where
 * PyPI answers and the requirements cannot be met.
 */
export function preparePython(): Promise<{ python: string } | { missing: string }> {
  prepared ??= prepare();
  return prepared;
}

async function prepare(): Promise<{ python: string } | { missing: string }> {
  const base = await basePython();
  if (base === null) return { missing: `no Python from 3.${MINOR_MIN} is on this machine` };
  const key = createHash('sha256')
    .update(base.version)
    .update(readFileSync(REQUIREMENTS))
    .update(readFileSync(join(FOLDER, 'pyproject.toml')))
    .digest('hex')
    .slice(0, 12);
  const place = join(FOLDER, '.venv');
  const python = join(place, key, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (existsSync(join(place, key, 'complete'))) return { python };
  const making = join(place, `${key}.${process.pid}`);
  const inside = join(making, python.slice(join(place, key).length));
  await mkdir(place, { recursive: true });
  try {
    await run(base.python, ['-m', 'venv', making]);
  } catch (err) {
    // Some systems have it in a package of its own.
    await rm(making, { recursive: true, force: true });
    return { missing: `no environment could be made: ${lastLine(err)}` };
  }
  try {
    await run(inside, [...PIP_INSTALL, '-r', REQUIREMENTS], { timeout: INSTALL_MS_MAX });
    await writeFile(join(making, 'complete'), '');
  } catch (err) {
    const isOnline = await canInstall(inside);
    await rm(making, { recursive: true, force: true });
    if (isOnline) throw new Error(`what ${REQUIREMENTS} asks for cannot be installed: ${lastLine(err)}`, { cause: err });
    return { missing: `its packages could not be installed, nor any other: ${lastLine(err)}` };
  }
  try {
    // In one piece. A program is found from where it is, so that it may be moved.
    await rename(making, join(place, key));
  } catch {
    // Another run was faster.
    await rm(making, { recursive: true, force: true });
  }
  return { python };
}

/** Whether there is a way to packages: pip tells a requirement that nobody can meet from a network that is away in nothing but words. */
async function canInstall(python: string): Promise<boolean> {
  try {
    await run(python, [...PIP_INSTALL, '--dry-run', '--ignore-installed', '--no-deps', 'pip'], { timeout: PROBE_MS_MAX });
    return true;
  } catch {
    return false;
  }
}

async function basePython(): Promise<{ python: string; version: string } | null> {
  for (const python of ['python3', 'python']) {
    try {
      const { stdout } = await run(python, ['-c', 'import sys; print("%d.%d.%d" % sys.version_info[:3], sys.executable)']);
      const [version = '', executable = python] = stdout.trim().split(' ');
      const [major, minor] = version.split('.').map(Number);
      if (major === 3 && minor! >= MINOR_MIN) return { python: executable, version };
    } catch {
      // The next one.
    }
  }
  return null;
}

function lastLine(err: unknown): string {
  const { stderr, message } = err as { stderr?: string; message: string };
  return (stderr?.trim() || message).split('\n').at(-1)!;
}
