// Addresses of the service's own that take webhooks: what arrived in them, as it arrives.

import type { Inbox, InboxMessage, Webhook } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { queryClient, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty, Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { addressOf, webhookName } from './address.tsx';
import { prettyJson } from './pretty.ts';
import { useInboxes, useWebhooksTo } from './use-inboxes.ts';

const ARRIVALS_INTERVAL_MS = 1_500;

interface Props {
  /** Takes a message to the signature doctor. */
  readonly onExamine: (message: { readonly headers: string; readonly body: string }) => void;
}

export function Inboxes({ onExamine }: Props): ReactNode {
  const [search, setSearch] = useSearchParams();
  const mayWrite = useMay('webhooks:write');
  const list = useInboxes();
  const webhooksTo = useWebhooksTo();
  const choose = (id: string) => setSearch({ tab: 'inboxes', inbox: id });
  const create = useAction(async () => {
    const { id } = await svc.inboxes.create();
    await queryClient.invalidateQueries({ queryKey: ['inboxes'] });
    choose(id);
  });
  if (list.isPending) return <Skeleton lines={5} />;
  if (list.data === undefined) return <Problem error={list.error} onRetry={() => list.refetch()} />;
  const wanted = search.get('inbox');
  const inbox = wanted === null ? list.data[0] : list.data.find(({ id }) => id === wanted);
  const newButton = mayWrite && (
    <Button isBusy={create.isBusy} onClick={() => create.run()}>
      New inbox
    </Button>
  );
  if (inbox === undefined && wanted !== null)
    return (
      <Empty title="This inbox is gone">
        <p>It was deleted, with what had arrived in it.</p>
        <Link className="button" href="/webhooks?tab=inboxes">
          Inboxes that there are
        </Link>
      </Empty>
    );
  if (inbox === undefined)
    return (
      <Empty title="No inbox yet">
        <p>
          An inbox is an address of the service that takes webhooks. It keeps the last 100 messages and shows them as they arrive.
        </p>
        {newButton}
        {create.error !== null && <Problem error={create.error} />}
      </Empty>
    );
  return (
    <>
      <div className="row">
        <label className="row">
          <span>Inbox</span>
          <select className="input fit" value={inbox.id} onChange={(event) => choose(event.target.value)}>
            {list.data.map((each) => (
              <option key={each.id} value={each.id}>
                {nameOf(each, webhooksTo?.(each) ?? [])}
              </option>
            ))}
          </select>
        </label>
        {newButton}
        <Copy text={inbox.url} label="Copy its URL" />
        {mayWrite && <DeleteInbox inbox={inbox} webhooks={webhooksTo?.(inbox)} />}
      </div>
      {create.error !== null && <Problem error={create.error} />}
      <p className="muted">
        Whoever knows the URL may write into the inbox, so treat it as a secret. Made <Time at={inbox.created_at} />.
      </p>
      <Messages key={inbox.id} inbox={inbox} onExamine={onExamine} />
    </>
  );
}

/** By what is told to it, too: `Built-in inbox …k3v0: Ticket system`. */
function nameOf({ url }: Inbox, webhooks: readonly Webhook[]): string {
  const told = webhooks.flatMap(({ description }) => description ?? []).join(', ');
  return addressOf(url) + (told === '' ? '' : `: ${told}`);
}

interface DeleteProps {
  readonly inbox: Inbox;
  /** Those that lead to it; `undefined`: not known yet. */
  readonly webhooks: readonly Webhook[] | undefined;
}

function DeleteInbox({ inbox, webhooks }: DeleteProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const [, setSearch] = useSearchParams();
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Delete inbox
      </Button>
      {isAsking && (
        <Confirm
          title="Delete this inbox?"
          effect={<DeleteEffect webhooks={webhooks} />}
          deed="Delete inbox"
          run={async () => {
            await svc.inboxes.delete(inbox.id);
            setSearch({ tab: 'inboxes' });
            await queryClient.invalidateQueries({ queryKey: ['inboxes'] });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function DeleteEffect({ webhooks }: Pick<DeleteProps, 'webhooks'>): ReactNode {
  if (webhooks === undefined) return <p>What arrived in it is deleted with it. Webhooks that lead to it begin to fail.</p>;
  if (webhooks.length === 0) return <p>What arrived in it is deleted with it. No webhook leads to it.</p>;
  return (
    <div className="stack">
      <p>
        What arrived in it is deleted with it.{' '}
        {webhooks.length === 1 ? 'This webhook leads to it, and begins' : 'These webhooks lead to it, and begin'} to fail:
      </p>
      <ul className="bullets">
        {webhooks.map((webhook) => (
          <li key={webhook.webhook_id}>
            <Link href={`/webhooks/${webhook.webhook_id}`}>{webhookName(webhook)}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Messages({ inbox, onExamine }: Props & { readonly inbox: Inbox }): ReactNode {
  const messages = useQuery({
    queryKey: ['inboxes', inbox.id, 'messages'],
    queryFn: async ({ signal }) => (await svc.inboxes.listMessages(inbox.id, { signal })).data,
    refetchInterval: ARRIVALS_INTERVAL_MS,
  });
  if (messages.isPending) return <Skeleton lines={5} />;
  if (messages.data === undefined) return <Problem error={messages.error} onRetry={() => messages.refetch()} />;
  if (messages.data.length === 0)
    return (
      <Empty title="Nothing arrived yet">
        <p>
          Make a webhook with this inbox’s URL, then send a test from the webhook’s page. This page shows what arrives by itself.
        </p>
        <Copy text={inbox.url} label="Copy the inbox’s URL" />
      </Empty>
    );
  return (
    <ol className="stack" aria-label="Messages, newest first">
      {messages.data.map((message, i) => (
        <Message key={message.id} message={message} isOpen={i === 0} onExamine={onExamine} />
      ))}
    </ol>
  );
}

interface MessageProps extends Props {
  readonly message: InboxMessage;
  readonly isOpen: boolean;
}

function Message({ message, isOpen, onExamine }: MessageProps): ReactNode {
  const { headers, body, received_at: receivedAt } = message;
  // Of the first time that it is shown: it does not close when another one arrives.
  const [wasOpen] = useState(isOpen);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <li className="card">
      <details open={wasOpen}>
        <summary>
          <code>{headers['x-svc-event'] ?? 'no kind'}</code> <Time at={receivedAt} />
          {headers['x-svc-attempt'] !== undefined && headers['x-svc-attempt'] !== '1' && `, attempt ${headers['x-svc-attempt']}`}
        </summary>
        <div className="stack opened">
          <h2>Headers</h2>
          <Code text={lines.join('\n')} label="Headers" />
          <h2>Body</h2>
          <Code text={prettyJson(body)} raw={body} label="Body" />
          <div>
            <Button isSmall onClick={() => onExamine({ headers: lines.join('\n'), body })}>
              Check its signature
            </Button>
          </div>
        </div>
      </details>
    </li>
  );
}
