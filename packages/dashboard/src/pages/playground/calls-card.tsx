import type { Inference } from '@svc/client';
import { useEffect, useState, type ReactNode } from 'react';
import { Snippets } from '../../ui/code.tsx';
import { assessCalls, simulateCalls } from './calls.ts';
import type { Read } from './draft.ts';
import { candidateOf, type Candidate, type Source } from './run.ts';

interface Props {
  readonly inference: Read<Inference>;
  readonly isRecorded: boolean;
  readonly source: Source | null;
}

/** What the button does, for a program. */
export function CallsCard(props: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Copy the call</summary>
      {isOpen && <Calls {...props} />}
    </details>
  );
}

function Calls({ inference, isRecorded, source }: Props): ReactNode {
  const candidate = useCandidate(source);
  if ('problem' in inference) return <p className="note muted">{inference.problem}</p>;
  const simulated = candidate !== null && 'value' in candidate ? candidate.value : null;
  return (
    <div className="stack note">
      {isRecorded && (
        <>
          <p className="muted">
            By a live key it is recorded as it is here. By a test key it is decided the same, and recorded nowhere.
          </p>
          <h3>The assessment</h3>
          <Snippets label="The assessment" snippets={assessCalls(inference.value, location.origin)} />
        </>
      )}
      {simulated !== null && (
        <>
          <h3>The simulation</h3>
          <Snippets label="The simulation" snippets={simulateCalls(inference.value, simulated.policy, location.origin)} />
        </>
      )}
      {candidate !== null && 'problem' in candidate && <p className="problem">{candidate.problem}</p>}
    </div>
  );
}

/** `null`: not read yet. */
function useCandidate(source: Source | null): Read<Candidate | null> | null {
  const [candidate, setCandidate] = useState<Read<Candidate | null> | null>(null);
  useEffect(() => {
    let isWanted = true;
    void candidateOf(source).then(
      (value) => isWanted && setCandidate({ value }),
      (err: Error) => isWanted && setCandidate({ problem: err.message }),
    );
    return () => {
      isWanted = false;
    };
  }, [source]);
  return candidate;
}
