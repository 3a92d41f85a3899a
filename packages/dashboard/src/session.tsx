// Who is signed in and what for. When a session ends, the page that was open waits behind the sign-in, and goes on after it.

import type { Organization } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { Activity, createContext, use, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { bindTo, closeApi, isSignedOut, listen, queryClient, svc, unboundSvc, type Binding } from './api.ts';
import { FailedSignIn, SignIn } from './sign-in.tsx';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { whenFree } from './ui/leave.tsx';
import { Name, visible } from './ui/name.tsx';
import { Problem } from './ui/problem.tsx';
import { useTitle } from './ui/title.ts';
import { onComeBack, onOtherWindow, tellSession, tellSignedOut } from './windows.ts';

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
  const { isGone, failure } = useSyncExternalStore(subscribe, () => departure);
  const [first, setFirst] = useState<SignedIn>();
  if (first === undefined && data !== undefined) setFirst(data);
  useEffect(() => listen({ onRefused: lookAgain, onForbidden: isRenewed }), []);
  useEffect(() => onOtherWindow(({ sessionId }) => (sessionId === null ? startAnew() : followSession(sessionId))), []);
  useEffect(() => onComeBack(mayComeBack), []);
  useLeave(isGone);
  useEnd(data?.expiresAt);
  if (isGone || isPending) return null;
  if (data === undefined) return isSignedOut(error) ? <SignIn onSignedIn={readAnew} /> : <Unreached error={error} />;
  if (first !== undefined && !isSame(first, data)) return <Replaced before={first} now={data} />;
  const hasEnded = isSignedOut(error);
  return (
    <>
      {hasEnded && <SignInAgain />}
      <Activity mode={hasEnded ? 'hidden' : 'visible'}>
        <SignedInContext value={data}>
          {children}
          <FailedSignIn />
          {failure !== null && <StillSignedIn error={failure} />}
        </SignedInContext>
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
  const session = await unboundSvc.request<{ session_id: string; csrf_token: string; expires_at: string }>(
    'GET',
    '/v1/auth/session',
  );
  const organization = await unboundSvc.organization.get();
  const signedIn = { organization, sessionId: session.session_id, expiresAt: session.expires_at };
  const before = queryClient.getQueryData<SignedIn>(KEY);
  if (before === undefined || isSame(before, signedIn))
    bindTo({ organizationId: organization.id, sessionId: session.session_id, csrfToken: session.csrf_token });
  else if (isSigningIn) startAnew();
  else closeApi();
  tellSession(session.session_id);
  return signedIn;
}

/** Another session of the same identity goes on where one was; another person, organization or role begins anew. */
function isSame(a: SignedIn, b: SignedIn): boolean {
  return identityOf(a) === identityOf(b);
}

function identityOf({ organization: { id, credential } }: SignedIn): string {
  return [id, credential.type, credential.id, credential.mode, ...credential.scopes].join(' ');
}

/** Something was refused: is the session itself? Its own refusal asks nothing more. */
function lookAgain(): void {
  const state = queryClient.getQueryState(KEY);
  if (state?.status === 'success' && state.fetchStatus === 'idle') void queryClient.invalidateQueries({ queryKey: KEY });
}

const readNow = () => queryClient.fetchQuery({ queryKey: KEY, queryFn: readSession, staleTime: 0 });

/** Whether what `by` was forbidden is worth asking again: only the session was another, of the same identity. */
async function isRenewed(by: Binding): Promise<boolean> {
  const before = queryClient.getQueryData<SignedIn>(KEY);
  try {
    const now = await readNow();
    return now.sessionId !== by.sessionId && before !== undefined && isSame(before, now);
  } catch {
    return false;
  }
}

/** Another window has this session. */
function followSession(sessionId: string): void {
  const state = queryClient.getQueryState<SignedIn>(KEY);
  if (state?.data?.sessionId !== sessionId || state.status === 'error') void queryClient.refetchQueries({ queryKey: KEY });
}

/** Who has signed out is asked to sign in, and a session that ended waits behind the sign-in: neither shows what it had. */
async function mayComeBack(): Promise<boolean> {
  if (departure.isGone) return false;
  try {
    await readNow();
    return true;
  } catch (err) {
    return isSignedOut(err);
  }
}

let isSigningIn = false;

async function readAnew(): Promise<void> {
  isSigningIn = true;
  await queryClient.refetchQueries({ queryKey: KEY });
  isSigningIn = false;
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

/** How far the signing out is. `isGone`: nothing of what was open is shown, and the page is loaded anew. */
interface Departure {
  readonly isBusy: boolean;
  /** `null`: the last try had none. */
  readonly failure: unknown;
  readonly isGone: boolean;
  readonly to: string | null;
}

let departure: Departure = { isBusy: false, failure: null, isGone: false, to: null };
const listeners = new Set<() => void>();

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

function depart(next: Partial<Departure>): void {
  departure = { ...departure, ...next };
  for (const onChange of listeners) onChange();
}

export function useIsSigningOut(): boolean {
  return useSyncExternalStore(subscribe, () => departure.isBusy);
}

/** Asks first where something is not saved. Where it fails, a dialog says so. */
export function signOut(): void {
  whenFree(() => void endSession());
}

async function endSession(): Promise<void> {
  if (departure.isBusy || departure.isGone) return;
  depart({ isBusy: true, failure: null });
  try {
    await svc.request('DELETE', '/v1/auth/session');
  } catch (failure) {
    // It had ended already: all the same.
    if (!isSignedOut(failure)) return depart({ isBusy: false, failure });
  }
  tellSignedOut();
  depart({ isGone: true, to: '/' });
}

/** Drops all that is open and all that was read, also what pages keep beside the cache: by loading the page again. */
function startAnew(): void {
  closeApi();
  depart({ isGone: true });
}

/** Once nothing is shown any more: the browser may keep this page for its Back button. */
function useLeave(isGone: boolean): void {
  useEffect(() => {
    if (!isGone) return;
    queryClient.clear();
    if (departure.to === null) location.reload();
    else location.assign(departure.to);
  }, [isGone]);
}

function StillSignedIn({ error }: { readonly error: unknown }): ReactNode {
  const isBusy = useIsSigningOut();
  const close = () => depart({ failure: null });
  return (
    <Dialog title="You are still signed in" onClose={close}>
      <p>The service did not end this session. Who uses this browser after you could go on with it.</p>
      <Problem error={error} />
      <div className="dialog-actions">
        <Button onClick={close}>Stay signed in</Button>
        <Button kind="primary" isBusy={isBusy} onClick={() => void endSession()}>
          Try again
        </Button>
      </div>
    </Dialog>
  );
}

/** In another window of this browser somebody has signed in, and the cookie is theirs now. */
function Replaced({ before, now }: { readonly before: SignedIn; readonly now: SignedIn }): ReactNode {
  const isSomeoneElse = before.organization.credential.id !== now.organization.credential.id;
  const title = isSomeoneElse ? 'Signed in as someone else' : 'Signed in with another role';
  useTitle(title);
  useEffect(() => queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] }), []);
  const isElsewhere = before.organization.id !== now.organization.id;
  return (
    <main className="sign-in">
      <div className="card stack">
        <h1>{title}</h1>
        <div className="stack" role="status">
          <p>
            In another window, this browser was signed in to <Named as={now} />. It can hold one session only.
          </p>
          <p>
            {isSomeoneElse ? (
              <>
                What this window showed belonged to <Named as={before} />, so it was closed.
              </>
            ) : (
              'What this window showed was closed: the role decides what there is to see and to do.'
            )}{' '}
            What was not saved in it is gone.
          </p>
        </div>
        <Button kind="primary" onClick={() => (isElsewhere ? location.assign('/') : location.reload())}>
          Go on{isElsewhere && ` to ${visible(now.organization.name)}`}
        </Button>
        {isSomeoneElse && (
          <small className="muted">To use both at once, open the other one in a private window or another browser.</small>
        )}
      </div>
    </main>
  );
}

function Named({ as: { organization } }: { readonly as: SignedIn }): ReactNode {
  return (
    <>
      <strong>
        <Name text={organization.name} />
      </strong>{' '}
      as{' '}
      <strong>
        <Name text={organization.credential.name} />
      </strong>
    </>
  );
}

function Unreached({ error }: { readonly error: unknown }): ReactNode {
  return (
    <main className="sign-in">
      <Problem error={error} onRetry={() => queryClient.invalidateQueries({ queryKey: KEY })} />
    </main>
  );
}
