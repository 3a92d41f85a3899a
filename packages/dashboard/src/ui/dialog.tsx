// A dialog of the platform: it holds the focus, and Escape closes it, unless it holds what is shown once. What it is closed by stays in sight.

import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Name, visible } from './name.tsx';
import { Problem } from './problem.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Where it is given, Escape does not close: this is told of it instead. Only the dialog's own buttons do. */
  readonly onEscape?: (() => void) | undefined;
  /** For what would be cramped. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, onEscape, isWide = false, children }: DialogProps): ReactNode {
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
  const onClosed = (dialog: HTMLDialogElement) => {
    if (isLeft.current || dialog.open) return;
    const escape = isBusy(dialog) ? () => hold(dialog) : onEscape;
    if (escape === undefined) return onClose();
    // Browsers heed a refusal only once.
    dialog.showModal();
    escape();
  };
  return (
    <dialog
      ref={ref}
      className={isWide ? 'wide' : undefined}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        const escape = isBusy(event.currentTarget) ? () => hold(ref.current!) : onEscape;
        if (escape === undefined) return;
        event.preventDefault();
        escape();
      }}
      onClickCapture={(event) => {
        if (!isBusy(event.currentTarget) || (event.target as Element).closest('.dialog-actions') === null) return;
        event.preventDefault();
        event.stopPropagation();
        hold(event.currentTarget);
      }}
      onClose={(event) => event.target === event.currentTarget && onClosed(event.currentTarget)}
      aria-label={visible(title)}
    >
      <div className="dialog">
        <h2>
          <Name text={title} />
        </h2>
        <p className="dialog-hold notice" role="status" />
        {children}
      </div>
    </dialog>
  );
}

/** A deed that was begun is waited for: its answer may hold what is shown once. */
function isBusy(dialog: HTMLDialogElement): boolean {
  return dialog.querySelector('.dialog-actions .button[aria-busy="true"]') !== null;
}

/** Says why it stays. Seen only for as long as it is so. */
function hold(dialog: HTMLDialogElement): void {
  dialog.querySelector('.dialog-hold')!.textContent = 'One moment: this closes when the service has answered.';
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
