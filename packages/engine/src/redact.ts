// Replaces what a policy redacts, leaving everything else of a request as it was sent.

import { createHash } from 'node:crypto';
import type { Finding } from './answer.ts';
import type { Inference } from './inference.ts';
import { pointerTo } from './json/pointer.ts';
import { isNumberOfLength, partsOf } from './parts.ts';

/** What redaction needs of a finding. Those with another action than `redact` are passed over. */
export type Redactable = Pick<Finding, 'type' | 'location'> & { readonly action: string };

const MEMBERS = ['input', 'output', 'context', 'tool_calls'] as const;
/** What is known before the model speaks is numbered first: a placeholder that was shown while it spoke must stay what it is. */
const NUMBERING = ['input', 'context', 'output', 'tool_calls'] as const;

/** Members of a request with findings replaced, in the shape they were sent; only those that changed. */
export type Redacted = Partial<Record<(typeof MEMBERS)[number], unknown>>;

/**
 * Replaces the spans of findings to redact by `[TYPE]`. Overlapping spans become one, named after the widest. Where a type
 * stands for more than one value in the inference, the second is `[TYPE_2]` and so on, the same value always alike.
 * `null` when nothing is to redact. The same inference and findings give the same result at any time; but findings that an
 * answer left out (`findings_total` above the list's length) would stay in the text. `placeholders`: those given before.
 */
export function redactInference(
  inference: Inference,
  findings: readonly Redactable[],
  placeholders = new Placeholders(),
): Redacted | null {
  const spans = findings.filter(({ action, location }) => action === 'redact' && location.start < location.end);
  if (spans.length === 0) return null;
  const texts = redactTexts(inference, spans, placeholders);
  const redacted: Redacted = {};
  for (const member of MEMBERS) {
    const pointer = `/${member}`;
    if ([...texts.keys()].some((changed) => changed === pointer || changed.startsWith(`${pointer}/`))) {
      redacted[member] = withTexts(inference[member], pointer, texts);
    }
  }
  return redacted;
}

/** A span to redact in a text. Offsets are UTF-16 units, end exclusive. */
export interface RedactedSpan {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** `text` with `spans` replaced as `redactInference` does. */
export function redactText(text: string, spans: readonly RedactedSpan[], placeholders: Placeholders): string {
  return replaceRegions(text, mergeSpans(spans), placeholders);
}

/** A stretch of a text to replace. */
interface Region {
  start: number;
  end: number;
  /** The name that stands in its place, and how wide the span was that gave it. */
  name: string;
  width: number;
}

/** New texts by pointer. */
function redactTexts(inference: Inference, spans: readonly Redactable[], placeholders: Placeholders): Map<string, string> {
  const byPointer = Map.groupBy(spans, ({ location }) => location.pointer);
  const texts = partsOf(inference).texts.filter(({ pointer }) => byPointer.has(pointer));
  const inOrder = NUMBERING.flatMap((member) => texts.filter(({ pointer }) => memberOf(pointer) === member));
  return new Map(
    inOrder.map(({ pointer, text }) => {
      const spansOfText = byPointer.get(pointer)!.map(({ type, location: { start, end } }) => ({ type, start, end }));
      return [pointer, redactText(text, spansOfText, placeholders)];
    }),
  );
}

function memberOf(pointer: string): string {
  return pointer.split('/', 2)[1]!;
}

function mergeSpans(spans: readonly RedactedSpan[]): Region[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const regions: Region[] = [];
  for (const { type, start, end } of sorted) {
    const width = end - start;
    const last = regions.at(-1);
    if (last === undefined || start >= last.end) {
      regions.push({ start, end, name: nameOf(type), width });
      continue;
    }
    last.end = Math.max(last.end, end);
    if (width > last.width) Object.assign(last, { name: nameOf(type), width });
  }
  return regions;
}

/** `aws_access_key_id` -> `AWS_ACCESS_KEY_ID`; ids of a policy's own rules may hold other characters. */
function nameOf(type: string): string {
  return type.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

function replaceRegions(text: string, regions: readonly Region[], placeholders: Placeholders): string {
  let replaced = '';
  let from = 0;
  for (const { start, end, name } of regions) {
    replaced += text.slice(from, start) + placeholders.for(name, text.slice(start, end));
    from = end;
  }
  return replaced + text.slice(from);
}

/** Each is remembered, by streams from one chunk to the next. */
const VALUES_PER_NAME_MAX = 1_000;
const VALUE_CHARS_MAX = 64;

/** Placeholders by name, then by value: the number of each. Plain JSON. */
export type GivenPlaceholders = readonly (readonly [name: string, values: readonly string[]])[];

/**
 * Names for values: `[EMAIL]` for the first of a name, `[EMAIL_2]` for the second, so that one that was shown never changes. From the 1 000th
 * on they share one.
 */
export class Placeholders {
  readonly #values = new Map<string, Map<string, number>>();

  constructor(given: GivenPlaceholders = []) {
    for (const [name, values] of given) this.#values.set(name, new Map(values.map((value, i) => [value, i + 1])));
  }

  get given(): GivenPlaceholders {
    return [...this.#values].map(([name, values]) => [name, [...values.keys()]]);
  }

  for(name: string, value: string): string {
    const known = this.#values.get(name) ?? new Map<string, number>();
    this.#values.set(name, known);
    const key = value.length <= VALUE_CHARS_MAX ? value : createHash('sha256').update(value).digest('base64');
    const number = known.get(key) ?? Math.min(known.size + 1, VALUES_PER_NAME_MAX);
    if (known.size < VALUES_PER_NAME_MAX) known.set(key, number);
    return number === 1 ? `[${name}]` : `[${name}_${number}]`;
  }
}

/** A copy of `value` with the strings at the pointers of `texts` replaced. As deep as `partsOf` has gone at most. */
function withTexts(value: unknown, pointer: string, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string' || isNumberOfLength(value)) return texts.get(pointer) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => withTexts(item, pointerTo(pointer, i), texts));
  // fromEntries defines members, so one named `__proto__` stays a member.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTexts(member, pointerTo(pointer, name), texts)]),
  );
}
