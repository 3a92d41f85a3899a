import { useEffect } from 'react';

/** The window's title while the page is shown: `Webhooks · svc`. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · svc`;
    return () => {
      document.title = 'svc';
    };
  }, [title]);
}
