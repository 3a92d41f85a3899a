import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface Props {
  readonly title: string;
  readonly value: string;
  readonly note: string;
  /** Where what it counts is listed. */
  readonly href?: string | null;
  readonly isCard?: boolean;
}

/** A number of a `dl.figures`, with what it says. */
export function Figure({ title, value, note, href = null, isCard = false }: Props): ReactNode {
  return (
    <div className={isCard ? 'card figure' : 'figure'}>
      <dt>{title}</dt>
      <dd>
        {href === null ? value : <Link href={href}>{value}</Link>}
        <small>{note}</small>
      </dd>
    </div>
  );
}
