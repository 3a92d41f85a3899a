// Promises of completion: the scripts are run by the shells they are for.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GROUPS } from './commands.ts';
import { makeHome, type Home } from './testing.ts';

let home: Home;
let env: Record<string, string>;

beforeAll(async () => {
  home = await makeHome();
  const saved = {
    base_url: 'http://127.0.0.1:1',
    org_id: 'org_1',
    org_name: 'One',
    api_key: 'svc_live_x',
    key_id: 'key_1',
    mode: 'live',
  };
  await mkdir(join(home.path, '.config/svc'), { recursive: true, mode: 0o700 });
  await writeFile(
    join(home.path, '.config/svc/config.json'),
    JSON.stringify({ current: null, profiles: { production: saved, staging: saved } }),
    { mode: 0o600 },
  );
  await writeFile(join(home.path, 'notes.txt'), '');
  env = { PATH: `${await home.bin()}:${process.env['PATH']}`, HOME: home.path };
});
afterAll(() => home.remove());

const has = (shell: string) => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;

/** What bash offers behind each of `lines`, whose last word is being typed. */
function inBash(lines: readonly string[]): string[][] {
  const asked = lines.map((line) => {
    const words = line.split(' ');
    return `
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1} COMP_LINE='${line}' COMP_POINT=${line.length}
_svc svc '${words.at(-1)}' '${words.at(-2)}'
echo "\${COMPREPLY[*]}"`;
  });
  const script = `source <(svc completion bash); complete -p svc >&2; ${asked.join('')}`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'complete -o default -F _svc svc\n' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

test.runIf(has('bash'))('bash completes commands, their options, choices and the names of profiles', () => {
  const offered: [string, string[]][] = [
    ['svc ', [...GROUPS.map(({ word }) => word), 'help']],
    ['svc serv', ['service-accounts']],
    ['svc keys ', ['list', 'create', 'get', 'revoke']],
    ['svc keys create --ty', ['--type']],
    ['svc keys create --type ', ['live', 'test', 'admin']],
    ['svc keys create --scope policy', ['policy:read', 'policy:write']],
    ['svc status --profile st', ['staging']],
    // A name of a file: what bash does by itself.
    ['svc assess --file ', []],
    ['svc --json keys re', ['revoke']],
    ['svc profiles use ', ['production', 'staging']],
  ];
  expect(inBash(offered.map(([line]) => line))).toEqual(offered.map(([, values]) => values));
});

test.runIf(has('bash'))('bash completes behind an equals sign and a colon, where it breaks words', () => {
  const behind = (pieces: string, line: string) => {
    const script = `source <(svc completion bash)
COMP_WORDS=(${pieces}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMP_LINE='${line}' COMP_POINT=${line.length}
_svc; echo "\${COMPREPLY[*]}"`;
    return spawnSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' }).stdout.trimEnd();
  };
  expect(behind('svc keys create --type = l', 'svc keys create --type=l')).toBe('live');
  expect(behind('svc keys create --type =', 'svc keys create --type=')).toBe('live test admin');
  expect(behind('svc keys create --scope policy : r', 'svc keys create --scope policy:r')).toBe('read');
  expect(behind('svc keys create --scope = policy :', 'svc keys create --scope=policy:')).toBe('read write');
});

test.runIf(has('fish'))('fish offers files only where svc knows nothing', () => {
  const script = "svc completion fish | source; complete -C 'svc keys '; echo ==; complete -C 'svc assess --file=no'";
  const said = execFileSync('fish', ['--no-config', '-c', script], { env, encoding: 'utf8', cwd: home.path });
  const [commands, files] = said.split('==\n');
  expect(
    commands!
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]),
  ).toEqual(['list', 'create', 'get', 'revoke']);
  expect(files).toContain('notes.txt');
});

test.runIf(has('zsh'))('zsh takes the script', () => {
  const script = 'autoload -U compinit && compinit -u -D && source <(svc completion zsh) && print -- $_comps[svc]';
  expect(execFileSync('zsh', ['-f', '-c', script], { env, encoding: 'utf8' })).toBe('_svc\n');
});

test.runIf(has('fish'))('fish completes with the script', () => {
  const script = "svc completion fish | source; complete -C 'svc keys re'";
  expect(execFileSync('fish', ['--no-config', '-c', script], { env, encoding: 'utf8' })).toContain('revoke\t');
});

test('values may follow an equals sign, and nothing that is not known is made up', async () => {
  const ask = async (...words: string[]) => (await home.run(['__complete', '--', ...words])).stdout;
  expect(await ask('keys', 'create', '--type=l')).toBe('--type=live\tWhat it is for; live when not given\n');
  expect(await ask('keys', 'create', 'My key', '')).toBe('');
  expect(await ask('xyzzy', '')).toBe('');
  expect(await ask('keys', 'list', '--', '')).toBe('');
});
