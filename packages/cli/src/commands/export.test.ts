// Promises of `svc export`.

import { createHash } from 'node:crypto';
import { connect, createServer, type AddressInfo } from 'node:net';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../server/src/testing/service.ts';
import { makeHome, type Home } from '../testing.ts';

let service: TestService;
let home: Home;

beforeAll(async () => {
  service = await startTestService();
  home = await makeHome({ SVC_BASE_URL: service.baseUrl, SVC_API_KEY: service.organization.keys.live });
  const items = Array.from({ length: 50 }, (_, i) => ({ input: `Hello ${i}` }));
  expect((await service.request('POST', '/v1/assessments/batch', { body: { items } })).status).toBe(200);
  await service.services.audit.catchUp();
});
afterAll(async () => {
  await home.remove();
  await service.close();
});

interface Made {
  readonly id: string;
  readonly state: string;
  readonly download: { readonly bytes: number; readonly sha256: string };
}

const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function make(...args: readonly string[]): Promise<Made> {
  const { code, stdout, stderr } = await home.svc('export', 'create', ...args, '--json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as Made;
}

test('create waits, saves a bundle that the verifier takes, and says how to check it', async () => {
  const path = join(home.path, 'bundle.zip');
  const { code, stdout, stderr } = await home.svc('export', 'create', '--format', 'csv', '--since', '24h', '--download', path);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/state +ready/) });
  expect(stderr).toContain(`svc audit verify ${path}`);
  expect(await home.svc('audit', 'verify', path, '--trust-bundle-keys')).toMatchObject({
    stdout: expect.stringContaining('events'),
  });
  expect(await exists(`${path}.part`)).toBe(false);
});

test('a download that breaks off goes on where it was, and the file is whole', async () => {
  const made = await make();
  const line = await breakingLine(Number(new URL(service.baseUrl).port), 3);
  const path = join(home.path, 'broken.zip');
  const ended = await home.run(['export', 'download', made.id, '--file', path], { env: { SVC_BASE_URL: line.url } });
  expect(ended).toMatchObject({ code: 0 });
  expect(await sha256(path)).toBe(made.download.sha256);
  const starts = line.ranges.map((range) => Number(/bytes=(\d+)-/.exec(range)?.[1] ?? 0));
  expect(starts.length).toBeGreaterThanOrEqual(4);
  expect(starts[0]).toBe(0);
  // What came just before a break may be lost with it, but never what was there before.
  expect(starts.toSorted((a, b) => a - b)).toEqual(starts);
  expect(starts.at(-1)).toBeGreaterThan(0);
  await line.close();
});

test('a download goes on in another process, and what was there is not believed', async () => {
  const made = await make();
  const [whole, part, wrong] = ['whole.zip', 'part.zip', 'wrong.zip'].map((name) => join(home.path, name));
  await home.svc('export', 'download', made.id, '--file', whole!);
  await writeFile(`${part}.part`, (await readFile(whole!)).subarray(0, 3_000));
  await writeFile(`${wrong}.part`, Buffer.alloc(3_000, 1));
  for (const path of [part!, wrong!]) {
    expect(await home.svc('export', 'download', made.id, '--file', path)).toMatchObject({ code: 0 });
    expect(await sha256(path)).toBe(made.download.sha256);
    expect(await exists(`${path}.part`)).toBe(false);
  }
});

test('exports are listed at 80 columns, shown and deleted after a yes', async () => {
  const { id } = await make('--kind', 'inference.blocked', '--no-disclosures');
  const { stdout } = await home.svc('export', 'list');
  expect(stdout).toContain(id);
  expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(JSON.parse((await home.svc('export', 'get', id, '--json')).stdout)).toMatchObject({
    kinds: ['inference.blocked'],
    disclosures: false,
  });
  expect(await home.svc('export', 'delete', id)).toMatchObject({ code: 2 });
  expect(await home.svc('export', 'delete', id, '-y')).toMatchObject({ code: 0 });
  expect(await home.svc('export', 'download', id)).toMatchObject({ code: 5 });
});

test('create says what does not go together', async () => {
  expect(await home.svc('export', 'create', '--no-wait', '--download', 'x.zip')).toMatchObject({ code: 2 });
  expect(await home.svc('export', 'create', '--format', 'cvs')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean csv?'),
  });
});

/** A way to the service that breaks off the first `breaks` answers of a bundle after some bytes. */
async function breakingLine(port: number, breaks: number) {
  const bytes = 3_000;
  const ranges: string[] = [];
  let left = breaks;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isBundle = false;
    let passed = 0;
    near.on('data', (chunk) => {
      isBundle = /^GET \S+\/bundle /.test(String(chunk));
      if (isBundle) ranges.push(/^range: (.*)\r$/im.exec(String(chunk))?.[1] ?? '');
      passed = 0;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!isBundle || left === 0) return void near.write(chunk);
      const allowed = chunk.subarray(0, Math.max(0, bytes - passed));
      passed += chunk.length;
      if (passed < bytes) return void near.write(chunk);
      left--;
      // The end of the stream in the middle of a body: what was sent before arrives for sure, which a reset does not promise.
      near.end(allowed);
      far.destroy();
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket.on('error', () => {}).on('end', () => other.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ranges,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
