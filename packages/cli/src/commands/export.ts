// `svc export`: evidence to take along.

import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionError, type Svc } from '@svc/client';
import type * as types from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command, Context, Option, Options } from '../command.ts';
import { CommandError, EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { tonedState, type Column, type Output } from '../output.ts';
import { ago } from '../text.ts';
import { EVENT_KINDS } from './event-kinds.ts';
import { defined, timeOf } from './shared.ts';

const ID = { name: 'export_id' } as const;
const FORMATS = ['jsonl', 'csv', 'parquet', 'ocsf', 'cloudevents'];
const ASKED_EVERY_MS = 500;
const IDLE_BREAKS_MAX = 5;
const BREAK_WAIT_MS = 500;

const FORCE: Option = { kind: 'flag', meaning: 'Overwrite a file that is there' };
const FILE: Option = { kind: 'text', short: 'o', meaning: 'Where to; <export_id>.zip when not given', placeholder: '<file>' };

const COLUMNS: readonly Column<types.Export>[] = [
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'STATE', importance: 9, cell: ({ state }) => tonedState(state) },
  { name: 'FORMAT', importance: 7, cell: ({ format }) => format },
  { name: 'EVENTS', importance: 6, isRight: true, cell: ({ events }) => String(events) },
  { name: 'SIZE', importance: 5, isRight: true, cell: ({ download }) => (download === null ? '–' : bytesText(download.bytes)) },
  { name: 'MADE', importance: 4, cell: ({ created_at }) => ago(created_at) },
  { name: 'EXPIRES', importance: 3, cell: ({ expires_at }) => ago(expires_at) },
];

export const commands: readonly Command[] = [
  {
    words: ['export', 'create'],
    summary: 'Make an evidence bundle of a stretch of the trail',
    description: 'Waits until it is ready. --download saves it too. svc audit verify checks it, offline.',
    options: {
      format: {
        kind: 'text',
        meaning: 'What it has beside the evidence, which is JSON lines; jsonl when not given',
        placeholder: '<format>',
        choices: FORMATS,
      },
      since: { kind: 'text', meaning: 'Recorded at or after: a time, or 24h, 7d; all when not given', placeholder: '<time>' },
      until: { kind: 'text', meaning: 'Recorded before', placeholder: '<time>' },
      kind: {
        kind: 'text',
        meaning: 'Only events of this kind are disclosed; may be repeated',
        placeholder: '<kind>',
        choices: EVENT_KINDS,
        isRepeated: true,
      },
      'held-size': {
        kind: 'integer',
        meaning: 'The size of a checkpoint that you hold: proves that the log only grew since',
        placeholder: '<n>',
      },
      'no-disclosures': { kind: 'flag', meaning: 'Without subjects, addresses, metadata and data' },
      download: { kind: 'text', short: 'o', meaning: 'Save it here when it is ready', placeholder: '<file>' },
      force: FORCE,
      'no-wait': { kind: 'flag', meaning: 'Do not wait' },
    },
    examples: [
      'svc export create --since 30d --format csv --download november.zip',
      'svc export create --kind inference.blocked --no-wait --json',
    ],
    run: create,
  },
  {
    words: ['export', 'list'],
    summary: 'List exports',
    options: LIST_OPTIONS,
    examples: ['svc export list'],
    async run({ svc, options, output }) {
      const list = await readList(options, (query) => svc().exports.list(query));
      output.list(list, COLUMNS, 'There are no exports.');
      return EXIT.done;
    },
  },
  {
    words: ['export', 'get'],
    summary: 'Show how far an export is',
    positionals: [ID],
    examples: ['svc export get exp_01m7zmgn5ge00bem91bab2qawn'],
    async run({ svc, positionals, output }) {
      const made = await svc().exports.get(positionals['export_id']!);
      output.answer(made, () => show(output, made));
      return EXIT.done;
    },
  },
  {
    words: ['export', 'download'],
    summary: 'Save a bundle; one that broke off goes on',
    description:
      'What has come is kept beside the file, as .part, until it is whole and its digest is right. Run it again after a break: it goes on.',
    positionals: [ID],
    options: { file: FILE, force: FORCE },
    examples: ['svc export download exp_01m7zmgn5ge00bem91bab2qawn --file november.zip'],
    async run(context) {
      const { svc, positionals, options, output } = context;
      const path = options.text('file') ?? `${basename(positionals['export_id']!)}.zip`;
      await refuseToOverwrite(options, path);
      const made = await svc().exports.get(positionals['export_id']!);
      await save(context, made, path);
      if (output.isJson) output.json(made);
      return EXIT.done;
    },
  },
  {
    words: ['export', 'delete'],
    summary: 'Delete an export; what was exported stays in the trail',
    positionals: [ID],
    options: { yes: YES },
    examples: ['svc export delete exp_01m7zmgn5ge00bem91bab2qawn --yes'],
    async run(context) {
      const { svc, positionals, output } = context;
      const id = positionals['export_id']!;
      await confirm(context, `Delete the export ${id}? What was exported stays in the trail.`);
      const answer = await svc().exports.delete(id);
      output.answer(answer, () => output.line(`Deleted ${id}.`));
      return EXIT.done;
    },
  },
];

async function create(context: Context): Promise<number> {
  const { svc, options, output, signal } = context;
  const path = options.text('download');
  if (path !== undefined && options.flag('no-wait'))
    throw new UsageError('--download waits for the bundle: --no-wait does not go with it.');
  if (path !== undefined) await refuseToOverwrite(options, path);
  const kinds = options.texts('kind');
  const body = {
    format: options.text('format') ?? 'jsonl',
    ...defined({
      since: timeOf(options, 'since'),
      until: timeOf(options, 'until'),
      kinds: kinds.length === 0 ? undefined : kinds,
      held_size: options.integer('held-size'),
      disclosures: options.flag('no-disclosures') ? false : undefined,
    }),
  } as types.CreateExport;
  let made = await svc().exports.create(body);
  while (!options.flag('no-wait') && (made.state === 'queued' || made.state === 'running')) {
    output.progress(`${made.id}: ${made.progress.percent} %, ${made.events} events …`);
    await wait(ASKED_EVERY_MS, undefined, { signal });
    made = await svc().exports.get(made.id);
  }
  if (made.state === 'failed')
    throw new CommandError(`The export ${made.id} failed: ${made.error ?? 'the service does not say why'}.`);
  if (path !== undefined) await save(context, made, path);
  output.answer(made, () => {
    show(output, made);
    if (path === undefined && made.state === 'ready') output.line(`Save it with: svc export download ${made.id}`);
  });
  return EXIT.done;
}

/** Before anything is made or fetched. */
async function refuseToOverwrite(options: Options, path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) throw new CommandError(`${path} is a folder. Give the name of a file in it.`);
  if (found !== null && !options.flag('force')) throw new CommandError(`${path} is there already. --force overwrites it.`);
  const folder = dirname(path);
  if (
    !(await stat(folder).then(
      (it) => it.isDirectory(),
      () => false,
    ))
  )
    throw new CommandError(`There is no folder ${folder}.`);
}

/** Saves a bundle under `path` once it is whole and right. What has come of it so far is in `path.part`, and goes on from there. */
async function save(
  { svc, output, signal }: Pick<Context, 'svc' | 'output' | 'signal'>,
  made: types.Export,
  path: string,
): Promise<void> {
  if (made.download === null)
    throw new CommandError(
      `The export ${made.id} is ${made.state}, and cannot be downloaded. ${made.error ?? 'svc export get shows how far it is.'}`,
    );
  const { bytes, sha256 } = made.download;
  const part = `${path}.part`;
  await fetchWhole({ svc: svc(), output, signal }, made.id, bytes, part);
  if ((await digestOf(part)) !== sha256) {
    // What was there before may have been of another bundle, or damaged.
    await rm(part);
    await fetchWhole({ svc: svc(), output, signal }, made.id, bytes, part);
    if ((await digestOf(part)) !== sha256)
      throw new CommandError(`What was downloaded is not what the service made: its digest is wrong. Look at ${part}.`);
  }
  await rename(part, path);
  output.note(`Saved ${path}, ${bytesText(bytes)}. Check it with: svc audit verify ${path} --key keys.txt`);
}

interface Download {
  readonly svc: Svc;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Until `part` has all its bytes; goes on after breaks, but not after many of them that brought nothing. */
async function fetchWhole({ svc, output, signal }: Download, id: string, bytes: number, part: string): Promise<void> {
  let idle = 0;
  for (let have = await sizeOf(part); have !== bytes;) {
    // More than there is to come cannot be of this bundle.
    const from = have > bytes ? 0 : have;
    try {
      const stream = await svc.exports.download(id, from === 0 ? {} : { headers: { range: `bytes=${from}-` } });
      await append(stream, part, from, bytes, output);
    } catch (err) {
      signal.throwIfAborted();
      if (!(err instanceof ConnectionError)) throw err;
    }
    have = await sizeOf(part);
    idle = have > from ? 0 : idle + 1;
    if (idle >= IDLE_BREAKS_MAX)
      throw new CommandError(
        `The download broke off at ${bytesText(have)}. Run it again: it goes on from there.`,
        EXIT.unreached,
      );
    if (have !== bytes) await wait(BREAK_WAIT_MS, undefined, { signal });
  }
}

async function append(
  stream: ReadableStream<Uint8Array>,
  part: string,
  from: number,
  bytes: number,
  output: Output,
): Promise<void> {
  const file = await open(part, from === 0 ? 'w' : 'r+', 0o600);
  let at = from;
  try {
    for await (const chunk of stream) {
      at += (await file.write(chunk, 0, chunk.length, at)).bytesWritten;
      output.progress(`${bytesText(at)} of ${bytesText(bytes)}, ${Math.floor((at / bytes) * 100)} %`);
    }
  } finally {
    await file.close();
    output.progress(null);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function show(output: Output, made: types.Export): void {
  output.fields([
    ['id', made.id],
    ['state', tonedState(made.state)],
    ['format', made.format],
    ['since', made.since],
    ['until', made.until],
    ['kinds', made.kinds === null ? null : made.kinds.join(', ')],
    ['progress', made.state === 'running' ? `${made.progress.percent} %` : null],
    ['events', String(made.events)],
    ['tree size', made.tree_size === null ? null : String(made.tree_size)],
    ['size', made.download === null ? null : bytesText(made.download.bytes)],
    ['sha256', made.download === null ? null : made.download.sha256],
    ['expires', made.expires_at === null ? null : `${made.expires_at} (${ago(made.expires_at)})`],
    ['error', made.error],
  ]);
}

function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
