// The way to the first steps, for who has not taken them.

import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { isDismissed, saveDismissed } from './progress.ts';

/** Shown while nothing tells the organization's systems of anything, until it is dismissed: an assessment alone is a first try. */
export function Invitation(): ReactNode {
  const mayRead = useMay('webhooks:read');
  const mayWrite = useMay('webhooks:write');
  const [isGone, setGone] = useState(isDismissed);
  const enabled = mayRead && mayWrite && !isGone;
  const webhooks = useQuery({
    queryKey: ['webhooks', 'any'],
    queryFn: async ({ signal }) => (await svc.webhooks.list({ limit: 1 }, { signal })).data.length > 0,
    // What was so before the steps is not so after them.
    gcTime: 0,
    enabled,
  });
  if (!enabled || webhooks.data !== false) return null;
  const dismiss = () => {
    saveDismissed();
    setGone(true);
  };
  return (
    <section className="card row invitation" aria-label="First steps">
      <div className="grow">
        <h2>New here?</h2>
        <p className="muted">
          Four short steps: a first assessment, its event, a webhook that brings a blocked inference to an inbox, and a key for
          your application.
        </p>
      </div>
      <Link className="button primary" href="/welcome">
        Take the first steps
      </Link>
      <Button onClick={dismiss}>Dismiss</Button>
    </section>
  );
}
