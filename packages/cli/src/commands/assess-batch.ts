// Many inferences: lines of a file are sent in batches, a few at a time, and answered in their order.

import type { AssessmentBatchResult, Inference } from '@svc/client';
import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { Context } from '../command.ts';
import { EXIT } from '../faults.ts';
import { count } from '../text.ts';

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
const BOM = '\ufeff';

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
  const { svc, output, signal } = context;
  const client = svc();
  const { limits } = await client.organization.get();
  const size = Math.min(BATCH_SIZE_MAX, limits.batch_size);
  const tally = { allowed: 0, flagged: 0, blocked: 0, errors: 0 };
  const startedAt = performance.now();
  let done = 0;
  let lastLine = batch.skip;

  const print = (results: readonly Result[]) => {
    for (const result of results) {
      output.jsonLine(result);
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
    const answers =
      sent.length === 0 ? [] : (await client.assessments.createBatch({ items: sent }, { signal, timeoutMs: TIMEOUT_MS })).data;
    return resultsOf(items, answers);
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
    output.note(done === 0 ? 'Nothing was printed.' : `Printed up to line ${lastLine}. To go on: --skip ${lastLine}`);
    throw err;
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  output.note(
    `${count(done, 'line')}: ${tally.allowed} allowed, ${tally.flagged} flagged, ${tally.blocked} blocked, ${count(tally.errors, 'error')}, in ${seconds} s.`,
  );
  if (tally.errors > 0) return EXIT.failed;
  return (tally.blocked > 0 && isNo('blocked', failOn)) || (tally.flagged > 0 && isNo('flagged', failOn)) ? EXIT.no : EXIT.done;
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
  for await (const text of linesOf(stream.setEncoding('utf8') as AsyncIterable<string>)) {
    line++;
    const read = line === 1 && text.startsWith(BOM) ? text.slice(1) : text;
    // A blank line is no inference, but counts: numbers are those of an editor.
    if (line > skip && read.trim() !== '') yield itemOf(line, read, isText);
  }
}

/** Lines without their ends. Of one that is too long as much as shows that it is. */
async function* linesOf(stream: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = '';
  for await (const chunk of stream) {
    const pieces = chunk.split('\n');
    for (const [i, piece] of pieces.entries()) {
      if (begun.length <= LINE_BYTES_MAX) begun += piece;
      if (i === pieces.length - 1) break;
      yield begun.endsWith('\r') ? begun.slice(0, -1) : begun;
      begun = '';
    }
  }
  if (begun !== '') yield begun;
}

function itemOf(line: number, text: string, isText: boolean): Item {
  if (Buffer.byteLength(text) > LINE_BYTES_MAX) return { line, inference: null, fault: `Line ${line} is longer than 1 MiB.` };
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
