import type { CreateWebhook } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { KindPicker } from './kind-picker.tsx';
import { SECRET_LOST } from './webhook-secret.tsx';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (id: string, secret: string) => void;
}

export function NewWebhook({ onClose, onCreated }: Props): ReactNode {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<readonly string[]>(['inference.blocked', 'inference.flagged']);
  const takeInbox = useAction(async () => setUrl(await inboxUrl()));
  const create = useAction(async () => {
    const webhook = await svc.webhooks.create({
      url: url.trim(),
      events: events as CreateWebhook['events'],
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    });
    void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    if (webhook.signing_secret === undefined) throw new Error(SECRET_LOST);
    onCreated(webhook.webhook_id, webhook.signing_secret);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.run();
  };
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>URL</span>
          <input
            className="input mono"
            type="url"
            required
            maxLength={2048}
            autoComplete="off"
            placeholder="https://example.com/hooks/svc"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <small>Takes a POST for each event and answers 2xx within five seconds. https, at a public address.</small>
        </label>
        <div className="row">
          <Button isSmall isBusy={takeInbox.isBusy} onClick={() => takeInbox.run()}>
            Use the built-in inbox
          </Button>
          <small className="muted">No receiver yet? An inbox of the service takes webhooks and shows what arrived.</small>
        </div>
        {takeInbox.error !== null && <Problem error={takeInbox.error} />}
        <label className="field">
          <span>Description</span>
          <input
            className="input"
            maxLength={1000}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
          <small>What the receiver is for. May stay empty.</small>
        </label>
        <KindPicker chosen={events} onChange={setEvents} />
        {create.error !== null && <Problem error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isBusy} disabled={events.length === 0}>
            Create webhook
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The newest inbox; a new one where there is none. */
async function inboxUrl(): Promise<string> {
  const { data } = await svc.inboxes.list();
  const newest = data.toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0];
  const inbox = newest ?? (await svc.inboxes.create());
  void queryClient.invalidateQueries({ queryKey: ['inboxes'] });
  return inbox.url;
}
