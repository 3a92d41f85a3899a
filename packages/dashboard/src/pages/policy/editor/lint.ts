// What is wrong with a policy while it is typed: what cannot be read at once, the rest as the service says.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { svc } from '../../../api.ts';
import { placeOf, read, type Format, type Mark, type Reading } from './document.ts';

const PAUSE_MS = 350;

export interface Lint {
  readonly reading: Reading;
  readonly marks: readonly Mark[];
  /** `checking`: the service has not looked at what is there now. */
  readonly state: 'checking' | 'valid' | 'invalid' | 'unknown';
  /** Why the service could not be asked. */
  readonly error: unknown;
  readonly retry: () => void;
}

export function useLint(text: string, format: Format): Lint {
  const reading = useMemo(() => read(text, format), [text, format]);
  const said = reading.isReadable ? JSON.stringify(reading.policy) : null;
  const settled = useSettled(said);
  const answer = useQuery({
    queryKey: ['policy', 'lint', settled],
    queryFn: ({ signal }) => svc.policy.lint(JSON.parse(settled!), { signal }),
    enabled: settled !== null,
    gcTime: 60_000,
    // What a policy may hold does not change under who types.
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  const { data } = answer;
  const marks = useMemo(() => {
    if (!reading.isReadable) return reading.marks;
    const at = (severity: Mark['severity']) => (problem: { pointer: string; message: string }) => ({
      ...placeOf(reading, problem.pointer, text.length),
      ...problem,
      severity,
    });
    return data === undefined ? [] : [...data.errors.map(at('error')), ...data.warnings.map(at('warning'))];
  }, [reading, text, data]);
  const isCurrent = said === settled && !answer.isPlaceholderData;
  const state = stateOf(reading, isCurrent, data?.valid, answer.isError);
  return { reading, marks, state, error: answer.error, retry: () => void answer.refetch() };
}

function stateOf(reading: Reading, isCurrent: boolean, isValid: boolean | undefined, hasFailed: boolean): Lint['state'] {
  if (!reading.isReadable) return 'invalid';
  if (hasFailed) return 'unknown';
  if (!isCurrent || isValid === undefined) return 'checking';
  return isValid ? 'valid' : 'invalid';
}

/** The value once it has not changed for a moment. */
function useSettled(value: string | null): string | null {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
