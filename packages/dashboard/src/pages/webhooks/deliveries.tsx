// What was delivered, or will be: filtered, and one of them in full.

import type { Delivery, WebhooksListDeliveriesQuery } from '@svc/client';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { LIVE_INTERVAL_MS } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryDialog } from './delivery.tsx';
import { keyOf, resourceOf, wordOf, type Endpoint } from './endpoint.ts';
import { DeliveryState, STATE_MEANINGS } from './health.tsx';
import { KINDS } from '../../kinds.ts';

type State = NonNullable<WebhooksListDeliveriesQuery['state']>;
const STATES = Object.keys(STATE_MEANINGS) as State[];

export function Deliveries({ endpoint, actions }: { readonly endpoint: Endpoint; readonly actions: ReactNode }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const state = STATES.find((each) => each === search.get('state'));
  const kind = KINDS.find((each) => each === search.get('kind'));
  const opened = search.get('delivery');
  const put = (name: string, value: string | null) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value === null || value === '') after.delete(name);
      else after.set(name, value);
      return after;
    });
  const query: WebhooksListDeliveriesQuery = {
    ...(state === undefined ? {} : { state }),
    ...(kind === undefined ? {} : { kind }),
  };
  return (
    <section className="stack" aria-label="Deliveries">
      <div className="row">
        <h2 className="grow">Deliveries</h2>
        {actions}
      </div>
      <div className="row">
        <select
          className="input fit"
          aria-label="State"
          value={state ?? ''}
          onChange={(event) => put('state', event.target.value)}
        >
          <option value="">Any state</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {each.replace('_', ' ')}
            </option>
          ))}
        </select>
        <select className="input fit" aria-label="Kind" value={kind ?? ''} onChange={(event) => put('kind', event.target.value)}>
          <option value="">Any kind</option>
          {KINDS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      <PagedTable
        label="List of deliveries"
        columns={columnsOf((id) => put('delivery', id))}
        keyOf={({ id }) => id}
        queryKey={[...keyOf(endpoint), 'deliveries', query]}
        read={async (cursor, signal) =>
          await resourceOf(endpoint).listDeliveries(endpoint.id, cursor === null ? query : { ...query, cursor }, { signal })
        }
        refetchIntervalMs={LIVE_INTERVAL_MS}
        empty={
          state === undefined && kind === undefined ? (
            <Empty title="Nothing to deliver yet">
              <p>
                Each event of the chosen kinds that is committed from now on is listed here, with its attempts. To try the{' '}
                {wordOf(endpoint)} at once, send a test; it is kept nowhere, so it is not in this list.
              </p>
            </Empty>
          ) : (
            <Empty title="No such delivery">
              <p>Deliveries are kept for 30 days. Choose another state or kind.</p>
            </Empty>
          )
        }
      />
      {opened !== null && (
        <DeliveryDialog key={opened} endpoint={endpoint} deliveryId={opened} onClose={() => put('delivery', null)} />
      )}
    </section>
  );
}

function columnsOf(open: (id: string) => void): readonly Column<Delivery>[] {
  return [
    {
      title: 'Event',
      cell: ({ id, kind, sequence }) => (
        <>
          <Button kind="quiet" isSmall className="link" aria-haspopup="dialog" onClick={() => open(id)}>
            <code>{kind}</code>
          </Button>
          {sequence !== null && <span className="muted"> #{sequence}</span>}
        </>
      ),
    },
    { title: 'State', cell: (delivery) => <DeliveryState {...delivery} /> },
    { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    { title: 'Recorded', cell: ({ created_at: at }) => <Time at={at} /> },
    {
      title: 'Next or last',
      cell: ({ next_attempt_at: next, finished_at: finished }) =>
        next === null && finished === null ? <span className="muted">waits</span> : <Time at={next ?? finished} />,
    },
  ];
}
