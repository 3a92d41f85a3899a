// Before a policy is put in force: what it changes.

import { PreconditionFailedError } from '@svc/client';
import { useMemo, type ReactNode } from 'react';
import { svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { DiffView } from './diff-view.tsx';
import { hasComments, readAnew, tagOf, tookForce, type Editing } from './draft.ts';
import { write } from './editor/document.ts';
import type { Lint } from './editor/lint.ts';

interface Props {
  readonly editing: Editing;
  readonly lint: Lint;
  readonly onClose: () => void;
}

export function SaveDialog({ editing, lint, onClose }: Props): ReactNode {
  const { draft, current, isBehind } = editing;
  const { reading, marks, state } = lint;
  const policy = reading.isReadable ? reading.policy : null;
  const warnings = marks.filter(({ severity }) => severity === 'warning');
  const save = useAction(async () => {
    try {
      const saved = await svc.policy.put(policy!, { headers: { 'if-match': tagOf(draft.base) } });
      editing.saved(saved);
      await tookForce(saved);
      onClose();
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error;
      // The page then tells who was faster.
      await readAnew();
      onClose();
    }
  });
  const before = useMemo(() => write(draft.base.policy, draft.format), [draft.base, draft.format]);
  const after = useMemo(() => (policy === null ? '' : write(policy, draft.format)), [policy, draft.format]);
  const isSame = before === after;
  return (
    <Dialog title={`Save as version ${current.version + 1}`} isWide onClose={onClose}>
      {isBehind ? (
        <p className="notice warn">
          Version {current.version} was stored while you were editing version {draft.base.version}. Close this, look at what
          changed in it, and merge.
        </p>
      ) : (
        <p>
          It is in force at once on this node, and within a second on others. Version {current.version} stays, and can be
          restored.
        </p>
      )}
      {policy === null || state === 'invalid' ? (
        <p className="notice bad">The document is not valid. Close this and look at its problems.</p>
      ) : (
        <DiffView
          label={`Changes to version ${draft.base.version}`}
          before={before}
          after={after}
          same="Only comments or blanks differ: the document says the same, so there is nothing to store."
        />
      )}
      {warnings.length > 0 && (
        <div className="notice warn">
          <strong>Perhaps not meant</strong>
          <ul className="bullets">
            {warnings.map(({ pointer, message }) => (
              <li key={`${pointer} ${message}`}>
                <code>{pointer}</code> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {hasComments(draft) && (
        <p className="muted">
          Comments are yours: the service stores the document without them. They stay on this page until you reload it or sign
          out.
        </p>
      )}
      {save.error !== null && <Problem error={save.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Go on editing</Button>
        <Button kind="primary" disabled={isSame || isBehind || state !== 'valid'} isBusy={save.isBusy} onClick={() => save.run()}>
          Save and put in force
        </Button>
      </div>
    </Dialog>
  );
}
