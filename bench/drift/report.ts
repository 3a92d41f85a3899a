// What the benchmark prints, kept so that it can be written as a page as well.

/** One bar of the evaluation and whether it is met; null: there is none, the figure is only told. */
interface Bar {
  readonly test: string;
  readonly what: string;
  readonly measured: string;
  readonly bar: string;
  readonly isMet: boolean | null;
}

export class Report {
  readonly #lines: string[] = [];
  readonly #bars: Bar[] = [];

  /** Prints a line of Markdown. */
  say(line: string): void {
    this.#lines.push(line);
    console.log(line);
  }

  /** A table. Columns whose title begins with `>` are right-aligned. */
  table(titles: readonly string[], rows: readonly (readonly string[])[]): void {
    this.say(`| ${titles.map((title) => title.replace(/^>/, '')).join(' | ')} |`);
    this.say(`| ${titles.map((title) => (title.startsWith('>') ? '---:' : '---')).join(' | ')} |`);
    for (const row of rows) this.say(`| ${row.join(' | ')} |`);
    this.say('');
  }

  bar(test: string, what: string, measured: string, bar: string, isMet: boolean | null): void {
    this.#bars.push({ test, what, measured, bar, isMet });
  }

  /** The table of all bars. */
  bars(): string[] {
    const rows = this.#bars.map(
      ({ test, what, measured, bar, isMet }) =>
        `| ${test} | ${what} | ${measured} | ${bar} | ${isMet === null ? '–' : isMet ? 'met' : '**missed**'} |`,
    );
    return ['| test | what | measured | bar | |', '| --- | --- | ---: | ---: | --- |', ...rows, ''];
  }

  get missed(): number {
    return this.#bars.filter(({ isMet }) => isMet === false).length;
  }

  lines(): readonly string[] {
    return this.#lines;
  }
}

/** A whole number with thin groups, or a dash for none. */
export function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en').replaceAll(',', ' ') : '–';
}

export function percent(share: number): string {
  return Number.isFinite(share) ? `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)} %` : '–';
}
