// A secret that the service shows once. It goes when it was copied, or when somebody says to have kept it; not by a slip.

import { useState, type ReactNode } from 'react';
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
  const [isCopied, setCopied] = useState(false);
  const [wasHeld, setHeld] = useState(false);
  const name = /^[A-Z]{2}/.test(label) ? label : label.toLowerCase();
  const markCopied = () => setCopied(true);
  return (
    <Dialog title={title} isWide onClose={onClose} onEscape={isCopied ? undefined : () => setHeld(true)}>
      <p className="notice warn">It is shown only now. Keep it where your other secrets are; the service cannot show it again.</p>
      <div className="secret-row">
        <label className="field">
          <span>{label}</span>
          <input
            className="input mono secret"
            readOnly
            value={secret}
            onFocus={(event) => event.target.select()}
            onCopy={markCopied}
          />
        </label>
        <Copy text={secret} label={`Copy the ${name}`} isPrimary onCopied={markCopied} />
      </div>
      {wasHeld && !isCopied && (
        <p className="notice bad" role="alert">
          <strong>The {name} is not copied yet.</strong> Copy it, or press “I have kept it”: once this closes, nobody can read it
          again.
        </p>
      )}
      {children}
      <div className="dialog-actions">
        <Button onClick={onClose}>I have kept it</Button>
      </div>
    </Dialog>
  );
}
