// First steps: from nothing to a blocked inference that lands in an inbox, and a key for the application.

import type { Assessment } from '@svc/client';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Snippets } from '../../ui/code.tsx';
import { useTitle } from '../../ui/title.ts';
import { snippetsOf } from '../settings/key-snippets.ts';
import { NewKey } from '../settings/new-key.tsx';
import { Arrival } from './arrival.tsx';
import { Landing } from './landing.tsx';
import { savedProgress, saveProgress } from './progress.ts';
import { SendAssessment } from './send.tsx';
import { NeedsScope, Step } from './step.tsx';

export function Welcome(): ReactNode {
  useTitle('First steps');
  const [assessment, setAssessment] = useState<Assessment | null>(null);
  const [isSeen, setSeen] = useState(false);
  const [hasLanded, setLanded] = useState(false);
  const [hasKey, setHasKey] = useState(false);
  const see = useCallback(() => setSeen(true), []);
  const land = useCallback(() => setLanded(true), []);
  const isDone = assessment !== null && isSeen && hasLanded && hasKey;
  useEffect(() => {
    if (isDone) saveProgress('done');
  }, [isDone]);
  const begin = (sent: Assessment) => {
    if (savedProgress() === null) saveProgress('begun');
    setSeen(false);
    setAssessment(sent);
  };
  return (
    <>
      <div className="page-head">
        <div>
          <h1>First steps</h1>
          <p>From a first assessment to a blocked inference that reaches your systems, in four steps.</p>
        </div>
      </div>
      <ol className="steps">
        <Step number={1} title="Send an assessment" isDone={assessment !== null} waitsFor={null}>
          <SendAssessment assessment={assessment} onSent={begin} />
        </Step>
        <Step
          number={2}
          title="See it in the events"
          isDone={isSeen}
          waitsFor={assessment === null ? 'It shows here as soon as step 1 is done.' : null}
        >
          {assessment !== null && <Arrival assessment={assessment} isSeen={isSeen} onSeen={see} />}
        </Step>
        <Step number={3} title="Hear of what is blocked" isDone={hasLanded} waitsFor={null}>
          <Landing onLanded={land} />
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
    <section className="notice good stack" role="status" aria-label="What next">
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
