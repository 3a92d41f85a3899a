// Builds the dashboard when what it is made of has changed since the last time. Plain JavaScript, built-in modules only: prepare.mjs calls it
// before `npm start`, the tests before the browser opens.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'packages/dashboard');
const stampFile = join(folder, 'dist/.built');
const SOURCES = [
  'packages/dashboard/src',
  'packages/dashboard/public',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'clients/typescript/src',
  'package-lock.json',
];

/** Answers the words of the build tool when it failed; `null`: the pages are there. */
export function buildDashboard() {
  const digest = digestOfSources();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) return null;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr, error } = spawnSync(nodePath(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) return `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`;
  writeFileSync(stampFile, digest);
  return null;
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
    .sort();
}
