// What a check came to, step by step, with what is evidence where it did not hold.

import type { Event } from '@svc/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { Copy } from '../../ui/copy.tsx';
import type { Checked, Evidence } from './check.ts';
import type { Step } from './verify.ts';

/** `before`: what the page showed until it was checked. */
export function Told({ checked, before }: { readonly checked: Checked; readonly before: Event }): ReactNode {
  const { holds, steps, differing, trusted, evidence } = checked;
  return (
    <div className="stack">
      {differing.length > 0 && <Differing names={differing} before={before} />}
      <div className={`notice stack ${holds ? 'good' : 'bad'}`}>
        <p>
          <strong>{headlineOf(checked)}</strong> {!holds && 'Download the proof and keep it: it is evidence. Ask the operator.'}
        </p>
        <ol className="stack steps">
          {steps.map((step) => (
            <StepItem key={step.name} step={step} />
          ))}
        </ol>
        {evidence !== null && evidence.before !== '' && <Both evidence={evidence} />}
        <p>
          {TRUSTED[trusted]}{' '}
          <span className="muted">
            Not checked: that others are shown the same log; for that, compare checkpoints. Of a list beside, nothing is proved.
          </span>
        </p>
      </div>
    </div>
  );
}

const TRUSTED: Readonly<Record<Checked['trusted'], string>> = {
  pinned: 'Checked with the keys that are pinned in this browser.',
  remembered:
    'Checked with the keys that the service gave when this browser checked its log for the first time. It does not show whose keys they are: pin a key that came to you by another way.',
  service:
    'Checked with the keys that the service gave just now. That shows that its answers fit each other, and that it has signed for this event. It does not show whose keys they are: pin a key that came to you by another way.',
};

function headlineOf({ holds, steps }: Checked): string {
  if (holds) return 'The proof holds.';
  const isGrowthAlone = steps.every(({ name, state }) => name === 'growth' || state === 'holds');
  return isGrowthAlone ? 'The log does not go on from what this browser has seen.' : 'The proof does not hold.';
}

/** The first answer may have been a lie, so it is not thrown away silently. */
function Differing({ names, before }: { readonly names: readonly string[]; readonly before: Event }): ReactNode {
  return (
    <div className="notice warn stack">
      <p>
        <strong>Until now this page showed something else: {names.join(', ')}.</strong> It has been replaced by what the service
        says now, and that is what was checked. Where nobody has erased values meanwhile, keep the first answer: it is evidence.
      </p>
      <div>
        <Copy text={JSON.stringify(before, null, 2)} label="Copy the first answer" />
      </div>
    </div>
  );
}

function Both({ evidence: { rule, before, now } }: { readonly evidence: Evidence }): ReactNode {
  return (
    <>
      <p>
        Both checkpoints are signed. Together they are the evidence: copy and keep them. What this browser remembers stays as it
        was.
        {rule === 'origin_changed' && (
          <>
            {' '}
            After a restored backup <Link href="/events?kind=audit.restored">an event audit.restored</Link> tells of the new
            origin. Only if the operator confirms it, forget what was seen.
          </>
        )}
      </p>
      <Code label="The checkpoint that was seen" text={before} />
      <Code label="The checkpoint that came now" text={now} />
    </>
  );
}

const TONES = { holds: 'good', broken: 'bad', 'not reached': 'plain', 'first seen': 'plain' } as const;

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
