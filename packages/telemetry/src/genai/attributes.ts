// Attributes as members of an event: whatever an instrumentation sends, within the bounds that an event has.

import type { Attributes, AttributeValue } from '../otlp/span.ts';
import { ATTRIBUTE_CHARS_MAX, ATTRIBUTES_MAX, NAME_CHARS_MAX, QUANTITY_MAX } from '../event.ts';

/** The first of `names` that holds a text, as a one-line label of at most `charsMax` UTF-16 units; `null` for none. */
export function labelOf(attributes: Attributes, names: readonly string[], charsMax = NAME_CHARS_MAX): string | null {
  for (const name of names) {
    const label = asLabel(attributes.get(name), charsMax);
    if (label !== null) return label;
  }
  return null;
}

// oxlint-disable-next-line no-control-regex -- these are what a label may not hold
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** `value` as a one-line label; `null` where it is no text or an empty one. */
export function asLabel(value: unknown, charsMax = NAME_CHARS_MAX): string | null {
  if (typeof value !== 'string') return null;
  // Cut before it is searched: an attribute may hold megabytes. Whole characters: half of one has no form to store.
  const line = value
    .slice(0, 2 * charsMax)
    .replaceAll(CONTROLS, ' ')
    .trim();
  const label = line.slice(0, isHigh(line.charCodeAt(charsMax - 1)) ? charsMax - 1 : charsMax).toWellFormed();
  return label === '' ? null : label;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The first of `names` that holds a count, from 0 to the bound of an event; `null` for none. */
export function countOf(attributes: Attributes, names: readonly string[]): number | null {
  const value = names.map((name) => attributes.get(name)).find(Number.isInteger);
  return typeof value === 'number' ? withinBounds(value) : null;
}

/** The first of `names` that holds seconds, in milliseconds. */
export function secondsAsMs(attributes: Attributes, names: readonly string[]): number | null {
  const value = names.map((name) => attributes.get(name)).find(Number.isFinite);
  return typeof value === 'number' ? withinBounds(value * 1000) : null;
}

/** A quantity as it is; `null` beyond the bounds of an event, where it tells of a fault and not of an inference. */
export function withinBounds(value: number): number | null {
  return value >= 0 && value <= QUANTITY_MAX ? value : null;
}

/** Of a span. By name: attributes may hold texts of the conversation in members that no one has told us of, and those are not kept. */
const KEPT_OF_SPAN = [
  'gen_ai.agent.name',
  'gen_ai.agent.version',
  'gen_ai.data_source.id',
  'gen_ai.output.type',
  'gen_ai.prompt.name',
  'gen_ai.request.choice.count',
  'gen_ai.request.frequency_penalty',
  'gen_ai.request.max_tokens',
  'gen_ai.request.presence_penalty',
  'gen_ai.request.seed',
  'gen_ai.request.stream',
  'gen_ai.request.temperature',
  'gen_ai.request.top_k',
  'gen_ai.request.top_p',
  'gen_ai.response.id',
  'gen_ai.tool.call.id',
  'gen_ai.tool.name',
  'gen_ai.tool.type',
  'gen_ai.usage.cache_creation.input_tokens',
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.reasoning.output_tokens',
  'server.address',
  'server.port',
];

/** Of a resource: which service, and where. */
const KEPT_OF_RESOURCE = [
  'deployment.environment.name',
  'deployment.environment',
  'service.instance.id',
  'service.name',
  'service.namespace',
  'service.version',
];

/** The attributes that an event keeps as they are; `null` for none. */
export function keptAttributes(span: Attributes, resource: Attributes): Record<string, string | number | boolean> | null {
  const kept = [...keptOf(span, KEPT_OF_SPAN), ...keptOf(resource, KEPT_OF_RESOURCE)];
  return kept.length === 0 ? null : Object.fromEntries(kept.slice(0, ATTRIBUTES_MAX));
}

function keptOf(attributes: Attributes, names: readonly string[]): [string, string | number | boolean][] {
  return names.flatMap((name) => {
    const value = asScalar(attributes.get(name));
    return value === null ? [] : [[name, value] satisfies [string, string | number | boolean]];
  });
}

function asScalar(value: AttributeValue | undefined): string | number | boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return asLabel(value, ATTRIBUTE_CHARS_MAX);
}
