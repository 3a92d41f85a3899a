// The Java client: its own tests and the examples of its README, against a whole service. What all languages promise alike is
// in clients/conformance.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../packages/server/src/testing/service.ts';
import { javaBuild, maven, SHORT_LIVED } from './conformance/toolchains/java.ts';

const FOLDER = join(import.meta.dirname, 'java');
const SUREFIRE_GOAL = 'org.apache.maven.plugins:maven-surefire-plugin:test';
const RUN_MS_MAX = 120_000;
const run = promisify(execFile);
const made = await javaBuild();

if ('missing' in made) test.skip(`the Java client is not tested here: ${made.missing}`, () => {});
else describeClient(made);

function describeClient(built: { readonly folder: string; readonly classpath: string }): void {
  describe('the Java client', () => {
    let service: TestService;
    let folder: string;

    beforeAll(async () => {
      [service, folder] = await Promise.all([startTestService(), mkdtemp(join(tmpdir(), 'svc-java-'))]);
    });

    afterAll(() => Promise.all([service.close(), rm(folder, { recursive: true, force: true })]));

    // The compiler warns of documentation, too, and each warning is an error.
    test('is built by Maven without a warning, and passes its own tests', { timeout: RUN_MS_MAX }, async () => {
      const { live } = service.organization.keys;
      const env = { SVC_TEST_BASE_URL: service.baseUrl, SVC_TEST_LIVE_KEY: live };
      const reports = join(built.folder, 'surefire-reports');
      await rm(reports, { recursive: true, force: true });
      await maven([`-Dsvc.directory=${built.folder}`, SUREFIRE_GOAL], env);
      const names = (await readdir(reports)).filter((name) => name.endsWith('.xml'));
      const suites = await Promise.all(names.map((name) => readFile(join(reports, name), 'utf8')));
      const counts = suites.map((suite) => ({
        tests: Number(/<testsuite [^>]*\btests="(\d+)"/.exec(suite)?.[1]),
        skipped: Number(/<testsuite [^>]*\bskipped="(\d+)"/.exec(suite)?.[1]),
      }));
      expect(counts.length).toBeGreaterThan(0);
      for (const { tests, skipped } of counts) expect([tests > 0, skipped]).toEqual([true, 0]);
    });

    test('runs the first example of its README as it is printed', { timeout: RUN_MS_MAX }, async () => {
      const [first] = await examples('java');
      const [expected] = await examples('text');
      expect(await launched('First.java', first!, { LIVE_KEY: service.organization.keys.live })).toBe(expected);
    });

    test('runs the other examples of its README', { timeout: RUN_MS_MAX }, async () => {
      const [, ...others] = await examples('java');
      const methods = others.map((example, i) => `static void example${i}(Svc svc) throws Exception {\n${example}}\n`);
      const calls = others.map((_, i) => `System.out.println("-- ${i}");\nexample${i}(svc);\n`);
      const program = `import com.sun.net.httpserver.HttpHandler; import svc.client.*; import svc.client.types.*; import java.util.*;
public class Others {
public static void main(String[] args) throws Exception {
Svc svc = Svc.builder().apiKey(System.getenv("ADMIN_KEY")).baseUrl(System.getenv("BASE")).build();
${calls.join('')}}
${methods.join('')}}
`;
      const printed = await launched('Others.java', program, { ADMIN_KEY: service.organization.keys.admin });
      expect(printed.split(/^-- \d+\n/m).slice(1)).toEqual([
        'go on\n',
        '',
        expect.any(String),
        'The capital of France is Paris.\n',
        '',
        expect.stringMatching(/^\d+ events, from now on\n$/),
        expect.stringMatching(/^not_found, ask about req_\w+\n$/),
        '',
        'ok\n',
      ]);
    });

    /** What a program prints that Java compiles and runs from its source. */
    async function launched(name: string, program: string, env: Record<string, string>): Promise<string> {
      await writeFile(join(folder, name), program);
      const { stdout } = await run('java', [...SHORT_LIVED, '-cp', built.classpath, name], {
        cwd: folder,
        timeout: RUN_MS_MAX,
        // oxlint-disable-next-line node/no-process-env -- programs need their PATH and HOME
        env: { ...process.env, BASE: service.baseUrl, ...env },
      });
      return stdout;
    }
  });
}

/** Blocks of the README in this language. */
async function examples(language: string): Promise<string[]> {
  const text = await readFile(join(FOLDER, 'README.md'), 'utf8');
  const blocks = text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].filter((match) => match[1] === language).map((match) => match[2]!);
}
