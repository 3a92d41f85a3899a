// All that is compared: a drift is a change of any of it.

import type { DriftMonitorDetail } from '@svc/client';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { featureFormat } from './signals.ts';

type Feature = DriftMonitorDetail['features'][number];

const MEANINGS: Readonly<Record<string, string>> = {
  rate: 'The share itself',
  location: 'Where the values lie',
  spread: 'How far they spread',
};

/** What a feature is called: `location` says little to who reads it for the first time. */
export function featureTitle(feature: string): string {
  return MEANINGS[feature] ?? feature.charAt(0).toUpperCase() + feature.slice(1);
}

export function Features({ monitor }: { readonly monitor: DriftMonitorDetail }): ReactNode {
  const { features, kind, current } = monitor;
  return (
    <section className="stack top">
      <h2>What is compared</h2>
      {features.length === 0 ? (
        <p className="muted">There is no baseline yet to compare with.</p>
      ) : (
        <>
          <Table
            label="What is compared"
            columns={COLUMNS}
            items={features}
            keyOf={({ feature, label }) => `${feature} ${label}`}
          />
          <p className="muted">
            {current === null
              ? 'Nothing was looked at since.'
              : `Now: the last ${current.n.toLocaleString('en')} observations that were looked at together.`}
            {kind === 'numeric' &&
              ' Where values lie and how far they spread is told by rank among those of the baseline: 0.5 is as usual.'}
          </p>
        </>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Feature>[] = [
  { title: 'What', cell: ({ feature }) => featureTitle(feature) },
  { title: 'Usual', isNumber: true, cell: ({ feature, baseline }) => featureFormat(feature)(baseline) },
  {
    title: 'Counts as unchanged',
    isNumber: true,
    cell: ({ feature, low, high }) => `${featureFormat(feature)(low)} to ${featureFormat(feature)(high)}`,
  },
  { title: 'Now', isNumber: true, cell: ({ feature, current }) => (current === null ? '–' : featureFormat(feature)(current)) },
  { title: 'So it is', cell: (feature) => <Verdict {...feature} /> },
];

function Verdict({ current, low, high }: Feature): ReactNode {
  if (current === null) return <span className="muted">not known</span>;
  if (current >= low && current <= high) return <Badge tone="good">within</Badge>;
  return <Badge tone="warn">{current > high ? 'above' : 'below'}</Badge>;
}
