// Opaque cursors and pages.

import { parseId, type IdPrefix } from '../ids.ts';
import { invalid } from './errors.ts';
import { PAGE_LIMIT_DEFAULT } from './schemas.ts';

export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A cursor that says after which key the next page begins. `kind` keeps a cursor of one list from being used on another. */
function encodeCursor(kind: string, key: string): string {
  return Buffer.from(`${kind}:${key}`).toString('base64url');
}

/** The key in a cursor of this `kind`; `null` without a cursor. Throws `invalid_request` when `isKey` refuses it. */
export function decodeCursor(kind: string, cursor: string | undefined, isKey: (key: string) => boolean): string | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  const key = text.startsWith(`${kind}:`) ? text.slice(kind.length + 1) : '';
  if (encodeCursor(kind, key) !== cursor || !isKey(key)) throw invalid('/query/cursor', 'is not a cursor of this list');
  return key;
}

/** Makes a page of `rows`, of which one more than `limit` was read to know whether more follow. */
export function pageOf<Row, Item>(
  kind: string,
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { data: shown.map(present), has_more: hasMore, next_cursor: hasMore ? encodeCursor(kind, keyOf(shown.at(-1)!)) : null };
}

/** A page of a list that is in the order of its ids, newest first. `read`: up to `limit` items before an id, `null`: from the first on. */
export async function pageById<Item, Shown>(
  prefix: IdPrefix,
  query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  read: (before: Buffer | null, limit: number) => Promise<Item[]>,
  present: (item: Item) => Shown,
  idOf: (item: Item) => string,
) {
  const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
  const before = decodeCursor(prefix, query.cursor, (key) => parseId(prefix, key) !== null);
  const items = await read(before === null ? null : parseId(prefix, before), limit + 1);
  return pageOf(prefix, items, limit, idOf, present);
}
