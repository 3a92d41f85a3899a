// Makes `npm start`, `npm test` and the others work on a bare machine: installs the dependencies when they are missing or out of
// date, and refuses a Node.js too old to run the service. Runs before them, on any Node.js from 20 on, with nothing installed:
// plain JavaScript, built-in modules only. When there is nothing to do it takes a few milliseconds.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard, hasPages } from './build-dashboard.mjs';

const NODE_MAJOR_MIN = 24;
const LOCK_WAIT_MS_MAX = 15 * 60_000;
const LOCK_POLL_MS = 250;
/** Between making the lock and writing one's number into it. */
const LOCK_ANONYMOUS_MS_MAX = 10_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
/** Inside node_modules, so that it goes when they go. */
const stampFile = join(modules, '.svc-prepared');
/** Outside node_modules, because npm empties them. */
const lockDir = join(tmpdir(), `svc-prepare-${hashOf([root, String(process.getuid?.())]).slice(0, 16)}`);

main();

function main() {
  const wanted = fingerprint();
  if (!isPrepared(wanted)) underLock(() => isPrepared(wanted) || adopt(wanted) || install());
  refuseOldNode();
  if (['prestart', 'predev'].includes(process.env.npm_lifecycle_event)) preparePages();
}

/** The service runs without its pages, too: they are not worth a start that fails. */
function preparePages() {
  const fault = buildDashboard(console.log);
  if (fault === null) return;
  const how = hasPages() ? 'with the pages of the last build' : 'without it';
  console.error(`The dashboard could not be built, so the service starts ${how}:\n${fault}`);
}

/** Changes when a dependency, a lock file entry or the platform changes; editing scripts in a package.json changes nothing. */
function fingerprint() {
  const manifests = ['package.json', ...workspaceManifests()].sort();
  const needs = manifests.map((path) => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies, overrides, workspaces, allowScripts } =
      readJson(join(root, path));
    return JSON.stringify([
      path,
      dependencies,
      devDependencies,
      optionalDependencies,
      peerDependencies,
      overrides,
      workspaces,
      allowScripts,
    ]);
  });
  const lock = existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : '';
  return hashOf([...needs, lock, process.platform, process.arch]);
}

/** The package.json of every workspace. Patterns are `folder` or `folder/*`. */
function workspaceManifests() {
  const patterns = readJson(join(root, 'package.json')).workspaces ?? [];
  const folders = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [];
  });
  return folders.map((folder) => `${folder}/package.json`).filter((path) => existsSync(join(root, path)));
}

function isPrepared(wanted) {
  try {
    return readFileSync(stampFile, 'utf8') === wanted;
  } catch {
    return false;
  }
}

/** Accepts what a person installed by hand, when npm's own record of it agrees with the lock file. */
function adopt(wanted) {
  try {
    const installed = readJson(join(modules, '.package-lock.json')).packages;
    const locked = readJson(lockFile).packages;
    const isWhole = Object.entries(locked).every(([path, entry]) => isInstalled(path, entry, installed));
    if (!isWhole || !['package.json', ...workspaceManifests()].every((path) => areNeedsMet(path, locked, installed)))
      return false;
    writeFileSync(stampFile, wanted);
    return true;
  } catch {
    return false;
  }
}

/** Whether every dependency of a package.json is as the lock file knows it, or is pinned to the version that is installed. */
function areNeedsMet(path, locked, installed) {
  const manifest = readJson(join(root, path));
  const known = locked[path === 'package.json' ? '' : dirname(path)] ?? {};
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every((kind) =>
    Object.entries(manifest[kind] ?? {}).every(
      ([name, range]) => known[kind]?.[name] === range || installed[`node_modules/${name}`]?.version === range,
    ),
  );
}

/** `npm start` needs no development packages, and optional ones may be made for other platforms. */
function isInstalled(path, entry, installed) {
  if (!path.startsWith('node_modules/')) return true;
  const found = installed[path];
  if (found !== undefined) return found.version === entry.version && existsSync(join(root, path));
  const mayLackDev = process.env.npm_lifecycle_event === 'prestart' && (entry.dev || entry.devOptional);
  return Boolean(entry.optional || entry.devOptional || entry.peer || mayLackDev);
}

function install() {
  const command = existsSync(lockFile) ? 'ci' : 'install';
  console.error(
    existsSync(modules) ? 'Installing dependencies (they changed) …' : 'Installing dependencies (first start, about 20 s) …',
  );
  const startedAt = Date.now();
  const { status, error } = runNpm([command, '--prefer-offline', '--no-fund', '--no-audit', '--no-progress', '--loglevel=error']);
  if (error !== undefined)
    fail(`npm could not be started (${error.message}). Install Node.js ${NODE_MAJOR_MIN} with npm and try again.`);
  if (status !== 0) {
    fail(
      `"npm ${command}" failed; its own words are above. Without a network the dependencies cannot be fetched: check the connection, the ` +
        'proxy or the registry in .npmrc, and run the same command again. After editing a package.json, run "npm install" first.',
    );
  }
  // Without a lock file npm has just made one.
  writeFileSync(stampFile, fingerprint());
  console.error(`Dependencies installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

/**
 * Runs npm by a Node.js outside of node_modules, which npm is about to replace.
 * Its standard output goes to our standard error: what a script prints stays clean.
 */
function runNpm(args) {
  const options = { cwd: root, stdio: ['ignore', process.stderr.fd, process.stderr.fd], env: environment() };
  const npm = process.env.npm_execpath;
  const node = [process.env.npm_node_execpath, process.execPath].find(
    (path) => path && !path.startsWith(modules + sep) && existsSync(path),
  );
  if (npm?.endsWith('.js') && existsSync(npm) && node !== undefined) return spawnSync(node, [npm, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** A production setting of the caller's shell would leave out what tests need. */
function environment() {
  const env = { ...process.env };
  if (env.npm_lifecycle_event !== 'prestart') delete env.NODE_ENV;
  return env;
}

function refuseOldNode() {
  const running = Number(process.versions.node.split('.')[0]);
  if (running >= NODE_MAJOR_MIN || bundledNodeMajor() >= NODE_MAJOR_MIN) return;
  fail(
    `svc needs Node.js ${NODE_MAJOR_MIN} or newer; this is ${process.versions.node}, and no newer one could be installed beside it for ` +
      `${process.platform}-${process.arch}. Install Node.js ${NODE_MAJOR_MIN} from https://nodejs.org and run the same command again.`,
  );
}

/** The Node.js that npm installs as a package and finds first in scripts; 0 when there is none. Starting it to ask would cost 40 ms. */
function bundledNodeMajor() {
  const program = process.platform === 'win32' ? 'node.cmd' : 'node';
  const folder = join(modules, 'node');
  const isThere = existsSync(join(modules, '.bin', program)) && existsSync(join(folder, 'package.json'));
  return isThere ? Number(readJson(join(folder, 'package.json')).version.split('.')[0]) : 0;
}

/** Lets one installation run at a time. A lock whose holder has died is taken over. */
function underLock(work) {
  const giveUpAt = Date.now() + LOCK_WAIT_MS_MAX;
  let isTold = false;
  while (!takeLock()) {
    if (Date.now() > giveUpAt) fail(`Another installation does not end. If none is running, remove ${lockDir}.`);
    if (!isTold) console.error('Another process is installing the dependencies; waiting for it …');
    isTold = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
  process.once('exit', releaseLock);
  work();
  releaseLock();
}

function takeLock() {
  try {
    mkdirSync(lockDir);
  } catch (err) {
    if (err.code !== 'EEXIST') throw err;
    if (isAbandoned()) releaseLock();
    return false;
  }
  writeFileSync(join(lockDir, 'pid'), String(process.pid));
  return true;
}

function isAbandoned() {
  try {
    const age = Date.now() - statSync(lockDir).mtimeMs;
    const holder = existsSync(join(lockDir, 'pid')) ? Number(readFileSync(join(lockDir, 'pid'), 'utf8')) : 0;
    return holder > 0 ? !isAlive(holder) : age > LOCK_ANONYMOUS_MS_MAX;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err.code === 'EPERM';
  }
}

function releaseLock() {
  rmSync(lockDir, { recursive: true, force: true });
}

function hashOf(parts) {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
