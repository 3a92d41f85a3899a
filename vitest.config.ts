// Two groups of tests, so that those of pure code start without a database.

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './scripts/summary-reporter.ts';

const PURE = ['engine', 'drift', 'telemetry', 'simulator', 'trail']
  .map((name) => `packages/${name}/src/**/*.test.ts`)
  .concat('packages/verifier/**/*.test.ts', 'scripts/**/*.test.ts');

export default defineConfig({
  test: {
    reporters: ['default', new SummaryReporter()],
    // Every file has a database and a service of its own, so that files run beside each other; the one PostgreSQL bears four.
    maxWorkers: Math.min(availableParallelism(), 4),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for is there at once, but for a machine that has much else to do.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: 'pure', include: PURE } },
      {
        extends: true,
        test: {
          name: 'database',
          include: [
            'packages/*/src/**/*.test.ts',
            'clients/*.test.ts',
            'clients/conformance/*.test.ts',
            'clients/typescript/src/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...PURE],
          globalSetup: ['packages/server/src/testing/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['packages/dashboard/e2e/*.test.ts'],
          // A test goes through several pages, each looked at by axe in both themes and at three widths.
          testTimeout: 90_000,
          hookTimeout: 180_000,
          globalSetup: ['packages/dashboard/e2e/global-setup.ts', 'packages/server/src/testing/global-setup.ts'],
        },
      },
    ],
  },
});
