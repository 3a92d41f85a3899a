import { useEffect } from 'react';
import { visible } from './name.tsx';

/** The window's title while the page is shown: `Webhooks · svc`. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${visible(title)} · svc`;
    return () => {
      document.title = 'svc';
    };
  }, [title]);
}
