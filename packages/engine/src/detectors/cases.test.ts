// Runs the cases.yaml beside each detector: true cases and tempting false ones.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Detector, Role, Target } from '../types.ts';
import { runnerOf } from './run.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly target?: Target;
  readonly role?: Role;
  /** Every finding, in text order; `text` is the exact slice of the original it must cover. */
  readonly expect: readonly { readonly type: string; readonly text?: string }[];
  /** For cases without findings: why the text is tempting. */
  readonly why?: string;
}

const here = import.meta.dirname;
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(here, entry.name, 'cases.yaml')))
  .map((entry) => entry.name);

describe.each(folders)('%s', async (folder) => {
  // A detector that also asks the text model has its rules apart: cases are about rules.
  const { detector, rules } = (await import(join(here, folder, 'detector.ts'))) as { detector: Detector; rules?: Detector };
  const run = runnerOf(rules ?? detector);
  const cases = parse(readFileSync(join(here, folder, 'cases.yaml'), 'utf8')) as Case[];

  test.each(cases)('$name', ({ text, target = 'input', role = null, expect: expected, why }) => {
    if (expected.length === 0) expect(why, 'a case without findings says why it tempts').toBeTruthy();
    const found = run(text, { target, role }).map(({ type, start, end }) => ({ type, text: text.slice(start, end) }));
    expect(found).toEqual(expected.map((want, i) => ({ type: want.type, text: want.text ?? found[i]?.text })));
  });
});
