// Who is signed in and what for. When a session ends, the page that was open waits behind the sign-in, and goes on after it.

import type { Organization } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { Activity, createContext, Fragment, use, useEffect, useRef, type ReactNode } from 'react';
import { isSignedOut, onRefused, queryClient, setCsrfToken, svc } from './api.ts';
import { FailedSignIn, SignIn } from './sign-in.tsx';
import { Problem } from './ui/problem.tsx';

const KEY = ['signed-in'];
/** Timers cannot wait longer. */
const TIMER_MS_MAX = 2_147_483_647;

interface SignedIn {
  readonly organization: Organization;
  readonly sessionId: string;
  readonly expiresAt: string;
}

const SignedInContext = createContext<SignedIn | null>(null);

/** The session itself: which of the organization's it is, and when it ends at the latest. */
export function useSession(): Pick<SignedIn, 'sessionId' | 'expiresAt'> {
  return useSignedIn();
}

/** The organization, and what the session may do (`credential.scopes`). */
export function useOrganization(): Organization {
  return useSignedIn().organization;
}

/** Whether the session may do what needs `scope`: `admin:*` may do everything. */
export function useMay(scope: string): boolean {
  const { scopes } = useOrganization().credential;
  return scopes.includes('admin:*') || (scopes as readonly string[]).includes(scope);
}

function useSignedIn(): SignedIn {
  const signedIn = use(SignedInContext);
  if (signedIn === null) throw new Error('nobody is signed in');
  return signedIn;
}

export function Session({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, error, isPending } = useQuery({ queryKey: KEY, queryFn: readSession });
  useEffect(() => onRefused(lookAgain), []);
  useEnd(data?.expiresAt);
  if (isPending) return null;
  if (data === undefined) return isSignedOut(error) ? <SignIn onSignedIn={readAnew} /> : <Unreached error={error} />;
  const hasEnded = isSignedOut(error);
  return (
    <>
      {hasEnded && <SignInAgain />}
      <Activity mode={hasEnded ? 'hidden' : 'visible'}>
        {/* Another person, or another organization, begins anew. */}
        <Fragment key={identityOf(data)}>
          <SignedInContext value={data}>
            {children}
            <FailedSignIn />
          </SignedInContext>
        </Fragment>
      </Activity>
    </>
  );
}

/** Over whatever was open. Only signing in closes it. */
function SignInAgain(): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const show = () => ref.current?.open === false && ref.current.showModal();
  useEffect(() => void show(), []);
  return (
    <dialog ref={ref} className="sign-in-again" aria-label="Sign in" onCancel={(event) => event.preventDefault()} onClose={show}>
      <SignIn hasEnded onSignedIn={readAnew} />
    </dialog>
  );
}

async function readSession(): Promise<SignedIn> {
  const session = await svc.request<{ session_id: string; csrf_token: string; expires_at: string }>('GET', '/v1/auth/session');
  const organization = await svc.organization.get();
  setCsrfToken(session.csrf_token);
  const signedIn = { organization, sessionId: session.session_id, expiresAt: session.expires_at };
  const before = queryClient.getQueryData<SignedIn>(KEY);
  // What one person has read is not shown to the next.
  if (before !== undefined && identityOf(before) !== identityOf(signedIn))
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
  return signedIn;
}

function identityOf({ organization: { id, credential } }: SignedIn): string {
  return [id, credential.type, credential.id, credential.mode, ...credential.scopes].join(' ');
}

/** Something was refused: is the session itself? Its own refusal asks nothing more. */
function lookAgain(): void {
  const state = queryClient.getQueryState(KEY);
  if (state?.status === 'success' && state.fetchStatus === 'idle') void queryClient.invalidateQueries({ queryKey: KEY });
}

async function readAnew(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: KEY });
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
}

/** Nobody needs to press anything to learn that the time is up. */
function useEnd(expiresAt: string | undefined): void {
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const timer = setTimeout(lookAgain, Math.min(TIMER_MS_MAX, Math.max(0, Date.parse(expiresAt) - Date.now()) + 1_000));
    return () => clearTimeout(timer);
  }, [expiresAt]);
}

export async function signOut(): Promise<void> {
  try {
    await svc.request('DELETE', '/v1/auth/session');
  } catch (err) {
    // It had ended already: all the same.
    if (!isSignedOut(err)) throw err;
  }
  // Nothing of what was read may stay.
  queryClient.clear();
  location.assign('/');
}

function Unreached({ error }: { readonly error: unknown }): ReactNode {
  return (
    <main className="sign-in">
      <Problem error={error} onRetry={() => queryClient.invalidateQueries({ queryKey: KEY })} />
    </main>
  );
}
