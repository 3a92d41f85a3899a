// Many inferences: lines of a file are sent in batches, a few at a time, and answered in their order.

import { ApiError, ConflictError, ConnectionError, RateLimitError, ServerError } from '@svc/client';
import type { AssessmentBatchResult, Inference, Svc } from '@svc/client';
import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../command.ts';
import { CommandError, EXIT } from '../faults.ts';
import { count } from '../text.ts';
import { isUtf16, notUtf8, textOf } from './shared.ts';

export const FAIL_ON = ['blocked', 'flagged', 'never'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** Whether `outcome` is what `--fail-on` asks for. */
export function isNo(outcome: string, failOn: FailOn): boolean {
  return failOn !== 'never' && (outcome === 'blocked' || (failOn === 'flagged' && outcome === 'flagged'));
}

/** A file of many. */
export interface Batch {
  /** `-`: stdin. */
  readonly path: string;
  /** Each line is a text; else a JSON value. */
  readonly isText: boolean;
  /** Lines to leave out at the beginning. */
  readonly skip: number;
}

/** Small enough that progress moves and little is done twice after an interruption. The plan may allow less. */
const BATCH_SIZE_MAX = 100;
/** Of one request: the service takes 8 MiB. */
const BATCH_BYTES_MAX = 6 * 1_048_576;
const LINE_BYTES_MAX = 1_048_576;
/** At a time. */
const REQUESTS_MAX = 3;
const TIMEOUT_MS = 120_000;
/** How long it goes on asking a service that answers nothing: a restart, an upgrade and a failover are shorter. */
const PATIENCE_MS = 300_000;
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 20_000;
/** A rate limit that asks for more is told at once. */
const RATE_LIMIT_S_MAX = 120;
/** Of a 429 that does not say how long. */
const RATE_LIMIT_S = 60;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface Item {
  readonly line: number;
  readonly inference: Inference | null;
  /** Why there is none. */
  readonly fault?: string;
}

type Answer = AssessmentBatchResult['data'][number];
type Result = { readonly line: number } & Pick<Answer, 'assessment' | 'error'>;

/** Prints a JSON line for each line of the file, and a summary on stderr. Answers the exit code. */
export async function assessBatch(context: Context, batch: Batch, failOn: FailOn): Promise<number> {
  const { svc, output } = context;
  const { limits } = await svc().organization.get();
  const create = patiently(context, svc());
  const size = Math.min(BATCH_SIZE_MAX, limits.batch_size);
  const tally = { allowed: 0, flagged: 0, blocked: 0, errors: 0 };
  const startedAt = performance.now();
  let done = 0;
  let lastLine = batch.skip;

  const print = (results: readonly Result[]) => {
    for (const result of results) {
      output.jsonLine(result);
      if (output.isClosed) throw new CommandError('stdout was closed before all was assessed.', EXIT.closed);
      tally[stateOf(result)]++;
      done++;
      lastLine = result.line;
    }
    const rate = Math.round(done / ((performance.now() - startedAt) / 1_000));
    output.progress(
      `${count(done, 'line')} · ${tally.blocked} blocked · ${tally.flagged} flagged · ${count(tally.errors, 'error')} · ${rate}/s`,
    );
  };
  const send = async (items: readonly Item[]): Promise<Result[]> => {
    const sent = items.flatMap(({ inference }) => (inference === null ? [] : [inference]));
    return resultsOf(items, sent.length === 0 ? [] : await create(sent));
  };

  try {
    // What was asked first is printed first; those behind it are under way meanwhile.
    const underWay: Promise<Result[]>[] = [];
    for await (const items of batchesOf(itemsOf(context, batch), size)) {
      const sending = send(items);
      // Whichever fails is seen when its turn comes.
      sending.catch(() => {});
      underWay.push(sending);
      if (underWay.length >= REQUESTS_MAX) print(await underWay.shift()!);
    }
    for (const sending of underWay) print(await sending);
  } catch (err) {
    if (done > 0) output.note(`Printed up to line ${lastLine}. To go on: --skip ${lastLine}`);
    throw err;
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  output.note(
    `${count(done, 'line')}: ${tally.allowed} allowed, ${tally.flagged} flagged, ${tally.blocked} blocked, ${count(tally.errors, 'error')}, in ${seconds} s.`,
  );
  if (tally.errors > 0) return EXIT.failed;
  return (tally.blocked > 0 && isNo('blocked', failOn)) || (tally.flagged > 0 && isNo('flagged', failOn)) ? EXIT.no : EXIT.done;
}

/**
 * Sends batches, again and again while the service restarts or is not reached, and while a rate limit says so. Each batch has one idempotency
 * key over all its tries: none is assessed twice. Throws what asking again does not mend.
 */
function patiently({ output, signal }: Context, svc: Svc): (items: readonly Inference[]) => Promise<readonly Answer[]> {
  let heardMs = performance.now();
  let isTroubled = false;
  let isLimited = false;
  return async (items) => {
    const idempotencyKey = crypto.randomUUID();
    const begunMs = performance.now();
    let isInFlight = false;
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)) {
      try {
        const options = { signal, timeoutMs: TIMEOUT_MS, maxRetries: 0, idempotencyKey };
        const { data } = await svc.assessments.createBatch({ items: [...items] }, options);
        if (isTroubled) output.note('The service is there again.');
        isTroubled = false;
        heardMs = performance.now();
        return data;
      } catch (err) {
        signal.throwIfAborted();
        const isLost = err instanceof ConnectionError || err instanceof ServerError;
        isInFlight ||= isLost;
        const isPassing = isLost || err instanceof RateLimitError || (isInFlight && err instanceof ConflictError);
        if (!isPassing || performance.now() - Math.max(heardMs, begunMs) > PATIENCE_MS) throw err;
        if (err instanceof RateLimitError) {
          const seconds = err.retryAfter ?? RATE_LIMIT_S;
          if (seconds > RATE_LIMIT_S_MAX) throw err;
          if (!isLimited) output.note(`Rate limit: waiting ${seconds} s.`);
          isLimited = true;
          pauseMs = Math.max(pauseMs, seconds * 1_000);
        } else if (isLost && !isTroubled) {
          isTroubled = true;
          output.note(`${err instanceof ApiError ? err.message : 'The service is not reached.'} Asking again …`);
        }
        await wait(pauseMs, undefined, { signal });
      }
    }
  };
}

function stateOf({ assessment }: Result): 'allowed' | 'flagged' | 'blocked' | 'errors' {
  if (assessment === undefined) return 'errors';
  // An outcome of a later version is not passed for harmless.
  return assessment.outcome === 'allowed' ? 'allowed' : assessment.outcome === 'blocked' ? 'blocked' : 'flagged';
}

function resultsOf(items: readonly Item[], answers: readonly Answer[]): Result[] {
  let next = 0;
  return items.map(({ line, inference, fault }) => {
    if (inference === null) return { line, error: { code: 'invalid_line', message: fault!, details: [] } };
    const answer = answers[next++];
    if (answer?.assessment !== undefined) return { line, assessment: answer.assessment };
    const error = answer?.error ?? { code: 'unknown', message: 'The service did not answer for this line.', details: [] };
    return { line, error };
  });
}

async function* itemsOf({ stdin, signal }: Context, { path, isText, skip }: Batch): AsyncGenerator<Item> {
  const stream = addAbortSignal(signal, path === '-' ? stdin : createReadStream(path));
  let line = 0;
  for await (const bytes of linesOf(stream as AsyncIterable<Buffer>)) {
    line++;
    if (line === 1 && isUtf16(bytes)) throw notUtf8(path, bytes);
    // A blank line is no inference, but counts: numbers are those of an editor.
    if (line > skip && bytes.length > 0 && textOf(bytes)?.trim() !== '') yield itemOf(line, bytes, isText);
  }
}

/** Lines without their ends. Of one that is too long as much as shows that it is. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    if (length <= LINE_BYTES_MAX) pieces.push(piece);
    length += piece.length;
  };
  const whole = () => {
    const line = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      yield whole();
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (length > 0) yield whole();
}

function itemOf(line: number, bytes: Buffer, isText: boolean): Item {
  if (bytes.length > LINE_BYTES_MAX) return { line, inference: null, fault: `Line ${line} is longer than 1 MiB.` };
  const text = textOf(bytes);
  if (text === null) return { line, inference: null, fault: `Line ${line} is not UTF-8.` };
  if (isText) return { line, inference: { input: text } };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, inference: null, fault: `Line ${line} is not JSON.` };
  }
  if (typeof value === 'string') return { line, inference: { input: value } };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { line, inference: value };
  return { line, inference: null, fault: `Line ${line} is neither an object with "input" or "output" nor a string.` };
}

/** Runs of items that fit into one request. */
async function* batchesOf(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const more = item.inference === null ? 0 : Buffer.byteLength(JSON.stringify(item.inference)) + 1;
    if (batch.length >= size || (batch.length > 0 && bytes + more > BATCH_BYTES_MAX)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
