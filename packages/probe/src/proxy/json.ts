// JSON as it is written: whether a parser sees all of it, and how to change values without touching the rest.

/** Where a value stands that holds no others. Offsets are UTF-16 units, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}
type Spans = Span | Spans[] | Map<string, Spans>;

/** Nesting beyond this is refused: no request of a client comes near it, and the walk over it is recursive. */
const DEPTH_MAX = 500;

/** A JSON text, read. */
export interface WrittenJson {
  readonly text: string;
  readonly value: unknown;
  /** An object names a member twice: of such two, one reader goes by the first and another by the last. */
  readonly hasDuplicates: boolean;
  /** Every number can be held by a double as it is written. */
  readonly isExact: boolean;
}

/** Reads `text`; `null`: it is no JSON, or nested deeper than 500 levels. */
export function readJson(text: string): WrittenJson | null {
  try {
    const value: unknown = JSON.parse(text);
    const scanner = new Scanner(text, false);
    scanner.value(0);
    return { text, value, hasDuplicates: scanner.hasDuplicates, isExact: scanner.isExact };
  } catch {
    return null;
  }
}

/** The text of `written` so that it says `after`, which differs from its value in values that hold no others: the rest stays as it was written. */
export function rewritten({ text }: Pick<WrittenJson, 'text'>, after: unknown): string {
  const spans = new Scanner(text, true).value(0);
  const changes = changesIn(spans, JSON.parse(text), after).toSorted((a, b) => a.start - b.start);
  let from = 0;
  const pieces = changes.map(({ start, end, value }) => {
    const piece = text.slice(from, start) + JSON.stringify(value);
    from = end;
    return piece;
  });
  return pieces.join('') + text.slice(from);
}

function changesIn(spans: Spans, before: unknown, after: unknown): (Span & { value: unknown })[] {
  if (Object.is(before, after)) return [];
  if (!Array.isArray(spans) && !(spans instanceof Map)) return [{ ...spans, value: after }];
  return [...spans.entries()].flatMap(([name, inner]) => changesIn(inner, memberOf(before, name), memberOf(after, name)));
}

function memberOf(value: unknown, name: string | number): unknown {
  return (value as Record<string | number, unknown>)[name];
}

/** Walks over a text that `JSON.parse` takes. By hand, because patterns run out of stack on strings of megabytes, which images are. */
class Scanner {
  hasDuplicates = false;
  isExact = true;
  readonly #text: string;
  readonly #keepsSpans: boolean;
  #at = 0;

  constructor(text: string, keepsSpans: boolean) {
    this.#text = text;
    this.#keepsSpans = keepsSpans;
  }

  value(depth: number): Spans {
    if (depth > DEPTH_MAX) throw new RangeError(`nested deeper than ${DEPTH_MAX} levels`);
    this.#skipSpace();
    const start = this.#at;
    const first = this.#text[start];
    if (first === '{') return this.#members(depth);
    if (first === '[') return this.#items(depth);
    if (first === '"') this.#skipString();
    else this.#skipPlain();
    return { start, end: this.#at };
  }

  #members(depth: number): Map<string, Spans> {
    const members = new Map<string, Spans>();
    const names = new Set<string>();
    for (this.#next(); this.#text[this.#at] !== '}'; this.#skipComma()) {
      const start = this.#at;
      this.#skipString();
      const name = JSON.parse(this.#text.slice(start, this.#at)) as string;
      if (names.has(name)) this.hasDuplicates = true;
      names.add(name);
      this.#skipSpace();
      this.#at++; // the colon
      const spans = this.value(depth + 1);
      if (this.#keepsSpans) members.set(name, spans);
    }
    this.#at++;
    return members;
  }

  #items(depth: number): Spans[] {
    const items: Spans[] = [];
    for (this.#next(); this.#text[this.#at] !== ']'; this.#skipComma()) {
      const spans = this.value(depth + 1);
      if (this.#keepsSpans) items.push(spans);
    }
    this.#at++;
    return items;
  }

  #next(): void {
    this.#at++;
    this.#skipSpace();
  }

  #skipComma(): void {
    this.#skipSpace();
    if (this.#text[this.#at] === ',') this.#next();
  }

  #skipSpace(): void {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
  }

  #skipString(): void {
    let end = this.#text.indexOf('"', this.#at + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text[at - 1 - backslashes] === '\\') backslashes++;
    return backslashes % 2 === 1;
  }

  #skipPlain(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !/[\s,\]}]/.test(this.#text[this.#at]!)) this.#at++;
    const token = this.#text.slice(start, this.#at);
    if (/^[-\d]/.test(token) && !isExact(token)) this.isExact = false;
  }
}

/** Whether a double says the same; `12.50` is `12.5`. */
function isExact(token: string): boolean {
  const shortest = /^[^e.]+\.\d+$/i.test(token) ? token.replace(/\.?0+$/, '') : token;
  return String(Number(token)) === shortest;
}
