// How deliveries do: first what needs somebody, by name, then how much got through.

import type { SummaryReport } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { shortNumber } from '../../charts/scale.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Figure } from '../../ui/figure.tsx';
import { visible } from '../../ui/name.tsx';
import { Time } from '../../ui/time.tsx';
import { webhookName } from '../webhooks/address.tsx';
import { HealthBadge, type Health } from '../webhooks/health.tsx';
import { milliseconds } from './latency.tsx';

type Counts = SummaryReport['deliveries'];

interface Failing extends Health {
  readonly href: string;
  readonly name: string;
}

const ENDPOINTS_MAX = 200;
const SHOWN_MAX = 5;
const PARTS = [
  { name: 'succeeded', color: '--allowed' },
  { name: 'waiting', color: '--flagged' },
  { name: 'failed', color: '--blocked' },
] as const;

/** What became of what your systems were told, and which of them fail. */
export function Deliveries({ deliveries }: { readonly deliveries: Counts }): ReactNode {
  const mayRead = useMay('webhooks:read');
  const { data: failing = [] } = useQuery({
    queryKey: ['webhooks', 'failing'],
    queryFn: async ({ signal }) => await readFailing(signal),
    enabled: mayRead,
    refetchInterval: LIVE_INTERVAL_MS * 3,
  });
  const { succeeded, failed, waiting, is_complete: isComplete, endpoints } = deliveries;
  return (
    <section className="card stack">
      <div className="row">
        <h2>Deliveries</h2>
        <Verdict deliveries={deliveries} failing={failing.length} />
        <span className="grow" />
        {mayRead && <Link href="/webhooks">Webhooks</Link>}
        {mayRead && <Link href="/integrations">Integrations</Link>}
      </div>
      {failing.length > 0 && <FailingList endpoints={failing} />}
      {endpoints.active + endpoints.paused === 0 && succeeded + failed + waiting === 0 ? (
        <p className="muted">
          Nobody is told of anything yet. A webhook or an integration tells your systems of every blocked inference as it happens.
        </p>
      ) : (
        <Numbers deliveries={deliveries} />
      )}
      {!isComplete && <p className="muted">Of the newest 200 000 deliveries of the last 30 days.</p>}
    </section>
  );
}

/** The longest first. */
async function readFailing(signal: AbortSignal): Promise<readonly Failing[]> {
  const [webhooks, integrations] = await Promise.all([
    svc.webhooks.list({ limit: ENDPOINTS_MAX }, { signal }).toArray(ENDPOINTS_MAX),
    svc.integrations.list({ limit: ENDPOINTS_MAX }, { signal }).toArray(ENDPOINTS_MAX),
  ]);
  return [
    ...webhooks.map((each) => failingOf(each, `/webhooks/${each.webhook_id}`, webhookName(each))),
    ...integrations.map((each) => failingOf(each, `/integrations/${each.id}`, visible(each.name))),
  ]
    .filter(({ status, failing_since: since }) => status === 'paused' || since !== null)
    .toSorted((a, b) => (a.failing_since ?? '').localeCompare(b.failing_since ?? ''));
}

function failingOf({ status, failing_since, last_success_at }: Health, href: string, name: string): Failing {
  return { status, failing_since, last_success_at, href, name };
}

/** Those that need somebody. */
function FailingList({ endpoints }: { readonly endpoints: readonly Failing[] }): ReactNode {
  return (
    <ul className="stack" aria-label="Endpoints that fail">
      {endpoints.slice(0, SHOWN_MAX).map(({ href, name, ...health }) => (
        <li key={href} className="told">
          <HealthBadge {...health} />
          <span>
            <Link href={href} className="address">
              {name}
            </Link>{' '}
            <span className="muted">
              {health.failing_since !== null && (
                <>
                  since <Time at={health.failing_since} />;{' '}
                </>
              )}
              last delivered <Time at={health.last_success_at} />
            </span>
          </span>
        </li>
      ))}
      {endpoints.length > SHOWN_MAX && <li className="muted">{endpoints.length - SHOWN_MAX} more</li>}
    </ul>
  );
}

function Numbers({ deliveries }: { readonly deliveries: Counts }): ReactNode {
  const { succeeded, failed, waiting, retried, attempt_ms: attemptMs } = deliveries;
  const all = succeeded + waiting + failed;
  return (
    <>
      <span className="delivery-bar" aria-hidden="true">
        {PARTS.filter(({ name }) => deliveries[name] > 0).map(({ name, color }) => (
          <span key={name} style={{ flexGrow: deliveries[name], background: `var(${color})` }} />
        ))}
      </span>
      <dl className="figures">
        <Figure
          title="Succeeded"
          value={all === 0 ? '–' : rate(succeeded / all)}
          note={all === 0 ? 'nothing was due' : `${shortNumber(succeeded)} of ${shortNumber(all)}`}
        />
        <Figure title="Waiting" value={shortNumber(waiting)} note="due, being sent, or for what is paused" />
        <Figure title="Failed" value={shortNumber(failed)} note="after the last attempt; can be recovered" />
        <Figure title="Retried" value={shortNumber(retried)} note="more than one attempt" />
        <Figure title="Attempt, median" value={milliseconds(attemptMs.p50)} note={`95 % within ${milliseconds(attemptMs.p95)}`} />
      </dl>
    </>
  );
}

/** Not 100 % while any failed. */
function rate(share: number): string {
  return `${share === 1 ? 100 : Math.min(99.99, Number((share * 100).toPrecision(4)))} %`;
}

function Verdict({ deliveries, failing }: { readonly deliveries: Counts; readonly failing: number }): ReactNode {
  const { endpoints, failed } = deliveries;
  if (endpoints.paused > 0) return <Badge tone="bad">{endpoints.paused} paused</Badge>;
  if (failing > 0) return <Badge tone="warn">{failing} failing</Badge>;
  if (failed > 0) return <Badge tone="warn">some failed</Badge>;
  return endpoints.active > 0 ? <Badge tone="good">healthy</Badge> : null;
}
