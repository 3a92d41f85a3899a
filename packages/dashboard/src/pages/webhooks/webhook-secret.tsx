import type { ReactNode } from 'react';
import { Snippets } from '../../ui/code.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { VERIFY_SNIPPETS } from './snippets.ts';

/** The answer that had it did not arrive, and the service repeats what it did, not what it showed. */
export const SECRET_LOST = 'It is done, but the answer with the secret was lost on the way. Rotate the secret to get a new one.';

interface Props {
  readonly secret: string;
  /** After a rotation: until when the old one signs too, in words. */
  readonly isRotated?: boolean;
  readonly onClose: () => void;
}

/** The signing secret, once, and what a receiver does with it. */
export function WebhookSecret({ secret, isRotated = false, onClose }: Props): ReactNode {
  return (
    <SecretDialog
      title={isRotated ? 'Copy the new signing secret' : 'Copy the signing secret'}
      label="Signing secret"
      secret={secret}
      onClose={onClose}
    >
      <p>
        Give it to the receiver as <code>WEBHOOK_SECRET</code>, whole, <code>whsec_</code> included. It verifies each delivery
        with it, before anything is believed:
      </p>
      <Snippets label="Verify a delivery" snippets={VERIFY_SNIPPETS} />
    </SecretDialog>
  );
}
