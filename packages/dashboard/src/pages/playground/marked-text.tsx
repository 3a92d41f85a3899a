// A text with what was found in it, also where findings overlap.

import type { Finding } from '@svc/client';
import type { ReactNode } from 'react';
import { segmentsOf } from './segments.ts';

interface Props {
  readonly label: string;
  readonly text: string;
  /** Those in this text, each by the number that it has in the list. */
  readonly findings: ReadonlyMap<number, Finding>;
}

export function MarkedText({ label, text, findings }: Props): ReactNode {
  const spans = [...findings].map(([number, { location }]) => ({ number, start: location.start, end: location.end }));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="code-scroll" tabIndex={0} aria-label={label}>
      <pre className="code playground-text">
        {segmentsOf(text, spans).map(({ start, text: piece, numbers, ends }) =>
          numbers.length === 0 ? (
            <span key={start}>{piece}</span>
          ) : (
            <mark
              key={start}
              className={classOf(numbers.map((number) => findings.get(number)!))}
              title={numbers.map((number) => titleOf(number, findings.get(number)!)).join('; ')}
              data-ends={ends.length === 0 ? undefined : ends.join(' ')}
            >
              {piece}
            </mark>
          ),
        )}
      </pre>
    </section>
  );
}

/** The worst that is there, and whether there is more than one. */
function classOf(findings: readonly Finding[]): string {
  const worst = ['blocked', 'flagged'].find((outcome) => findings.some((finding) => finding.outcome === outcome)) ?? 'excused';
  return findings.length > 1 ? `${worst} over` : worst;
}

function titleOf(number: number, { category, type, outcome }: Finding): string {
  return `${number}: ${category} ${type.replaceAll('_', ' ')}, ${outcome}`;
}
