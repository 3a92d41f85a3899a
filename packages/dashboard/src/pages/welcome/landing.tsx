// Step 3: a webhook to an inbox of the service, and a blocked inference that lands there, its signature verified.

import { verifyWebhook, type Assessment, type Inbox, type InboxMessage } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { queryClient, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { prettyJson } from '../webhooks/pretty.ts';
import { SECRET_LOST } from '../webhooks/webhook-secret.tsx';
import { BLOCKED_TEXT } from './send.tsx';
import type { Progress } from './progress.ts';
import { NeedsScope } from './step.tsx';

const ARRIVAL_INTERVAL_MS = 700;

interface Made {
  readonly inboxId: string;
  readonly webhookId: string;
  /** In memory alone, until the page is left; `null`: the webhook was made before. */
  readonly secret: string | null;
}

interface Props {
  /** What there was when the page was opened. */
  readonly before: Pick<Progress, 'inbox' | 'webhook'>;
  readonly onLanded: () => void;
}

export function Landing({ before: { inbox, webhook }, onLanded }: Props): ReactNode {
  const mayWrite = useMay('webhooks:write');
  const mayRead = useMay('webhooks:read');
  const [made, setMade] = useState<Made | null>(
    webhook === null ? null : { inboxId: webhook.inboxId, webhookId: webhook.id, secret: null },
  );
  const [sent, setSent] = useState<Assessment | null>(null);
  const make = useAction(async () => setMade(await makeWebhook(inbox)));
  const send = useAction(async () => setSent(await svc.assess({ input: BLOCKED_TEXT })));
  if (!mayWrite) return <NeedsScope scope="webhooks:write" />;
  if (!mayRead) return <NeedsScope scope="webhooks:read" />;
  return (
    <>
      <p>
        A webhook tells your systems. Until you have a receiver, an inbox of the service is one: it takes what comes and shows it.
      </p>
      {made === null ? (
        <div>
          <Button kind="primary" isBusy={make.isBusy} onClick={() => make.run()}>
            {inbox === null ? 'Make an inbox and a webhook' : 'Make a webhook to your inbox'}
          </Button>
        </div>
      ) : (
        <>
          <p className="notice good">
            <Link href={`/webhooks/${made.webhookId}`}>The webhook</Link> sends blocked inferences to{' '}
            <Link href={`/webhooks?tab=inboxes&inbox=${made.inboxId}`}>the inbox</Link>.{' '}
            {made.secret === null
              ? 'It was made before; its signing secret is not on this page, so what arrives is shown without being verified.'
              : 'This page keeps its signing secret until you leave, to verify what arrives.'}{' '}
            Later point the webhook to a receiver of your own and rotate its secret, or delete both.
          </p>
          <div>
            <Button kind="primary" isBusy={send.isBusy} onClick={() => send.run()}>
              Send a blocked inference
            </Button>
          </div>
        </>
      )}
      {make.error !== null && <Problem error={make.error} />}
      {send.error !== null && <Problem error={send.error} />}
      {made !== null && sent !== null && <Watch key={sent.id} made={made} sent={sent} onLanded={onLanded} />}
    </>
  );
}

async function makeWebhook(existing: Inbox | null): Promise<Made> {
  const inbox = existing ?? (await svc.inboxes.create());
  const webhook = await svc.webhooks.create({
    url: inbox.url,
    events: ['inference.blocked', 'inference.flagged'],
    description: 'First steps: to the built-in inbox',
  });
  void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  void queryClient.invalidateQueries({ queryKey: ['inboxes'] });
  if (webhook.signing_secret === undefined) throw new Error(SECRET_LOST);
  return { inboxId: inbox.id, webhookId: webhook.webhook_id, secret: webhook.signing_secret };
}

interface WatchProps {
  readonly made: Made;
  readonly sent: Assessment;
  readonly onLanded: () => void;
}

function Watch({ made, sent, onLanded }: WatchProps): ReactNode {
  const [isVerified, setVerified] = useState<boolean | null>(null);
  const messages = useQuery({
    queryKey: ['inboxes', made.inboxId, 'messages'],
    queryFn: async ({ signal }) => (await svc.inboxes.listMessages(made.inboxId, { signal })).data,
    refetchInterval: ({ state }) => (find(state.data, sent) === undefined ? ARRIVAL_INTERVAL_MS : false),
  });
  const message = find(messages.data, sent);
  useEffect(() => {
    if (message === undefined || isVerified !== null) return;
    if (made.secret === null) return onLanded();
    void verify(message, made.secret).then((holds) => {
      setVerified(holds);
      if (holds) onLanded();
    });
  }, [message, isVerified, made.secret, onLanded]);
  if (sent.outcome === 'allowed')
    return (
      <p className="notice warn">
        Your policy allows this text, so nothing is sent. <Link href="/policy">Look at the policy</Link>.
      </p>
    );
  if (message === undefined)
    return (
      <div className="stack" role="status">
        <p className="muted">It was {sent.outcome}. Waiting for it to land …</p>
        {messages.error !== null && <Problem error={messages.error} onRetry={() => messages.refetch()} />}
      </div>
    );
  return (
    <div className="stack">
      <div className="row" role="status">
        <strong>Landed in the inbox</strong> <code>{message.headers['x-svc-event']}</code> <Time at={message.received_at} />
        {isVerified === true && <Badge tone="good">signature verified</Badge>}
        {isVerified === false && <Badge tone="bad">signature does not hold</Badge>}
      </div>
      <Code text={prettyJson(message.body)} label="What landed" />
      <Link href={`/webhooks?tab=inboxes&inbox=${made.inboxId}`}>Open the inbox, with all headers</Link>
    </div>
  );
}

function find(messages: readonly InboxMessage[] | undefined, sent: Assessment): InboxMessage | undefined {
  return messages?.find(({ body }) => body.includes(sent.id));
}

/** By the code that a receiver runs. */
async function verify({ headers, body }: InboxMessage, secret: string): Promise<boolean> {
  try {
    await verifyWebhook({ headers, body }, { secret });
    return true;
  } catch {
    return false;
  }
}
