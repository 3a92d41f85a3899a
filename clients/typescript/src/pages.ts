// Lists: await one for its first page, or go over it for all that there is.

import { SvcError } from './errors.ts';

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

function nextCursor({ next_cursor: cursor }: Page<unknown>): string {
  // What is missing must not look like the end.
  if (typeof cursor !== 'string' || cursor === '') throw new SvcError('The service says that there is more, but not where.');
  return cursor;
}

/** `for await (const item of list)` asks for further pages as they are needed; `await list` is the first page. */
export class Pages<Item> implements AsyncIterable<Item>, PromiseLike<Page<Item>> {
  readonly #read: (cursor: string | null) => Promise<Page<Item>>;
  readonly #cursorAfter: (page: Page<Item>) => string | null;

  /** `cursorAfter`: what leads to the page after one that says there is more; `null`: nothing does. */
  constructor(
    read: (cursor: string | null) => Promise<Page<Item>>,
    cursorAfter: (page: Page<Item>) => string | null = nextCursor,
  ) {
    this.#read = read;
    this.#cursorAfter = cursorAfter;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | null = null;
    const asked = new Set<string>();
    do {
      const page: Page<Item> = await this.#page(cursor);
      yield page;
      cursor = page.has_more ? this.#cursorAfter(page) : null;
      // Else it would go on for ever.
      if (cursor !== null && asked.has(cursor)) throw new SvcError('The service answered the same page again.');
      if (cursor !== null) asked.add(cursor);
    } while (cursor !== null);
  }

  /** The first `max` items. Asks for no page more than it needs. */
  async toArray(max: number): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a list is awaited for its first page
  then<Fulfilled = Page<Item>, Rejected = never>(
    onFulfilled?: ((page: Page<Item>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#page(null).then(onFulfilled, onRejected);
  }

  async #page(cursor: string | null): Promise<Page<Item>> {
    const page = await this.#read(cursor);
    if (!Array.isArray(page.data))
      throw new SvcError('The service answered with what is not a page of a list. Is baseUrl right?');
    return page;
  }
}
