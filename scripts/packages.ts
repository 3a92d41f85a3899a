// Makes the packages that are given out: the command, and the client library of each language. `npm run packages -- --out <folder>` makes all
// that this machine has the tools for, and says which it left out.

import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { crc32, deflateRawSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { layOutZip, type ZipFile } from '../packages/server/src/exports/zip.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** A package, or why there is none. */
export type Made =
  | { readonly files: readonly string[] }
  /** A sentence. */
  | { readonly missing: string };

export type PackageName = 'typescript' | 'cli' | 'python' | 'go' | 'java';

/** By name: writes into a folder that is there, and resolves with the paths of what it wrote. Rejects where making it fails. */
export const PACKAGES: Readonly<Record<PackageName, (out: string) => Promise<Made>>> = {
  typescript: packTypeScript,
  cli: packCli,
  python: packPython,
  go: packGo,
  java: packJava,
};

/** Times in archives; the contents decide, not when they were packed. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
/** Node.js that the JavaScript packages run on. */
const ENGINES = { node: '>=20.11' };

type Manifest = Record<string, unknown> & { readonly version: string; readonly exports?: Readonly<Record<string, string>> };

/** `svc-client-<version>.tgz`: compiled, with declarations. */
async function packTypeScript(out: string): Promise<Made> {
  return inStage(async (stage) => {
    const folder = join(root, 'clients/typescript');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, '-p', folder, '--outDir', join(stage, 'dist')]).catch(withItsWords);
    const { private: _private, devDependencies: _development, ...manifest } = await manifestOf(folder);
    await writeManifest(stage, {
      ...manifest,
      exports: { ...compiledExports(manifest.exports ?? {}), './package.json': './package.json' },
      files: ['dist'],
      engines: ENGINES,
      sideEffects: false,
    });
    return npmPack(stage, folder, out);
  });
}

/** `svc-cli-<version>.tgz`: one file, in which all that it needs is. */
async function packCli(out: string): Promise<Made> {
  return inStage(async (stage) => {
    const folder = join(root, 'packages/cli');
    const program = join(stage, 'dist/svc.mjs');
    const bundle = await rolldown({
      input: join(folder, 'src/main.ts'),
      platform: 'node',
      transform: { target: 'node20' },
      plugins: [{ name: 'verifier-as-library', transform: libraryOfVerifier }],
      onLog(level, log) {
        // What is not resolved would be missing where it is installed.
        if (level === 'warn') throw new Error(log.message);
      },
    });
    await bundle.write({ file: program, format: 'esm', codeSplitting: false });
    await bundle.close();
    await chmod(program, 0o755);
    const { private: _private, dependencies: _bundled, ...manifest } = await manifestOf(folder);
    await writeManifest(stage, { ...manifest, bin: { svc: './dist/svc.mjs' }, files: ['dist'], engines: ENGINES });
    return npmPack(stage, folder, out);
  });
}

/** The verifier alone is a program too; as a part of `svc` it must not run by itself. */
function libraryOfVerifier(code: string, id: string): string | null {
  if (!id.endsWith('/svc-verify.mjs')) return null;
  const start = code.indexOf('\nif (isNode && process.argv[1] !== undefined) {');
  if (start < 0) throw new Error('the end of svc-verify.mjs is not what packages.ts takes it for');
  return code.slice(0, start + 1);
}

/** `svc_client-<version>-py3-none-any.whl`. */
async function packPython(out: string): Promise<Made> {
  if (!(await isThere('python3', '--version'))) return { missing: 'python3 is not on this machine.' };
  return inStage(async (stage) => {
    await stageSources('clients/python', stage, (path) => !/(^|\/)(\.[^/]+|__pycache__|tests|dist|build)(\/|$)/.test(path));
    const wheels = join(stage, 'wheels');
    // SOURCE_DATE_EPOCH: the times in the wheel.
    const options = { env: environment({ SOURCE_DATE_EPOCH: String(EPOCH_MS / 1_000) }) };
    const args = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', wheels, stage];
    await run('python3', args, options).catch(withItsWords);
    return moveInto(out, wheels);
  });
}

/** `goproxy/example.com/svc/@v/…`: the files of a module proxy, for `GOPROXY=file://…/goproxy`. */
async function packGo(out: string): Promise<Made> {
  const folder = join(root, 'clients/go');
  const moduleText = await readFile(join(folder, 'go.mod'), 'utf8');
  const path = /^module (\S+)$/m.exec(moduleText)?.[1];
  if (path === undefined) throw new Error('go.mod names no module');
  const version = `v${(await manifestOf(root)).version}`;
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.go$|^go\.(mod|sum)$|^README\.md$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const sources = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const));
  const license = ['LICENSE', await readFile(join(root, 'LICENSE'))] as const;
  const zip = zipOf([license, ...sources].map(([name, bytes]) => [`${path}@${version}/${name}`, bytes] as const));
  const target = join(out, 'goproxy', path, '@v');
  await mkdir(target, { recursive: true });
  const files: Readonly<Record<string, string | Buffer>> = {
    list: `${version}\n`,
    [`${version}.info`]: `${JSON.stringify({ Version: version, Time: new Date(EPOCH_MS).toISOString().replace('.000', '') })}\n`,
    [`${version}.mod`]: moduleText,
    [`${version}.zip`]: zip,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(target, name), content);
  return { files: Object.keys(files).map((name) => join(target, name)) };
}

/** `svc-client-<version>.jar` and its pom. */
async function packJava(out: string): Promise<Made> {
  for (const [command, argument] of [
    ['javac', '-version'],
    ['mvn', '--version'],
  ] as const)
    if (!(await isThere(command, argument))) return { missing: `${command} is not on this machine.` };
  return inStage(async (stage) => {
    await stageSources('clients/java', stage, (path) => !/^(target|src\/test)(\/|$)/.test(path));
    const resources = join(stage, 'src/main/resources/META-INF');
    await mkdir(resources, { recursive: true });
    await cp(join(root, 'LICENSE'), join(resources, 'LICENSE'));
    const args = ['--quiet', '--batch-mode', '--file', join(stage, 'pom.xml'), '-Dmaven.test.skip=true', 'package'];
    // Without asking the network first: what was downloaded once is there.
    await run('mvn', ['--offline', ...args]).catch(() => run('mvn', args).catch(withItsWords));
    const name = `svc-client-${(await manifestOf(root)).version}`;
    await cp(join(stage, 'target', `${name}.jar`), join(out, `${name}.jar`));
    await cp(join(stage, 'pom.xml'), join(out, `${name}.pom`));
    return { files: ['jar', 'pom'].map((ending) => join(out, `${name}.${ending}`)) };
  });
}

/** `./src/x.ts` is `./dist/x.js` where it was compiled. */
function compiledExports(sources: Readonly<Record<string, string>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => {
      const compiled = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
      return [name, { types: `${compiled}.d.ts`, default: `${compiled}.js` }];
    }),
  );
}

async function npmPack(stage: string, folder: string, out: string): Promise<Made> {
  await cp(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  await cp(join(folder, 'README.md'), join(stage, 'README.md'));
  const { stdout } = await run('npm', ['pack', stage, '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: out,
  }).catch(withItsWords);
  // npm 11 answers a list, npm 12 an object by name.
  const told = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  return { files: told.map(({ filename }) => join(out, filename)) };
}

async function stageSources(folder: string, stage: string, isWanted: (path: string) => boolean): Promise<void> {
  const from = join(root, folder);
  await cp(from, stage, { recursive: true, filter: (path) => isWanted(path.slice(from.length + 1)) });
  await cp(join(root, 'LICENSE'), join(stage, 'LICENSE'));
}

/** Deflated, in the order given. */
function zipOf(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const packed = new Map<ZipFile, Buffer>();
  for (const [name, bytes] of files) {
    const content = deflateRawSync(bytes);
    packed.set({ name, isDeflated: true, bytes: bytes.length, packedBytes: content.length, crc32: crc32(bytes) }, content);
  }
  const { segments } = layOutZip([...packed.keys()], EPOCH_MS);
  return Buffer.concat(segments.map((segment) => ('bytes' in segment ? segment.bytes : packed.get(segment.content)!)));
}

async function inStage<Value>(work: (stage: string) => Promise<Value>): Promise<Value> {
  const stage = await mkdtemp(join(tmpdir(), 'svc-package-'));
  try {
    return await work(stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function moveInto(out: string, folder: string): Promise<Made> {
  const names = await readdir(folder);
  for (const name of names) await cp(join(folder, name), join(out, name));
  return { files: names.map((name) => join(out, name)) };
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

async function writeManifest(folder: string, manifest: object): Promise<void> {
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function isThere(command: string, argument: string): Promise<boolean> {
  return run(command, [argument]).then(
    () => true,
    () => false,
  );
}

function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- programs need their PATH and HOME
  return { ...process.env, ...more };
}

/** A program says on its outputs why it failed. */
function withItsWords(err: unknown): never {
  const { stdout = '', stderr = '', message } = err as Error & { stdout?: string; stderr?: string };
  throw new Error(`${message}\n${stdout}${stderr}`, { cause: err });
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string', multiple: true } } });
  if (values.out === undefined) throw new Error('Where to? npm run packages -- --out <folder>');
  const unknown = values.only?.find((name) => !(name in PACKAGES));
  if (unknown !== undefined) throw new Error(`There is no package ${unknown}: ${Object.keys(PACKAGES).join(', ')}.`);
  const out = resolve(values.out);
  await mkdir(out, { recursive: true });
  for (const [name, pack] of Object.entries(PACKAGES)) {
    if (values.only !== undefined && !values.only.includes(name)) continue;
    const made = await pack(out);
    if ('missing' in made) console.log(`${name}: left out. ${made.missing}`);
    else for (const file of made.files) console.log(file);
  }
}

if (import.meta.main) {
  await main().catch((err: Error) => {
    console.error(err.message);
    process.exitCode = 1;
  });
}
