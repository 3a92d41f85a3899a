// The public API by the session's cookie: the one way in which the pages reach the service.

import { ApiError, Svc } from '@svc/client';
import { QueryClient } from '@tanstack/react-query';

/** What reads of pages that show the present are repeated at, in milliseconds. */
export const LIVE_INTERVAL_MS = 5_000;
const STALE_MS = 2_000;

let csrfToken = '';

/** What writes carry; read with the session. Held in memory alone. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

let whenRefused: () => void = () => {};

/** `listener` is told whenever the service takes the session for none: it has ended. */
export function onRefused(listener: () => void): void {
  whenRefused = listener;
}

/** The browser's cookie is the credential, so none is sent beside it. */
const fetchByCookie: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('authorization');
  if (init?.method !== 'GET') headers.set('x-svc-csrf', csrfToken);
  const res = await fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (res.status === 401) whenRefused();
  return res;
};

// People look at pages: who has to wait longer is told so instead.
export const svc = new Svc({
  apiKey: 'cookie',
  baseUrl: location.origin,
  fetch: fetchByCookie,
  maxRetries: 2,
  maxRetryWaitMs: 5_000,
});

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
