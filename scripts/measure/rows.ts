// Reads rows of labelled data, one JSON object a line, without holding more than one line in memory.

import { isUtf8 } from 'node:buffer';

/** Part of a text. `start`, `end`: offsets in code points, end exclusive. `type` is one of the data's own, such as `EMAIL`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

/** What a score is asked for. All other members of a row are left unread, so that no label can reach the score. */
export interface Row {
  readonly id: string;
  readonly text: string;
  /** An evidence document or a system prompt, as the task has it. */
  readonly context?: string;
}

/** A row with what is known about it. */
export interface LabelledRow extends Row {
  readonly label: 0 | 1;
  readonly source: string;
  /** The source's own class, such as `prompt:maths`; empty where it has none. */
  readonly category: string;
  readonly spans: readonly Span[];
}

/** A line that is no row. `message` names the line and what is wrong, without quoting it. */
export class BadLine extends Error {
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}

/** The longest line that is read: the service takes bodies of 1 MiB, so a longer text is nothing it could be asked about. */
export const LINE_BYTES_MAX = 1_048_576;

const LINE_FEED = 0x0a;

/** The rows of `chunks`, in order, blank lines passed over. `parse` throws a sentence for what is no row; it comes out as `BadLine`. */
export async function* rowsOf<T>(chunks: AsyncIterable<Uint8Array>, parse: (value: unknown) => T): AsyncGenerator<T> {
  let number = 0;
  for await (const line of linesOf(chunks)) {
    number++;
    let row: T;
    try {
      if (line.length > LINE_BYTES_MAX) throw new Error(`longer than ${LINE_BYTES_MAX} bytes`);
      if (!isUtf8(line)) throw new Error('not UTF-8');
      // Also takes a byte order mark away.
      const text = line.toString().trim();
      if (text === '') continue;
      row = parse(valueOf(text));
    } catch (error) {
      throw new BadLine(number, (error as Error).message);
    }
    yield row;
  }
}

/** Lines as bytes, so that no character is cut in two. One that is too long comes out as far as it was read, and is the last. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([rest, chunk.subarray(from, end)]);
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > LINE_BYTES_MAX) break;
  }
  if (rest.length > 0) yield rest;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw new Error('not JSON');
  }
}

/** A row to score. Throws a sentence when a member is missing or of another type. */
export function parseRow(value: unknown): Row {
  const { id, text, context } = recordOf(value);
  if (typeof id !== 'string') throw new Error('`id` must be a string');
  if (typeof text !== 'string') throw new Error('`text` must be a string');
  if (context === undefined || context === null) return { id, text };
  if (typeof context !== 'string') throw new Error('`context` must be a string');
  return { id, text, context };
}

/** A row to judge a score by. Throws like `parseRow`. */
export function parseLabelledRow(value: unknown): LabelledRow {
  const { label, source, category, spans } = recordOf(value);
  if (label !== 0 && label !== 1) throw new Error('`label` must be 0 or 1');
  if (typeof source !== 'string') throw new Error('`source` must be a string');
  if (category !== undefined && typeof category !== 'string') throw new Error('`category` must be a string');
  if (spans !== undefined && !(Array.isArray(spans) && spans.every(isSpan))) {
    throw new Error('`spans` must be a list of {start, end, type}');
  }
  return { ...parseRow(value), label, source, category: category ?? '', spans: spans ?? [] };
}

function recordOf(value: unknown): Readonly<Partial<Record<keyof LabelledRow, unknown>>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object');
  return value;
}

function isSpan(value: unknown): value is Span {
  const { start, end, type } = (value ?? {}) as Partial<Record<keyof Span, unknown>>;
  return Number.isInteger(start) && Number.isInteger(end) && typeof type === 'string';
}
