// The testee of the TypeScript client: run from its sources.

import { join } from 'node:path';

const TESTEE = join(import.meta.dirname, '../../typescript/src/testing/testee.ts');

export function prepareTypeScript(): Promise<{ readonly command: string; readonly args: readonly string[] }> {
  return Promise.resolve({ command: process.execPath, args: [TESTEE] });
}
