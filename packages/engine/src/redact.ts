// Replaces what a policy redacts, leaving everything else of a request as it was sent.

import type { Finding } from './answer.ts';
import type { Inference } from './inference.ts';
import { pointerTo } from './json/pointer.ts';
import { partsOf } from './parts.ts';

/** What redaction needs of a finding. Those with another action than `redact` are passed over. */
export type Redactable = Pick<Finding, 'type' | 'location'> & { readonly action: string };

const MEMBERS = ['input', 'output', 'context', 'tool_calls'] as const;

/** Members of a request with findings replaced, in the shape they were sent; only those that changed. */
export type Redacted = Partial<Record<(typeof MEMBERS)[number], unknown>>;

/**
 * Replaces the spans of findings to redact by `[TYPE]`. Overlapping spans become one, named after the widest. Where a type
 * stands for more than one value in the inference they are numbered, `[EMAIL_1]`, the same value always alike.
 * `null` when nothing is to redact. The same inference and findings give the same result at any time; but findings that an
 * answer left out (`findings_total` above the list's length) would stay in the text.
 */
export function redactInference(inference: Inference, findings: readonly Redactable[]): Redacted | null {
  const spans = findings.filter(({ action, location }) => action === 'redact' && location.start < location.end);
  if (spans.length === 0) return null;
  const texts = redactTexts(inference, spans);
  const redacted: Redacted = {};
  for (const member of MEMBERS) {
    const pointer = `/${member}`;
    if ([...texts.keys()].some((changed) => changed === pointer || changed.startsWith(`${pointer}/`))) {
      redacted[member] = withTexts(inference[member], pointer, texts);
    }
  }
  return redacted;
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
function redactTexts(inference: Inference, spans: readonly Redactable[]): Map<string, string> {
  const byPointer = Map.groupBy(spans, ({ location }) => location.pointer);
  const texts = partsOf(inference).texts.filter(({ pointer }) => byPointer.has(pointer));
  const regions = texts.map(({ pointer }) => mergeSpans(byPointer.get(pointer)!));
  const placeholders = new Placeholders();
  texts.forEach(({ text }, i) =>
    regions[i]!.forEach((region) => placeholders.add(region.name, text.slice(region.start, region.end))),
  );
  return new Map(texts.map(({ pointer, text }, i) => [pointer, replaceRegions(text, regions[i]!, placeholders)]));
}

function mergeSpans(spans: readonly Redactable[]): Region[] {
  const sorted = spans.toSorted((a, b) => a.location.start - b.location.start || b.location.end - a.location.end);
  const regions: Region[] = [];
  for (const { type, location } of sorted) {
    const { start, end } = location;
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

/** Names for values, numbered in the order of the inference where one type stands for several. */
class Placeholders {
  readonly values = new Map<string, Map<string, number>>();

  add(name: string, value: string): void {
    const known = this.values.get(name) ?? new Map<string, number>();
    this.values.set(name, known);
    if (!known.has(value)) known.set(value, known.size + 1);
  }

  for(name: string, value: string): string {
    const known = this.values.get(name)!;
    return known.size === 1 ? `[${name}]` : `[${name}_${known.get(value)!}]`;
  }
}

/** A copy of `value` with the strings at the pointers of `texts` replaced. As deep as `partsOf` has gone at most. */
function withTexts(value: unknown, pointer: string, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(pointer) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => withTexts(item, pointerTo(pointer, i), texts));
  // fromEntries defines members, so one named `__proto__` stays a member.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTexts(member, pointerTo(pointer, name), texts)]),
  );
}
