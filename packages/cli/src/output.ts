// What a command prints: tables and blocks for people, JSON for programs. Strings are made harmless here, so that data of others cannot steer
// the terminal; colours are asked for by tone.

import { writeSync } from 'node:fs';
import { cut, harmless, jsonText, oneLine, pad, widthOf } from './text.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'strong';
export interface Toned {
  readonly tone: Tone;
  readonly text: string;
}
export type Text = string | Toned;

/** `text` in the colour of `tone`, where there are colours. */
export function toned(tone: Tone, text: string): Toned {
  return { tone, text };
}

/** The tone of an outcome, a severity or a state, as it is on the wire. */
export function tonedState(state: string): Text {
  const tone = STATES[state];
  return tone === undefined ? state : { tone, text: state };
}

const STATES: Readonly<Record<string, Tone>> = {
  allowed: 'good',
  flagged: 'warn',
  blocked: 'bad',
  low: 'dim',
  medium: 'warn',
  high: 'bad',
  critical: 'bad',
  healthy: 'good',
  stale: 'warn',
  skewed: 'warn',
  offline: 'bad',
  active: 'good',
  paused: 'bad',
  succeeded: 'good',
  failed: 'bad',
  pending: 'warn',
  in_flight: 'warn',
  parked: 'warn',
  cancelled: 'dim',
  watching: 'good',
  learning: 'dim',
  suspect: 'warn',
  sustained: 'bad',
  ready: 'good',
  error: 'bad',
  warning: 'warn',
};

export interface Column<Row> {
  /** In the first line: `ID`. */
  readonly name: string;
  cell(row: Row): Text;
  /** Where there is no room for all, columns of the lowest number are left out first. Ids have the highest. */
  readonly importance: number;
  /** It may be cut, down to these columns, before another is left out. Never for ids. */
  readonly widthMin?: number;
  readonly isRight?: boolean;
}

/** A list as a command has it, whole or a page of it. */
export interface List<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly fd: number;
}

const WIDTH_UNKNOWN = 80;
const GAP = '  ';
const SGR: Readonly<Record<Tone, string>> = { good: '32', warn: '33', bad: '31', dim: '2', strong: '1' };

export class Output {
  /** For programs: stdout has nothing but JSON. */
  readonly isJson: boolean;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  readonly #hasColour: { readonly stdout: boolean; readonly stderr: boolean };
  readonly #onClosed: () => void;
  #progressIsShown = false;
  #isClosed = false;

  constructor(options: {
    readonly stdout: Stream;
    readonly stderr: Stream;
    readonly isJson: boolean;
    /** False: `--no-color`, or `NO_COLOR` in the environment. */
    readonly hasColour: boolean;
    /** Where the terminal does not say. */
    readonly columns?: number | undefined;
    /** Whoever read stdout went away, as `head` does. What is printed from then on goes nowhere. */
    readonly onClosed?: (() => void) | undefined;
  }) {
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    this.isJson = options.isJson;
    this.isTerminal = options.stdout.isTTY === true;
    this.width = options.stdout.columns ?? options.columns ?? WIDTH_UNKNOWN;
    this.#hasColour = {
      stdout: options.hasColour && this.isTerminal,
      stderr: options.hasColour && options.stderr.isTTY === true,
    };
    this.#onClosed = options.onClosed ?? (() => {});
  }

  /** Whether what is printed has colours; else it needs marks of another kind. */
  get hasColour(): boolean {
    return this.#hasColour.stdout;
  }

  /** Whether nobody reads stdout any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A line for people, put together of pieces. Line feeds in it are kept. */
  line(...pieces: readonly Text[]): void {
    this.#write(this.#stdout, `${pieces.map((piece) => this.#painted(piece, harmless)).join('')}\n`);
  }

  /** One JSON value: indented on a terminal, else in a line. */
  json(value: unknown): void {
    this.#write(this.#stdout, `${jsonText(value, this.isTerminal ? 2 : 0)}\n`);
  }

  /** One of many JSON values, in a line of its own. */
  jsonLine(value: unknown): void {
    this.#write(this.#stdout, `${jsonText(value)}\n`);
  }

  /** Documents, bytes, keys: as they are, but for a text on a terminal, which is made harmless. */
  raw(content: string | Uint8Array): void {
    this.#write(this.#stdout, typeof content === 'string' && this.isTerminal ? harmless(content) : content);
  }

  /** With `--json` the value, else whatever `show` prints. */
  answer(value: unknown, show: () => void): void {
    if (this.isJson) this.json(value);
    else show();
  }

  /** With `--json` `{"data": […], "next_cursor"}`, else a table, or the sentence `whenEmpty`. */
  list<Row>(list: List<Row>, columns: readonly Column<Row>[], whenEmpty: string): void {
    if (this.isJson) return this.json({ data: list.data, next_cursor: list.next_cursor });
    if (list.data.length === 0) return this.line(whenEmpty);
    this.table(columns, list.data);
    if (list.next_cursor !== null) this.note(`There are more: --cursor ${list.next_cursor}, or a greater --limit.`);
  }

  /** A table that fits the terminal. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const all = columns.map((column) => {
      const cells = rows.map((row) => plainCell(column.cell(row)));
      const width = Math.max(widthOf(column.name), ...cells.map(({ text }) => widthOf(text)));
      return { column, cells, width };
    });
    const shown = fitted(all, this.width);
    const lineOf = (cellOf: (of: (typeof shown)[number]) => Toned | { tone: null; text: string }) =>
      shown
        .map((of, i) => {
          const { tone, text } = cellOf(of);
          const padded =
            i === shown.length - 1 && of.column.isRight !== true
              ? cut(text, of.width)
              : pad(cut(text, of.width), of.width, of.column.isRight === true ? 'start' : 'end');
          return this.#painted(tone === null ? padded : { tone, text: padded }, (same) => same);
        })
        .join(GAP)
        .trimEnd();
    const lines = [
      lineOf(({ column }) => ({ tone: 'dim', text: column.name })),
      ...rows.map((_, i) => lineOf(({ cells }) => cells[i]!)),
    ];
    this.#write(this.#stdout, `${lines.join('\n')}\n`);
  }

  /** Names and values under each other. A value that is `null` is left out. */
  fields(fields: readonly (readonly [name: string, value: Text | readonly Text[] | null])[]): void {
    const shown = fields.filter(([, value]) => value !== null);
    const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
    for (const [name, value] of shown) {
      const pieces = Array.isArray(value) ? (value as readonly Text[]) : [value as Text];
      const text = pieces.map((piece) => this.#painted(piece, harmless)).join('');
      const indented = text.replaceAll('\n', `\n${' '.repeat(width + GAP.length)}`);
      this.#write(this.#stdout, `${this.#painted(toned('dim', pad(name, width)), (same) => same)}${GAP}${indented}\n`);
    }
  }

  /** A line beside the output, on stderr; with `--json` it is `{"note"}`, as all there is JSON then. */
  note(...pieces: readonly Text[]): void {
    this.progress(null);
    const line = this.isJson
      ? jsonText({ note: pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('') })
      : pieces.map((piece) => this.#painted(piece, oneLine, 'stderr')).join('');
    this.#write(this.#stderr, `${line}\n`);
  }

  /** For programs, on stderr. */
  failure(value: unknown): void {
    this.progress(null);
    this.#write(this.#stderr, `${jsonText(value)}\n`);
  }

  /** A line on stderr that is written anew each time; `null`: away with it. Only on a terminal. */
  progress(text: string | null): void {
    if (this.#stderr.isTTY !== true || (text === null && !this.#progressIsShown)) return;
    const shown = text === null ? '' : cut(oneLine(text), (this.#stderr.columns ?? WIDTH_UNKNOWN) - 1);
    this.#write(this.#stderr, `\r\x1b[K${shown}`);
    this.#progressIsShown = text !== null;
  }

  #painted(piece: Text, clean: (text: string) => string, stream: 'stdout' | 'stderr' = 'stdout'): string {
    if (typeof piece === 'string') return clean(piece);
    return this.#hasColour[stream] ? `\x1b[${SGR[piece.tone]}m${clean(piece.text)}\x1b[0m` : clean(piece.text);
  }

  #write(stream: Stream, content: string | Uint8Array): void {
    if (stream === this.#stdout) this.progress(null);
    if (stream === this.#stdout && this.#isClosed) return;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    try {
      // In order, and before the process ends, also into a pipe.
      for (let at = 0; at < bytes.length;) at += writeSome(stream.fd, bytes, at);
    } catch (err) {
      // Nobody is left to tell, as where the terminal was closed; the work goes on.
      if (stream === this.#stderr) return;
      if (!(err instanceof Error && 'code' in err && err.code === 'EPIPE')) throw err;
      this.#isClosed = true;
      this.#onClosed();
    }
  }
}

/** Bytes written. Waits for a reader that is slow. */
function writeSome(fd: number, bytes: Uint8Array, at: number): number {
  try {
    return writeSync(fd, bytes, at);
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'EAGAIN')) throw err;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return 0;
  }
}

function plainCell(cell: Text): Toned | { tone: null; text: string } {
  return typeof cell === 'string' ? { tone: null, text: oneLine(cell) } : { tone: cell.tone, text: oneLine(cell.text) };
}

interface Fitted {
  readonly column: { readonly importance: number; readonly widthMin?: number };
  readonly width: number;
}

/** The columns that fit into `width`: those that may be cut are, then the least important is left out, and again. */
function fitted<T extends Fitted>(all: readonly T[], width: number): T[] {
  let shown = [...all];
  for (;;) {
    const over = shown.reduce((sum, of) => sum + of.width, GAP.length * (shown.length - 1)) - width;
    if (over <= 0) return shown;
    const spare = shown.reduce((sum, of) => sum + spareOf(of), 0);
    if (spare >= over || shown.length === 1) return narrowed(shown, over);
    const least = shown.reduce((a, b) => (b.column.importance < a.column.importance ? b : a));
    shown = shown.filter((of) => of !== least);
  }
}

function spareOf({ column, width }: Fitted): number {
  return column.widthMin === undefined ? 0 : Math.max(0, width - column.widthMin);
}

/** Takes `over` columns from those that may be cut, the widest first. */
function narrowed<T extends Fitted>(columns: readonly T[], over: number): T[] {
  let left = over;
  const widths = new Map<T, number>(columns.map((of) => [of, of.width]));
  for (; left > 0; left--) {
    const cuttable = columns.filter((of) => spareOf({ column: of.column, width: widths.get(of)! }) > 0);
    if (cuttable.length === 0) break;
    const widest = cuttable.reduce((a, b) => (widths.get(b)! > widths.get(a)! ? b : a));
    widths.set(widest, widths.get(widest)! - 1);
  }
  return columns.map((of) => ({ ...of, width: widths.get(of)! }));
}
