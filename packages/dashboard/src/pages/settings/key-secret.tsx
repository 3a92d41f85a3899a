import type { CreatedApiKey } from '@svc/client';
import type { ReactNode } from 'react';
import { Snippets } from '../../ui/code.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { snippetsOf } from './key-snippets.ts';
import type { KeyType } from './scopes.ts';

interface Props {
  readonly created: Pick<CreatedApiKey, 'key' | 'type' | 'permissions'>;
  readonly title?: string;
  /** What comes next, where that is not a first request. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** A new key, once, and what to do with it. */
export function KeySecret({ created, title = 'Copy your new key', children, onClose }: Props): ReactNode {
  return (
    <SecretDialog title={title} label="API key" secret={created.key ?? ''} onClose={onClose}>
      {children ?? (
        <>
          <p>Put it into your secrets manager and give it to the program from there, then try it:</p>
          <Snippets label="First request" snippets={snippetsOf(created.type as KeyType, created.permissions)} />
        </>
      )}
    </SecretDialog>
  );
}
