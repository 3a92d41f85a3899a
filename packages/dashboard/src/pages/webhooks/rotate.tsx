// A new signing secret, without a delivery that is refused on the way.

import type { Webhook } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { SECRET_LOST, WebhookSecret } from './webhook-secret.tsx';

const HOUR_S = 3_600;
const GRACES = [
  { graceS: 24 * HOUR_S, title: '1 day' },
  { graceS: HOUR_S, title: '1 hour' },
  { graceS: 3 * 24 * HOUR_S, title: '3 days' },
  { graceS: 7 * 24 * HOUR_S, title: '7 days' },
  { graceS: 0, title: 'Not at all: the old secret has leaked' },
] as const;

export function Rotate({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }): ReactNode {
  const [graceS, setGraceS] = useState<number>(GRACES[0].graceS);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useAction(async () => {
    const { signing_secret: made } = await svc.webhooks.rotateSecret(webhook.webhook_id, { grace_s: graceS });
    void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    if (made === undefined) throw new Error(SECRET_LOST);
    setSecret(made);
  });
  if (secret !== null) return <WebhookSecret secret={secret} isRotated onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotate.run();
  };
  return (
    <Dialog title="Rotate the signing secret" onClose={onClose}>
      <p>
        A new secret is made and shown once. For a while both sign, so that no delivery is refused while you deploy the new one:
      </p>
      <ul className="bullets">
        <li>
          <code>webhook-signature</code> holds two signatures. A receiver of Standard Webhooks simply exchanges its secret.
        </li>
        <li>
          <code>X-Svc-Signature-256</code> stays the old secret’s; the new one’s is in <code>X-Svc-Signature-256-Next</code>. A
          receiver of this form takes both secrets until the end.
        </li>
      </ul>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>The old secret goes on signing for</span>
          <select className="input" value={graceS} onChange={(event) => setGraceS(Number(event.target.value))}>
            {GRACES.map((grace) => (
              <option key={grace.graceS} value={grace.graceS}>
                {grace.title}
              </option>
            ))}
          </select>
        </label>
        {graceS === 0 && (
          <p className="notice warn">
            Receivers refuse deliveries from this moment until they have the new secret. Those are retried.
          </p>
        )}
        {rotate.error !== null && <Problem error={rotate.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={rotate.isBusy}>
            Rotate the secret
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** While two secrets sign: until when, what is left to do, and its end. */
export function RotationNotice({ webhook, mayWrite }: { readonly webhook: Webhook; readonly mayWrite: boolean }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  if (webhook.old_secret_until === null) return null;
  return (
    <div className="notice warn stack">
      <p>
        <strong>
          Two secrets sign; the old one ends <Time at={webhook.old_secret_until} />.
        </strong>{' '}
        Deploy the new one, send a test, then finish.
      </p>
      {mayWrite && (
        <div>
          <Button isSmall onClick={() => setAsking(true)}>
            Finish the rotation
          </Button>
        </div>
      )}
      {isAsking && (
        <Confirm
          title="Finish the rotation?"
          effect="From now on the new secret alone signs. Receivers that still have the old one refuse every delivery. The old secret cannot be brought back."
          deed="Finish the rotation"
          run={async () => {
            await svc.webhooks.finishRotation(webhook.webhook_id);
            await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
