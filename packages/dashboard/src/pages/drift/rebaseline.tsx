import type { DriftMonitor } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { NoteField, noteOf } from './note.tsx';

/** Takes the level of now for the usual one. */
export function Rebaseline({ monitor, onClose }: { readonly monitor: DriftMonitor; readonly onClose: () => void }): ReactNode {
  const [note, setNote] = useState('');
  const { baseline, since } = monitor;
  return (
    <Confirm
      title="Take the level of now for the usual one?"
      effect={
        <div className="stack">
          <p>
            The baseline{baseline !== null && ` of ${baseline.n.toLocaleString('en')} observations`} is given up, and cannot be
            brought back. {since !== null && 'The drift that is on ends with it. '}
          </p>
          <ul className="bullets">
            <li>
              The new baseline is learned from{' '}
              {since === null ? 'what was observed last' : 'what was observed since the drift began'}, as far as it is kept, and
              from what comes.
            </li>
            <li>Until it is learned nothing is judged: a change in that time becomes the usual.</li>
            <li>The trail keeps who did it and why, with the digests of both baselines.</li>
          </ul>
          <NoteField hint="A cheaper model, slower by choice." value={note} onChange={setNote} />
        </div>
      }
      deed="Rebaseline"
      run={async () => {
        await svc.drift.rebaseline(monitor.id, noteOf(note));
        await queryClient.invalidateQueries({ queryKey: ['drift'] });
      }}
      onClose={onClose}
    />
  );
}
