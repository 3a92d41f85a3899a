// The promise of docs/reference/detectors.md: it names what runs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DETECTOR_VERSIONS } from './index.ts';

test('the reference lists each detector with the version that runs', () => {
  const reference = readFileSync(join(import.meta.dirname, '../../../../docs/reference/detectors.md'), 'utf8');
  const rows = [...reference.matchAll(/^\| `([a-z_]+)` +\| (\d+\.\d+\.\d+) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, id, version]) => [id, version]))).toEqual(DETECTOR_VERSIONS);
});
