// The clients that are judged, and how the testee of each is started.

import { join } from 'node:path';
import { Testee, type TesteeCommand } from './testee.ts';
import { prepareGo } from './toolchains/go.ts';
import { prepareJava } from './toolchains/java.ts';
import { preparePython } from './toolchains/python.ts';
import { prepareTypeScript } from './toolchains/typescript.ts';

/** A testee that can be started, a sentence that says which tool is not here, or why it could not be built. */
export type Prepared = { readonly command: TesteeCommand } | { readonly missing: string } | { readonly fault: Error };

export interface Language {
  /** As tests are named. */
  readonly name: string;
  /** As it is in the `User-Agent`. */
  readonly agent: string;
  /** Compiles what is to be compiled. */
  readonly prepare: () => Promise<Prepared>;
}

export const LANGUAGES: readonly Language[] = [
  { name: 'TypeScript', agent: 'typescript', prepare: async () => ({ command: await prepareTypeScript() }) },
  { name: 'Python', agent: 'python', prepare: () => python({}) },
  { name: 'Python, async', agent: 'python', prepare: () => python({ SVC_TESTEE_ASYNC: '1' }) },
  { name: 'Go', agent: 'go', prepare: go },
  { name: 'Java', agent: 'java', prepare: java },
];

async function python(env: Readonly<Record<string, string>>): Promise<Prepared> {
  const made = await preparePython();
  if ('missing' in made) return made;
  return { command: { command: made.python, args: [join(import.meta.dirname, '../python/tests/testee.py')], env } };
}

async function go(): Promise<Prepared> {
  const made = await prepareGo();
  return 'missing' in made ? made : { command: { command: made.testee, args: [] } };
}

async function java(): Promise<Prepared> {
  const made = await prepareJava();
  return 'missing' in made ? made : { command: made };
}

/** All languages, prepared side by side, before tests are named: so one can be skipped in words. */
export function prepareAll(): Promise<(readonly [Language, Prepared])[]> {
  return Promise.all(
    LANGUAGES.map(async (language) => {
      const prepared = await language.prepare().catch((err: unknown) => ({ fault: err as Error }));
      return [language, prepared] as const;
    }),
  );
}

export function startTestee({ agent }: Language, command: TesteeCommand): Testee {
  return new Testee(agent, command);
}
