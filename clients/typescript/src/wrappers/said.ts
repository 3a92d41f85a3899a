// Texts of a vendor's request or answer: where they stand, and how another is put in their place.

import type { ContentPart, Message } from '../generated/types.ts';

export interface Text {
  readonly text: string;
  readonly put: (text: string) => void;
}

/** What one speaker says. `unread`: parts that are no text, such as images, which make the coverage partial. */
export interface Said {
  readonly role: Message['role'];
  readonly texts: readonly Text[];
  readonly unread: readonly ContentPart[];
}

export type Json = Record<string, unknown>;

/** An assessment takes so many parts in a message. */
const TEXTS_MAX = 200;
/** Identifiers have at least so many digits; shorter numbers say nothing. */
const NUMBER_MIN = 1_000_000;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Plain objects and lists anew, so that nobody changes what was assessed before it is sent; all else as it is. */
export function copyOf<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((each: unknown) => copyOf(each)) as Value;
  const isPlain = isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
  if (!isPlain) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)])) as Value;
}

/** What `role` says, in as many messages as it needs. */
export function saying(role: Message['role'], texts: readonly Text[], unread: readonly string[] = []): Said[] {
  const said: Said[] = [];
  for (let at = 0; at < texts.length; at += TEXTS_MAX) said.push({ role, texts: texts.slice(at, at + TEXTS_MAX), unread: [] });
  if (unread.length > 0) said.push({ role, texts: [], unread: unread.slice(0, TEXTS_MAX).map((type) => ({ type })) });
  return said;
}

export function objectsIn(list: unknown): Json[] {
  return Array.isArray(list) ? (list as unknown[]).filter(isObject) : [];
}

/** `value` where it is a text that says something, else `fallback`. */
export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

/** The text in a member of `holder`; none where it is no text. */
export function textIn(holder: Json, name: string): Text[] {
  const text = holder[name];
  return typeof text === 'string' && text !== '' ? [{ text, put: (next) => void (holder[name] = next) }] : [];
}

/** All texts within a member of `holder`, and numbers that could be those of cards or accounts. */
export function textsWithin(holder: Json, name: string, onChange: () => void = () => {}): Text[] {
  const value = holder[name];
  const put = (next: string) => {
    holder[name] = next;
    onChange();
  };
  if (typeof value === 'string') return value === '' ? [] : [{ text: value, put }];
  if (typeof value === 'number') return Math.abs(value) >= NUMBER_MIN ? [{ text: String(value), put }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((each) => textsWithin(value as Json, each, onChange));
}

/** The same of a text that may be JSON, which it then stays. */
export function textsOfJson(holder: Json, name: string): Text[] {
  const written = holder[name];
  if (typeof written !== 'string') return textsWithin(holder, name);
  const root: Json = {};
  try {
    root['value'] = JSON.parse(written);
  } catch {
    return textIn(holder, name);
  }
  return textsWithin(root, 'value', () => (holder[name] = JSON.stringify(root['value'])));
}

/** Puts in the place of each text what is left of it. `redacted`: messages as `said` was sent; nothing where nothing was found. */
export function redactedTexts(said: readonly Said[], redacted: unknown): void {
  for (const [i, message] of ((redacted ?? []) as readonly Message[]).entries()) {
    for (const [j, { text, put }] of said[i]!.texts.entries()) {
      const left = (message.content as readonly ContentPart[])[j]!.text!;
      if (left !== text) put(left);
    }
  }
}
