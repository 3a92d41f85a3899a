// Canonical JSON (RFC 8785): one spelling for one value, so that digests of equal documents are equal.

/** Nesting beyond this is refused: no document of ours comes near it, and recursion needs a bound. */
const DEPTH_MAX = 1_000;

/**
 * `value` as RFC 8785 text: members sorted by UTF-16 code units, numbers and strings as ECMAScript writes them.
 * Members holding `undefined` are left out, as JSON does. Throws a TypeError for what JSON cannot say (NaN, infinities,
 * functions, bigints, `undefined` itself) and a RangeError beyond 1 000 levels of nesting; total for what `JSON.parse` gives
 * up to there. Lone surrogates, which the RFC refuses for want of a UTF-8 form, are written as escapes, `\ud800`.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > DEPTH_MAX) throw new RangeError(`nested deeper than ${DEPTH_MAX} levels`);
  if (value === null || value === true || value === false) return String(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object') return writeObject(value, depth);
  throw new TypeError(`JSON cannot hold a ${typeof value}`);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON cannot hold ${value}`);
  return JSON.stringify(value);
}

function writeObject(value: object, depth: number): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Default string order of JavaScript is that of UTF-16 code units, which the RFC asks for.
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member, depth + 1)}`).join(',')}}`;
}
