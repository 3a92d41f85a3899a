import type { ReactNode } from 'react';

/** Whoever knows the rest of an inbox's address may write into it. */
const INBOX = /\/inbox\/[^/]+$/;

export function isInbox(url: string): boolean {
  return INBOX.test(url);
}

/** An address, short. */
export function addressOf(url: string): string {
  if (isInbox(url)) return 'Built-in inbox';
  try {
    const { host, pathname } = new URL(url);
    return pathname === '/' ? host : host + pathname;
  } catch {
    return url;
  }
}

export function Address({ url }: { readonly url: string }): ReactNode {
  return <span className="address">{addressOf(url)}</span>;
}
