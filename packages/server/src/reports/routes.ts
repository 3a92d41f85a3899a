// Reports: what happened, and what of it speaks to rules.

import { route, SerializedBytes, type Route } from '../http/route.ts';
import { reportCompliance } from './compliance.ts';
import { CONTENT_POLICY, renderCompliance } from './page.ts';
import { ComplianceBody, ComplianceQuery, SummaryBody, SummaryQuery } from './schemas.ts';
import { summarize } from './summary.ts';

const HTML = 'text/html; charset=utf-8';
const tag = 'Reports';

export const reportRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/reports/summary',
    operationId: 'getSummaryReport',
    tag,
    summary: 'Read what happened in a time',
    description:
      'Counts of the trail, made while the log grows over it: `as_of` says of which events. By the time of recording, in whole hours or days (UTC). Events of test keys are not counted.',
    access: 'reports:read',
    limit: 'requests',
    query: SummaryQuery,
    responses: { 200: { description: 'The report.', schema: SummaryBody } },
    handle: (services, { principal, query }) => summarize(services, principal, query),
  }),
  route({
    method: 'GET',
    path: '/v1/reports/compliance',
    operationId: 'getComplianceReport',
    tag,
    summary: 'Read what evidence the trail holds for a framework',
    description:
      'Provision by provision: what it asks for, of whom, what the log holds that speaks to it, and what is missing. With `Accept: text/html` or `format=html` a page to print. It is no legal advice and no conformity assessment.',
    access: 'reports:read',
    limit: 'requests',
    produces: ['application/json', HTML],
    query: ComplianceQuery,
    responses: { 200: { description: 'The report.', schema: ComplianceBody } },
    async handle(services, call) {
      const { principal, query, setHeader, mediaType } = call;
      const report = await reportCompliance(services, principal, query);
      setHeader('vary', 'Accept');
      const isPage = query.format === undefined ? mediaType() === HTML : query.format === 'html';
      if (!isPage) return report;
      setHeader('content-security-policy', CONTENT_POLICY);
      setHeader('referrer-policy', 'no-referrer');
      return new SerializedBytes(HTML, Buffer.from(renderCompliance(report, services.baseUrl())));
    },
  }),
];
