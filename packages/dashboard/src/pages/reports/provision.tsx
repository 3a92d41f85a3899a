// A provision of a framework: what it asks for, the evidence with ways to it, and the gaps.

import type { ComplianceReport, Evidence, Provision } from '@svc/client';
import type { ReactNode } from 'react';
import { useMay } from '../../session.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { exactTime } from '../../ui/time.tsx';
import { Places } from './endpoints.tsx';
import { number } from './numbers.ts';

type Summary = ComplianceReport['summary'];

/** In this order, with what each means. */
export const STATUSES: readonly { readonly status: keyof Summary; readonly title: string; readonly means: string }[] = [
  { status: 'evidenced', title: 'Evidenced', means: 'evidence, no gap, and all can be recorded here' },
  { status: 'partial', title: 'Partial', means: 'evidence with gaps, or of a part' },
  { status: 'none', title: 'None', means: 'what it takes was not found in the period' },
  { status: 'not_recorded_here', title: 'Not recorded here', means: 'this service records nothing of it' },
];
const TONES: Readonly<Record<string, Tone>> = { evidenced: 'good', partial: 'warn', none: 'bad' };

export function Status({ status }: { readonly status: string }): ReactNode {
  const title = STATUSES.find((each) => each.status === status)?.title ?? status;
  return <Badge tone={TONES[status] ?? 'plain'}>{title}</Badge>;
}

interface Props {
  readonly provision: Provision;
  readonly report: Pick<ComplianceReport, 'since' | 'until'>;
}

export function ProvisionCard({ provision, report }: Props): ReactNode {
  const { id, reference, title, status, limit, requirement, binds, applies, evidence, gaps, note } = provision;
  return (
    <section className="card stack report-provision" id={id} aria-labelledby={`${id}-title`}>
      <div className="row">
        <h2 id={`${id}-title`}>
          {reference}: {title}
        </h2>
        <span className="grow" />
        <Status status={status} />
      </div>
      <dl className="facts">
        <dt>Asks</dt>
        <dd>{requirement}</dd>
        <dt>Binds</dt>
        <dd>{binds.join(', ')}</dd>
        <dt>Applies to</dt>
        <dd>{applies}</dd>
        {limit !== null && (
          <>
            <dt>Not recorded here</dt>
            <dd>{limit}</dd>
          </>
        )}
      </dl>
      {evidence.length > 0 && (
        <>
          <h3>Evidence</h3>
          <ul className="report-list">
            {evidence.map((one) => (
              <EvidenceItem key={one.id} evidence={one} report={report} />
            ))}
          </ul>
        </>
      )}
      {gaps.length > 0 && (
        <>
          <h3>Gaps</h3>
          <ul className="report-list">
            {gaps.map((gap) => (
              <li key={gap.id}>
                <span className="report-count">{gap.count === null ? '–' : number(gap.count)}</span>
                <div>
                  <p>{gap.what}</p>
                  <Places endpoints={gap.endpoints} report={report} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {note !== null && <p className="notice">{note}</p>}
    </section>
  );
}

function EvidenceItem({ evidence, report }: { readonly evidence: Evidence; readonly report: Props['report'] }): ReactNode {
  const { what, count, checkpoint_size: size, endpoints } = evidence;
  const mayRead = useMay('events:read');
  const told = [timesOf(evidence), sequencesOf(evidence)].filter((text) => text !== '').join(' · ');
  return (
    <li>
      <span className="report-count">{number(count)}</span>
      <div>
        <p>{what}</p>
        {(told !== '' || size !== null) && (
          <p className="muted">
            {told}
            {size !== null && (
              <>
                {told !== '' && ' · '}covered by{' '}
                {mayRead ? (
                  <a href={`/v1/audit/checkpoint?size=${size}`}>checkpoint {number(size)}</a>
                ) : (
                  `checkpoint ${number(size)}`
                )}
              </>
            )}
          </p>
        )}
        <Places endpoints={endpoints} report={report} />
      </div>
    </li>
  );
}

/** Exact ones: a report is kept. */
function timesOf({ first_at: first, last_at: last }: Evidence): string {
  if (last === null) return first === null ? '' : `since ${minute(first)} UTC`;
  if (first === null || minute(first) === minute(last)) return `${minute(last)} UTC`;
  return `${minute(first)} to ${minute(last)} UTC`;
}

function minute(iso: string): string {
  return exactTime(iso).slice(0, 16);
}

function sequencesOf({ first_sequence: first, last_sequence: last }: Evidence): string {
  if (last === null) return '';
  return first === null || first === last ? `event ${number(last)}` : `between events ${number(first)} and ${number(last)}`;
}
