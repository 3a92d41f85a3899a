// What checks of payloads share: a list of faults, each naming its place.

export type Json = Readonly<Record<string, unknown>>;

/** Faults found so far. */
export class Faults {
  readonly found: string[] = [];

  /** Notes `fault` unless `isRight`; answers `isRight`. */
  expect(isRight: boolean, fault: string): boolean {
    if (!isRight) this.found.push(fault);
    return isRight;
  }

  /** A well-formed text of `charsMin` to `charsMax` UTF-16 units. */
  text(value: unknown, place: string, charsMin: number, charsMax: number): void {
    if (!this.expect(typeof value === 'string', `${place} is not a text`)) return;
    const { length } = value as string;
    this.expect(length >= charsMin && length <= charsMax, `${place} has ${length} characters, not ${charsMin} to ${charsMax}`);
    this.expect((value as string).isWellFormed(), `${place} has half a character`);
  }

  /** No members but those. */
  only(value: Json, place: string, members: readonly string[]): void {
    for (const name of Object.keys(value)) this.expect(members.includes(name), `${place} has an unknown member ${name}`);
  }

  oneOf(value: unknown, place: string, allowed: readonly unknown[]): void {
    this.expect(allowed.includes(value), `${place} is not one of ${allowed.join(', ')}`);
  }

  httpUrl(value: unknown, place: string): void {
    const protocol = typeof value === 'string' ? URL.parse(value)?.protocol : undefined;
    this.expect(protocol === 'https:' || protocol === 'http:', `${place} is not a URL`);
  }
}

/** The JSON object in `text`, or `null`. */
export function objectIn(text: string): Json | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** `value` if it is an object and no list, or `null`. */
export function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** `value` if it is a list, or an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
