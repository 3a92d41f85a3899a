// What has changed from one text to another, line by line.

import { Fragment, useMemo, type ReactNode } from 'react';
import { diffLines, type DiffLine } from './lines.ts';

/** Lines shown around a change. */
const CONTEXT = 3;
const SAID = { '+': 'added: ', '-': 'removed: ', ' ': '' } as const;

interface Props {
  /** What it is of, for who does not see it. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** What is said where nothing differs. */
  readonly same: ReactNode;
}

export function DiffView({ label, before, after, same }: Props): ReactNode {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const parts = useMemo(() => partsOf(lines), [lines]);
  if (parts.length === 0) return <p className="muted">{same}</p>;
  const [added, removed] = (['+', '-'] as const).map((sign) => lines.filter((line) => line.sign === sign).length);
  return (
    <div className="stack">
      <p className="muted">
        {added} {added === 1 ? 'line' : 'lines'} added, {removed} removed.
      </p>
      {/* What is longer than its box is scrolled by keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="code-scroll" tabIndex={0} aria-label={label}>
        <pre className="diff">
          {parts.map((part, i) => (
            <Fragment key={part.start}>
              {(i > 0 || part.start > 0) && <span className="diff-gap">…{'\n'}</span>}
              {part.lines.map(({ sign, text, at }) => (
                <span key={at} className={sign === '+' ? 'diff-added' : sign === '-' ? 'diff-removed' : undefined}>
                  <span className="visually-hidden">{SAID[sign]}</span>
                  <span aria-hidden="true">{sign} </span>
                  {text}
                  {'\n'}
                </span>
              ))}
            </Fragment>
          ))}
        </pre>
      </section>
    </div>
  );
}

interface Part {
  readonly start: number;
  readonly lines: (DiffLine & { readonly at: number })[];
}

/** Changes with the lines around them. */
function partsOf(lines: readonly DiffLine[]): Part[] {
  const parts: Part[] = [];
  const isNear = (at: number) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' ');
  lines.forEach(({ sign, text }, i) => {
    if (!isNear(i)) return;
    const line = { sign, text, at: i };
    const last = parts.at(-1);
    if (last !== undefined && last.start + last.lines.length === i) last.lines.push(line);
    else parts.push({ start: i, lines: [line] });
  });
  return parts;
}
