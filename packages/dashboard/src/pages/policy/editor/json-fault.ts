// Where a text stops being JSON, in words for who wrote it. Browsers say it in their own ways, and often without the place.

export interface Fault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const BLANK = /[ \t\r\n]/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = new Set(['true', 'false', 'null']);
/** What ends a word. */
const END = /[\s,:{}[\]"']/;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/;

/** The first thing that JSON does not take; `null`: it takes all. */
export function jsonFault(text: string): Fault | null {
  try {
    new Scanner(text).scan();
    return null;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

class Found extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    this.#value();
    this.#blanks();
    if (this.#at < this.#text.length) this.#fail('The document has ended before this.');
  }

  #value(): void {
    this.#blanks();
    const char = this.#text[this.#at];
    if (char === '{') this.#members('}', () => this.#member());
    else if (char === '[') this.#members(']', () => this.#value());
    else if (char === '"') this.#string();
    else this.#word();
  }

  #member(): void {
    this.#blanks();
    if (this.#text[this.#at] !== '"') this.#fail('A name stands in double quotes.');
    this.#string();
    this.#blanks();
    if (this.#text[this.#at] !== ':') this.#fail('A colon is missing before this.');
    this.#at++;
    this.#value();
  }

  #members(end: string, one: () => void): void {
    const start = this.#at++;
    this.#blanks();
    if (this.#text[this.#at] === end) {
      this.#at++;
      return;
    }
    for (;;) {
      if (this.#at >= this.#text.length) this.#failAt(start, start + 1, `This is not closed: a ${end} is missing.`);
      one();
      this.#blanks();
      const char = this.#text[this.#at];
      if (char === end) break;
      if (char === undefined) this.#failAt(start, start + 1, `This is not closed: a ${end} is missing.`);
      if (char !== ',') this.#fail(char === '}' || char === ']' ? `A ${end} is meant here.` : 'A comma is missing before this.');
      const comma = this.#at++;
      this.#blanks();
      if (this.#text[this.#at] === end)
        this.#failAt(comma, comma + 1, 'A comma stands between two only: nothing follows this one.');
    }
    this.#at++;
  }

  #string(): void {
    const start = this.#at++;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || char === '\n') this.#failAt(start, this.#at, 'This text is not closed: a " is missing.');
      if (char === '"') break;
      if (char === '\\') {
        const escape = ESCAPE.exec(this.#text.slice(this.#at, this.#at + 6))?.[0];
        if (escape === undefined)
          this.#failAt(this.#at, this.#at + 2, 'JSON does not know this escape. A backslash itself is written \\\\.');
        this.#at += escape.length;
      } else {
        if (char < ' ')
          this.#failAt(
            this.#at,
            this.#at + 1,
            'Within a text a tab or another control character is written as an escape, such as \\t.',
          );
        this.#at++;
      }
    }
    this.#at++;
  }

  #word(): void {
    const start = this.#at;
    const first = this.#text[start];
    if (first === undefined) this.#failAt(Math.max(0, start - 1), start, 'A value is missing at the end.');
    if (first === "'") this.#fail('Texts and names stand in double quotes, not in single ones.');
    if (first === '#' || this.#text.startsWith('//', start) || this.#text.startsWith('/*', start))
      this.#fail('JSON has no comments. YAML has.');
    while (this.#at < this.#text.length && !END.test(this.#text[this.#at]!)) this.#at++;
    const word = this.#text.slice(start, this.#at);
    if (word === '') this.#fail('A value is missing before this.');
    if (WORDS.has(word)) return;
    if (!NUMBER.test(word))
      this.#failAt(
        start,
        this.#at,
        /^[-+.\d]/.test(word) ? 'JSON does not take this as a number.' : 'A text stands in double quotes.',
      );
  }

  #blanks(): void {
    while (this.#at < this.#text.length && BLANK.test(this.#text[this.#at]!)) this.#at++;
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (rest.startsWith('#') || rest === '//' || rest === '/*') this.#fail('JSON has no comments. YAML has.');
  }

  #fail(message: string): never {
    return this.#failAt(this.#at, this.#at + 1, message);
  }

  #failAt(from: number, to: number, message: string): never {
    throw new Found({ from, to, message });
  }
}
