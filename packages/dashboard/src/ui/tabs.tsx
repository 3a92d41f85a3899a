// Parts of a page, each with an address of its own.

import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly title: ReactNode;
}

interface Props<Value extends string> {
  /** What the tabs are of, for who does not see them. */
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly current: Value;
  /** Members of the address that count for all of them, such as a period. */
  readonly keep?: readonly string[];
}

/** The first tab is the page itself; the others are `?tab=…` of it. */
export function Tabs<Value extends string>({ label, tabs, current, keep }: Props<Value>): ReactNode {
  const [path] = useLocation();
  const [search] = useSearchParams();
  const hrefOf = (tab: Value | null) => {
    const kept = [...search].filter(([name]) => keep?.includes(name) === true);
    const next = new URLSearchParams(tab === null ? kept : [['tab', tab], ...kept]);
    return next.size === 0 ? path : `${path}?${next}`;
  };
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ value, title }, i) => (
        <Link key={value} href={hrefOf(i === 0 ? null : value)} aria-current={value === current ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** The tab that the address names; the first where it names none. */
export function useTab<Value extends string>(tabs: readonly Tab<Value>[]): Value {
  const [search] = useSearchParams();
  return (tabs.find(({ value }) => value === search.get('tab')) ?? tabs[0]!).value;
}
