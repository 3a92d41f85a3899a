// Lists: await one for its first page, or go over it for all that there is.

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** `for await (const item of list)` asks for further pages as they are needed; `await list` is the first page. */
export class Pages<Item> implements AsyncIterable<Item>, PromiseLike<Page<Item>> {
  readonly #read: (cursor: string | null) => Promise<Page<Item>>;

  constructor(read: (cursor: string | null) => Promise<Page<Item>>) {
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: Page<Item> = await this.#read(cursor);
      yield page;
      cursor = page.has_more ? page.next_cursor : null;
    } while (cursor !== null);
  }

  /** The first `max` items. */
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
    return this.#read(null).then(onFulfilled, onRejected);
  }
}
