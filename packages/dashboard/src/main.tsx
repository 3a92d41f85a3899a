// Where the pages begin.

import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { queryClient } from './api.ts';
import { App } from './app.tsx';
import './styles.css';
import { applyTheme, savedTheme } from './shell/theme.ts';
import { keepFocus } from './ui/focus.ts';
import { Problem } from './ui/problem.tsx';

applyTheme(savedTheme());
keepFocus();
begin(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);

function begin(page: ReactNode): void {
  const root = createRoot(document.querySelector('#root')!, { onUncaughtError: (error) => fall(root, error) });
  root.render(page);
}

/** A fault of the pages themselves, or a part of them that could not be loaded, such as one of a release that was replaced meanwhile. */
function fall(root: Root, error: unknown): void {
  console.error(error);
  setTimeout(() => {
    root.unmount();
    begin(
      <main className="sign-in">
        <div className="card stack">
          <h1>This page could not be shown</h1>
          <Problem error={error} onRetry={() => location.reload()} />
          <p>
            Reloading also fetches the pages of a new release. <a href="/">Go to the overview</a>
          </p>
        </div>
      </main>,
    );
  });
}
