// Where an event stands in the log, and the check of that in this browser.

import type { Event, EventProof } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { svc } from '../../api.ts';
import { useOrganization } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { PinnedKeys } from './pinned-keys.tsx';
import { readPins } from './pins.ts';
import type { Step, Verdict } from './verify.ts';

export function Proof({ event }: { readonly event: Event }): ReactNode {
  const proof = useQuery({
    // Erasing changes what is disclosed.
    queryKey: ['events', event.id, 'proof', event.erased ?? []],
    queryFn: () => svc.audit.proveEvent(event.id),
  });
  return (
    <section className="card stack" aria-labelledby="proof-title">
      <div className="row">
        <h3 id="proof-title">Proof</h3>
        {proof.data !== undefined && <Badge tone="good">in the log</Badge>}
      </div>
      {proof.isPending && <Skeleton lines={4} />}
      {proof.error !== null && proof.data === undefined && <Problem error={proof.error} onRetry={() => proof.refetch()} />}
      {proof.data !== undefined && <Proved event={event} proof={proof.data} />}
    </section>
  );
}

interface Checked {
  readonly verdict: Verdict;
  readonly isPinned: boolean;
}

function Proved({ event, proof }: { readonly event: Event; readonly proof: EventProof }): ReactNode {
  const { id: orgId } = useOrganization();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [pins, setPins] = useState(() => readPins(orgId));
  const checking = useAction(async () => {
    setChecked(null);
    const { verify } = await import('./verify.ts');
    // What is checked is what the service says now, not what it said a while ago.
    const [shown, current] = await Promise.all([svc.events.get(event.id), svc.audit.proveEvent(event.id)]);
    const keys = pins.length > 0 ? pins : await keysOfService();
    setChecked({ verdict: await verify(shown, current, keys), isPinned: pins.length > 0 });
  });
  const downloading = useAction(async (form: keyof typeof FILES) => {
    const { type, name, accept } = FILES[form];
    const path = `/v1/events/${encodeURIComponent(event.id)}/proof`;
    const answer = await svc.request('GET', path, { headers: { accept } });
    save(`${event.id}${name}`, type, typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`);
  });
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
      <div role="status">{checked !== null && <Told checked={checked} />}</div>
      <PinnedKeys
        pins={pins}
        onChange={(changed) => {
          setPins(changed);
          setChecked(null);
        }}
      />
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

/** Those that sign now. */
async function keysOfService(): Promise<string[]> {
  const { keys } = await svc.audit.listKeys();
  return keys.filter(({ status }) => status !== 'retired').map(({ verifier_key: key }) => key);
}

function Told({ checked: { verdict, isPinned } }: { readonly checked: Checked }): ReactNode {
  return (
    <div className={`notice stack ${verdict.holds ? 'good' : 'bad'}`}>
      <p>
        <strong>{verdict.holds ? 'The proof holds.' : 'The proof does not hold.'}</strong>{' '}
        {!verdict.holds && 'Download it and keep it: it is evidence. Ask the operator.'}
      </p>
      <ol className="stack steps">
        {verdict.steps.map((step) => (
          <StepItem key={step.name} step={step} />
        ))}
      </ol>
      <p>
        {isPinned
          ? 'Checked with the keys that are pinned in this browser.'
          : 'Checked with the keys that the service gave just now. That shows that its answers fit each other, and that it has signed for this event. It does not show whose keys they are: pin a key that came to you by another way.'}{' '}
        <span className="muted">Not checked: that others are shown the same log. For that, keep checkpoints and compare.</span>
      </p>
    </div>
  );
}

const TONES = { holds: 'good', broken: 'bad', 'not reached': 'plain' } as const;

function StepItem({ step: { title, state, text } }: { readonly step: Step }): ReactNode {
  return (
    <li>
      <div className="row">
        <Badge tone={TONES[state]}>{state}</Badge>
        <strong>{title}</strong>
      </div>
      {text !== '' && <p className="muted">{text}</p>}
    </li>
  );
}
