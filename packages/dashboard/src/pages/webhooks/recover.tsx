import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { keyOf, resourceOf, type Endpoint } from './endpoint.ts';

const DAY_MS = 86_400_000;

/** Sends again what has failed since a time. */
export function Recover({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }): ReactNode {
  const [since, setSince] = useState(() => localTime(Date.now() - DAY_MS));
  const [latest] = useState(() => localTime(Date.now()));
  const [recovered, setRecovered] = useState<number | null>(null);
  const recover = useAction(async () => {
    setRecovered(null);
    const answer = await resourceOf(endpoint).recover(endpoint.id, { since: new Date(since).toISOString() });
    setRecovered(answer.recovered);
    await queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    recover.run();
  };
  return (
    <Dialog title="Recover failed deliveries" onClose={onClose}>
      <p>
        After an outage: every delivery that has <strong>failed</strong> is sent again, with the whole schedule of attempts, the
        same event id and the same body. A receiver that deduplicates by <code>webhook-id</code> takes none twice.
      </p>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>Events recorded since</span>
          <input
            className="input"
            type="datetime-local"
            required
            value={since}
            max={latest}
            onChange={(event) => setSince(event.target.value)}
          />
          <small>In the time of this browser. Deliveries are kept for 30 days.</small>
        </label>
        <p aria-live="polite">{recovered !== null && wordsOf(recovered)}</p>
        {recover.error !== null && <Problem error={recover.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" isBusy={recover.isBusy}>
            Send again
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function wordsOf(recovered: number): string {
  if (recovered === 0) return 'None has failed since then.';
  return recovered === 1 ? '1 is being sent again.' : `${recovered} are being sent again.`;
}

/** `2026-11-22T10:00`, as the field wants it: in the time of who looks. */
function localTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
