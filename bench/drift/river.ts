// River's detectors in a Python process of their own, which see the very numbers that ours see.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const VERSION = '0.26.1';
const INSTALL_MS_MAX = 180_000;
const SCRIPT = join(import.meta.dirname, 'river_detectors.py');

export interface RiverDetector {
  readonly name: string;
  readonly class: 'ADWIN' | 'PageHinkley' | 'KSWIN';
  readonly options: Readonly<Record<string, number>>;
  /** How many numbers of a stream it sees at most: KSWIN takes a fifth of a millisecond for each. */
  readonly limit?: number;
}

/** By name of the detector: where it alarmed, as indices of the stream, and how long it took. */
export type RiverAnswer = Readonly<Record<string, { readonly alarms: readonly number[]; readonly seconds: number }>>;

export interface River {
  readonly version: string;
  /** Where its data sets are. */
  readonly folder: string;
  /** `firstFrom`: each detector ends at its first alarm at or after this index. Several may be asked at once; they are answered in turn. */
  run(values: Float64Array, detectors: readonly RiverDetector[], firstFrom?: number): Promise<RiverAnswer>;
  close(): Promise<void>;
}

/**
 * Starts River with the Python of `SVC_RIVER_PYTHON`; with `mayInstall` else in a virtual environment that is made for it. A string: why it is
 * not there.
 */
export async function startRiver({ mayInstall }: { readonly mayInstall: boolean }): Promise<River | string> {
  const given = process.env['SVC_RIVER_PYTHON'];
  if (given !== undefined && given !== '') {
    if (hasRiver(given)) return connect(given, async () => {});
    return `SVC_RIVER_PYTHON (${given}) has no River`;
  }
  if (!mayInstall) return 'SVC_RIVER_PYTHON does not name a Python that has it';
  const folder = await mkdtemp(join(tmpdir(), 'svc-river-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const isMade =
    succeeds('python3', ['-m', 'venv', folder]) &&
    succeeds(pythonOf(folder), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `river==${VERSION}`]);
  if (isMade && hasRiver(pythonOf(folder))) return connect(pythonOf(folder), remove);
  await remove();
  return `Python 3 with pip could not install river ${VERSION}; set SVC_RIVER_PYTHON to a Python that has it`;
}

function pythonOf(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

function hasRiver(python: string): boolean {
  return succeeds(python, ['-c', 'import river.drift']);
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_MS_MAX }).status === 0;
}

async function connect(python: string, remove: () => Promise<void>): Promise<River> {
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = answersOf(child);
  const ask = (header: object, values: Float64Array): Promise<unknown> => {
    const json = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    child.stdin.write(Buffer.concat([length, json, Buffer.from(values.buffer, values.byteOffset, values.byteLength)]));
    return answers();
  };
  const about = (await ask({ datasets: true }, new Float64Array())) as { version: string; folder: string };
  return {
    ...about,
    run: (values, detectors, firstFrom) =>
      ask({ count: values.length, detectors, first_from: firstFrom ?? null }, values) as Promise<RiverAnswer>,
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
      await remove();
    },
  };
}

/** Each call is the next line that the process writes, read as JSON. */
function answersOf(child: ChildProcess): () => Promise<unknown> {
  const waiting: { resolve: (answer: unknown) => void; reject: (err: Error) => void }[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)));
  let failure: Error | null = null;
  child.once('exit', (code) => {
    failure = new Error(`River's process has ended (${code}).`);
    for (const { reject } of waiting.splice(0)) reject(failure);
  });
  return () => new Promise((resolve, reject) => (failure === null ? waiting.push({ resolve, reject }) : reject(failure)));
}
