// A dialog of the platform: it holds the focus, and Escape closes it.

import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** For what would be cramped. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, isWide = false, children }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const isLeft = useRef(false);
  useLayoutEffect(() => {
    const dialog = ref.current!;
    isLeft.current = false;
    dialog.showModal();
    // While it is still there, so that the focus goes back to where it was. That nobody has closed it matters where the page comes back.
    return () => {
      isLeft.current = true;
      dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={isWide ? 'wide' : undefined}
      onClose={(event) => isLeft.current || event.currentTarget.open || onClose()}
      aria-label={title}
    >
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
