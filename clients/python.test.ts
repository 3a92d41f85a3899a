// Promises of the Python client that are its own: its tests pass, its types hold, and README.md says what is so. What it has in common with the
// others is in clients/conformance.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signatureHeaders } from '../packages/server/src/delivery/signatures.ts';
import { startTestService, type TestService } from '../packages/server/src/testing/service.ts';
import { preparePython } from './conformance/toolchains/python.ts';

const PACKAGE = join(import.meta.dirname, 'python');
const TEST_MS_MAX = 120_000;
const run = promisify(execFile);

interface Example {
  readonly title: string;
  readonly code: string;
  /** `null`: none is shown. */
  readonly output: string | null;
}

const text = await readFile(join(PACKAGE, 'README.md'), 'utf8');
const examples: Example[] = [...text.matchAll(/```python\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs)].map(
  ([, code = '', output], index) => ({
    title: `${index + 1}, "${code.trimStart().split('\n')[0]}"`,
    code,
    output: output ?? null,
  }),
);
const [first] = examples as [Example];
const BEGINNING = first.code.slice(0, first.code.indexOf('\n\nassessment'));

const tools = await preparePython();
if ('missing' in tools) test.skip(`the Python client is not tested here: ${tools.missing}`);
const python = 'python' in tools ? tools.python : '';

function fileOf(index: number): string {
  return `example_${index + 1}.py`;
}

/** The examples go on from the `client` of the first. */
function whole(code: string): string {
  return code === first.code ? code : `${BEGINNING}\n${code}`;
}

/** What it printed. Rejects, with all that was printed, unless the exit code is 0. */
async function python3(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  // oxlint-disable-next-line node/no-process-env -- programs need their PATH and HOME
  const all = { ...process.env, PYTHONPATH: join(PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1', ...env };
  const { stdout } = await run(python, args, { cwd, env: all }).catch((err: { stdout: string; stderr: string }) => {
    throw new Error(`${err.stdout}\n${err.stderr}`);
  });
  return stdout;
}

describe.skipIf(python === '')('the Python client', () => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    service = await startTestService();
    folder = await mkdtemp(join(tmpdir(), 'svc-readme-'));
    for (const [index, { code }] of examples.entries()) await writeFile(join(folder, fileOf(index)), whole(code));
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  test('passes its own tests', { timeout: TEST_MS_MAX }, async () => {
    const printed = await python3(['-m', 'pytest', '--quiet', 'tests'], PACKAGE);
    expect(printed).toMatch(/\d+ passed in /);
  });

  test('passes the strictest type checker, with its tests and examples', { timeout: TEST_MS_MAX }, async () => {
    const files = examples.map((_example, index) => join(folder, fileOf(index)));
    const config = ['--config-file', 'pyproject.toml', '--cache-dir', join(PACKAGE, '.venv/mypy')];
    const printed = await python3(['-m', 'mypy', ...config, 'src', 'tests', ...files], PACKAGE, {
      PYTHONPATH: '',
      MYPYPATH: 'src',
    });
    expect(printed).toContain('Success: no issues found');
  });

  describe('README.md', () => {
    test.each(examples.map((example, index) => ({ ...example, index })))('example $title runs', async ({ output, index }) => {
      const { keys } = service.organization;
      const printed = await python3([fileOf(index)], folder, { LIVE_KEY: keys.live, BASE: service.baseUrl });
      if (output !== null) expect(printed).toBe(output);
    });

    test('the receiver takes what the service signed, and refuses what it did not', async () => {
      const example = examples.findIndex(({ code }) => code.includes('def receive('));
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const body = '{"id":"evt_1","kind":"inference.blocked"}';
      const now = Math.floor(Date.now() / 1_000);
      const headers = signatureHeaders({ current: secret, old: null }, 'evt_1', now, Buffer.from(body));
      const caller = `
import json, sys
from example_${example + 1} import receive
headers = json.loads(sys.argv[1])
print(*receive(sys.argv[2].encode(), headers))
print(*receive(b"{}", headers))
`;
      await writeFile(join(folder, 'caller.py'), caller);
      const env = { LIVE_KEY: 'unused', WEBHOOK_SECRET: secret };
      const printed = await python3(['caller.py', JSON.stringify(headers), body], folder, env);
      expect(printed).toBe('inference.blocked\n200 thanks\n401 signature_mismatch\n');
    });
  });
});
