// What is wrong with a policy while it is typed: what cannot be read at once, the rest as the service says.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { svc } from '../../../api.ts';
import { placeOf, read, recall, type Format, type Mark, type Reading } from './document.ts';

const PAUSE_MS = 350;
/** What is longer is read once nobody types, so that typing stays light. */
const AT_ONCE_CHARS = 8_000;

export interface Lint {
  /** Of a long text, as it was a moment ago. */
  readonly reading: Reading;
  readonly marks: readonly Mark[];
  /** `checking`: the service has not looked at what is there now. */
  readonly state: 'checking' | 'valid' | 'invalid' | 'unknown';
  /** Why the service could not be asked. */
  readonly error: unknown;
  readonly retry: () => void;
}

export function useLint(text: string, format: Format): Lint {
  const { reading, isCurrent: isRead } = useReading(text, format);
  const said = reading.isReadable ? reading.json : null;
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
  }, [reading, text.length, data]);
  const isCurrent = isRead && said === settled && !answer.isPlaceholderData;
  const state = stateOf(reading, isCurrent, data?.valid, answer.isError);
  return { reading, marks, state, error: answer.error, retry: () => void answer.refetch() };
}

function stateOf(reading: Reading, isCurrent: boolean, isValid: boolean | undefined, hasFailed: boolean): Lint['state'] {
  if (!reading.isReadable) return 'invalid';
  if (hasFailed) return 'unknown';
  if (!isCurrent || isValid === undefined) return 'checking';
  return isValid ? 'valid' : 'invalid';
}

interface Held {
  readonly text: string;
  readonly format: Format;
  readonly reading: Reading;
}

/** What the text says: a short one at once, a long one after a pause. */
function useReading(text: string, format: Format): { readonly reading: Reading; readonly isCurrent: boolean } {
  const [held, setHeld] = useState<Held>(() => ({ text, format, reading: read(text, format) }));
  const isCurrent = held.text === text && held.format === format;
  const isDue = !isCurrent && (text.length <= AT_ONCE_CHARS || recall(text, format) !== null);
  const due = isDue ? { text, format, reading: read(text, format) } : null;
  if (due !== null) setHeld(due);
  const isWaiting = !isCurrent && due === null;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setHeld({ text, format, reading: read(text, format) }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, text, format]);
  return { reading: (due ?? held).reading, isCurrent: !isWaiting };
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
