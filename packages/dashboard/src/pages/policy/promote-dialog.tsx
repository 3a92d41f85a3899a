// Before the shadow's policy is put in force: what it changes. Only what was looked at is promoted.

import { NotFoundError, PreconditionFailedError, type PolicyShadow, type PolicyVersion } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { shadowQuery } from './candidate.tsx';
import { readAnew, tagOf, tookForce } from './draft.ts';
import { ShadowDifference } from './shadow-difference.tsx';

interface Props {
  readonly shadow: PolicyShadow;
  readonly current: PolicyVersion;
  readonly onClose: () => void;
}

export function PromoteDialog({ shadow, current, onClose }: Props): ReactNode {
  // What is on the screen is what is meant, whatever the page has read since.
  const [seen, setSeen] = useState({ shadow, current });
  const isOther = shadow.digest !== seen.shadow.digest || current.digest !== seen.current.digest;
  const { tally } = seen.shadow;
  const promote = useAction(async () => {
    try {
      const meant = { digest: seen.shadow.digest };
      await tookForce(await svc.policy.promoteShadow(meant, { headers: { 'if-match': tagOf(seen.current) } }));
      onClose();
    } catch (error) {
      if (error instanceof PreconditionFailedError || error instanceof NotFoundError) {
        // What is there by now comes to the page, and this says so.
        await Promise.all([readAnew(), queryClient.refetchQueries({ queryKey: shadowQuery.queryKey })]);
      }
      throw error;
    }
  });
  return (
    <Dialog title="Promote the shadow" isWide onClose={onClose}>
      <p>
        Its policy becomes version {seen.current.version + 1} and is in force at once; the shadow ends. Of{' '}
        {tally.assessed.toLocaleString('en')} that were compared, {tally.newly_blocked.toLocaleString('en')} would have been newly
        blocked, {tally.newly_flagged.toLocaleString('en')} newly flagged, {tally.newly_allowed.toLocaleString('en')} newly
        allowed. What changes:
      </p>
      <ShadowDifference shadow={seen.shadow} current={seen.current} />
      {isOther ? (
        <div className="notice warn stack" role="alert">
          <p>
            <strong>
              {shadow.digest === seen.shadow.digest
                ? `Version ${current.version} is in force by now.`
                : 'Another candidate runs by now.'}
            </strong>{' '}
            What you looked at is above, and nothing was promoted.
          </p>
          <div>
            <Button
              onClick={() => {
                promote.reset();
                setSeen({ shadow, current });
              }}
            >
              Show the new difference
            </Button>
          </div>
        </div>
      ) : (
        promote.error !== null && <Problem error={promote.error} />
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={promote.isBusy} disabled={isOther} onClick={() => promote.run()}>
          Put it in force
        </Button>
      </div>
    </Dialog>
  );
}
