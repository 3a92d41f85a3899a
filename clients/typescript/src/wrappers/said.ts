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

/**
 * Objects and lists anew, so that nobody changes what was assessed before it is sent, and nothing is redacted in what is the caller's. Instances of
 * classes become what is sent of them. Bytes, and what shows no members, such as a `Blob` or a `URL`, are as they are.
 */
export function copyOf<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((each: unknown) => copyOf(each)) as Value;
  if (!isObject(value) || ArrayBuffer.isView(value)) return value;
  const members = Object.entries(value);
  if (members.length === 0) return value;
  return Object.fromEntries(members.map(([name, each]) => [name, copyOf(each)])) as Value;
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

/** Parts that are no text, or hold it in bytes. */
const BINARY: ReadonlySet<unknown> = new Set([
  'image_url',
  'input_audio',
  'file',
  'input_image',
  'input_file',
  'computer_screenshot',
]);

/** What a part of a message says. One that is not known is read wherever it holds a text. */
export function textsOfPart(part: Json): Text[] {
  const texts = [...textIn(part, 'text'), ...textIn(part, 'refusal')];
  return texts.length > 0 || BINARY.has(part['type']) ? texts : textsBesides(part, new Set(['type']));
}

/** All texts of `holder` but for those of the members `left`. */
export function textsBesides(holder: Json, left: ReadonlySet<string>): Text[] {
  return Object.keys(holder).flatMap((name) => (left.has(name) ? [] : textsWithin(holder, name)));
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

/** Texts that whoever reads them puts together, as one: what one of them begins another may end. */
export function asOne(texts: readonly Text[]): Text[] {
  if (texts.length < 2) return [...texts];
  const parts = texts.map(({ text }) => text);
  const put = (left: string) => sharesOf(parts, left).forEach((share, i) => share !== parts[i] && texts[i]!.put(share));
  return [{ text: parts.join(''), put }];
}

/** What stands for a text that was redacted. */
const PLACEHOLDER = /^\[[A-Z][A-Z0-9_]*\]/;
/** So many characters say where a text goes on behind a placeholder. */
const ANCHOR_CHARS = 24;

/**
 * What of `left`, which is the text of all `parts` together with some of it redacted, belongs to each. Together the shares are `left` in any case;
 * what was redacted across an end belongs to the part in which it begins.
 */
export function sharesOf(parts: readonly string[], left: string): string[] {
  const whole = parts.join('');
  const shares = parts.map(() => '');
  let part = 0;
  let end = parts[0]?.length ?? 0;
  /** Gives the part at `at` of the whole what stands in `left` from `from` to `to`. */
  const give = (at: number, from: number, to: number) => {
    while (at >= end && part < parts.length - 1) end += parts[++part]!.length;
    shares[part] += left.slice(from, to);
  };
  let at = 0;
  let done = 0;
  while (done < left.length) {
    const placeholder = whole[at] === left[done] ? undefined : PLACEHOLDER.exec(left.slice(done, done + 100))?.[0];
    if (whole[at] === left[done]) {
      give(at++, done, ++done);
      continue;
    }
    const to = placeholder === undefined ? left.length : done + placeholder.length;
    give(at, done, to);
    done = to;
    const anchor = left.slice(done, done + ANCHOR_CHARS).replace(/\[.*/s, '');
    const next = anchor === '' ? -1 : whole.indexOf(anchor, at + 1);
    if (next >= 0) at = next;
  }
  return shares;
}
