import type { PolicyException } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { DAY_MS, DAYS_DEFAULT, endOfDay } from './new-exception.tsx';

interface Props {
  readonly exception: PolicyException;
  readonly onExtend: (until: string) => void;
  readonly onClose: () => void;
}

export function ExtendException({ exception, onExtend, onClose }: Props): ReactNode {
  const [day, setDay] = useState(() => new Date(Date.now() + DAYS_DEFAULT * DAY_MS).toISOString().slice(0, 10));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onExtend(endOfDay(day));
  };
  return (
    <Dialog title={`Extend ${exception.id}`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          It ends <Time at={exception.expires_at} />. <strong>{exception.owner}</strong> answers for it: ask whether it is still
          needed.
        </p>
        <label className="field">
          <span>Last day, UTC</span>
          <input
            className="input"
            type="date"
            required
            min={new Date().toISOString().slice(0, 10)}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        </label>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Extend, and look at the difference
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
