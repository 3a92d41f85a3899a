// The whole gate, the same here and in CI. Runs every step, says which failed. --without-tests leaves them out.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['lock file', 'npm', 'ci', '--dry-run', '--silent'],
  ['format', 'oxfmt', '--check', '.'],
  ['lint, boundaries', 'oxlint', '--type-aware', '--deny-warnings', '.'],
  ['types', 'tsc', '-p', '.'],
  ['types of the pages', 'tsc', '-p', 'packages/dashboard'],
  ['types of the browser tests', 'tsc', '-p', 'packages/dashboard/e2e'],
  ['dead code', 'knip'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['tests', 'vitest', 'run'],
];

const steps = process.argv.includes('--without-tests') ? STEPS.filter(([name]) => name !== 'tests') : STEPS;
const failed: string[] = [];
for (const [name, command, ...args] of steps) {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
