// What evidence the trail holds for a framework, provision by provision.

import type { ComplianceReport, Provision, ReportsGetComplianceQuery } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { svc } from '../../api.ts';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { exactTime } from '../../ui/time.tsx';
import { About, Checkpoint } from './about.tsx';
import { number } from './numbers.ts';
import type { Period } from './period.ts';
import { ProvisionCard, Status, STATUSES } from './provision.tsx';

interface Props {
  readonly framework: ReportsGetComplianceQuery['framework'];
  readonly period: Period;
}

export function Compliance({ framework, period: { query } }: Props): ReactNode {
  const report = useQuery({
    queryKey: ['reports', 'compliance', framework, query],
    queryFn: ({ signal }) => svc.reports.getCompliance({ framework, ...query }, { signal }),
  });
  const isThere = report.data !== undefined;
  // The provision that the address names comes after the address.
  useEffect(() => {
    if (isThere && location.hash.length > 1)
      document.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`)?.scrollIntoView();
  }, [isThere]);
  if (report.isPending) return <Skeleton lines={12} />;
  if (report.data === undefined) return <Problem error={report.error} onRetry={() => report.refetch()} />;
  return <Read report={report.data} />;
}

const OVERVIEW: readonly Column<Provision>[] = [
  {
    title: 'Provision',
    cell: ({ id, reference, title }) => (
      <div className="lead">
        <a href={`#${id}`}>{reference}</a> {title}
      </div>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, covers }) => (
      <>
        <Status status={status} /> {covers === 'part' && <small className="muted">a part is not recorded here</small>}
      </>
    ),
  },
  { title: 'Evidence', isNumber: true, cell: ({ evidence }) => number(evidence.length) },
  { title: 'Gaps', isNumber: true, cell: ({ gaps }) => number(gaps.length) },
];

function Read({ report }: { readonly report: ComplianceReport }): ReactNode {
  const { framework, since, until, as_of: asOf, provisions, summary, software, generated_at: madeAt } = report;
  return (
    <>
      <section className="stack" aria-labelledby="framework-title">
        <h2 id="framework-title">{framework.title}</h2>
        <p className="report-about">{framework.about}</p>
        <About since={since} until={until} asOf={asOf}>
          <dt>Made</dt>
          <dd>
            {exactTime(madeAt)}, by {software.name} {software.version}
          </dd>
          <dt>Text</dt>
          <dd>
            <a href={framework.url} rel="noreferrer">
              {framework.version}
            </a>
          </dd>
        </About>
        <p className="notice warn">
          <strong>Since when it applies.</strong> {framework.dates}
        </p>
      </section>
      <dl className="figures">
        {STATUSES.map(({ status, title, means }) => {
          const { count, of_a_part: ofAPart } = summary[status];
          return (
            <div key={status} className="card figure">
              <dt>{title}</dt>
              <dd>
                {number(count)}
                <small>
                  {means}
                  {ofAPart > 0 && `; of ${number(ofAPart)} a part is not recorded here`}
                </small>
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="muted">
        A status is counted from the log. It is no legal advice, no conformity assessment and no certificate.
      </p>
      <Table label="Provisions" columns={OVERVIEW} items={provisions} keyOf={({ id }) => id} />
      {provisions.map((provision) => (
        <ProvisionCard key={provision.id} provision={provision} report={report} />
      ))}
      <Checkpoint since={since} until={until} asOf={asOf} />
    </>
  );
}
