// Webhooks, the inboxes of the service, and the signature doctor.

import type { Webhook } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useNew } from '../../ui/new.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Tabs, useTab, type Tab } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { Address, webhookName } from './address.tsx';
import { EMPTY_DRAFT, type Draft } from './diagnose.ts';
import { Doctor } from './doctor.tsx';
import { HealthBadge, KindList } from './health.tsx';
import { Inboxes } from './inboxes.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

type View = 'webhooks' | 'inboxes' | 'doctor';
const TABS: readonly Tab<View>[] = [
  { value: 'webhooks', title: 'Webhooks' },
  { value: 'inboxes', title: 'Inboxes' },
  { value: 'doctor', title: 'Signature doctor' },
];

export function Webhooks(): ReactNode {
  useTitle('Webhooks');
  const tab = useTab(TABS);
  const mayRead = useMay('webhooks:read');
  const mayWrite = useMay('webhooks:write');
  const [isMaking, setMaking] = useNew();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [, navigate] = useLocation();
  const examine = (message: Pick<Draft, 'headers' | 'body'>) => {
    setDraft({ ...message, secret: '' });
    navigate('/webhooks?tab=doctor');
  };
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Webhooks</h1>
          <p>
            Your systems are told of events as they are committed: one signed POST each, retried until it is answered with 2xx.
          </p>
        </div>
        {mayWrite && tab === 'webhooks' && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            New webhook
          </Button>
        )}
      </div>
      <Tabs label="Parts of webhooks" tabs={TABS} current={tab} />
      {tab === 'doctor' ? (
        <Doctor draft={draft} onChange={setDraft} />
      ) : !mayRead ? (
        <p className="notice">Webhooks and inboxes need the scope webhooks:read, which this session does not have.</p>
      ) : tab === 'inboxes' ? (
        <Inboxes onExamine={examine} />
      ) : (
        <List onNew={mayWrite ? () => setMaking(true) : null} />
      )}
      {isMaking && mayWrite && <Making onClose={() => setMaking(false)} />}
    </>
  );
}

/** The form, then the secret, then the page of what was made. */
function Making({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const [, navigate] = useLocation();
  if (made === null) return <NewWebhook onClose={onClose} onCreated={(id, secret) => setMade({ id, secret })} />;
  return <WebhookSecret secret={made.secret} onClose={() => navigate(`/webhooks/${made.id}`, { replace: true })} />;
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: 'Webhook',
    cell: ({ webhook_id: id, url, description, mode }) => (
      <div className="lead">
        <Link href={`/webhooks/${id}`} className="address">
          {webhookName({ description, url })}
        </Link>{' '}
        {mode === 'test' && <Badge tone="warn">test</Badge>}
        {description !== null && (
          <div className="muted">
            <Address url={url} />
          </div>
        )}
      </div>
    ),
  },
  { title: 'Health', cell: (webhook) => <HealthBadge {...webhook} /> },
  { title: 'Last delivered', cell: ({ last_success_at: at }) => <Time at={at} /> },
  {
    title: 'Failing since',
    cell: ({ failing_since: at }) => (at === null ? <span className="muted">not failing</span> : <Time at={at} />),
  },
  { title: 'Events', cell: ({ events }) => <KindList kinds={events} /> },
];

function List({ onNew }: { readonly onNew: (() => void) | null }): ReactNode {
  return (
    <PagedTable
      label="Webhooks"
      columns={COLUMNS}
      keyOf={({ webhook_id: id }) => id}
      queryKey={['webhooks', 'list']}
      read={async (cursor, signal) => await svc.webhooks.list(cursor === null ? {} : { cursor }, { signal })}
      refetchIntervalMs={LIVE_INTERVAL_MS}
      empty={
        <Empty title="No webhook yet">
          <p>
            A webhook tells one of your systems of the events you choose, such as every blocked inference. Without a receiver,
            begin with the built-in inbox: it shows what arrives.
          </p>
          {onNew !== null && (
            <Button kind="primary" onClick={onNew}>
              Create the first webhook
            </Button>
          )}
        </Empty>
      }
    />
  );
}
