// One integration: how it does, what it delivered, and all that can be done with it.

import type { Integration } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { LIVE_INTERVAL_MS, queryClient, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Id } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { Deliveries } from '../webhooks/deliveries.tsx';
import { keyOf, type Endpoint } from '../webhooks/endpoint.ts';
import { HealthBadge, HealthNotice } from '../webhooks/health.tsx';
import { Recover } from '../webhooks/recover.tsx';
import { SendTest } from '../webhooks/send-test.tsx';
import { IntegrationForm } from './integration-form.tsx';
import { titleOf, VENDOR_KINDS } from './vendors.ts';

type Opened = 'test' | 'edit' | 'delete' | 'recover' | null;

export function IntegrationPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const endpoint: Endpoint = { area: 'integrations', id };
  const integration = useQuery({
    queryKey: [...keyOf(endpoint), 'itself'],
    queryFn: ({ signal }) => svc.integrations.get(id, { signal }),
    refetchInterval: LIVE_INTERVAL_MS,
  });
  useTitle(integration.data?.name ?? 'Integration');
  return (
    <>
      <Link href="/integrations">All integrations</Link>
      {integration.isPending ? (
        <Skeleton lines={8} />
      ) : integration.data === undefined ? (
        <>
          <h1>Integration</h1>
          <Problem error={integration.error} onRetry={() => integration.refetch()} />
        </>
      ) : (
        <Detail integration={integration.data} endpoint={endpoint} />
      )}
    </>
  );
}

function Detail({ integration, endpoint }: { readonly integration: Integration; readonly endpoint: Endpoint }): ReactNode {
  const mayWrite = useMay('webhooks:write');
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const kind = VENDOR_KINDS.find((each) => each === integration.kind);
  return (
    <>
      <div className="page-head">
        <div>
          <div className="row">
            <h1 className="address">
              <Name text={integration.name} />
            </h1>
            <HealthBadge {...integration} />
            {integration.mode === 'test' && <Badge tone="warn">test</Badge>}
          </div>
          <p>{titleOf(integration.kind)}</p>
        </div>
        {mayWrite && (
          <div className="row">
            <Button kind="primary" onClick={() => setOpened('test')}>
              Send a test
            </Button>
            {kind !== undefined && <Button onClick={() => setOpened('edit')}>Edit</Button>}
            <Button kind="danger" onClick={() => setOpened('delete')}>
              Delete
            </Button>
          </div>
        )}
      </div>
      <HealthNotice {...integration} />
      <Facts integration={integration} />
      <Deliveries
        endpoint={endpoint}
        actions={mayWrite && <Button onClick={() => setOpened('recover')}>Recover failed deliveries</Button>}
      />
      {opened === 'test' && <SendTest endpoint={endpoint} onClose={close} />}
      {opened === 'edit' && kind !== undefined && (
        <IntegrationForm kind={kind} integration={integration} onClose={close} onSaved={close} />
      )}
      {opened === 'recover' && <Recover endpoint={endpoint} onClose={close} />}
      {opened === 'delete' && <DeleteIntegration integration={integration} onClose={close} />}
    </>
  );
}

function Facts({ integration }: { readonly integration: Integration }): ReactNode {
  return (
    <section className="card">
      <dl className="facts">
        <dt>Integration</dt>
        <dd>
          <Id id={integration.id} />
        </dd>
        {Object.entries(integration.config).map(([name, value]) => (
          <Setting key={name} name={name}>
            {Array.isArray(value) ? value.join(', ') : String(value)}
          </Setting>
        ))}
        {integration.secrets.map((name) => (
          <Setting key={name} name={name}>
            <span className="muted">kept encrypted, never shown</span>
          </Setting>
        ))}
        <Setting name="events">
          <code>{integration.events.join(', ')}</code>
        </Setting>
        <dt>Last delivered</dt>
        <dd>
          <Time at={integration.last_success_at} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={integration.created_at} />
        </dd>
      </dl>
    </section>
  );
}

function Setting({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>{children}</dd>
    </>
  );
}

function DeleteIntegration({
  integration,
  onClose,
}: {
  readonly integration: Integration;
  readonly onClose: () => void;
}): ReactNode {
  const [, navigate] = useLocation();
  return (
    <Confirm
      title={`Delete ${integration.name}?`}
      effect="What is queued for it is cancelled, its secrets are deleted, and its deliveries cannot be read any more. The events stay in the trail."
      deed="Delete integration"
      run={async () => {
        await svc.integrations.delete(integration.id);
        navigate('/integrations');
        queryClient.removeQueries({ queryKey: ['integrations', integration.id] });
        await queryClient.invalidateQueries({ queryKey: ['integrations', 'list'] });
      }}
      onClose={onClose}
    />
  );
}
