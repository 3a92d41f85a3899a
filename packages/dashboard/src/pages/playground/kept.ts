// What is typed stays in memory while other pages are looked at. Signing out forgets it, and so does leaving the window.

import { useState } from 'react';
import { queryClient } from '../../api.ts';

const KEY = 'playground-draft';
queryClient.setQueryDefaults([KEY], { gcTime: Infinity });

/** A state that the next visit of the page begins with. */
export function useKept<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => queryClient.getQueryData<Value>([KEY, name]) ?? initial);
  const set = (next: Value) => {
    queryClient.setQueryData([KEY, name], next);
    setValue(next);
  };
  return [value, set];
}
