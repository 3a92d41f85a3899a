// What went wrong, what to do about it, and the request's id for who is asked for help.

import { ApiError, ConnectionError, RateLimitError } from '@svc/client';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => unknown }): ReactNode {
  return (
    <div className="notice bad stack" role="alert">
      <p>
        <strong>{messageOf(error)}</strong> {nextStepOf(error)}
      </p>
      {error instanceof ApiError && error.details.length > 0 && (
        <ul>
          {error.details.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.requestId !== null && (
        <p className="muted">
          Request <code>{error.requestId}</code>
        </p>
      )}
      {onRetry !== undefined && (
        <div>
          <Button isSmall onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

function nextStepOf(error: unknown): string {
  if (error instanceof RateLimitError) return error.retryAfter === null ? '' : `Try again in ${error.retryAfter} s.`;
  if (error instanceof ConnectionError) return 'Is the service running, and this machine connected?';
  // The same code refuses what has nothing to do with scopes, and says what to do about it.
  if (error instanceof ApiError && error.code === 'insufficient_permissions' && / the scope /.test(error.message))
    return 'Sign in with a credential that has it.';
  return '';
}
