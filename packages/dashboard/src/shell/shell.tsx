// What is around every page: navigation, the palette, the theme, and who is signed in.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut, useOrganization } from '../session.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Palette } from './palette.tsx';
import { placeOf } from './places.ts';
import { saveTheme, useTheme, type Theme } from './theme.ts';
import { usePlaces } from './use-places.ts';

export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [path] = useLocation();
  useEffect(() => setMenuOpen(false), [path]);
  useShortcuts(() => setPaletteOpen(true));
  useFocusOfPlace(path);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Navigation isOpen={isMenuOpen} />
      <div>
        <header className="topbar">
          <Button
            className="menu-button"
            aria-expanded={isMenuOpen}
            aria-controls="navigation"
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            Menu
          </Button>
          <Button onClick={() => setPaletteOpen(true)}>
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

function Navigation({ isOpen }: { readonly isOpen: boolean }): ReactNode {
  const [path] = useLocation();
  const groups = Map.groupBy(usePlaces(), ({ group }) => group);
  const current = placeOf(path);
  return (
    <nav className="nav" id="navigation" aria-label="Pages" data-open={isOpen}>
      <div className="brand">
        <img src="/icon.svg" alt="" /> svc
      </div>
      {[...groups].map(([group, places]) => (
        <div key={group}>
          <div className="nav-group">{group}</div>
          <ul>
            {places.map((place) => (
              <li key={place.path}>
                <Link href={place.path} aria-current={place === current ? 'page' : undefined}>
                  {place.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Account />
    </nav>
  );
}

function Account(): ReactNode {
  const { name, credential } = useOrganization();
  const theme = useTheme();
  return (
    <div className="account">
      <div>
        <strong>{name}</strong> {credential.mode === 'test' && <Badge tone="warn">test</Badge>}
        <div className="muted">{credential.name}</div>
      </div>
      <label className="row">
        <span>Theme</span>
        <select className="input" value={theme} onChange={(event) => saveTheme(event.target.value as Theme)}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
      <Button onClick={() => void signOut()}>Sign out</Button>
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

/** Ctrl or Command with K opens the palette; `/` goes to the page's search, where it has one. */
function useShortcuts(openPalette: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        // A dialog holds what would be lost: a secret that is shown once, a form half filled in.
        if (document.querySelector('dialog[open]') === null) openPalette();
      } else if (event.key === '/' && !isTyping(event.composedPath()[0])) {
        const search = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (search === null) return;
        event.preventDefault();
        search.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** `target`: also within a shadow root, as that of an editor. */
function isTyping(target: EventTarget | null | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
}
