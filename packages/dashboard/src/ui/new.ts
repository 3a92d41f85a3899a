// Whether the form of something new is open: `?new=` in the address, so that the palette and links of elsewhere lead to it.

import { useSearchParams } from 'wouter';

export function useNew(): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [search, setSearch] = useSearchParams();
  const setOpen = (isOpen: boolean) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (isOpen) after.set('new', '');
        else after.delete('new');
        return after;
      },
      { replace: true },
    );
  return [search.has('new'), setOpen];
}
