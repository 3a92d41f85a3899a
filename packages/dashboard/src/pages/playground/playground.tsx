// Try an inference: by the policy in force, the shadow, or a policy that is being written.

import type { Inference, Policy } from '@svc/client';
import { lazy, Suspense, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useTitle } from '../../ui/title.ts';
import { Answer } from './answer.tsx';
import { CallsCard } from './calls-card.tsx';
import { useChoice, type Choice } from './choice.ts';
import { AlsoInForce, Consequence, DecideBy } from './decide-by.tsx';
import { hasDetector, withDetector } from './detectors.ts';
import type { Read } from './draft.ts';
import type { Example } from './examples.ts';
import { useKept } from './kept.ts';
import './playground.css';
import { usePolicies } from './policies.ts';
import { RequestFields } from './request-fields.tsx';
import { useRequest } from './request.ts';
import { isSameSource, type Source, type Tried } from './run.ts';
import { useStartKey, useTrial, type Trial } from './trial.ts';

const EditedPolicy = lazy(async () => ({ default: (await import('./edited-policy.tsx')).EditedPolicy }));

export function Playground(): ReactNode {
  useTitle('Playground');
  const mayAssess = useMay('assess:create');
  const maySimulate = useMay('policy:read');
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Playground</h1>
          <p>
            Try what goes into a model and what comes out of it: what is found, what follows, and what another policy would do.
          </p>
        </div>
      </div>
      {mayAssess || maySimulate ? (
        <Trying />
      ) : (
        <p className="notice">
          This page needs the scope <code>assess:create</code>, or <code>policy:read</code> to simulate. This session has neither.
        </p>
      )}
    </>
  );
}

function Trying(): ReactNode {
  const request = useRequest();
  const policies = usePolicies();
  const choice = useChoice(policies);
  const { policy, isRecorded } = choice;
  const inForce = policies.inForce?.policy ?? null;
  const [typed, setTyped] = useKept<string | null>('policy', null);
  const shadow = policies.shadow.policy;
  const source = useMemo((): Source | null => {
    if (policy === 'edited') return typed === null ? { name: 'edited', policy: inForce ?? {} } : { name: 'edited', text: typed };
    return policy === 'shadow' && shadow !== null ? { name: 'shadow', policy: shadow } : null;
  }, [policy, typed, inForce, shadow]);
  const trial = useTrial({ inference: request.inference, isRecorded, source });
  useStartKey(trial.start);
  const tryBy = async (other: Policy) => {
    const { write } = await import('../policy/editor/document.ts');
    setTyped(write(other, 'yaml'));
    choice.setPolicy('edited');
  };
  return (
    <div className="playground">
      <div className="playground-column">
        <section className="card stack">
          <RequestFields request={request} />
          {policy === 'in-force' && (
            <DetectorIsOff example={request.example} inForce={inForce} onTurnOn={(other) => void tryBy(other)} />
          )}
        </section>
        <section className="card stack" aria-label="What decides">
          {policies.isPending ? (
            <Skeleton lines={5} />
          ) : (
            <DecideBy {...choice} version={policies.inForce?.version ?? null} shadow={policies.shadow} />
          )}
          {policies.error !== null && <Problem error={policies.error} onRetry={policies.retry} />}
          {policy === 'edited' && !policies.isPending && (
            <Suspense fallback={<Skeleton lines={12} />}>
              <EditedPolicy text={typed} inForce={inForce} onChange={setTyped} />
            </Suspense>
          )}
          <Start choice={choice} trial={trial} />
        </section>
        <CallsCard inference={request.inference} isRecorded={isRecorded} source={source} />
      </div>
      <Answers trial={trial} current={request.inference} source={source} />
    </div>
  );
}

function Start({ choice, trial }: { readonly choice: Choice; readonly trial: Trial }): ReactNode {
  const { policy, isRecorded } = choice;
  return (
    <>
      {policy !== 'in-force' && <AlsoInForce isRecorded={isRecorded} onChange={choice.setRecorded} />}
      <Consequence isRecorded={isRecorded} isSimulated={policy !== 'in-force'} />
      {trial.problem !== null && (
        <p className="notice bad" role="alert">
          {trial.problem}
        </p>
      )}
      <div className="row">
        <Button kind="primary" isBusy={trial.isBusy} onClick={trial.start}>
          {isRecorded ? 'Assess' : 'Simulate'}
        </Button>
        {trial.isBusy ? <Button onClick={trial.cancel}>Cancel</Button> : <kbd>Ctrl Enter</kbd>}
      </div>
      <p role="status" className={trial.isCancelled ? 'muted' : 'visually-hidden'}>
        {trial.isCancelled && 'Cancelled. What the service had begun by then it may have finished, and counted.'}
      </p>
    </>
  );
}

interface DetectorProps {
  readonly example: Example | null;
  readonly inForce: Policy | null;
  readonly onTurnOn: (policy: Policy) => void;
}

/** Of an example in which nothing would be found. */
function DetectorIsOff({ example, inForce, onTurnOn }: DetectorProps): ReactNode {
  const detector = example?.detector;
  if (detector === undefined || inForce === null || hasDetector(inForce, detector)) return null;
  return (
    <div className="notice stack">
      <p>
        The policy in force does not look for this: the detector <code>{detector}</code> is off unless a policy turns it on.
      </p>
      <div>
        <Button isSmall onClick={() => onTurnOn(withDetector(inForce, detector))}>
          Decide by a policy that turns it on
        </Button>
      </div>
    </div>
  );
}

interface AnswersProps {
  readonly trial: Trial;
  /** The request as it stands now. */
  readonly current: Read<Inference>;
  readonly source: Source | null;
}

function Answers({ trial: { tried, isBusy }, current, source }: AnswersProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(tried);
  useEffect(() => {
    if (before.current === tried) return;
    before.current = tried;
    // Where it stands below the form it would come unseen.
    if (!matchMedia('(min-width: 1200px)').matches) heading.current?.scrollIntoView();
  }, [tried]);
  const changed = tried === null ? null : changedSince(tried, current, source);
  return (
    <div className="playground-column playground-side" aria-busy={isBusy}>
      <h2 ref={heading} className={tried === null ? 'visually-hidden' : 'playground-answer'}>
        Answer
      </h2>
      <p role="status" className={changed === null ? 'visually-hidden' : 'muted'}>
        {tried !== null &&
          (changed === null ? (isBusy ? '' : saidOf(tried)) : `${changed} since: this is the answer to what was sent.`)}
      </p>
      {tried !== null ? <Answer tried={tried} /> : isBusy ? <Skeleton lines={8} /> : <Nothing />}
    </div>
  );
}

/** What is no longer as it was sent; `null`: all is. */
function changedSince({ inference, source: sent }: Tried, current: Read<Inference>, source: Source | null): string | null {
  const isOther = !('value' in current) || JSON.stringify(inference) !== JSON.stringify(current.value);
  const isOtherPolicy = !isSameSource(sent, source);
  if (isOther) return isOtherPolicy ? 'The inference and the policy have changed' : 'The inference has changed';
  return isOtherPolicy ? 'The policy has changed' : null;
}

function saidOf({ assessment }: Tried): string {
  if (assessment === null) return 'The simulation is over.';
  return 'value' in assessment ? `The outcome is ${assessment.value.outcome}.` : '';
}

function Nothing(): ReactNode {
  return (
    <Empty title="Nothing was tried yet">
      <p>
        Begin with an example, or type an input, an output, or both. The outcome comes here, with every finding marked where it
        stands, the redacted texts, and what another policy would have decided.
      </p>
    </Empty>
  );
}
