// On a narrow window the navigation lies over the page, as a dialog does: it holds the focus, and is closed by Escape, beside it, and by going somewhere.

import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** As in styles.css. */
const NARROW = '(max-width: 820px)';

interface Drawer {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  /** Where the focus goes when it opens, … */
  readonly closeRef: RefObject<HTMLButtonElement | null>;
  /** … and comes back to. */
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
}

export function useDrawer(): Drawer {
  const [isOpen, setOpen] = useState(false);
  const closeRef = useRef<HTMLButtonElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    closeRef.current?.focus();
    const button = buttonRef.current;
    return () => button?.focus({ preventScroll: true });
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    const narrow = matchMedia(NARROW);
    const onWidth = () => setOpen(false);
    addEventListener('keydown', onKey);
    narrow.addEventListener('change', onWidth);
    return () => {
      removeEventListener('keydown', onKey);
      narrow.removeEventListener('change', onWidth);
    };
  }, [isOpen]);
  return { isOpen, open: () => setOpen(true), close, closeRef, buttonRef };
}
