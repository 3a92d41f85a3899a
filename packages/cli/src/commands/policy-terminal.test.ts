// Promises of the commands that talk with a person, in a terminal of 80 columns and 24 lines, which tmux plays.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../../../server/src/testing/receiver.ts';
import { startTestService, type TestService } from '../../../server/src/testing/service.ts';
import { makeHome, type Home } from '../testing.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) process.stderr.write('tmux is not installed: what svc does in a terminal is not tested.\n');

const SOCKET = `svc-test-commands-${process.pid}`;

let service: TestService;
let receiver: Receiver;
let home: Home;
/** The folder where `svc` is. */
let bin: string;

const tmux = (...args: readonly string[]) =>
  execFileSync('tmux', ['-L', SOCKET, '-f', '/dev/null', ...args], { encoding: 'utf8' });

/** What is on the screen, lines as they are shown. */
const screen = () => tmux('capture-pane', '-p');

const shows = (pattern: RegExp) => expect.poll(screen, { timeout: 20_000, interval: 50 }).toMatch(pattern);

const inForce = async () =>
  (await service.request('GET', '/v1/policy', { key: service.organization.keys.admin })).body as {
    version: number;
    policy: object;
  };

/** Runs a command in a shell of its own; its exit code follows in brackets. */
async function type(command: string): Promise<void> {
  const vars = `SVC_BASE_URL=${service.baseUrl} SVC_API_KEY=${service.organization.keys.admin} HOME=${home.path} TMPDIR=${home.path} PATH='${bin}':"$PATH"`;
  tmux('respawn-pane', '-k', `env ${vars} bash --norc --noprofile -c 'trap : INT; ${command}; echo "[$?]"; sleep 60'`);
}

describe.skipIf(!hasTmux)('in a terminal', () => {
  beforeAll(async () => {
    service = await startTestService();
    receiver = await startReceiver();
    home = await makeHome();
    bin = await home.bin();
    tmux('new-session', '-d', '-x', '80', '-y', '24');
    await service.request('PUT', '/v1/policy', {
      key: service.organization.keys.admin,
      body: { mode: 'enforce', deadline_ms: 300 },
    });
    // Wrong at first, right when it is called again.
    const script =
      '#!/bin/sh\nif grep -q "mode: off" "$1"; then sed -i "s/mode: off/mode: monitor/" "$1"; else sed -i "s/mode: enforce/mode: off/" "$1"; fi\n';
    await writeFile(join(home.path, 'editor'), script);
    await chmod(join(home.path, 'editor'), 0o700);
  });
  afterAll(async () => {
    tmux('kill-server');
    await receiver.close();
    await service.close();
    await home.remove();
  });

  test('policy edit shows what is wrong, lets edit again, and asks before it is in force', async () => {
    const before = await inForce();
    await type('EDITOR=$HOME/editor svc policy edit');
    await shows(/policy\.yaml:2:7 {2}error {2}\/mode: [^]*Edit again\? \[Y\/n\]/);
    tmux('send-keys', 'Enter');
    await shows(/~ \/mode {2}"enforce" → "monitor"\nPut this in force\? \[y\/N\]/);
    expect(await inForce()).toEqual(before);
    tmux('send-keys', 'y', 'Enter');
    await shows(new RegExp(String.raw`Version ${before.version + 1} is in force\.\n\[0\]`));
    expect((await inForce()).policy).toEqual({ mode: 'monitor', deadline_ms: 300 });
    await service.request('PUT', '/v1/policy', { key: service.organization.keys.admin, body: before.policy });
  });

  test('policy edit keeps what was written where the answer is no', async () => {
    const before = await inForce();
    await type('EDITOR=$HOME/editor svc policy edit');
    await shows(/Edit again\?/);
    tmux('send-keys', 'n', 'Enter');
    await shows(/What you wrote is in [^]*\nNothing was done\.\n\[3\]/);
    expect(await inForce()).toEqual(before);
  });

  test('listen has a line of at most 80 columns for each event, and Ctrl-C ends it with 0', async () => {
    await type(`svc listen --forward-to ${receiver.url} --from-sequence 1`);
    await shows(/policy\.updated +evt_\S+ {2}200 {2}\d+ ms/);
    const lines = screen().split('\n');
    expect(
      lines
        .filter((line) => line.includes('evt_'))
        .every((line) => /^\d\d:\d\d:\d\d {2}\S+ +evt_\w{26} {2}200 {2}\d+ ms$/.test(line)),
    ).toBe(true);
    tmux('send-keys', 'C-c');
    await shows(/\[0\]/);
  });
});
