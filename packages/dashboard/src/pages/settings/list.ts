// Lists of which a part is shown: what the API does not filter is left out here, page by page.

import type { Page } from '@svc/client';

/** Items of a page of settings: few, and worth seeing together. */
const PAGE_LIMIT = 100;

/** Reads on until a page has something to show, or there is no more. */
export async function readShown<Item>(
  read: (cursor: string | null) => PromiseLike<Page<Item>>,
  cursor: string | null,
  isShown: (item: Item) => boolean,
): Promise<Page<Item>> {
  for (;;) {
    const page = await read(cursor);
    const data = page.data.filter(isShown);
    if (data.length > 0 || !page.has_more || page.next_cursor === null) return { ...page, data };
    cursor = page.next_cursor;
  }
}

/** Of a query of the API. */
export function pageOf(cursor: string | null): { limit: number; cursor?: string } {
  return { limit: PAGE_LIMIT, ...(cursor === null ? {} : { cursor }) };
}
