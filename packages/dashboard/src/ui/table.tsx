// A table, and a list that goes on by cursor. Where there is no room for columns, each row is a block of its own.

import type { Page } from '@svc/client';
import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Skeleton } from './empty.tsx';
import { Problem } from './problem.tsx';

export interface Column<Item> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (item: Item) => ReactNode;
}

interface TableProps<Item> {
  /** What the table is of, for who does not see it. */
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
}

export function Table<Item>({ label, columns, items, keyOf }: TableProps<Item>): ReactNode {
  return (
    // A table that is wider than the page is scrolled by keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-wrap by-row" tabIndex={0} role="region" aria-label={label}>
      {/* Rows that are blocks are rows of a table all the same: some browsers have to be told. */}
      {/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */}
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" role="columnheader" className={isNumber === true ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <tr key={keyOf(item)} role="row">
              {columns.map(({ title, isNumber, cell }) => (
                <td key={title} role="cell" data-title={title} className={isNumber === true ? 'number' : undefined}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* oxlint-enable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */}
    </div>
  );
}

interface PagedTableProps<Item> extends Omit<TableProps<Item>, 'items'> {
  readonly queryKey: QueryKey;
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<Page<Item>>;
  readonly empty: ReactNode;
  /** How often it is read anew; a function says so by what was read (`null`: not again). */
  readonly refetchIntervalMs?: number | ((items: readonly Item[]) => number | null);
}

/** A list of the API: its first page, and a button for the next. */
export function PagedTable<Item>({ queryKey, read, empty, refetchIntervalMs, ...table }: PagedTableProps<Item>): ReactNode {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: ({ state }) => {
      if (typeof refetchIntervalMs !== 'function') return refetchIntervalMs ?? false;
      return refetchIntervalMs(state.data?.pages.flatMap(({ data }) => data) ?? []) ?? false;
    },
  });
  if (list.isPending) return <Skeleton lines={6} />;
  if (list.error !== null && list.data === undefined) return <Problem error={list.error} onRetry={() => list.refetch()} />;
  const items = list.data.pages.flatMap(({ data }) => data);
  if (items.length === 0) return empty;
  return (
    <div className="stack">
      <Table {...table} items={items} />
      {list.error !== null && <Problem error={list.error} onRetry={() => list.refetch()} />}
      {list.hasNextPage && (
        <div>
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
