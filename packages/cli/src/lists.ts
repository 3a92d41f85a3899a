// Lists of the API on the command line: --limit and --cursor mean the same everywhere.

import type { Pages } from '@svc/client';
import type { Option, Options } from './command.ts';
import { UsageError } from './faults.ts';
import type { List } from './output.ts';

const LIMIT = 30;
const PAGE_MAX = 100;

export const LIST_OPTIONS = {
  limit: { kind: 'integer', meaning: `How many at most; ${LIMIT} when not given`, placeholder: '<n>' },
  cursor: { kind: 'text', meaning: 'Go on where a list ended', placeholder: '<cursor>' },
} as const satisfies Readonly<Record<string, Option>>;

/** As many items as `--limit` says, in as many pages as that takes. `read`: one page of the API. */
export async function readList<Item>(
  options: Options,
  read: (query: { limit: number; cursor?: string }) => Pages<Item>,
): Promise<List<Item>> {
  const limit = options.integer('limit') ?? LIMIT;
  if (limit < 1) throw new UsageError('--limit must be 1 or more.');
  const data: Item[] = [];
  let cursor = options.text('cursor') ?? null;
  for (;;) {
    const page = await read({ limit: Math.min(PAGE_MAX, limit - data.length), ...(cursor === null ? {} : { cursor }) });
    data.push(...page.data);
    cursor = page.has_more ? page.next_cursor : null;
    if (cursor === null || data.length >= limit) return { data, next_cursor: cursor };
  }
}
