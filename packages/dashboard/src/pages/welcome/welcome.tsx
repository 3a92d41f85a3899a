// First steps: from nothing to a blocked inference that lands in an inbox, and a key for the application.

import type { Assessment } from '@svc/client';
import { useCallback, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Snippets } from '../../ui/code.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useTitle } from '../../ui/title.ts';
import { snippetsOf } from '../settings/key-snippets.ts';
import { NewKey } from '../settings/new-key.tsx';
import { Arrival } from './arrival.tsx';
import { Landing } from './landing.tsx';
import { useProgress, type Progress } from './progress.ts';
import { SendAssessment } from './send.tsx';
import { NeedsScope, Step } from './step.tsx';

export function Welcome(): ReactNode {
  useTitle('First steps');
  const progress = useProgress();
  return (
    <>
      <div className="page-head">
        <div>
          <h1>First steps</h1>
          <p>From a first assessment to a blocked inference that reaches your systems, in four steps.</p>
        </div>
      </div>
      {progress.data !== undefined ? (
        <Steps before={progress.data} />
      ) : progress.error !== null ? (
        <Problem error={progress.error} onRetry={() => progress.refetch()} />
      ) : (
        <Skeleton lines={12} />
      )}
    </>
  );
}

/** `before`: what there was when the page was opened. */
function Steps({ before: now }: { readonly before: Progress }): ReactNode {
  const [before] = useState(now);
  const [sent, setSent] = useState<Assessment | null>(null);
  const [isSeen, setSeen] = useState(false);
  const [hasLanded, setLanded] = useState(before.webhook?.hasDelivered ?? false);
  const [hasKey, setHasKey] = useState(before.hasKey);
  const see = useCallback(() => setSeen(true), []);
  const land = useCallback(() => setLanded(true), []);
  const assessment = sent ?? before.assessment;
  const isDone = assessment !== null && isSeen && hasLanded && hasKey;
  const begin = (made: Assessment) => {
    setSeen(false);
    setSent(made);
  };
  return (
    <>
      <ol className="steps">
        <Step number={1} title="Send an assessment" isDone={assessment !== null} waitsFor={null}>
          <SendAssessment assessment={sent} onSent={begin} />
        </Step>
        <Step
          number={2}
          title="See it in the events"
          isDone={isSeen}
          waitsFor={assessment === null ? 'It shows here as soon as step 1 is done.' : null}
        >
          {assessment !== null && (
            <Arrival key={assessment.id} assessment={assessment} isOwn={sent !== null} isSeen={isSeen} onSeen={see} />
          )}
        </Step>
        <Step number={3} title="Hear of what is blocked" isDone={hasLanded} waitsFor={null}>
          <Landing before={before} onLanded={land} />
        </Step>
        <Step number={4} title="Make a key for your application" isDone={hasKey} waitsFor={null}>
          <MakeKey onMade={() => setHasKey(true)} />
        </Step>
      </ol>
      {isDone && <Next />}
    </>
  );
}

function MakeKey({ onMade }: { readonly onMade: () => void }): ReactNode {
  const [isMaking, setMaking] = useState(false);
  const mayMake = useMay('admin:*');
  if (!mayMake) return <NeedsScope scope="admin:*" />;
  return (
    <>
      <p>
        A live key assesses; it cannot change keys or sign in here. Take one for each application, so that each can be exchanged
        alone.
      </p>
      <div>
        <Button kind="primary" onClick={() => setMaking(true)}>
          Make a key
        </Button>
      </div>
      <Snippets label="Assess from your application" snippets={snippetsOf('live', ['assess:create'])} />
      {isMaking && <NewKey type="live" name="My application" onCreated={onMade} onClose={() => setMaking(false)} />}
    </>
  );
}

function Next(): ReactNode {
  return (
    <section className="notice good stack steps-end" role="status" aria-label="What next">
      <p>
        <strong>All four are done.</strong> What next:
      </p>
      <ul className="bullets">
        <li>
          <Link href="/">The overview</Link> shows what your application sends.
        </li>
        <li>
          <Link href="/policy">The policy</Link> says what is flagged, redacted and blocked.
        </li>
        <li>
          <Link href="/integrations">An integration</Link> tells the people who should know.
        </li>
      </ul>
    </section>
  );
}
