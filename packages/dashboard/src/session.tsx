// Who is signed in, what for, and the page that signs in.

import type { Organization } from '@svc/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createContext, use, useState, type FormEvent, type ReactNode } from 'react';
import { isSignedOut, queryClient, setCsrfToken, svc } from './api.ts';
import { Button } from './ui/button.tsx';
import { Problem } from './ui/problem.tsx';

const KEY = ['organization'];

const OrganizationContext = createContext<Organization | null>(null);

/** The organization, and what the session may do (`credential.scopes`). */
export function useOrganization(): Organization {
  const organization = use(OrganizationContext);
  if (organization === null) throw new Error('nobody is signed in');
  return organization;
}

/** Whether the session may do what needs `scope`: `admin:*` may do everything. */
export function useMay(scope: string): boolean {
  const { scopes } = useOrganization().credential;
  return scopes.includes('admin:*') || (scopes as readonly string[]).includes(scope);
}

export function Session({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, error, isPending } = useQuery({ queryKey: KEY, queryFn: readSession });
  if (isPending) return null;
  if (data !== undefined) return <OrganizationContext value={data}>{children}</OrganizationContext>;
  return isSignedOut(error) ? <SignIn /> : <Unreached error={error} />;
}

async function readSession(): Promise<Organization> {
  const { csrf_token: token } = await svc.request<{ csrf_token: string }>('GET', '/v1/auth/session');
  setCsrfToken(token);
  return svc.organization.get();
}

export async function signOut(): Promise<void> {
  await svc.request('DELETE', '/v1/auth/session');
  // Nothing of what was read may stay.
  queryClient.clear();
  location.assign('/');
}

/** The key is exchanged for a cookie that pages cannot read, and forgotten. */
async function openSession(key: string): Promise<void> {
  const res = await fetch('/v1/auth/session', { method: 'POST', headers: { authorization: `Bearer ${key.trim()}` } });
  if (!res.ok)
    throw new Error(
      res.status === 401
        ? 'This key does not hold. Is it whole, and not revoked?'
        : `The service answered with status ${res.status}.`,
    );
}

function SignIn(): ReactNode {
  const [key, setKey] = useState('');
  const signIn = useMutation({
    mutationFn: openSession,
    onSuccess: () => {
      setKey('');
      return queryClient.invalidateQueries();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(key);
  };
  return (
    <main className="sign-in">
      <div className="card stack">
        <div className="brand">
          <img src="/icon.svg" alt="" /> svc
        </div>
        <h1>Sign in</h1>
        <form className="stack" onSubmit={submit}>
          <label className="field">
            <span>Admin key</span>
            <input
              className="input mono"
              type="password"
              name="key"
              autoComplete="off"
              spellCheck={false}
              required
              placeholder="svc_admin_…"
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
            <small>
              The first start of the service printed one. It is exchanged for a session and kept nowhere in this browser.
            </small>
          </label>
          <Button kind="primary" type="submit" isBusy={signIn.isPending}>
            Sign in
          </Button>
          {signIn.error !== null && <Problem error={signIn.error} />}
        </form>
        <a className="button" href="/v1/auth/sso/start">
          Sign in with single sign-on
        </a>
      </div>
    </main>
  );
}

function Unreached({ error }: { readonly error: unknown }): ReactNode {
  return (
    <main className="sign-in">
      <Problem error={error} onRetry={() => queryClient.invalidateQueries({ queryKey: KEY })} />
    </main>
  );
}
