import type { DriftMonitor } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { NoteField, noteOf } from './note.tsx';

/** Says that somebody cares for a drift. */
export function Acknowledge({ monitor, onClose }: { readonly monitor: DriftMonitor; readonly onClose: () => void }): ReactNode {
  const [note, setNote] = useState('');
  const acknowledge = useAction(async () => {
    await svc.drift.acknowledge(monitor.id, noteOf(note));
    await queryClient.invalidateQueries({ queryKey: ['drift'] });
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    acknowledge.run();
  };
  return (
    <Dialog title="Acknowledge this drift" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          It says that somebody takes care of it, once. Nothing else changes: the signal is watched on, and the drift ends when it
          is back, or when its level becomes the baseline.
        </p>
        <NoteField hint="The provider is on it." value={note} onChange={setNote} />
        {acknowledge.error !== null && <Problem error={acknowledge.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={acknowledge.isBusy}>
            Acknowledge drift
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
