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

/** What is not saved and still held, by path: also where the browser's own buttons led away from its page. */
const held = new Map<string, () => boolean>();

function onUnload(event: BeforeUnloadEvent): void {
  for (const [path, isUnsaved] of held) if (!isUnsaved()) held.delete(path);
  if (held.size > 0) event.preventDefault();
  else removeEventListener('beforeunload', onUnload);
}

interface Props {
  /** Something is not saved. */
  readonly isDirty: boolean;
  /** Its own path, within which nothing is lost. */
  readonly path: string;
  /** Whether something still is not, asked when the window is closed: perhaps after the page was left by the browser's way back. */
  readonly isUnsaved: () => boolean;
  /** What would follow, in whole sentences. */
  readonly effect: ReactNode;
  /** Drops what is not saved. */
  readonly onLeave: () => void;
}

export function LeaveGuard({ isDirty, path, isUnsaved, effect, onLeave }: Props): ReactNode {
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!isDirty) return undefined;
    const mine: Guard = { keeps: (to) => to.split('?', 1)[0] === path, ask: (go) => setLeaving(() => go) };
    guard = mine;
    held.set(path, isUnsaved);
    addEventListener('beforeunload', onUnload);
    return () => {
      if (guard === mine) guard = null;
    };
  }, [isDirty, path, isUnsaved]);
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
