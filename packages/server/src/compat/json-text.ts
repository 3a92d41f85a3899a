// JSON as it is written: where each value stands in the text, so that one can be replaced and nothing else changes.

/** Where a value stands that holds no others. Offsets are UTF-16 units, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}
type Spans = Span | Spans[] | Map<string, Spans>;

const TOKEN = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/g;

/** A JSON text, read. */
export interface WrittenJson {
  readonly text: string;
  readonly spans: Spans;
  /** Whether a parser that goes by doubles and the last of equal members sees all that is written. */
  readonly isWhole: boolean;
}

/** Reads `text`, which `JSON.parse` takes and which is not nested thousands of levels deep. */
export function readWrittenJson(text: string): WrittenJson {
  const tokens = text.matchAll(TOKEN);
  const next = () => tokens.next().value!;
  let isWhole = true;
  const spansFrom = (token: RegExpExecArray): Spans => {
    if (token[0] === '{') return membersFrom();
    if (token[0] === '[') return itemsFrom();
    if (isNumber(token[0]) && !isExact(token[0])) isWhole = false;
    return { start: token.index, end: token.index + token[0].length };
  };
  const membersFrom = () => {
    const members = new Map<string, Spans>();
    for (let token = next(); token[0] !== '}'; token = next()) {
      if (token[0] === ',') continue;
      const name = JSON.parse(token[0]) as string;
      if (members.has(name)) isWhole = false;
      next(); // the colon
      members.set(name, spansFrom(next()));
    }
    return members;
  };
  const itemsFrom = () => {
    const items: Spans[] = [];
    for (let token = next(); token[0] !== ']'; token = next()) if (token[0] !== ',') items.push(spansFrom(token));
    return items;
  };
  return { text, spans: spansFrom(next()), isWhole };
}

function isNumber(token: string): boolean {
  return /^[-\d]/.test(token);
}

/** Whether a double says the same; `12.50` is `12.5`. */
function isExact(token: string): boolean {
  const shortest = /^[^e.]+\.\d+$/i.test(token) ? token.replace(/\.?0+$/, '') : token;
  return String(Number(token)) === shortest;
}

/** The text, which said `before`, so that it says `after`: the same but for values that hold no others. */
export function rewritten({ text, spans }: WrittenJson, before: unknown, after: unknown): string {
  const changes = changesIn(spans, before, after).toSorted((a, b) => a.start - b.start);
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

/** Whether each number of `value` can be written as it was sent: beyond these bounds a parser has rounded it. */
export function hasExactNumbers(value: unknown): boolean {
  const rest = [value];
  // Not recursive, for it may be nested thousands of levels deep.
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'number' && !(Number.isFinite(next) && (!Number.isInteger(next) || Number.isSafeInteger(next))))
      return false;
    if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) rest.push(member);
  }
  return true;
}
