// A secret that the service shows once.

import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  readonly title: string;
  /** What the secret is called: `Signing secret`. */
  readonly label: string;
  readonly secret: string;
  /** What to do with it. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Shows it with a copy button, and forgets it when it closes. */
export function SecretDialog({ title, label, secret, children, onClose }: Props): ReactNode {
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <p className="notice warn">It is shown only now. Keep it where your other secrets are; the service cannot show it again.</p>
      <div className="stack">
        <label className="field">
          <span>{label}</span>
          <input className="input mono secret" readOnly value={secret} onFocus={(event) => event.target.select()} />
        </label>
        <div>
          <Copy text={secret} label={`Copy the ${/^[A-Z]{2}/.test(label) ? label : label.toLowerCase()}`} />
        </div>
      </div>
      {children}
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}
