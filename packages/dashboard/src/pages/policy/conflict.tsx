// Somebody stored another version while one was editing. Nothing that was typed is lost.

import { useMemo, useState, type ReactNode } from 'react';
import { Actor } from '../../ui/actor.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { DiffView } from './diff-view.tsx';
import type { Editing } from './draft.ts';
import { write } from './editor/document.ts';

export function Conflict({ editing }: { readonly editing: Editing }): ReactNode {
  const { draft, current, isBehind, isDirty } = editing;
  const [isDropping, setDropping] = useState(false);
  const from = isBehind || draft.merging === null ? draft.base : draft.merging.from;
  const to = isBehind || draft.merging === null ? current : draft.merging.to;
  const before = useMemo(() => write(from.policy, draft.format), [from, draft.format]);
  const after = useMemo(() => write(to.policy, draft.format), [to, draft.format]);
  if (!isBehind && (!isDirty || draft.merging === null)) return null;
  return (
    <section className="notice warn stack" aria-label="Changed meanwhile">
      {isBehind ? (
        <p>
          <strong>
            Version {to.version} was stored while you were editing version {from.version}
          </strong>
          , by <Actor id={to.updated_by} />, <Time at={to.updated_at} />. Your text is as you left it
          {isDirty ? '.' : ', for its comments: they are nowhere else.'}
        </p>
      ) : (
        <p>
          <strong>You go on from version {to.version}.</strong> What changed in it is below: bring into your text what should
          stay. The difference before saving shows what would be taken back.
        </p>
      )}
      <DiffView
        label={`What changed from version ${from.version} to ${to.version}`}
        before={before}
        after={after}
        same="The documents are the same."
      />
      <div className="row">
        {isBehind ? (
          <>
            <Button onClick={editing.rebase}>Merge by hand, from version {to.version}</Button>
            <Button kind="danger" onClick={() => setDropping(true)}>
              {isDirty ? 'Drop my changes' : `Take version ${to.version}, without my comments`}
            </Button>
          </>
        ) : (
          <Button onClick={editing.endMerge}>Merged: hide this</Button>
        )}
      </div>
      {isDropping && (
        <Confirm
          title="Drop my changes"
          deed="Drop them"
          effect={<p>The editor then shows version {to.version}. What you typed is gone.</p>}
          run={async () => editing.discard()}
          onClose={() => setDropping(false)}
        />
      )}
    </section>
  );
}
