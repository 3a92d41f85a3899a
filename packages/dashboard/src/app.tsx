// The pages, by their paths. A page is loaded when it is first opened.

import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Route, Router, Switch } from 'wouter';
import { Session } from './session.tsx';
import { Shell } from './shell/shell.tsx';
import { Skeleton } from './ui/empty.tsx';
import { guardedNavigation } from './ui/leave.tsx';
import { useTitle } from './ui/title.ts';

const Overview = lazy(async () => ({ default: (await import('./pages/overview/overview.tsx')).Overview }));
const Events = lazy(async () => ({ default: (await import('./pages/events/events.tsx')).Events }));
const Playground = lazy(async () => ({ default: (await import('./pages/playground/playground.tsx')).Playground }));
const Drift = lazy(async () => ({ default: (await import('./pages/drift/drift.tsx')).Drift }));
const MonitorPage = lazy(async () => ({ default: (await import('./pages/drift/monitor.tsx')).MonitorPage }));
const Probes = lazy(async () => ({ default: (await import('./pages/probes/probes.tsx')).Probes }));
const ProbePage = lazy(async () => ({ default: (await import('./pages/probes/probe.tsx')).ProbePage }));
const Webhooks = lazy(async () => ({ default: (await import('./pages/webhooks/webhooks.tsx')).Webhooks }));
const WebhookPage = lazy(async () => ({ default: (await import('./pages/webhooks/webhook.tsx')).WebhookPage }));
const PolicyPage = lazy(async () => ({ default: (await import('./pages/policy/policy.tsx')).PolicyPage }));
const Integrations = lazy(async () => ({ default: (await import('./pages/integrations/integrations.tsx')).Integrations }));
const IntegrationPage = lazy(async () => ({ default: (await import('./pages/integrations/integration.tsx')).IntegrationPage }));
const Reports = lazy(async () => ({ default: (await import('./pages/reports/reports.tsx')).Reports }));
const Exports = lazy(async () => ({ default: (await import('./pages/exports/exports.tsx')).Exports }));
const ExportPage = lazy(async () => ({ default: (await import('./pages/exports/export.tsx')).ExportPage }));
const Welcome = lazy(async () => ({ default: (await import('./pages/welcome/welcome.tsx')).Welcome }));
const ApiKeys = lazy(async () => ({ default: (await import('./pages/settings/keys.tsx')).ApiKeys }));
const ServiceAccounts = lazy(async () => ({ default: (await import('./pages/settings/service-accounts.tsx')).ServiceAccounts }));
const Sessions = lazy(async () => ({ default: (await import('./pages/settings/sessions.tsx')).Sessions }));
const SingleSignOn = lazy(async () => ({ default: (await import('./pages/settings/sso.tsx')).SingleSignOn }));
const Judges = lazy(async () => ({ default: (await import('./pages/settings/judges.tsx')).Judges }));
const OrganizationPage = lazy(async () => ({ default: (await import('./pages/settings/organization.tsx')).OrganizationPage }));

export function App(): ReactNode {
  return (
    <Router aroundNav={guardedNavigation}>
      <Session>
        <Shell>
          <Suspense fallback={<Skeleton lines={8} />}>
            <Switch>
              <Route path="/" component={Overview} />
              <Route path="/events/:id?" component={Events} />
              <Route path="/playground" component={Playground} />
              <Route path="/drift" component={Drift} />
              <Route path="/drift/:id" component={MonitorPage} />
              <Route path="/probes" component={Probes} />
              <Route path="/probes/:id" component={ProbePage} />
              <Route path="/policy" component={PolicyPage} />
              <Route path="/webhooks" component={Webhooks} />
              <Route path="/webhooks/:id" component={WebhookPage} />
              <Route path="/integrations" component={Integrations} />
              <Route path="/integrations/:id" component={IntegrationPage} />
              <Route path="/reports" component={Reports} />
              <Route path="/exports" component={Exports} />
              <Route path="/exports/:id" component={ExportPage} />
              <Route path="/welcome" component={Welcome} />
              <Route path="/settings/keys" component={ApiKeys} />
              <Route path="/settings/service-accounts" component={ServiceAccounts} />
              <Route path="/settings/sessions" component={Sessions} />
              <Route path="/settings/sso" component={SingleSignOn} />
              <Route path="/settings/judges" component={Judges} />
              <Route path="/settings/organization" component={OrganizationPage} />
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </Shell>
      </Session>
    </Router>
  );
}

function NotFound(): ReactNode {
  useTitle('No such page');
  return (
    <>
      <div className="page-head">
        <div>
          <h1>There is no such page</h1>
          <p>The address may be mistyped, or the page was moved.</p>
        </div>
      </div>
      <p>
        <Link href="/">Go to the overview</Link>, or press <kbd>Ctrl K</kbd> to find a page.
      </p>
    </>
  );
}
