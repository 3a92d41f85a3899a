// What a webhook is called: by what it is for, else by where it leads.

import type { Webhook } from '@svc/client';
import type { ReactNode } from 'react';
import { visible } from '../../ui/name.tsx';

/** Whoever knows the rest of an inbox's address may write into it. */
const INBOX = /\/inbox\/[^/]+$/;
/** So much of it tells one inbox from another, and lets nobody write. */
const TOLD = 4;

export function isInbox(url: string): boolean {
  return INBOX.test(url);
}

/** Whether both lead to the same inbox, by whichever name the service is called. */
export function isSameInbox(url: string, other: string): boolean {
  return isInbox(url) && INBOX.exec(url)?.[0] === INBOX.exec(other)?.[0];
}

/** An address, short. */
export function addressOf(url: string): string {
  if (isInbox(url)) return `Built-in inbox …${url.slice(-TOLD)}`;
  try {
    const { host, pathname } = new URL(url);
    return pathname === '/' ? host : host + pathname;
  } catch {
    return url;
  }
}

export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return visible(description ?? addressOf(url));
}

export function Address({ url }: { readonly url: string }): ReactNode {
  return <span className="address">{addressOf(url)}</span>;
}
