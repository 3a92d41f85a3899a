// A write that a button starts. Unlike a mutation of the query library, its answer stays in no cache: it may hold a secret.

import { useState } from 'react';

export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => void;
  readonly isBusy: boolean;
  /** `null`: the last run had none. */
  readonly error: unknown;
  readonly reset: () => void;
}

export function useAction<Args extends readonly unknown[]>(work: (...args: Args) => Promise<unknown>): Action<Args> {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const run = async (args: Args) => {
    setState({ isBusy: true, error: null });
    try {
      await work(...args);
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return { ...state, run: (...args) => void run(args), reset: () => setState({ isBusy: false, error: null }) };
}
