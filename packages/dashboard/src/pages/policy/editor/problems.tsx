// What is wrong with a policy, as a list below its editor.

import { useMemo, type ReactNode } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import type { Mark } from './document.ts';
import './editor.css';
import type { Lint } from './lint.ts';

/** More are rarely read; the editor marks them all. */
const SHOWN_MAX = 50;

interface Props {
  readonly lint: Lint;
  readonly text: string;
  readonly onGo: (mark: Mark) => void;
}

export function Problems({ lint, text, onGo }: Props): ReactNode {
  const { marks, state, error, retry } = lint;
  const lineOf = useMemo(() => linesOf(text), [text]);
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  return (
    <section className="stack" aria-label="Problems">
      <p className="row" role="status">
        {state === 'unknown' ? (
          <Badge tone="warn">not checked</Badge>
        ) : errors > 0 ? (
          <Badge tone="bad">{count(errors, 'error')}</Badge>
        ) : state === 'checking' ? (
          <span className="muted">Checking …</span>
        ) : (
          <Badge tone="good">valid</Badge>
        )}
        {marks.length > errors && <Badge tone="warn">{count(marks.length - errors, 'warning')}</Badge>}
      </p>
      {state === 'unknown' && <Problem error={error} onRetry={retry} />}
      {marks.length > 0 && (
        <ol className="problems">
          {marks.slice(0, SHOWN_MAX).map((mark) => (
            <li key={`${mark.from} ${mark.pointer} ${mark.message}`}>
              <Button kind="quiet" isSmall className={`problem-line ${mark.severity}`} onClick={() => onGo(mark)}>
                <span className="muted">Line {lineOf(mark.from)}</span>
                <span>
                  <span className="visually-hidden">{mark.severity}: </span>
                  <span aria-hidden="true">{mark.severity === 'error' ? '✕' : '!'} </span>
                  {mark.pointer !== null && mark.pointer !== '' && <code>{mark.pointer} </code>}
                  {mark.message}
                </span>
              </Button>
            </li>
          ))}
        </ol>
      )}
      {marks.length > SHOWN_MAX && <p className="muted">{marks.length - SHOWN_MAX} more are marked in the text.</p>}
    </section>
  );
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** Of a place its line. The text is gone through once. */
function linesOf(text: string): (at: number) => number {
  let starts: number[] | null = null;
  return (at) => {
    starts ??= [...text.matchAll(/\n/g)].map(({ index }) => index);
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
