// Reports of a period: what happened, and what evidence there is for a law or a standard. To read, to print and to download.

import type { ReportsGetComplianceQuery } from '@svc/client';
import { type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useMay, useOrganization } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Tabs, useTab, type Tab } from '../../ui/tabs.tsx';
import { useTitle } from '../../ui/title.ts';
import { Compliance } from './compliance.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { readPeriod, type Period } from './period.ts';
import './reports.css';
import { Summary } from './summary.tsx';

type Framework = ReportsGetComplianceQuery['framework'];

/** By their ids in the API. One that the API has and this list has not does not compile. */
const FRAMEWORKS: Readonly<Record<Framework, string>> = {
  'eu-ai-act': 'EU AI Act',
  'nist-ai-rmf': 'NIST AI RMF',
  'iso-42001': 'ISO/IEC 42001',
};
const TABS: readonly Tab<'summary' | Framework>[] = [
  { value: 'summary', title: 'Summary' },
  ...(Object.keys(FRAMEWORKS) as Framework[]).map((value) => ({ value, title: FRAMEWORKS[value] })),
];
const KEPT = ['period', 'since', 'until'];

export function Reports(): ReactNode {
  const tab = useTab(TABS);
  const mayRead = useMay('reports:read');
  const [params] = useSearchParams();
  const period = readPeriod(params, Date.now());
  useTitle(tab === 'summary' ? 'Reports' : `Report on the ${FRAMEWORKS[tab]}`);
  return (
    <>
      <div className="page-head report-head">
        <div>
          <h1>Reports</h1>
          <p>What happened in a period, and what evidence the trail holds for a law or a standard, tied to the signed log.</p>
        </div>
        {mayRead && (
          <div className="row no-print">
            <Button onClick={() => print()}>Print</Button>
            <Files tab={tab} period={period} />
          </div>
        )}
      </div>
      <Tabs label="Reports" tabs={TABS} current={tab} keep={KEPT} />
      {mayRead ? (
        <Shown tab={tab} period={period} />
      ) : (
        <p className="notice">
          Reports need the scope <code>reports:read</code>, which this session does not have.
        </p>
      )}
    </>
  );
}

interface ShownProps {
  readonly tab: 'summary' | Framework;
  readonly period: Period;
}

function Shown({ tab, period }: ShownProps): ReactNode {
  const { credential } = useOrganization();
  return (
    <>
      <PeriodPicker period={period} />
      {credential.mode === 'test' && (
        <p className="notice">Reports are of live traffic: what test keys do is in none. Sign in with a live or an admin key.</p>
      )}
      {tab === 'summary' ? <Summary period={period} /> : <Compliance key={tab} framework={tab} period={period} />}
    </>
  );
}

/** The browser loads them from the API, with the session's cookie. */
function Files({ tab, period }: ShownProps): ReactNode {
  const name = `${tab === 'summary' ? 'summary' : tab}-${period.first}-to-${period.last}`;
  const path = tab === 'summary' ? '/v1/reports/summary' : '/v1/reports/compliance';
  const hrefOf = (more: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams({ ...more, ...period.query })}`;
  if (tab === 'summary')
    return (
      <a className="button" href={hrefOf({})} download={`${name}.json`}>
        Download JSON
      </a>
    );
  return (
    <>
      <a className="button" href={hrefOf({ framework: tab, format: 'html' })} download={`${name}.html`}>
        Download HTML
      </a>
      <a className="button" href={hrefOf({ framework: tab, format: 'json' })} download={`${name}.json`}>
        Download JSON
      </a>
    </>
  );
}
