// What is given out can be used: each package is installed in an empty project outside of the repository, and assesses there against a whole
// service.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { VERSION as SERVER_VERSION } from '../packages/server/src/version.ts';
import { startTestService, type TestService } from '../packages/server/src/testing/service.ts';
import { PACKAGES, type Made, type PackageName } from '../scripts/packages.ts';

const root = join(import.meta.dirname, '..');
/** Packages are made and installed by other programs, some of which compile. */
const MS_MAX = 300_000;

let service: TestService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-packages-'));
  service = await startTestService();
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

describe('@svc/client', () => {
  const program = `
    import { Svc } from '@svc/client';
    const svc = new Svc({ apiKey: process.env.KEY, baseUrl: process.env.BASE });
    console.log((await svc.assess({ input: 'What is the capital of France?' })).outcome);
  `;
  let project: string;

  beforeAll(async () => {
    project = await emptyProject('typescript');
    const [archive] = await made('typescript');
    await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
    // There is nothing to fetch: it has no dependencies.
    await run(project, 'npm', ['install', '--offline', '--no-audit', '--no-fund', archive!]);
  }, MS_MAX);

  test.each(nodes())('installs alone and assesses, on %s', { timeout: MS_MAX }, async (_version, node) => {
    await writeFile(join(project, 'assess.js'), program);
    expect(await run(project, node, ['assess.js'])).toBe('allowed\n');
    const installed = await readdir(join(project, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@svc']);
  });

  test.each(['nodenext', 'bundler'])(
    'compiles against its declarations, with module resolution %s',
    { timeout: MS_MAX },
    async (resolution) => {
      const options = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2024', 'dom', 'dom.iterable'],
        module: resolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution: resolution,
        types: [],
        skipLibCheck: false,
      };
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['assess.ts'] }));
      await writeFile(
        join(project, 'assess.ts'),
        `import { Svc, RateLimitError, type Assessment } from '@svc/client';
       const svc = new Svc({ apiKey: 'svc_live_x' });
       const assessment: Assessment = await svc.assess({ input: 'x' });
       for await (const event of svc.events.list({ limit: 2 })) event.kind.toUpperCase();
       // @ts-expect-error -- there is no such member
       await svc.assess({ inputs: 'x' });
       export const after = new RateLimitError({ status: 429, code: assessment.outcome, message: '', requestId: null, details: [], retryAfter: 1 }).retryAfter;`,
      );
      await run(project, process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
    },
  );

  test('has its declarations, its README and the license, and no tests', async () => {
    const [archive] = await made('typescript');
    const names = (await run(project, 'tar', ['-tzf', archive!])).trim().split('\n');
    expect(names).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/index.js', 'package/dist/index.d.ts']),
    );
    expect(names.filter((name) => /test/.test(name))).toEqual([]);
    const { exports } = JSON.parse(await run(project, 'tar', ['-xzOf', archive!, 'package/package.json'])) as {
      exports: Record<string, string | Record<string, string>>;
    };
    const targets = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
    expect(targets.filter((target) => !names.includes(`package/${target.slice(2)}`))).toEqual([]);
  });
});

describe('@svc/cli', () => {
  let project: string;
  let program: string;

  beforeAll(async () => {
    project = await emptyProject('cli');
    const [archive] = await made('cli');
    await writeFile(join(project, 'package.json'), '{"private":true}');
    await run(project, 'npm', ['install', '--offline', '--no-audit', '--no-fund', archive!]);
    program = join(project, 'node_modules/.bin/svc');
  }, MS_MAX);

  test.each(nodes())('is one program without dependencies that assesses, on %s', { timeout: MS_MAX }, async (_version, node) => {
    const env = {
      SVC_BASE_URL: service.baseUrl,
      SVC_API_KEY: service.organization.keys.live,
      HOME: project,
      XDG_CONFIG_HOME: project,
    };
    const answer = await run(project, node, [program, 'assess', '--json', 'What is the capital of France?'], env);
    expect((JSON.parse(answer) as { outcome: string }).outcome).toBe('allowed');
    expect(await run(project, node, [program, '--version'], env)).toContain(SERVER_VERSION);
    expect(existsSync(join(project, 'node_modules/@svc/client'))).toBe(false);
  });

  test('checks evidence, by the verifier that is in it', { timeout: MS_MAX }, async () => {
    const { id } = await assessedEvent();
    const proof = await service.request('GET', `/v1/events/${id}/proof`);
    const keys = (await service.request('GET', '/v1/audit/keys')).body.keys as { verifier_key: string }[];
    await writeFile(join(project, 'proof.json'), proof.text);
    await writeFile(join(project, 'keys.txt'), keys.map(({ verifier_key: key }) => `${key}\n`).join(''));
    await run(project, process.execPath, [program, 'audit', 'verify', 'proof.json', '--key', 'keys.txt'], { HOME: project });
    await writeFile(join(project, 'proof.json'), proof.text.replace('inference.allowed', 'inference.blocked'));
    await expect(
      run(project, process.execPath, [program, 'audit', 'verify', 'proof.json', '--key', 'keys.txt'], { HOME: project }),
    ).rejects.toThrow();
  });
});

test('the Python wheel installs in a new environment and assesses', { timeout: MS_MAX }, async (context) => {
  const [wheel] = await made('python', context);
  const project = await emptyProject('python');
  await runOrSkip(context, project, 'python3', ['-m', 'venv', 'venv']);
  const python = join(project, 'venv/bin/python');
  await runOrSkip(context, project, python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wheel!]);
  await writeFile(
    join(project, 'assess.py'),
    `import asyncio, os
from svc import AsyncSvc, Svc

with Svc(api_key=os.environ["KEY"], base_url=os.environ["BASE"]) as svc:
    print(svc.assess(input="What is the capital of France?").outcome)

async def main():
    async with AsyncSvc(api_key=os.environ["KEY"], base_url=os.environ["BASE"]) as svc:
        print((await svc.assess(input="What is the capital of France?")).outcome)

asyncio.run(main())
`,
  );
  expect(await run(project, python, ['-I', 'assess.py'])).toBe('allowed\nallowed\n');
  const names = await run(project, python, ['-m', 'zipfile', '-l', wheel!]);
  expect(names).toMatch(/svc\/py\.typed/);
  expect(names).toMatch(/LICENSE/);
});

test('the Go module is got from a proxy and assesses', { timeout: MS_MAX }, async (context) => {
  await requireTool(context, 'go', 'version');
  const files = await made('go', context);
  const project = await emptyProject('go');
  const env = {
    GOPROXY: `file://${join(folder, 'made-go/goproxy')},off`,
    GONOSUMDB: '*',
    GONOSUMCHECK: '1',
    GOFLAGS: '-mod=mod -modcacherw',
    GOTOOLCHAIN: 'local',
    // Of its own, so that what is tested is what was packed now.
    GOMODCACHE: join(project, 'cache'),
  };
  expect(files.map((file) => basename(file))).toContain(`v${SERVER_VERSION}.zip`);
  await run(project, 'go', ['mod', 'init', 'example.org/empty'], env);
  await run(project, 'go', ['get', `example.com/svc@v${SERVER_VERSION}`], env);
  await writeFile(
    join(project, 'main.go'),
    `package main

import (
	"context"
	"fmt"
	"os"

	"example.com/svc"
)

func main() {
	client, err := svc.New(os.Getenv("KEY"), svc.WithBaseURL(os.Getenv("BASE")))
	if err != nil {
		panic(err)
	}
	assessment, err := client.Assess(context.Background(), svc.Inference{Input: svc.Text("What is the capital of France?")})
	if err != nil {
		panic(err)
	}
	fmt.Println(assessment.Outcome)
}
`,
  );
  expect(await run(project, 'go', ['run', '.'], env)).toBe('allowed\n');
});

test('the Java jar and its pom are all that is needed to assess', { timeout: MS_MAX }, async (context) => {
  const [jar, pom] = await made('java', context);
  const project = await emptyProject('java');
  const goal = [
    'org.apache.maven.plugins:maven-dependency-plugin:build-classpath',
    '-DincludeScope=runtime',
    '-Dmdep.outputFile=needed.txt',
  ];
  await writeFile(join(project, 'pom.xml'), await readFile(pom!));
  const maven = ['--quiet', '--batch-mode', ...goal];
  // Without asking the network first: what was downloaded once is there.
  await run(project, 'mvn', ['--offline', ...maven]).catch(() => runOrSkip(context, project, 'mvn', maven));
  const needed = (await readFile(join(project, 'needed.txt'), 'utf8')).trim();
  expect(needed.split(':').filter((path) => !/jackson/.test(path))).toEqual([]);
  await writeFile(
    join(project, 'Assess.java'),
    `import svc.client.Svc;
import svc.client.types.Inference;

public class Assess {
  public static void main(String[] args) {
    Svc svc = Svc.builder().apiKey(System.getenv("KEY")).baseUrl(System.getenv("BASE")).build();
    System.out.println(svc.assess(Inference.builder().input("What is the capital of France?").build()).outcome());
  }
}
`,
  );
  const classpath = `${jar}:${needed}`;
  await run(project, 'javac', ['-cp', classpath, '-Werror', '-Xlint:all,-path', 'Assess.java']);
  expect(await run(project, 'java', ['-cp', `${classpath}:.`, 'Assess'])).toBe('allowed\n');
  expect(await run(project, 'jar', ['--list', '--file', jar!])).toMatch(/META-INF\/LICENSE/);
});

test('every manifest has the same version', async () => {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const json = async (path: string) => (JSON.parse(await read(path)) as { version: string }).version;
  const found = async (path: string, pattern: RegExp) => pattern.exec(await read(path))?.[1];
  const versions = {
    service: SERVER_VERSION,
    root: await json('package.json'),
    '@svc/cli': await json('packages/cli/package.json'),
    '@svc/verifier': await json('packages/verifier/package.json'),
    '@svc/client': await json('clients/typescript/package.json'),
    'the User-Agent of @svc/client': await found('clients/typescript/src/version.ts', /VERSION = '(.*)'/),
    'svc-client of Python': await found('clients/python/pyproject.toml', /^version = "(.*)"$/m),
    'the User-Agent in Python': await found('clients/python/src/svc/_version.py', /VERSION = "(.*)"/),
    'the User-Agent in Go': await found('clients/go/client.go', /Version = "(.*)"/),
    'the User-Agent in Java': await found('clients/java/src/main/java/svc/client/Svc.java', /VERSION = "(.*)"/),
    'svc-client of Java': await found('clients/java/pom.xml', /<artifactId>svc-client<\/artifactId>\s*<version>(.*)<\/version>/),
  };
  expect(versions).toEqual(Object.fromEntries(Object.keys(versions).map((name) => [name, SERVER_VERSION])));
});

test('two packings of the same sources are the same bytes', { timeout: MS_MAX }, async () => {
  for (const name of ['go', 'typescript'] as const) {
    const [one, other] = await Promise.all(
      [1, 2].map(async (n) => digestsOf(await PACKAGES[name](await emptyProject(`${name}-${n}`)))),
    );
    expect(one).toEqual(other);
  }
});

async function digestsOf(result: Made): Promise<Record<string, string>> {
  if ('missing' in result) throw new Error(result.missing);
  const digests = await Promise.all(
    result.files.map(async (file) =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ),
  );
  return Object.fromEntries(result.files.map((file, i) => [basename(file), digests[i]!]));
}

const packings = new Map<PackageName, ReturnType<(typeof PACKAGES)[PackageName]>>();

/** Paths of the package's files, which are made once. */
async function made(name: PackageName, context?: TestContext): Promise<readonly string[]> {
  const packing = packings.get(name) ?? PACKAGES[name](await emptyProject(`made-${name}`));
  packings.set(name, packing);
  const result = await packing.catch((err: Error) => {
    if (context !== undefined && isOffline(err))
      context.skip(`it cannot be made without a network: ${err.message.split('\n')[0]}`);
    throw err;
  });
  if ('files' in result) return result.files;
  if (context === undefined) throw new Error(result.missing);
  return context.skip(result.missing);
}

async function emptyProject(name: string): Promise<string> {
  const project = join(folder, name);
  await mkdir(project, { recursive: true });
  return project;
}

/** Standard output. Rejects with what the program said where it fails. */
async function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, {
      cwd,
      // oxlint-disable-next-line node/no-process-env -- programs need their PATH and HOME
      env: { ...process.env, KEY: service.organization.keys.live, BASE: service.baseUrl, ...env },
      maxBuffer: 100_000_000,
    });
    return stdout;
  } catch (err) {
    const { message, stdout, stderr } = err as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: err });
  }
}

async function runOrSkip(context: TestContext, cwd: string, command: string, args: readonly string[]): Promise<void> {
  await run(cwd, command, args).catch((err: Error) => {
    if (isOffline(err)) context.skip(`it cannot be installed without a network: ${err.message.split('\n')[0]}`);
    throw err;
  });
}

async function requireTool(context: TestContext, command: string, argument: string): Promise<void> {
  await run(folder, command, [argument]).catch(() => context.skip(`${command} is not on this machine.`));
}

function isOffline({ message }: Error): boolean {
  return /Temporary failure in name resolution|Network is unreachable|NewConnectionError|Unknown host|Could not transfer artifact|ensurepip is not/i.test(
    message,
  );
}

/** This one, and an older one that the packages promise to run on, where the machine has it. */
function nodes(): (readonly [version: string, program: string])[] {
  return [
    ['the Node.js of the tests', process.execPath],
    ...(existsSync('/usr/bin/node') ? [['the Node.js of the machine', '/usr/bin/node'] as const] : []),
  ];
}

async function assessedEvent(): Promise<{ id: string }> {
  const { body } = await service.request('POST', '/v1/assessments', { body: { input: 'What is the capital of France?' } });
  await service.services.audit.catchUp();
  return { id: body.event_id as string };
}
