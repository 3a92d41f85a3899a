// What this browser remembers of the log, since when, and how to forget it.

import { useState, type ReactNode } from 'react';
import { useOrganization } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { forgetHeld, type Held } from './held.ts';

interface Props {
  readonly held: Held | 'unreadable' | null;
  readonly onForgotten: () => void;
}

export function Remembered({ held, onForgotten }: Props): ReactNode {
  const { id: orgId } = useOrganization();
  const [isAsking, setAsking] = useState(false);
  if (held === null)
    return (
      <p className="muted">
        Nothing of this log is remembered yet. The first check keeps its checkpoint in this browser; each later one demands that
        the log has only grown.
      </p>
    );
  const forget = () => {
    forgetHeld(orgId);
    onForgotten();
    return Promise.resolve();
  };
  return (
    <details>
      <summary>
        {held === 'unreadable' ? (
          'What is remembered of this log cannot be read'
        ) : (
          <>
            Remembered: the log with {held.size.toLocaleString('en')} {held.size === 1 ? 'event' : 'events'}, since{' '}
            {exactTime(held.since).slice(0, 16)} UTC
          </>
        )}
      </summary>
      <div className="stack pins">
        {held === 'unreadable' ? (
          <p>Something else has written to the storage of this browser. Checks fail until it is forgotten.</p>
        ) : (
          <>
            <p>
              Kept in this browser for this organization, last held against the service <Time at={held.at} />. A log that is
              shorter, or has another past, is told at the next check.
            </p>
            <Code label="The checkpoint that is remembered" text={held.note} />
          </>
        )}
        <div>
          <Button kind="danger" isSmall onClick={() => setAsking(true)}>
            Forget it …
          </Button>
        </div>
      </div>
      {isAsking && (
        <Confirm
          title="Forget what was seen of this log"
          effect="The next check believes whatever log it is shown. That events were cut off or changed before then is not noticed any more in this browser. Copy the checkpoint first if you may need it."
          deed="Forget it"
          run={forget}
          onClose={() => setAsking(false)}
        />
      )}
    </details>
  );
}
