// Promise of README.md: every example runs as it stands, prints what is printed below it, and passes the strictest compiler.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signatureHeaders } from '../../../packages/server/src/delivery/signatures.ts';
import { startTestService, type TestService } from '../../../packages/server/src/testing/service.ts';

const PACKAGE = join(import.meta.dirname, '..');
const run = promisify(execFile);

interface Example {
  readonly title: string;
  readonly code: string;
  /** `null`: none is shown. */
  readonly output: string | null;
}

const text = await readFile(join(PACKAGE, 'README.md'), 'utf8');
const examples: Example[] = [...text.matchAll(/```ts\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs)].map(
  ([, code = '', output], index) => ({
    title: `${index + 1}, "${code.slice(0, code.indexOf('\n'))}"`,
    code,
    output: output ?? null,
  }),
);
const [first] = examples as [Example];
const BEGINNING = first.code.slice(0, first.code.indexOf('\n\nconst {'));

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'svc-readme-'));
  await mkdir(join(folder, 'node_modules/@svc'), { recursive: true });
  await mkdir(join(folder, 'node_modules/@types'));
  await symlink(PACKAGE, join(folder, 'node_modules/@svc/client'));
  await symlink(join(PACKAGE, '../../node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [index, { code }] of examples.entries()) await writeFile(join(folder, fileOf(index)), whole(code));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

function fileOf(index: number): string {
  return `example-${index + 1}.ts`;
}

/** The examples go on from the `svc` of the first; the receiver is given to whoever calls it. */
function whole(code: string): string {
  const isReceiver = code.includes('function receive(');
  return `${code === first.code || isReceiver ? '' : `${BEGINNING}\n`}${code}${isReceiver ? '\nexport { receive };\n' : ''}`;
}

async function outputOf(file: string, env: Record<string, string> = {}): Promise<string> {
  const { keys } = service.organization;
  const { stdout } = await run(process.execPath, [file], {
    cwd: folder,
    env: { PATH: '', LIVE_KEY: keys.live, BASE: service.baseUrl, ...env },
  });
  return stdout;
}

test.each(examples.map((example, index) => ({ ...example, index })))('example $title runs', async ({ output, index }) => {
  const printed = await outputOf(fileOf(index));
  if (output !== null) expect(printed).toBe(output);
});

test('the receiver takes what the service signed, and refuses what it did not', async () => {
  const file = fileOf(examples.findIndex(({ code }) => code.includes('function receive(')));
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"id":"evt_1","kind":"inference.blocked"}';
  const headers = signatureHeaders({ current: secret, old: null }, 'evt_1', Math.floor(Date.now() / 1_000), Buffer.from(body));
  const caller = `
import { receive } from './${file}';
const post = (body: string) => receive(new Request('http://me', { method: 'POST', headers: ${JSON.stringify(headers)}, body }));
for (const body of [${JSON.stringify(body)}, '{}']) {
  const res = await post(body);
  console.log(res.status, await res.text());
}
`;
  await writeFile(join(folder, 'caller.ts'), caller);
  const printed = await outputOf('caller.ts', { WEBHOOK_SECRET: secret });
  expect(printed).toBe('inference.blocked\n200 thanks\n401 signature_mismatch\n');
});

test('the examples pass the strictest compiler', async () => {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: examples.map((_example, index) => fileOf(index)) }),
  );
  const { stdout } = await run(join(PACKAGE, '../../node_modules/.bin/tsc'), ['-p', folder]).catch(
    (err: { stdout: string }) => err,
  );
  expect(stdout).toBe('');
});
