// The operator's commands, which work on the database beside the service. Where svc runs from the repository they are run from here, in a process
// of their own with the same environment; where it was installed alone, this says where to run them.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context } from './command.ts';
import { CommandError, EXIT } from './faults.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ADMIN = join(ROOT, 'packages/server/src/admin.ts');

/** Said in the help of each of these commands. */
export const OPERATOR_NOTE =
  'For operators: works on the database of the service, with the settings of the service in the environment (SVC_DATABASE_URL, SVC_DATA_DIR, SVC_MASTER_KEY), ' +
  'on its machine and as its user. docs/operations/commands.md tells more.';

/** What the command answers with --json. Throws a `CommandError` with its sentence. `args` are for it alone, and no shell sees them. */
export async function operate<Answer>(
  { env, signal, output }: Pick<Context, 'env' | 'signal' | 'output'>,
  args: readonly string[],
): Promise<Answer> {
  if (!existsSync(ADMIN)) {
    throw new CommandError(
      `This is done on the machine of the service, in its folder: npm run -s admin -- ${args.map(quoted).join(' ')}`,
    );
  }
  requireInstallation(env);
  const dataDir = env['SVC_DATA_DIR'];
  const child = spawn(process.execPath, [ADMIN, ...args, '--json'], {
    // As npm start: without a setting the data folder is in the repository, wherever svc is called.
    cwd: ROOT,
    env: { ...env, ...(dataDir === undefined || dataDir === '' ? {} : { SVC_DATA_DIR: resolve(dataDir) }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const said = stderr.trim().replaceAll('list-organizations', 'svc org list');
  if (exitCode !== 0) {
    // A command line that is wrong is followed by the usage, and a fault may come after notes.
    const sentence = exitCode === EXIT.usage ? said.split('\n')[0] : said.split('\n').at(-1);
    throw new CommandError(
      sentence === undefined || sentence === '' ? 'The command of the operator failed.' : sentence,
      exitCode ?? EXIT.failed,
    );
  }
  if (said !== '') output.note(said);
  return JSON.parse(stdout) as Answer;
}

/**
 * The program of the operator makes an installation where there is none, which is right before the first start. Here it is a setting that was
 * forgotten: a new master key and an empty database, beside the ones that are meant.
 */
function requireInstallation(env: Context['env']): void {
  const given = (name: string) => (env[name] === '' ? undefined : env[name]);
  const dataDir = resolve(given('SVC_DATA_DIR') ?? join(ROOT, 'data'));
  const needed = [
    ...(given('SVC_DATABASE_URL') === undefined ? ['postgres'] : []),
    ...(given('SVC_MASTER_KEY') === undefined ? ['master.key'] : []),
  ];
  if (needed.every((name) => existsSync(join(dataDir, name)))) return;
  throw new CommandError(
    `No service has run with this data folder (${dataDir}). Set SVC_DATA_DIR, or SVC_DATABASE_URL and SVC_MASTER_KEY, as the service has them.`,
  );
}

function quoted(word: string): string {
  return /^[a-zA-Z0-9_./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
