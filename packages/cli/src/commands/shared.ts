// What commands share: reading what was given, times, and lists of changes.

import { readFile } from 'node:fs/promises';
import { askHidden } from '../ask.ts';
import type { Context, Option, Options } from '../command.ts';
import { CommandError, UsageError } from '../faults.ts';
import { EVENT_KINDS } from './event-kinds.ts';

/** `members` without those that are `undefined`: absent is not null on the wire. */
export function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The option, or a `UsageError` that asks for it. */
export function required(options: Options, name: string, example: string): string {
  const value = options.text(name);
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing. Give it as in: ${example}`);
  return value;
}

const TIME_MS_MAX = Date.parse('9999-12-31T23:59:59.999Z');
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time of the API: `2026-11-22`, `2026-11-22T08:00:00Z`, or how long ago: `30min`, `24h`, `7d`. `direction`: 1 is ahead. */
export function timeOf(options: Options, name: string, direction: 1 | -1 = -1, nowMs: number = Date.now()): string | undefined {
  const given = options.text(name);
  if (given === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,6}) ?(s|min|h|d|w)$/.exec(given) ?? [];
  const ms =
    amount !== undefined
      ? nowMs + direction * Number(amount) * UNIT_MS[unit!]!
      : /^\d{4}-\d\d-\d\d/.test(given)
        ? Date.parse(given)
        : Number.NaN;
  if (Number.isNaN(ms))
    throw new UsageError(
      `--${name} '${given}' is no time. Give 2026-11-22, 2026-11-22T08:00:00Z, or a length such as 24h or 7d.`,
    );
  if (ms < 0 || ms > TIME_MS_MAX)
    throw new UsageError(`--${name} '${given}' is too far away: give a time between 1970 and 9999.`);
  return new Date(ms).toISOString();
}

/** The text of a file, without a byte order mark; `-`: of stdin. Throws a `CommandError` that names the file, also where it is not UTF-8. */
export async function readInput({ stdin }: Pick<Context, 'stdin'>, path: string): Promise<string> {
  const bytes = await readInputBytes({ stdin }, path);
  const text = textOf(bytes);
  if (text === null) throw notUtf8(path, bytes);
  return text;
}

/** UTF-8 without a byte order mark; `null`: it is none. What cannot be read is never passed for another text. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The error of a file that is not UTF-8. `bytes`: its beginning. */
export function notUtf8(path: string, bytes: Uint8Array): CommandError {
  const hint = isUtf16(bytes) ? ' It is UTF-16: iconv -f UTF-16 -t UTF-8 makes UTF-8 of it.' : '';
  return new CommandError(`${path === '-' ? 'stdin' : path} is not UTF-8.${hint}`);
}

/** By its byte order mark. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** As `readInput`, byte for byte. */
export async function readInputBytes({ stdin }: Pick<Context, 'stdin'>, path: string): Promise<Buffer> {
  if (path === '-') {
    if (stdin.isTTY) process.stderr.write('Reading from the terminal. End with Ctrl-D.\n');
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer));
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(path);
  } catch (err) {
    throw unreadable(path, err);
  }
}

function unreadable(path: string, err: unknown): CommandError {
  const code = err instanceof Error && 'code' in err ? err.code : undefined;
  const why =
    code === 'ENOENT'
      ? 'There is no such file.'
      : code === 'EISDIR'
        ? 'It is a folder.'
        : code === 'EACCES'
          ? 'You may not read it.'
          : String(err);
  return new CommandError(`${path} cannot be read. ${why}`, undefined, { cause: err });
}

/** A JSON object from a file or stdin. */
export async function readObject(context: Pick<Context, 'stdin'>, path: string): Promise<Record<string, unknown>> {
  const name = path === '-' ? 'stdin' : path;
  let value: unknown;
  try {
    value = JSON.parse(await readInput(context, path));
  } catch (err) {
    if (err instanceof CommandError) throw err;
    throw new CommandError(`${name} is not JSON: ${(err as Error).message}`, undefined, { cause: err });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandError(`${name} is not a JSON object.`);
  return value as Record<string, unknown>;
}

/** `--event`, repeated; `*` too. Throws a `UsageError` for a kind that there is not. */
export const EVENTS_OPTION: Option = {
  kind: 'text',
  meaning: "A kind of events; '*' is all but inference.allowed and telemetry.received. May be repeated",
  placeholder: '<kind>',
  isRepeated: true,
  choices: ['*', ...EVENT_KINDS],
};

/** A secret from a file, or from stdin; on a terminal it is asked for by `name`, and not shown. A newline behind it is not part of it. */
export async function readSecret(context: Pick<Context, 'stdin' | 'signal'>, path: string, name: string): Promise<string> {
  const isTyped = path === '-' && context.stdin.isTTY;
  return (isTyped ? await askHidden(context, `${name} (not shown): `) : await readInput(context, path)).trim();
}

/** `readSecret`, which must not be empty. */
export async function secretFrom(context: Pick<Context, 'stdin' | 'signal'>, path: string): Promise<string> {
  const secret = await readSecret(context, path, 'Secret');
  if (secret === '') throw new CommandError(`${path === '-' ? 'stdin' : path} is empty.`);
  return secret;
}
