// `svc sessions`: who is signed in.

import type { Session } from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, type Column } from '../output.ts';
import { ago, count } from '../text.ts';

const COLUMNS: readonly Column<Session>[] = [
  { name: 'ID', importance: 9, cell: ({ id }) => id },
  { name: 'WHO', importance: 8, widthMin: 12, cell: ({ name }) => name },
  { name: 'ROLE', importance: 4, cell: ({ role, key_id }) => role ?? (key_id === null ? '–' : 'key') },
  { name: 'STATE', importance: 7, cell: stateOf },
  { name: 'FROM', importance: 3, cell: ({ address }) => address },
  { name: 'SIGNED IN', importance: 6, cell: ({ signed_in_at }) => ago(signed_in_at) },
  { name: 'UNTIL', importance: 2, cell: ({ expires_at }) => ago(expires_at) },
];

function stateOf({ ended_at, expires_at }: Session) {
  if (ended_at !== null) return toned('dim', 'ended');
  return Date.parse(expires_at) <= Date.now() ? toned('dim', 'expired') : toned('good', 'active');
}

const list: Command = {
  words: ['sessions', 'list'],
  summary: 'List sessions, newest first, ended ones too',
  options: LIST_OPTIONS,
  examples: ['svc sessions list'],
  async run({ svc, options, output }) {
    output.list(await readList(options, (query) => svc().sessions.list(query)), COLUMNS, 'Nobody has signed in yet.');
    return EXIT.done;
  },
};

const end: Command = {
  words: ['sessions', 'end'],
  summary: 'End a session, or all of them',
  positionals: [{ name: 'session_id', isOptional: true }],
  options: { all: { kind: 'flag', meaning: 'All sessions of the organization' }, yes: YES },
  examples: ['svc sessions end ses_01jd4t4ve9e0fs7m4c1ywz3qkd', 'svc sessions end --all'],
  async run(context) {
    const { svc, options, output, positionals } = context;
    const id = positionals['session_id'];
    if ((id === undefined) !== options.flag('all')) throw new UsageError('Name one session, or give --all.');
    if (id === undefined) {
      await confirm(context, 'End all sessions? Everybody signs in again. API keys stay as they are.');
      const answer = await svc().sessions.endAll();
      output.answer(answer, () => output.line(`${count(answer.ended, 'session')} ended.`));
      return EXIT.done;
    }
    await confirm(context, `End ${id}? Who uses it signs in again.`);
    const session = await svc().sessions.end(id);
    output.answer(session, () => output.line(`The session of ${session.name} has ended.`));
    return EXIT.done;
  },
};

export const commands: readonly Command[] = [list, end];
