// Where evidence is to be seen: a report names endpoints of the API, and most of what they list has a page.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../session.tsx';
import { usePlaces } from '../../shell/use-places.ts';
import { kindTitle } from '../../kinds.ts';
import { daysBetween } from './period.ts';

interface Span {
  readonly since: string;
  readonly until: string;
}

export function Places({ endpoints, report }: { readonly endpoints: readonly string[]; readonly report: Span }): ReactNode {
  const seen = new Set(usePlaces().map(({ path }) => path));
  if (endpoints.length === 0) return null;
  return (
    <ul className="report-places" aria-label="Where to see it">
      {endpoints.map((endpoint) => {
        const page = pageOf(endpoint);
        return (
          <li key={endpoint}>
            {page !== null && seen.has(page.place) ? (
              <Link href={page.href}>{page.title}</Link>
            ) : (
              <Answer endpoint={endpoint} report={report} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** As the API says it, where no page does. */
function Answer({ endpoint, report }: { readonly endpoint: string; readonly report: Span }): ReactNode {
  const mayRead = useMay('events:read');
  const text = <code>{endpoint.replace(`since=${report.since}&until=${report.until}`, '…')}</code>;
  return mayRead && endpoint.startsWith('/v1/audit/') ? <a href={endpoint}>{text}</a> : text;
}

interface Page {
  /** The place of the navigation that it belongs to. */
  readonly place: string;
  readonly href: string;
  readonly title: string;
}

/** The page that shows what an endpoint answers; `null`: none does. */
function pageOf(endpoint: string): Page | null {
  const { pathname, search, searchParams: asked } = new URL(endpoint, 'https://svc.invalid');
  switch (pathname) {
    case '/v1/events':
      return { place: '/events', href: `/events${search}`, title: titleOf(asked.get('kind')) };
    case '/v1/assessments': {
      const category = asked.get('category');
      const title = category === null ? 'Assessments' : `Assessments with ${category}`;
      return { place: '/events', href: `/events?${new URLSearchParams([['view', 'assessments'], ...asked])}`, title };
    }
    case '/v1/policy':
      return { place: '/policy', href: '/policy', title: 'Policy' };
    case '/v1/policy/versions':
      return { place: '/policy', href: '/policy?tab=versions', title: 'Versions of the policy' };
    case '/v1/probes':
      return { place: '/probes', href: '/probes', title: 'Probes' };
    case '/v1/webhooks':
      return { place: '/webhooks', href: '/webhooks', title: 'Webhooks' };
    case '/v1/integrations':
      return { place: '/integrations', href: '/integrations', title: 'Integrations' };
    case '/v1/drift':
      return { place: '/drift', href: `/drift${search}`, title: 'Drift' };
    case '/v1/reports/summary': {
      const { first, last } = daysBetween(asked.get('since') ?? '', asked.get('until') ?? '');
      return { place: '/reports', href: `/reports?since=${first}&until=${last}`, title: 'Summary of the period' };
    }
    default:
      return null;
  }
}

function titleOf(kind: string | null): string {
  return kind === null ? 'Events' : `${kindTitle(kind)} events`;
}
