// Events in the form that a chat, incident or monitoring tool takes.

import type { Integration } from '@svc/client';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { HealthBadge, KindList } from '../webhooks/health.tsx';
import { IntegrationForm } from './integration-form.tsx';
import { titleOf, VENDOR_KINDS, VENDORS, type VendorKind } from './vendors.ts';

export function Integrations(): ReactNode {
  useTitle('Integrations');
  const mayRead = useMay('webhooks:read');
  const mayWrite = useMay('webhooks:write');
  const [search, setSearch] = useSearchParams();
  const making = VENDOR_KINDS.find((kind) => mayWrite && kind === search.get('new')) ?? null;
  const [, navigate] = useLocation();
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Integrations</h1>
          <p>Events in the form that a chat, incident or monitoring tool takes, delivered like webhooks.</p>
        </div>
      </div>
      {mayRead ? (
        <List />
      ) : (
        <p className="notice">Integrations need the scope webhooks:read, which this session does not have.</p>
      )}
      {mayWrite && <Vendors onChoose={(kind) => setSearch({ new: kind }, { replace: true })} />}
      {making !== null && (
        <IntegrationForm
          kind={making}
          integration={null}
          onClose={() => setSearch({}, { replace: true })}
          onSaved={({ id }) => navigate(`/integrations/${id}`, { replace: true })}
        />
      )}
    </>
  );
}

function Vendors({ onChoose }: { readonly onChoose: (kind: VendorKind) => void }): ReactNode {
  return (
    <section className="stack" aria-label="New integration">
      <h2>Add an integration</h2>
      <ul className="vendors">
        {VENDOR_KINDS.map((kind) => (
          <li key={kind} className="card stack">
            <div>
              <h3>{VENDORS[kind].title}</h3>
              <p className="muted">{VENDORS[kind].brings}</p>
            </div>
            <div>
              <Button isSmall aria-label={`Add ${VENDORS[kind].title}`} onClick={() => onChoose(kind)}>
                Add
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const COLUMNS: readonly Column<Integration>[] = [
  {
    title: 'Integration',
    cell: ({ id, name, kind, mode }) => (
      <div className="lead">
        <Link href={`/integrations/${id}`}>
          <Name text={name} />
        </Link>{' '}
        {mode === 'test' && <Badge tone="warn">test</Badge>}
        <div className="muted">{titleOf(kind)}</div>
      </div>
    ),
  },
  { title: 'Health', cell: (integration) => <HealthBadge {...integration} /> },
  { title: 'Last delivered', cell: ({ last_success_at: at }) => <Time at={at} /> },
  {
    title: 'Failing since',
    cell: ({ failing_since: at }) => (at === null ? <span className="muted">not failing</span> : <Time at={at} />),
  },
  { title: 'Events', cell: ({ events }) => <KindList kinds={events} /> },
];

function List(): ReactNode {
  return (
    <PagedTable
      label="Integrations"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      queryKey={['integrations', 'list']}
      read={async (cursor, signal) => await svc.integrations.list(cursor === null ? {} : { cursor }, { signal })}
      refetchIntervalMs={LIVE_INTERVAL_MS}
      empty={
        <Empty title="No integration yet">
          <p>
            Add the tool that your people look at anyway. It is told of the kinds of events you choose; give few kinds to what
            wakes people, and all of them to what stores logs. For a system of your own take a webhook.
          </p>
        </Empty>
      }
    />
  );
}
