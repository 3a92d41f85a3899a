// The testee of the Java client: compiled by Maven, once for the sources as they are.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = join(import.meta.dirname, '../../java');
const TARGET = join(FOLDER, 'target');
const BUILD_MS_MAX = 300_000;
const OUTPUT_BYTES_MAX = 1 << 26;
const HOUR_MS = 3_600_000;
const CLASSPATH = 'classpath.txt';
const CLASSPATH_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:build-classpath';
/** Maven's words for what it has not, and cannot get. */
const NOT_FETCHED = /offline mode|No plugin found|Could not (?:resolve|transfer|find)|Unknown host/;
/** Options of a virtual machine that lives for a minute, on a machine that others use. */
export const SHORT_LIVED: readonly string[] = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
const run = promisify(execFile);

/** How the testee is started, or a sentence that says why it cannot be. Throws where it does not compile. */
export type JavaTools = { readonly command: string; readonly args: readonly string[] } | { readonly missing: string };

let prepared: Promise<JavaTools> | null = null;

export function prepareJava(): Promise<JavaTools> {
  prepared ??= prepare();
  return prepared;
}

/** Where the classes of the client and its tests are, and with what they run; `{ missing }` as `prepareJava` has it. */
export async function javaBuild(): Promise<
  { readonly folder: string; readonly classpath: string } | { readonly missing: string }
> {
  const made = await prepareJava();
  if ('missing' in made) return made;
  const classpath = made.args[made.args.indexOf('-cp') + 1]!;
  return { folder: dirname(classpath.split(':')[0]!), classpath };
}

/**
 * Runs Maven in the client's folder; without the network where what it needs was fetched before. Throws with what it said.
 * `env`: besides that of this process.
 */
export async function maven(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  try {
    await mavenOnce(['-o', ...args], env);
  } catch (err) {
    if (!NOT_FETCHED.test((err as Error).message)) throw err;
    await mavenOnce(args, env);
  }
}

async function mavenOnce(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- programs need their PATH and HOME
  const options = { cwd: FOLDER, env: { ...process.env, ...env }, timeout: BUILD_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
  try {
    await run('mvn', ['-q', '-B', ...args], options);
  } catch (err) {
    throw new Error(`mvn ${args.join(' ')}:\n${saidBy(err)}`, { cause: err });
  }
}

function saidBy(err: unknown): string {
  const { stdout = '', stderr = '', message } = err as Error & { stdout?: string; stderr?: string };
  return `${stdout}${stderr}` || message;
}

/** `null`: what is needed is there; else why not. */
async function missingJava(): Promise<string | null> {
  const versions = await Promise.all([versionOf('javac', ['-version']), versionOf('mvn', ['--version'])]);
  if (versions[0] === null) return 'there is no Java compiler (javac)';
  const major = Number(/javac (\d+)/.exec(versions[0])?.[1]);
  if (!(major >= 17)) return `Java 17 is needed, and ${versions[0].trim()} is there`;
  return versions[1] === null ? 'Maven (mvn) is not installed' : null;
}

async function versionOf(command: string, args: readonly string[]): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(command, args);
    return stdout + stderr;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw err;
  }
}

async function prepare(): Promise<JavaTools> {
  const missing = await missingJava();
  if (missing !== null) return { missing };
  const built = join(TARGET, `testee-${await hashOfSources()}`);
  try {
    if (!existsSync(built)) await build(built);
  } catch (err) {
    if (NOT_FETCHED.test((err as Error).message))
      return { missing: 'what Maven needs was not fetched before, and cannot be fetched now' };
    throw err;
  }
  const needed = (await readFile(join(built, CLASSPATH), 'utf8')).trim();
  const classpath = [join(built, 'classes'), join(built, 'test-classes'), needed].join(':');
  return { command: 'java', args: [...SHORT_LIVED, '-cp', classpath, 'svc.client.Testee'] };
}

/** In a folder of this process, which takes its place in one piece: others may be building the same. */
async function build(built: string): Promise<void> {
  const folder = `${built}.${process.pid}`;
  await mkdir(TARGET, { recursive: true });
  await removeOld();
  try {
    const classpath = [`-Dmdep.outputFile=${join(folder, CLASSPATH)}`, '-DincludeScope=runtime'];
    await maven([`-Dsvc.directory=${folder}`, 'test-compile', CLASSPATH_GOAL, ...classpath]);
    await rename(folder, built).catch((err: unknown) => {
      if (!existsSync(built)) throw err;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(TARGET)) {
    const path = join(TARGET, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (name.startsWith('testee-') && Date.now() - mtimeMs > HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}

async function hashOfSources(): Promise<string> {
  const names = (await readdir(join(FOLDER, 'src'), { recursive: true })).filter((name) => name.endsWith('.java')).sort();
  const hash = createHash('sha256').update(await readFile(join(FOLDER, 'pom.xml')));
  for (const name of names) hash.update(`\0${name}\0`).update(await readFile(join(FOLDER, 'src', name)));
  return hash.digest('hex').slice(0, 16);
}
