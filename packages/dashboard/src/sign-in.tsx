// The page that signs in: with an admin key, or at the organization's identity provider. The address stays, so that one arrives where one was going.

import { ApiError, Svc } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { isSignedOut } from './api.ts';
import { useAction } from './ui/action.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Problem } from './ui/problem.tsx';
import { useTitle } from './ui/title.ts';

interface Props {
  /** There was a session, and it is over. */
  readonly hasEnded?: boolean;
  readonly onSignedIn: () => Promise<void>;
}

export function SignIn({ hasEnded = false, onSignedIn }: Props): ReactNode {
  useTitle('Sign in');
  const failure = useFailure();
  const leave = useLeaveFailure();
  return (
    <main className="sign-in">
      <div className="card stack">
        <div className="brand">
          <img src="/icon.svg" alt="" /> svc
        </div>
        <h1>{hasEnded ? 'Your session ended' : 'Sign in'}</h1>
        {hasEnded && (
          <p className="notice" role="status">
            It expired, or it was ended elsewhere. Sign in to go on where you were.
          </p>
        )}
        {failure !== null && (
          <div className="notice bad" role="alert">
            <FailureText {...failure} />
          </div>
        )}
        <ByKey
          onSignedIn={async () => {
            leave();
            await onSignedIn();
          }}
        />
        <p className="or" aria-hidden="true">
          or
        </p>
        <BySso isOrganizationAsked={failure?.reason === 'which_organization'} />
      </div>
    </main>
  );
}

function ByKey({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }): ReactNode {
  const [key, setKey] = useState('');
  /** What was last sent, or would have been. */
  const [sent, setSent] = useState<string | null>(null);
  const other = sent === key.trim() ? typeOfOther(sent) : null;
  const signIn = useAction(async () => {
    await openSession(key.trim());
    setKey('');
    await onSignedIn();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(key.trim());
    if (typeOfOther(key) === null) signIn.run();
  };
  return (
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
          // The page is for nothing else.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <small>The first start of the service printed one. It is exchanged for a session and kept nowhere in this browser.</small>
      </label>
      <Button kind="primary" type="submit" isBusy={signIn.isBusy}>
        Sign in
      </Button>
      {other !== null ? (
        <p className="notice bad" role="alert">
          <strong>This is a {other} key.</strong> Use the one that begins <code>svc_admin_</code>.
        </p>
      ) : (
        signIn.error !== null && <Refusal error={signIn.error} />
      )}
    </form>
  );
}

/** `null`: it may well be an admin key. Others open no session, and need not be sent to learn so. */
function typeOfOther(key: string): string | null {
  return /^svc_(live|test)_/.exec(key.trim())?.[1] ?? null;
}

/** The key is exchanged for a cookie that pages cannot read, and forgotten. */
async function openSession(key: string): Promise<void> {
  await new Svc({ apiKey: key, baseUrl: location.origin, maxRetries: 0 }).request('POST', '/v1/auth/session');
}

function Refusal({ error }: { readonly error: unknown }): ReactNode {
  if (!isSignedOut(error)) return <Problem error={error} />;
  return (
    <div className="notice bad stack" role="alert">
      <p>
        <strong>This key is not accepted.</strong> Check that it is whole, and neither revoked nor expired.
      </p>
      {error instanceof ApiError && error.requestId !== null && <RequestId id={error.requestId} />}
    </div>
  );
}

/** Whether there is a provider, nobody is told who has not signed in: the button is always there, and what it leads to says more. */
function BySso({ isOrganizationAsked }: { readonly isOrganizationAsked: boolean }): ReactNode {
  const [organization, setOrganization] = useState('');
  const returnTo = useReturnTo();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = new URLSearchParams({ return_to: returnTo });
    if (organization.trim() !== '') query.set('organization', organization.trim());
    location.assign(`/v1/auth/sso/start?${query}`);
  };
  const field = (
    <label className="field">
      <span>Organization id</span>
      <input
        className="input mono"
        autoComplete="organization"
        spellCheck={false}
        maxLength={64}
        placeholder="org_…"
        value={organization}
        onChange={(event) => setOrganization(event.target.value)}
      />
      <small>Who is signed in finds it under Settings, Organization.</small>
    </label>
  );
  return (
    <form className="stack" onSubmit={submit}>
      {isOrganizationAsked && field}
      <Button type="submit">Sign in with single sign-on</Button>
      <small className="muted">At your organization’s identity provider, where an administrator has set one up.</small>
      {!isOrganizationAsked && (
        <details>
          <summary>Several organizations use this service</summary>
          {field}
        </details>
      )}
    </form>
  );
}

/** Why a sign-in at the provider came to nothing, as the service tells the browser; the rest is in its log. */
const FAILURES: Readonly<Record<string, readonly [what: string, next: string]>> = {
  again: ['The sign-in took too long, or was begun in another browser.', 'Begin again here.'],
  declined: [
    'The identity provider did not let the sign-in happen.',
    'Perhaps it was cancelled, or this application is not for your account.',
  ],
  refused: [
    'The sign-in was refused.',
    'Perhaps none of your groups has a role here. Ask an administrator: the service’s log has the reason under the request’s id.',
  ],
  unavailable: ['The identity provider does not answer as it must.', 'Try again in a moment, or sign in with an admin key.'],
  limited: ['Too many sign-ins have failed from your address.', 'Wait a minute, then try again.'],
  no_sso: ['This organization has no single sign-on.', 'Check the id, or sign in with an admin key.'],
  which_organization: [
    'Which organization do you sign in to?',
    'Without its id this works only where exactly one organization has single sign-on. If none has, sign in with an admin key.',
  ],
};

interface Failure {
  readonly reason: string;
  readonly requestId: string | null;
  /** Where one was going. */
  readonly returnTo: string;
}

/** What the address tells; anything in it that the service does not write is left out. */
function useFailure(): Failure | null {
  const [search] = useSearchParams();
  const reason = search.get('sign_in');
  if (reason === null || !Object.hasOwn(FAILURES, reason)) return null;
  const requestId = search.get('request') ?? '';
  const returnTo = search.get('return_to') ?? '/';
  return {
    reason,
    requestId: /^req_[0-9a-z]{1,40}$/.test(requestId) ? requestId : null,
    returnTo: isOwnPath(returnTo) ? returnTo : '/',
  };
}

function FailureText({ reason, requestId }: Failure): ReactNode {
  const [what, next] = FAILURES[reason]!;
  return (
    <div className="stack">
      <p>
        <strong>{what}</strong> {next}
      </p>
      {requestId !== null && <RequestId id={requestId} />}
    </div>
  );
}

function RequestId({ id }: { readonly id: string }): ReactNode {
  return (
    <p className="muted">
      Request <code>{id}</code>
    </p>
  );
}

/** Goes to where one was going before the sign-in failed, if one did. */
function useLeaveFailure(): () => void {
  const failure = useFailure();
  const [, navigate] = useLocation();
  return () => failure !== null && navigate(failure.returnTo, { replace: true });
}

/** For who is signed in all the same, such as after a trial of single sign-on. */
export function FailedSignIn(): ReactNode {
  const failure = useFailure();
  const leave = useLeaveFailure();
  if (failure === null) return null;
  return (
    <Dialog title="That sign-in failed" onClose={leave}>
      <FailureText {...failure} />
      <p>You are signed in as before.</p>
      <div className="dialog-actions">
        <Button kind="primary" onClick={leave}>
          Go on
        </Button>
      </div>
    </Dialog>
  );
}

/** The page that is open, or the one that a failed sign-in was for. */
function useReturnTo(): string {
  const failure = useFailure();
  useLocation();
  if (failure !== null) return failure.returnTo;
  const path = `${location.pathname}${location.search}`.replaceAll('\\', '%5C');
  return isOwnPath(path) ? path : '/';
}

const PATH_CHARS_MAX = 500;

/** A path of this service, as the service takes it: nothing that leads elsewhere. */
function isOwnPath(path: string): boolean {
  return path.length <= PATH_CHARS_MAX && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path);
}
