// How a monitor stands: in one badge, and in words.

import type { DriftMonitor } from '@svc/client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';

interface Known {
  readonly state: 'sustained' | 'suspect' | 'watching' | 'learning';
  readonly tone: Tone;
  readonly meaning: string;
}

/** Those that need somebody first. */
export const STATES: readonly Known[] = [
  { state: 'sustained', tone: 'bad', meaning: 'it has changed, and stays changed' },
  { state: 'suspect', tone: 'warn', meaning: 'something may have changed, and is being confirmed' },
  { state: 'watching', tone: 'good', meaning: 'nothing has changed' },
  { state: 'learning', tone: 'plain', meaning: 'what is usual is being learned' },
];

type StateOf = Pick<DriftMonitor, 'state' | 'enabled' | 'provisional'>;

/** Also of a state that this page does not know. */
export function DriftState({ state, enabled, provisional }: StateOf): ReactNode {
  const known = STATES.find((each) => each.state === state);
  return (
    <span className="row" title={known?.meaning}>
      <Badge tone={enabled ? (known?.tone ?? 'plain') : 'plain'}>{state}</Badge>
      {!enabled && <Badge>switched off</Badge>}
      {provisional && enabled && state !== 'learning' && <Badge>provisional</Badge>}
    </span>
  );
}
