// Builds the dashboard when what it is made of has changed since the last time. Plain JavaScript, built-in modules only: prepare.mjs calls it
// before `npm start`, the tests before the browser opens; `npm run build` builds ahead, as for an image.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'packages/dashboard');
const pages = join(folder, 'dist');
/** Among the pages, so that it goes when they go. The service does not serve it. */
const STAMP = '.built';
const SOURCES = [
  'packages/dashboard/src',
  'packages/dashboard/public',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'clients/typescript/src',
  // Offered beside an export.
  'packages/verifier/svc-verify.mjs',
  'package-lock.json',
];

/**
 * Answers why the pages could not be built; `null`: they are there. Pages that were built before stay until new ones are whole, and stay where
 * there are none. `say` hears that it begins.
 */
export function buildDashboard(say = () => {}) {
  try {
    const digest = digestOfSources();
    if (isBuilt(digest)) return null;
    say('Building the dashboard (it changed, or was not built yet) …');
    return build(digest);
  } catch (error) {
    return String(error);
  }
}

/** Whether pages are there, be they old. */
export function hasPages() {
  return existsSync(join(pages, 'index.html'));
}

function isBuilt(digest) {
  const stamp = join(pages, STAMP);
  return hasPages() && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
}

function build(digest) {
  // A folder of its own: a service that starts meanwhile finds whole pages, and so do others that build.
  const fresh = join(folder, `.dist-${process.pid}`);
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const { status, stdout, stderr, error } = spawnSync(
      nodePath(),
      [vite, 'build', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
    );
    if (status !== 0) return `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim();
    writeFileSync(join(fresh, STAMP), digest);
    exchange(fresh);
    return null;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Two that build at once put the same files there, so that either may be the last. */
function exchange(fresh) {
  const old = `${fresh}-old`;
  mkdirSync(pages, { recursive: true });
  renameSync(pages, old);
  try {
    renameSync(fresh, pages);
  } catch (error) {
    if (!hasPages()) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/** The Node.js that npm installed as a package, which is new enough, where there is one. */
function nodePath() {
  const installed = join(root, 'node_modules/node/bin/node');
  return existsSync(installed) ? installed : process.execPath;
}

function digestOfSources() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(filesOf)) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesOf(path) {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((name) => name.split(sep).join('/'))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fault = buildDashboard(console.log);
  if (fault !== null) console.error(`The dashboard could not be built:\n${fault}`);
  process.exitCode = fault === null ? 0 : 1;
}
