// The try that is under way, and the last one.

import type { Inference } from '@svc/client';
import { useEffect, useRef, useState } from 'react';
import type { Read } from './draft.ts';
import { useKept } from './kept.ts';
import { candidateOf, run, type Source, type Tried } from './run.ts';

export interface Trial {
  /** `null`: nothing was tried yet. */
  readonly tried: Tried | null;
  readonly isBusy: boolean;
  /** Why it could not begin. */
  readonly problem: string | null;
  /** Whether the last one was given up. */
  readonly isCancelled: boolean;
  readonly start: () => void;
  readonly cancel: () => void;
}

interface Options {
  readonly inference: Read<Inference>;
  readonly isRecorded: boolean;
  /** `null`: the policy in force alone. */
  readonly source: Source | null;
}

const IDLE: Pick<Trial, 'isBusy' | 'problem' | 'isCancelled'> = { isBusy: false, problem: null, isCancelled: false };

export function useTrial({ inference, isRecorded, source }: Options): Trial {
  const [tried, setTried] = useKept<Tried | null>('tried', null);
  const [state, setState] = useState(IDLE);
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);
  const go = async () => {
    if (state.isBusy) return;
    if ('problem' in inference) return setState({ ...IDLE, problem: inference.problem });
    const aborter = new AbortController();
    underWay.current = aborter;
    setState({ ...IDLE, isBusy: true });
    try {
      const candidate = await candidateOf(source);
      setTried(await run({ inference: inference.value, isRecorded, source, candidate }, aborter.signal));
      setState(IDLE);
    } catch (err) {
      if (!aborter.signal.aborted) setState({ ...IDLE, problem: (err as Error).message });
    }
  };
  const cancel = () => {
    underWay.current?.abort();
    setState({ ...IDLE, isCancelled: true });
  };
  return { tried, ...state, start: () => void go(), cancel };
}

/** Ctrl or Command with Enter, wherever the focus is; in an editor before the editor takes it for its own. */
export function useStartKey(start: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      start();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  });
}
