// A dialog of the platform: it holds the focus, and Escape closes it.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog ref={ref} onClose={onClose} aria-label={title}>
      <div className="dialog">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What will happen, in whole sentences. */
  readonly effect: ReactNode;
  /** What the button says: the deed, not "OK". */
  readonly deed: string;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** For what cannot be undone: the effect spelled out, and a button that names the deed. */
export function Confirm({ title, effect, deed, run, onClose }: ConfirmProps): ReactNode {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const go = async () => {
    setState({ isBusy: true, error: null });
    try {
      await run();
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{effect}</div>
      {state.error !== null && <Problem error={state.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={state.isBusy} onClick={() => void go()}>
          {deed}
        </Button>
      </div>
    </Dialog>
  );
}
