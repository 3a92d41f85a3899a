// The public API by the session's cookie: the one way in which the pages reach the service.

import { ApiError, Svc, SvcError } from '@svc/client';
import { QueryClient } from '@tanstack/react-query';

/** What reads of pages that show the present are repeated at, in milliseconds. */
export const LIVE_INTERVAL_MS = 5_000;
const STALE_MS = 2_000;

/** The session that the pages stand for. Windows share the cookie, so it may be another's by the time a request goes out. */
export interface Binding {
  readonly organizationId: string;
  readonly sessionId: string;
  /** What writes carry. Held in memory alone. */
  readonly csrfToken: string;
}

let binding: Binding | null = null;
let isClosed = false;

/** The service refuses every request from here on whose cookie is of another organization, and every write by another session. */
export function bindTo(session: Binding): void {
  binding = session;
}

/** Nothing is asked for any more: the cookie is not that of who has read this page. */
export function closeApi(): void {
  isClosed = true;
}

interface Listener {
  /** The service takes the session for none: it has ended. */
  readonly onRefused: () => void;
  /** Something was forbidden. Resolves with whether only the session was another, and `bindTo` has it now. */
  readonly onForbidden: (by: Binding) => Promise<boolean>;
}

let listener: Listener | null = null;

export function listen(to: Listener): () => void {
  listener = to;
  return () => {
    if (listener === to) listener = null;
  };
}

/** The browser's cookie is the credential, so none is sent beside it. */
function sendByCookie(input: Parameters<typeof fetch>[0], init: RequestInit | undefined, by: Binding | null): Promise<Response> {
  const headers = new Headers(init?.headers);
  headers.delete('authorization');
  if (by !== null) {
    headers.set('x-svc-org-id', by.organizationId);
    if (init?.method !== 'GET') headers.set('x-svc-csrf', by.csrfToken);
  }
  // What one has read is kept on no disk.
  return fetch(input, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
}

const fetchByCookie: typeof fetch = async (input, init) => {
  if (isClosed) throw new SvcError('This browser is signed in as someone else by now.');
  const by = binding;
  const res = await sendByCookie(input, init, by);
  if (res.status === 401) listener?.onRefused();
  // Where a scope is missing, the session was the right one. What was refused has not been done, so that it can be asked for again.
  if (res.status !== 403 || by === null || res.headers.has('www-authenticate')) return res;
  return (await listener?.onForbidden(by)) === true ? sendByCookie(input, init, binding) : res;
};

// People look at pages: who has to wait longer is told so instead.
const OPTIONS = { apiKey: 'cookie', baseUrl: location.origin, maxRetries: 2, maxRetryWaitMs: 5_000 };

export const svc = new Svc({ ...OPTIONS, fetch: fetchByCookie });

/** For who asks whose session the cookie is. */
export const unboundSvc = new Svc({ ...OPTIONS, fetch: (input, init) => sendByCookie(input, init, null) });

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client library repeats what should be repeated.
    // The service may well run on a machine that is connected to nothing else.
    queries: { networkMode: 'always', retry: false, staleTime: STALE_MS, refetchOnWindowFocus: true },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** The credential went, or never was: the page to sign in is next. */
export function isSignedOut(err: unknown): boolean {
  return err instanceof ApiError && err.status === 401;
}
