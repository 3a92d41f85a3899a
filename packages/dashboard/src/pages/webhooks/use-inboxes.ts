import type { Inbox, Webhook } from '@svc/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { svc } from '../../api.ts';
import { isSameInbox } from './address.tsx';

const WEBHOOKS_MAX = 1_000;
const PAGE = 200;

/** The newest first. */
export function useInboxes(): UseQueryResult<readonly Inbox[]> {
  return useQuery({
    queryKey: ['inboxes'],
    queryFn: async ({ signal }): Promise<readonly Inbox[]> => {
      const { data } = await svc.inboxes.list({ signal });
      return data.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
    },
  });
}

/** The webhooks that lead to an inbox; `undefined`: not known yet. */
export function useWebhooksTo(): ((inbox: Inbox) => readonly Webhook[]) | undefined {
  const webhooks = useQuery({
    queryKey: ['webhooks', 'all'],
    queryFn: async ({ signal }) => await svc.webhooks.list({ limit: PAGE }, { signal }).toArray(WEBHOOKS_MAX),
  });
  const { data } = webhooks;
  return data === undefined ? undefined : (inbox) => data.filter(({ url }) => isSameInbox(url, inbox.url));
}
