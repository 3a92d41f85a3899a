// The pages, by their paths. A page is loaded when it is first opened.

import { lazy, Suspense, type ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { Session } from './session.tsx';
import { Shell } from './shell/shell.tsx';
import { Empty, Skeleton } from './ui/empty.tsx';

const Overview = lazy(async () => ({ default: (await import('./pages/overview.tsx')).Overview }));

export function App(): ReactNode {
  return (
    <Session>
      <Shell>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Switch>
            <Route path="/" component={Overview} />
            <Route>
              <Empty title="There is no such page">
                <p>The address may be mistyped, or the page was moved.</p>
              </Empty>
            </Route>
          </Switch>
        </Suspense>
      </Shell>
    </Session>
  );
}
