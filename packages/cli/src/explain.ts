// What went wrong, in one line with the next step, and the exit code.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError, EXIT, UsageError } from './faults.ts';

export interface Explained {
  /** Stable, for programs: of the API, or of svc itself. */
  readonly code: string;
  readonly message: string;
  /** Of the service; `null`: it was not reached, or had no part in it. */
  readonly requestId: string | null;
  readonly details: readonly { readonly pointer: string; readonly message: string }[];
  readonly exitCode: number;
}

const CODES: Readonly<Record<number, string>> = {
  [EXIT.no]: 'no',
  [EXIT.refused]: 'not_signed_in',
  [EXIT.notFound]: 'not_found',
  [EXIT.usage]: 'usage',
  [EXIT.unreached]: 'unreached',
  [EXIT.interrupted]: 'interrupted',
  [EXIT.closed]: 'output_closed',
};

/** Of whatever a command threw. `isKeyGiven`: the key is that of the environment. */
export async function explain(err: unknown, isKeyGiven: boolean): Promise<Explained> {
  const own = { requestId: null, details: [] };
  if (err instanceof UsageError) return { ...own, code: 'usage', message: err.message, exitCode: EXIT.usage };
  if (err instanceof CommandError) {
    return { ...own, code: CODES[err.exitCode] ?? 'failed', message: err.message, exitCode: err.exitCode };
  }
  const { ApiError, ConnectionError, SvcError, TimeoutError } = await import('@svc/client');
  if (err instanceof ApiError) {
    const { code, requestId, details } = err;
    return { code, requestId, details, message: sentenceOf(err, isKeyGiven), exitCode: exitCodeOf(err.status) };
  }
  if (err instanceof TimeoutError) {
    return {
      ...own,
      code: 'timeout',
      message: `${placeOf(err)} did not answer in time. svc status tells how it is.`,
      exitCode: EXIT.unreached,
    };
  }
  if (err instanceof ConnectionError) {
    const message = `${placeOf(err)} was not reached${causeOf(err)}. Is it running? Start it with npm start, or name another with --base-url.`;
    return { ...own, code: 'unreached', message, exitCode: EXIT.unreached };
  }
  if (err instanceof SvcError) return { ...own, code: 'failed', message: withOptionNames(err.message), exitCode: EXIT.failed };
  return { ...own, code: 'failed', message: systemSentence(err), exitCode: EXIT.failed };
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 401:
    case 403:
      return EXIT.refused;
    case 404:
      return EXIT.notFound;
    case 429:
      return EXIT.rateLimited;
    default:
      return EXIT.failed;
  }
}

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly pointer: string; readonly message: string }[];
  readonly retryAfter: number | null;
}

function sentenceOf({ status, code, message, details, retryAfter }: Refused, isKeyGiven: boolean): string {
  const said = withOptionNames(/[.?!]$/.test(message) ? message : `${message}.`);
  switch (code) {
    case 'unauthorized':
    case 'token_expired':
      return `${said} ${isKeyGiven ? 'The key is that of SVC_API_KEY.' : 'Sign in again: svc login'}`;
    case 'insufficient_permissions':
      return `${said} svc status shows what the key may do; svc login takes another.`;
    case 'precondition_failed':
      return `${said} Read it again, then repeat the change.`;
    case 'invalid_request': {
      const shown = details.slice(0, 3).map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`));
      const more = details.length > 3 ? ` And ${details.length - 3} more.` : '';
      return shown.length === 0 ? said : `${said} ${shown.join('; ')}${more}`;
    }
    case 'rate_limited':
      return `${said}${retryAfter === null ? '' : ` Try again in ${retryAfter} s.`}`;
    default:
      return status >= 500 ? `${said} The log of the service says why.` : said;
  }
}

/** What the library calls an option, as it is called here. */
function withOptionNames(message: string): string {
  return message.replaceAll('baseUrl', '--base-url');
}

/** The service as the connection names it: `The service at http://…`. */
function placeOf(err: Error): string {
  const at = connectionOf(err);
  return at === null ? 'The service' : `The service at ${at}`;
}

const places = new WeakMap<Error, string>();

/** Remembers which service `err` is about. */
export function placed(err: Error, baseUrl: string): void {
  places.set(err, baseUrl);
}

function connectionOf(err: Error): string | null {
  for (let at: unknown = err; at instanceof Error; at = at.cause) {
    const place = places.get(at);
    if (place !== undefined) return place;
  }
  return null;
}

/** ` (ECONNREFUSED)`, or nothing. */
function causeOf(err: Error): string {
  for (let at: unknown = err.cause; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z_]+$/.test(at.code)) return ` (${at.code})`;
  }
  return '';
}

/** Of a fault of the system, such as a file that cannot be read. */
function systemSentence(err: unknown): string {
  if (!(err instanceof Error)) return `Something failed: ${String(err)}`;
  const { code, path } = err as NodeJS.ErrnoException;
  if (path !== undefined && code === 'ENOENT')
    return existsSync(dirname(path)) ? `There is no file ${path}.` : `There is no folder ${dirname(path)}.`;
  if (code === 'EISDIR') return `${path ?? 'What was named'} is a folder, not a file.`;
  if (code === 'ENOSPC') return `No space is left on the disk${path === undefined ? '' : ` for ${path}`}.`;
  // An answer of another shape than that of the service, which is read member by member.
  if (err instanceof TypeError && code === undefined)
    return 'The answer does not look like one of svc. Is --base-url right, and the service not older than this command?';
  if (path !== undefined && code !== undefined) return `${path} cannot be used (${code}).`;
  return err.message.split('\n')[0]!;
}
