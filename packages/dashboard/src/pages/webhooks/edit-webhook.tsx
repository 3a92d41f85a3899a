import type { PatchWebhook, Webhook } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { KindPicker } from './kind-picker.tsx';

export function EditWebhook({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }): ReactNode {
  const [url, setUrl] = useState(webhook.url);
  const [description, setDescription] = useState(webhook.description ?? '');
  const [events, setEvents] = useState<readonly string[]>(webhook.events);
  const save = useAction(async () => {
    await svc.webhooks.update(webhook.webhook_id, {
      ...(url.trim() === webhook.url ? {} : { url: url.trim() }),
      events: events as NonNullable<PatchWebhook['events']>,
      description: description.trim() === '' ? null : description.trim(),
    });
    await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.run();
  };
  return (
    <Dialog title="Edit webhook" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>URL</span>
          <input
            className="input mono"
            type="url"
            required
            maxLength={2048}
            autoComplete="off"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <small>What is queued goes to the new address.</small>
        </label>
        <label className="field">
          <span>Description</span>
          <input
            className="input"
            maxLength={1000}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </label>
        <KindPicker chosen={events} onChange={setEvents} />
        {save.error !== null && <Problem error={save.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isBusy} disabled={events.length === 0}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
