// `svc audit`: proofs, and keeping what was seen.

import { setTimeout as wait } from 'node:timers/promises';
import { CheckpointError, CheckpointMemory, ConnectionError, RateLimitError, ServerError } from '@svc/client';
import type * as types from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command, Context } from '../command.ts';
import { CommandError, EXIT, UsageError } from '../faults.ts';
import { toned, tonedState, type Column } from '../output.ts';
import { ago } from '../text.ts';
import { KEY, keysOf, PROOF_OPTIONS, showProof } from './audit-proof.ts';
import { defined, required } from './shared.ts';

const HELD = 'svc-checkpoint.json';
const EVERY_S = 60;

type VerifierKey = types.AuditKeys['keys'][number];

const KEY_COLUMNS: readonly Column<VerifierKey>[] = [
  { name: 'STATE', importance: 8, cell: ({ status }) => tonedState(status) },
  { name: 'MADE', importance: 6, cell: ({ created_at }) => ago(created_at) },
  { name: 'RETIRES', importance: 5, cell: ({ retired_at }) => ago(retired_at) },
];

export const commands: readonly Command[] = [
  {
    words: ['audit', 'verify'],
    summary: 'Check evidence of an audit trail, offline',
    description: 'The verifier svc-verify, with its options and exit codes.',
    examples: ['svc audit verify export.zip --key keys.txt', 'svc audit verify proof.json --key keys.txt --held held.txt'],
    isRaw: true,
    run: async ({ rest }) => (await import('@svc/verifier')).run(rest),
  },
  {
    words: ['audit', 'checkpoint'],
    summary: 'Show the latest checkpoint of the log, as it is signed',
    options: { size: { kind: 'integer', meaning: 'The checkpoint of exactly this size', placeholder: '<n>' } },
    examples: ['svc audit checkpoint > held.txt', 'svc audit checkpoint --size 1000 --json'],
    async run({ svc, options, output }) {
      const note = await svc().audit.getCheckpoint(defined({ size: options.integer('size') }));
      const [origin, size, root] = note.split('\n');
      if (output.isJson) output.json({ origin, size: Number(size), root, note });
      else output.raw(note);
      return EXIT.done;
    },
  },
  {
    words: ['audit', 'watch'],
    summary: 'Demand, again and again, that the log goes on from what was seen',
    description:
      `Keeps the last checkpoint in a file, and checks every ${EVERY_S} s that the next one is signed and grew out of it. Exit code 3, and the rule, when it is ` +
      'not: what is held then stays as it is, and is evidence. Without --key the keys that the service has at the first time are trusted from then on, which does ' +
      'not protect from a service that lied that first time. Ctrl-C ends it, with exit code 0; --once checks once, for a timer of your own.',
    options: {
      file: { kind: 'text', meaning: `What was seen is kept here; ${HELD} when not given`, placeholder: '<file>' },
      key: KEY,
      every: { kind: 'integer', meaning: `How often; ${EVERY_S} when not given`, placeholder: '<seconds>' },
      once: { kind: 'flag', meaning: 'Check once and end' },
    },
    examples: ['svc audit watch --file held.json --key keys.txt', 'svc audit watch --file held.json --once'],
    run: watch,
  },
  {
    words: ['audit', 'proof'],
    summary: 'Prove that an event is in the log',
    description: 'The same as svc events proof.',
    positionals: [{ name: 'event_id' }],
    options: PROOF_OPTIONS,
    examples: ['svc audit proof evt_01m7zmgn63e00bq3vycshwk0hy --key keys.txt'],
    run: showProof,
  },
  {
    words: ['audit', 'keys'],
    summary: 'List the keys that sign checkpoints',
    description: 'Keep them where the service cannot change them, from before you need them.',
    options: { plain: { kind: 'flag', meaning: 'The keys alone, one a line, as the verifier takes them' } },
    examples: ['svc audit keys', 'svc audit keys --plain > keys.txt'],
    async run({ svc, options, output }) {
      const keys = await svc().audit.listKeys();
      if (options.flag('plain') && !output.isJson) {
        output.raw(keys.keys.map(({ verifier_key }) => `${verifier_key}\n`).join(''));
        return EXIT.done;
      }
      output.answer(keys, () => {
        output.line(`Log ${keys.origin}`);
        for (const key of keys.keys) {
          // A key is long, and useless when it is cut: it has a line of its own.
          output.line('');
          output.line(key.verifier_key);
          output.table(KEY_COLUMNS, [key]);
        }
      });
      return EXIT.done;
    },
  },
  {
    words: ['audit', 'redact'],
    summary: 'Erase values of an event, for good',
    description:
      'The values and their salts are deleted; the event’s leaf and every proof stay as they are. What was delivered or exported before is out of reach. The trail ' +
      'keeps who did it and why, so --basis names nobody. Fields: of every event actor.id (of a user) and actor.ip; of inferences subject, external_id, metadata, ' +
      'previews and text; of most others data.',
    positionals: [{ name: 'event_id' }],
    options: {
      field: { kind: 'text', meaning: 'What is erased; may be repeated', placeholder: '<name>', isRepeated: true },
      basis: { kind: 'text', meaning: 'Why: the request or the law', placeholder: '<text>' },
      yes: YES,
    },
    examples: [
      "svc audit redact evt_01m7zmgn63e00bq3vycshwk0hy --field subject --field actor.ip --basis 'Art. 17 GDPR, request 2026-118'",
    ],
    run: redact,
  },
];

async function redact(context: Context): Promise<number> {
  const { svc, positionals, options, output } = context;
  const eventId = positionals['event_id']!;
  const fields = [...options.texts('field')];
  if (fields.length === 0) throw new UsageError('--field is missing. Give what is to be erased, such as --field subject.');
  const basis = required(options, 'basis', "--basis 'Art. 17 GDPR, request 2026-118'");
  await confirm(
    context,
    `Erase ${fields.join(', ')} of ${eventId}, for good? Values and salts are deleted and cannot be restored, kept text that repeats them too. ` +
      'The leaf and every proof stay. Deliveries, exports and backups that have left are out of reach. The trail keeps your name and the basis.',
  );
  const redaction = await svc().audit.redactEvent({ event_id: eventId, fields, basis });
  output.answer(redaction, () =>
    output.line(`Erased ${redaction.fields.join(', ')} of ${redaction.event_id}. ${redaction.redaction_event_id} tells of it.`),
  );
  return EXIT.done;
}

async function watch(context: Context): Promise<number> {
  const { options, signal } = context;
  const path = options.text('file') ?? HELD;
  const every = options.integer('every') ?? EVERY_S;
  if (every < 1) throw new UsageError('--every must be 1 or more.');
  const { FileStore } = await import('@svc/client/node');
  const keys = await keysOf(options.texts('key'));
  const memory = new CheckpointMemory(new FileStore(path), keys.length === 0 ? undefined : keys);
  try {
    for (;;) {
      const code = await checkOnce(context, memory, path);
      if (code !== EXIT.done || options.flag('once')) return code;
      await wait(every * 1_000, undefined, { signal });
    }
  } catch (err) {
    // Ctrl-C is how it ends.
    if (signal.aborted) return EXIT.done;
    throw err;
  }
}

async function checkOnce({ svc, output, options }: Context, memory: CheckpointMemory, path: string): Promise<number> {
  const at = new Date().toISOString();
  try {
    const { origin, size, root, isFirst } = await memory.check(svc());
    if (output.isJson) output.jsonLine({ at, origin, size, root, is_first: isFirst });
    else
      output.line(
        toned('dim', at.slice(11, 19)),
        '  ',
        isFirst ? 'Remembered' : toned('good', 'Goes on'),
        `: ${size} events, root ${root}`,
      );
    return EXIT.done;
  } catch (err) {
    if (err instanceof CheckpointError) {
      if (output.isJson) output.jsonLine({ at, rule: err.rule, message: err.message });
      throw new CommandError(`${err.rule}: ${err.message} ${path} stays as it was; keep it as evidence.`, EXIT.no, {
        cause: err,
      });
    }
    const isPassing = err instanceof ConnectionError || err instanceof ServerError || err instanceof RateLimitError;
    if (!isPassing || options.flag('once')) throw err;
    output.note(`${at.slice(11, 19)}  The service did not answer: ${err.message} Asking again.`);
    return EXIT.done;
  }
}
