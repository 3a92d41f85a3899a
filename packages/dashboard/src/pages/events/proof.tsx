// Where an event stands in the log, and the check of that in this browser.

import type { Event, EventProof } from '@svc/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { svc } from '../../api.ts';
import { useOrganization } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { Checked } from './check.ts';
import { readHeld } from './held.ts';
import { PinnedKeys } from './pinned-keys.tsx';
import { readPins } from './pins.ts';
import { faultOfForm } from './proof-form.ts';
import { Remembered } from './remembered.tsx';
import { Told } from './verdict.tsx';

/** What was checked, and what the page showed before. */
interface Done {
  readonly checked: Checked;
  readonly before: Event;
}

/** Erasing changes what is disclosed. */
const keyOf = ({ id, erased = [] }: Event) => ['events', id, 'proof', erased];

/** `event`: as the page shows it. A verdict is of that alone: when another answer takes its place, it is gone. */
export function Proof({ event }: { readonly event: Event }): ReactNode {
  const proof = useQuery({ queryKey: keyOf(event), queryFn: () => svc.audit.proveEvent(event.id) });
  const [done, setDone] = useState<Done | null>(null);
  const isOfThis = done !== null && done.checked.event === event && done.checked.proof === proof.data;
  return (
    <section className="card stack" aria-labelledby="proof-title">
      <div className="row">
        <h3 id="proof-title">Proof</h3>
        {proof.data !== undefined && <State done={isOfThis ? done : null} proof={proof.data} />}
      </div>
      {proof.isPending && <Skeleton lines={4} />}
      {proof.error !== null && proof.data === undefined && <Problem error={proof.error} onRetry={() => proof.refetch()} />}
      {proof.data !== undefined && <Proved event={event} proof={proof.data} done={done} isOfThis={isOfThis} onDone={setDone} />}
    </section>
  );
}

/** Never good before it was checked. */
function State({ done, proof }: { readonly done: Done | null; readonly proof: EventProof }): ReactNode {
  if (done !== null) return done.checked.holds ? <Badge tone="good">verified</Badge> : <Badge tone="bad">broken</Badge>;
  if (faultOfForm(proof) !== null || !proof.leaf_matches) return <Badge tone="bad">broken</Badge>;
  return <Badge>proof given</Badge>;
}

interface ProvedProps {
  readonly event: Event;
  readonly proof: EventProof;
  readonly done: Done | null;
  /** What was done is of this event and this proof. */
  readonly isOfThis: boolean;
  readonly onDone: (done: Done | null) => void;
}

function Proved({ event, proof, done, isOfThis, onDone }: ProvedProps): ReactNode {
  const { id: orgId } = useOrganization();
  const queryClient = useQueryClient();
  const [pins, setPins] = useState(() => readPins(orgId));
  const [held, setHeld] = useState(() => readHeld(orgId));
  const checking = useAction(async () => {
    onDone(null);
    const { check } = await import('./check.ts');
    const checked = await check({ shown: event, orgId, pins });
    // What was checked is what is shown from here on. Where nothing is different it stays the same object.
    const shown = queryClient.setQueryData<Event>(['events', event.id], checked.event)!;
    const given = queryClient.setQueryData<EventProof>(keyOf(shown), checked.proof)!;
    onDone({ checked: { ...checked, event: shown, proof: given }, before: event });
    setHeld(readHeld(orgId));
  });
  const downloading = useAction(async (form: keyof typeof FILES) => {
    const { type, name, accept } = FILES[form];
    const path = `/v1/events/${encodeURIComponent(event.id)}/proof`;
    const answer = await svc.request('GET', path, { headers: { accept } });
    save(`${event.id}${name}`, type, typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`);
  });
  const malformed = faultOfForm(proof);
  return (
    <>
      {malformed === null ? (
        <Facts proof={proof} />
      ) : (
        !isOfThis && (
          <p className="notice bad">
            <strong>The proof does not hold.</strong> {malformed}
          </p>
        )
      )}
      <div className="row">
        <Button kind="primary" isBusy={checking.isBusy} onClick={() => checking.run()}>
          Verify in this browser
        </Button>
        <Button isBusy={downloading.isBusy} onClick={() => downloading.run('json')}>
          Download proof
        </Button>
        <Button isBusy={downloading.isBusy} onClick={() => downloading.run('text')}>
          As tlog-proof
        </Button>
      </div>
      {downloading.error !== null && <Problem error={downloading.error} />}
      {checking.error !== null && <Problem error={checking.error} />}
      <div role="status">
        {done !== null &&
          (isOfThis ? (
            <Told checked={done.checked} before={done.before} />
          ) : (
            <p className="notice warn">The event or its proof has changed since it was checked. Verify it again.</p>
          ))}
      </div>
      <Remembered
        held={held}
        onForgotten={() => {
          setHeld(null);
          onDone(null);
        }}
      />
      <PinnedKeys
        pins={pins}
        onChange={(changed) => {
          setPins(changed);
          onDone(null);
        }}
      />
    </>
  );
}

function Facts({ proof }: { readonly proof: EventProof }): ReactNode {
  const [origin] = proof.checkpoint.split('\n', 1);
  return (
    <>
      <dl className="facts">
        <dt>Log</dt>
        <dd>
          <code>{origin}</code>
        </dd>
        <dt>Leaf</dt>
        <dd>{proof.leaf_index.toLocaleString('en')}</dd>
        <dt>Leaf hash</dt>
        <dd>
          <code>{proof.leaf_hash}</code>
        </dd>
        <dt>Checkpoint</dt>
        <dd>of {proof.tree_size.toLocaleString('en')} events</dd>
      </dl>
      {!proof.leaf_matches && (
        <p className="notice bad">
          The service itself says that this event is not what was logged: it was changed in the database afterwards.
        </p>
      )}
    </>
  );
}

const FILES = {
  /** What `svc-verify` reads. */
  json: { name: '.proof.json', type: 'application/json', accept: 'application/json' },
  /** c2sp.org/tlog-proof. */
  text: { name: '.tlog-proof', type: 'text/plain', accept: 'text/plain' },
} as const;

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
