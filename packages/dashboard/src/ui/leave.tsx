// Who would leave behind what was not saved is asked first.

import { useEffect, useState, type ReactNode } from 'react';
import type { AroundNavHandler } from 'wouter';
import { Confirm } from './dialog.tsx';

interface Guard {
  /** Whether what is there stays there when one goes to this path. */
  readonly keeps: (to: string) => boolean;
  readonly ask: (go: () => void) => void;
}

let guard: Guard | null = null;

/** Of the router: every way to another page within the window leads through it, but for the browser's own buttons. */
export const guardedNavigation: AroundNavHandler = (navigate, to, options) => {
  if (guard === null || guard.keeps(to)) navigate(to, options);
  else guard.ask(() => navigate(to, options));
};

/** For what ends the page altogether, such as signing out. */
export function whenFree(go: () => void): void {
  if (guard === null) go();
  else guard.ask(go);
}

interface Props {
  /** Something is not saved. */
  readonly isDirty: boolean;
  /** Its own path, within which nothing is lost. */
  readonly path: string;
  /** What would follow, in whole sentences. */
  readonly effect: ReactNode;
  /** Drops what is not saved. */
  readonly onLeave: () => void;
}

export function LeaveGuard({ isDirty, path, effect, onLeave }: Props): ReactNode {
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!isDirty) return undefined;
    const mine: Guard = { keeps: (to) => to.split('?', 1)[0] === path, ask: (go) => setLeaving(() => go) };
    guard = mine;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => {
      if (guard === mine) guard = null;
      removeEventListener('beforeunload', onUnload);
    };
  }, [isDirty, path]);
  if (leaving === null) return null;
  return (
    <Confirm
      title="Leave without saving?"
      deed="Leave without saving"
      effect={effect}
      run={async () => {
        onLeave();
        leaving();
      }}
      onClose={() => setLeaving(null)}
    />
  );
}
