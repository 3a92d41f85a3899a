// One webhook: how it does, what it delivered, and all that can be done with it.

import type { Webhook } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { LIVE_INTERVAL_MS, queryClient, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy, Id } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { Address, isInbox, isSameInbox, webhookName } from './address.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { keyOf, type Endpoint } from './endpoint.ts';
import { HealthBadge, HealthNotice } from './health.tsx';
import { useInboxes } from './use-inboxes.ts';
import { Recover } from './recover.tsx';
import { Rotate, RotationNotice } from './rotate.tsx';
import { SendTest } from './send-test.tsx';

type Opened = 'test' | 'edit' | 'rotate' | 'delete' | 'recover' | null;

export function WebhookPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const endpoint: Endpoint = { area: 'webhooks', id };
  const webhook = useQuery({
    queryKey: [...keyOf(endpoint), 'itself'],
    queryFn: ({ signal }) => svc.webhooks.get(id, { signal }),
    refetchInterval: LIVE_INTERVAL_MS,
  });
  useTitle(webhook.data === undefined ? 'Webhook' : webhookName(webhook.data));
  return (
    <>
      <Link href="/webhooks">All webhooks</Link>
      {webhook.isPending ? (
        <Skeleton lines={8} />
      ) : webhook.data === undefined ? (
        <>
          <h1>Webhook</h1>
          <Problem error={webhook.error} onRetry={() => webhook.refetch()} />
        </>
      ) : (
        <Detail webhook={webhook.data} endpoint={endpoint} />
      )}
    </>
  );
}

function Detail({ webhook, endpoint }: { readonly webhook: Webhook; readonly endpoint: Endpoint }): ReactNode {
  const mayWrite = useMay('webhooks:write');
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  return (
    <>
      <div className="page-head">
        <div>
          <div className="row">
            <h1 className="address">{webhookName(webhook)}</h1>
            <HealthBadge {...webhook} />
            {webhook.mode === 'test' && <Badge tone="warn">test</Badge>}
          </div>
          <p>
            To <Address url={webhook.url} />, for {webhook.events.length === 1 ? 'one kind' : `${webhook.events.length} kinds`} of
            events.
          </p>
        </div>
        {mayWrite && (
          <div className="row">
            <Button kind="primary" onClick={() => setOpened('test')}>
              Send a test
            </Button>
            <Button onClick={() => setOpened('edit')}>Edit</Button>
            <Button disabled={webhook.old_secret_until !== null} onClick={() => setOpened('rotate')}>
              Rotate secret
            </Button>
            <Button kind="danger" onClick={() => setOpened('delete')}>
              Delete
            </Button>
          </div>
        )}
      </div>
      <HealthNotice {...webhook} />
      <RotationNotice webhook={webhook} mayWrite={mayWrite} />
      <Facts webhook={webhook} />
      <Deliveries
        endpoint={endpoint}
        actions={mayWrite && <Button onClick={() => setOpened('recover')}>Recover failed deliveries</Button>}
      />
      {opened === 'test' && <SendTest endpoint={endpoint} onClose={close} />}
      {opened === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {opened === 'rotate' && <Rotate webhook={webhook} onClose={close} />}
      {opened === 'recover' && <Recover endpoint={endpoint} onClose={close} />}
      {opened === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  return (
    <section className="card">
      <dl className="facts">
        <dt>Webhook</dt>
        <dd>
          <Id id={webhook.webhook_id} />
        </dd>
        <dt>URL</dt>
        <dd className="row">
          <code>{webhook.url}</code>
          <Copy text={webhook.url} />
          {isInbox(webhook.url) && <ItsInbox url={webhook.url} />}
        </dd>
        <dt>Events</dt>
        <dd>
          <code>{webhook.events.join(', ')}</code>
        </dd>
        <dt>Last delivered</dt>
        <dd>
          <Time at={webhook.last_success_at} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={webhook.created_at} />
        </dd>
      </dl>
    </section>
  );
}

/** What arrived is read in the inbox itself, while there is one. */
function ItsInbox({ url }: { readonly url: string }): ReactNode {
  const inboxes = useInboxes();
  if (inboxes.data === undefined) return null;
  const inbox = inboxes.data.find((each) => isSameInbox(each.url, url));
  if (inbox === undefined) return <Badge tone="bad">the inbox was deleted</Badge>;
  return <Link href={`/webhooks?tab=inboxes&inbox=${inbox.id}`}>See what arrived</Link>;
}

function DeleteWebhook({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <Confirm
      title="Delete this webhook?"
      effect="What is queued for it is cancelled, and its deliveries cannot be read any more. An attempt under way may still arrive. The events stay in the trail."
      deed="Delete webhook"
      run={async () => {
        await svc.webhooks.delete(webhook.webhook_id);
        navigate('/webhooks');
        queryClient.removeQueries({ queryKey: ['webhooks', webhook.webhook_id] });
        await queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      }}
      onClose={onClose}
    />
  );
}
