// The way to the first steps, for who has not taken them.

import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { savedProgress, saveProgress } from './progress.ts';

/** Shown while the organization has no assessment, or the steps were begun and not ended; until it is dismissed. */
export function Invitation(): ReactNode {
  const mayRead = useMay('events:read');
  const [progress, setProgress] = useState(savedProgress);
  const newest = useQuery({
    queryKey: ['assessments', 'any'],
    queryFn: async ({ signal }) => (await svc.assessments.list({ limit: 1 }, { signal })).data.length > 0,
    enabled: mayRead && progress === null,
  });
  if (progress === 'done' || (progress === null && newest.data !== false)) return null;
  const dismiss = () => {
    saveProgress('done');
    setProgress('done');
  };
  return (
    <section className="card row" aria-label="First steps">
      <div className="grow">
        <h2>{progress === null ? 'New here?' : 'Go on with the first steps'}</h2>
        <p className="muted">
          Four short steps: a first assessment, its event, a webhook that brings a blocked inference to an inbox, and a key for
          your application.
        </p>
      </div>
      <Link className="button primary" href="/welcome">
        First steps
      </Link>
      <Button onClick={dismiss}>Dismiss</Button>
    </section>
  );
}
