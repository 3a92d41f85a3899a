// Server-sent events, as models stream: read from bytes, and written.

/** One event. */
export interface SseEvent {
  /** Its `event:` line; `null` without. */
  readonly name: string | null;
  readonly data: string;
}

/** A stream that holds more than this between two blank lines is none of a model. */
const EVENT_CHARS_MAX = 33_554_432;

const BLANK_CHARS_MAX = 4;

export class SseReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  /** Up to where `#rest` holds no blank line. */
  #searchedTo = 0;

  /** Takes the next bytes. Answers the events that are complete by now. Throws a RangeError for one that is too long. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What stands behind the last blank line: some servers leave the end out. */
  end(): SseEvent[] {
    return this.#take(`${this.#decoder.decode()}\n\n`);
  }

  #take(text: string): SseEvent[] {
    this.#rest += text;
    const events: SseEvent[] = [];
    for (;;) {
      // A carriage return at the end may be half of a line's end.
      const blankLine = /\r\n\r\n|\n\n|\r\r(?!\n|$)|\n\r\n/g;
      blankLine.lastIndex = this.#searchedTo;
      const blank = blankLine.exec(this.#rest);
      this.#searchedTo = blank === null ? Math.max(0, this.#rest.length - BLANK_CHARS_MAX) : 0;
      if (blank === null) break;
      const event = eventFrom(this.#rest.slice(0, blank.index));
      if (event !== null) events.push(event);
      this.#rest = this.#rest.slice(blank.index + blank[0].length);
    }
    if (this.#rest.length > EVENT_CHARS_MAX) throw new RangeError('an event of the stream is too long');
    return events;
  }
}

/** `null` for what holds no data, such as a comment. */
function eventFrom(block: string): SseEvent | null {
  let name: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (field === 'event') name = value!;
    else if (field === 'data') data.push(value!);
  }
  return data.length === 0 ? null : { name, data: data.join('\n') };
}

/** An event as it goes over the wire. */
export function writeEvent(data: unknown, name: string | null = null): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === null ? '' : `event: ${name}\n`}data: ${text}\n\n`;
}

export const DONE = '[DONE]';
