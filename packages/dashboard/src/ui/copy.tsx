import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';

const SAID_MS = 1_500;

interface Props {
  readonly text: string;
  readonly label?: string;
  /** Where copying is the main act. */
  readonly isPrimary?: boolean;
  readonly onCopied?: () => void;
}

/** Copies a text, and says that it did. */
export function Copy({ text, label = 'Copy', isPrimary = false, onCopied }: Props): ReactNode {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
      onCopied?.();
    } catch {
      // Without TLS browsers keep the clipboard to themselves.
      setSaid('Select it and copy by hand');
    }
    setTimeout(() => setSaid(null), SAID_MS);
  };
  return (
    <Button kind={isPrimary ? 'primary' : 'quiet'} isSmall={!isPrimary} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}

/** An id that can be copied. */
export function Id({ id }: { readonly id: string }): ReactNode {
  return (
    <span className="row">
      <code>{id}</code>
      <Copy text={id} label="Copy" />
    </span>
  );
}
