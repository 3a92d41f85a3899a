import type { SummaryReport, Webhook } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { shortNumber } from '../../charts/scale.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Figure } from '../../ui/figure.tsx';
import { addressOf } from '../webhooks/address.tsx';
import { HealthBadge } from '../webhooks/health.tsx';
import { milliseconds } from './latency.tsx';

type Counts = SummaryReport['deliveries'];

const WEBHOOKS_MAX = 200;
const SHOWN_MAX = 5;

/** What became of what your systems were told, and which of them takes nothing. */
export function Deliveries({ deliveries }: { readonly deliveries: Counts }): ReactNode {
  const mayRead = useMay('webhooks:read');
  const webhooks = useQuery({
    queryKey: ['webhooks', 'failing'],
    queryFn: async ({ signal }) => {
      const all = await svc.webhooks.list({ limit: WEBHOOKS_MAX }, { signal }).toArray(WEBHOOKS_MAX);
      return all.filter(({ status, failing_since: since }) => status === 'paused' || since !== null);
    },
    enabled: mayRead,
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  const failing = webhooks.data ?? [];
  const { succeeded, failed, waiting, retried, is_complete: isComplete, attempt_ms: attemptMs, endpoints } = deliveries;
  return (
    <section className="card stack">
      <div className="row">
        <h2>Deliveries</h2>
        <Verdict deliveries={deliveries} failing={failing.length} />
        <span className="grow" />
        {mayRead && <Link href="/webhooks">Webhooks</Link>}
      </div>
      {endpoints.active + endpoints.paused === 0 && succeeded + failed + waiting === 0 ? (
        <p className="muted">
          Nobody is told of anything yet. A webhook or an integration tells your systems of every blocked inference as it happens.
        </p>
      ) : (
        <dl className="figures">
          <Figure title="Taken" value={shortNumber(succeeded)} note="of the events of this time" />
          <Figure title="Waiting" value={shortNumber(waiting)} note="under way, or for what is paused" />
          <Figure title="Tried again" value={shortNumber(retried)} note="more than one attempt" />
          <Figure title="Given up" value={shortNumber(failed)} note="can be recovered" />
          <Figure title="Receivers" value={String(endpoints.active)} note={`${endpoints.paused} paused`} />
          <Figure
            title="An attempt took"
            value={milliseconds(attemptMs.p50)}
            note={`95 % within ${milliseconds(attemptMs.p95)}`}
          />
        </dl>
      )}
      {!isComplete && <p className="muted">Of the newest 200 000 deliveries of the last 30 days.</p>}
      {failing.length > 0 && <Failing webhooks={failing} />}
    </section>
  );
}

/** Those that need somebody. */
function Failing({ webhooks }: { readonly webhooks: readonly Webhook[] }): ReactNode {
  return (
    <ul className="stack" aria-label="Webhooks that fail">
      {webhooks.slice(0, SHOWN_MAX).map((webhook) => (
        <li key={webhook.webhook_id} className="row">
          <HealthBadge {...webhook} />
          <Link href={`/webhooks/${webhook.webhook_id}`} className="address">
            {webhook.description ?? addressOf(webhook.url)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Verdict({ deliveries, failing }: { readonly deliveries: Counts; readonly failing: number }): ReactNode {
  const { endpoints, failed } = deliveries;
  if (endpoints.paused > 0) return <Badge tone="bad">{endpoints.paused} paused</Badge>;
  if (failing > 0) return <Badge tone="warn">{failing} failing</Badge>;
  if (failed > 0) return <Badge tone="warn">some given up</Badge>;
  return endpoints.active > 0 ? <Badge tone="good">none given up</Badge> : null;
}
