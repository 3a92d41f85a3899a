// What is around every page: navigation, the palette, the theme, and who is signed in.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../ui/button.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { placeOf } from './places.ts';
import { useDrawer } from './use-drawer.ts';

export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [path] = useLocation();
  const { isOpen, open, close, closeRef, buttonRef } = useDrawer();
  const openPalette = () => {
    close();
    setPaletteOpen(true);
  };
  useShortcuts(openPalette);
  useFocusOfPlace(path);
  return (
    <div className="shell">
      <a className="skip" href="#main" inert={isOpen}>
        Skip to content
      </a>
      <Navigation isOpen={isOpen} onClose={close} closeRef={closeRef} />
      {isOpen && <div className="nav-backdrop" aria-hidden="true" onClick={close} />}
      <div inert={isOpen}>
        <header className="topbar">
          <Button ref={buttonRef} className="menu-button" aria-expanded={isOpen} aria-controls="navigation" onClick={open}>
            Menu
          </Button>
          <Button onClick={openPalette}>
            Go to … <kbd>Ctrl K</kbd>
          </Button>
        </header>
        <main className="main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}

/** Who goes to another place begins at its top, also by keyboard. Within a place the page keeps its own. */
function useFocusOfPlace(path: string): void {
  const place = placeOf(path)?.path ?? path;
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    document.querySelector<HTMLElement>('#main')!.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [place]);
}

/** Ctrl or Command with K opens the palette; `/` goes to the page's search, and opens the palette where it has none. */
function useShortcuts(openPalette: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPalette = event.key === 'k' && (event.ctrlKey || event.metaKey);
      const isSearch = event.key === '/' && !isTyping(event.composedPath()[0]);
      if (!isPalette && !isSearch) return;
      const search = isSearch ? searchOfPage() : undefined;
      // A dialog holds what would be lost: a secret that is shown once, a form half filled in.
      const isHeld = document.querySelector('dialog[open]') !== null;
      if (isHeld && isSearch) return;
      event.preventDefault();
      if (search !== undefined) search.focus();
      else if (!isHeld) openPalette();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

function searchOfPage(): HTMLInputElement | undefined {
  return [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')].find((input) => input.checkVisibility());
}

/** `target`: also within a shadow root, as that of an editor. */
function isTyping(target: EventTarget | null | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
}
