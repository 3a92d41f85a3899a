// How far the first steps are, by what there is: whoever comes back, in whatever browser, goes on from there.

import type { ApiKey, Assessment, Inbox, Webhook } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';

const DISMISSED = 'svc-first-steps';

/** Whether the invitation was dismissed: all that the browser is to remember of it. */
export function isDismissed(): boolean {
  return localStorage.getItem(DISMISSED) === 'done';
}

export function saveDismissed(): void {
  localStorage.setItem(DISMISSED, 'done');
}

export interface Progress {
  /** The newest; `null`: there is none, or the session may not read it. */
  readonly assessment: Assessment | null;
  /** The newest of the service's own; `null`: there is none. */
  readonly inbox: Inbox | null;
  /** That brings blocked inferences to an inbox. */
  readonly webhook: { readonly id: string; readonly inboxId: string; readonly hasDelivered: boolean } | null;
  /** A live key in force beside that of the first start. */
  readonly hasKey: boolean;
}

/** `undefined` while it is read. */
export function useProgress() {
  const mayReadEvents = useMay('events:read');
  const mayReadWebhooks = useMay('webhooks:read');
  const isAdmin = useMay('admin:*');
  return useQuery({
    queryKey: ['first-steps', mayReadEvents, mayReadWebhooks, isAdmin],
    queryFn: async ({ signal }): Promise<Progress> => {
      const [assessments, inboxes, webhooks, keys] = await Promise.all([
        mayReadEvents ? svc.assessments.list({ limit: 1 }, { signal }) : null,
        mayReadWebhooks ? svc.inboxes.list({ signal }) : null,
        mayReadWebhooks ? svc.webhooks.list({}, { signal }) : null,
        isAdmin ? svc.apiKeys.list({}, { signal }) : null,
      ]);
      const newest = inboxes?.data.toSorted((a, b) => b.created_at.localeCompare(a.created_at)) ?? [];
      return {
        assessment: assessments?.data[0] ?? null,
        inbox: newest[0] ?? null,
        webhook: webhookTo(newest, webhooks?.data ?? []),
        hasKey: keys?.data.some(isOfApplication) ?? false,
      };
    },
    // What follows is told by the steps themselves; who comes back begins by what there is then.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

function webhookTo(inboxes: readonly Inbox[], webhooks: readonly Webhook[]): Progress['webhook'] {
  for (const { webhook_id: id, url, events, last_success_at: delivered } of webhooks) {
    const inbox = inboxes.find((each) => each.url === url);
    const tells = (events as readonly string[]).some((kind) => kind === '*' || kind === 'inference.blocked');
    if (inbox !== undefined && tells) return { id, inboxId: inbox.id, hasDelivered: delivered !== null };
  }
  return null;
}

/** The first start made one of each type, for trying out. */
function isOfApplication({ type, name, revoked_at: revokedAt, expires_at: expiresAt }: ApiKey): boolean {
  const isInForce = revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
  return type === 'live' && isInForce && name !== 'First live key';
}
