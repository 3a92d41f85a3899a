import { ApiError, type DriftEpisode, type DriftMonitorDetail } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Actor } from '../../ui/actor.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { NoteField, noteOf } from './note.tsx';

interface Props {
  readonly monitor: DriftMonitorDetail;
  /** The one that was open when it was asked for. */
  readonly episode: DriftEpisode;
  readonly onClose: () => void;
}

/** Says that somebody cares for a drift. */
export function Acknowledge({ monitor, episode, onClose }: Props): ReactNode {
  const [note, setNote] = useState('');
  // The page reads on: somebody else may be first, or the drift be over.
  const current = monitor.episodes.find(({ event_id: id }) => id === episode.event_id) ?? episode;
  const acknowledge = useAction(async () => {
    const reread = () => queryClient.invalidateQueries({ queryKey: ['drift'] });
    try {
      await svc.drift.acknowledge(monitor.id, noteOf(note));
    } catch (err) {
      if (err instanceof ApiError && err.code === 'conflict') await reread();
      throw err;
    }
    // First, because what is read then says that it is acknowledged.
    onClose();
    await reread();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    acknowledge.run();
  };
  const isOpen = current.acknowledged_at === null && current.ended_at === null;
  return (
    <Dialog title="Acknowledge this drift" onClose={onClose}>
      {isOpen || acknowledge.isBusy ? (
        <form className="stack" onSubmit={submit}>
          <p>
            It says that somebody takes care of it, once. Nothing else changes: the signal is watched on, and the drift ends when
            it is back, or when its level becomes the baseline.
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
      ) : (
        <Overtaken episode={current} note={note.trim()} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface OvertakenProps {
  readonly episode: DriftEpisode;
  /** What was typed. */
  readonly note: string;
  readonly onClose: () => void;
}

function Overtaken({ episode, note, onClose }: OvertakenProps): ReactNode {
  const { acknowledged_at: at, acknowledged_by: by, note: theirs, ended_at: endedAt } = episode;
  return (
    <div className="stack">
      <div className="notice stack" role="status">
        {at === null ? (
          <p>
            The drift ended <Time at={endedAt} />. There is nothing to acknowledge any more.
          </p>
        ) : (
          <>
            <p>
              Acknowledged in the meantime, <Time at={at} />, by {by !== null && <Actor id={by} />}.
            </p>
            <p>{theirs === null ? 'Without a note.' : `Note: ${theirs}`}</p>
          </>
        )}
      </div>
      {note !== '' && (
        <p className="row">
          <span className="muted">Your note was not stored:</span> {note} <Copy text={note} />
        </p>
      )}
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
