// The pages, group by group, and below them who is signed in, always in sight.

import type { MouseEvent, ReactNode, RefObject } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut, useIsSigningOut, useOrganization } from '../session.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { placeOf } from './places.ts';
import { saveTheme, useTheme, type Theme } from './theme.ts';
import { usePlaces } from './use-places.ts';
import { Name } from '../ui/name.tsx';

interface Props {
  /** On a narrow window. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly closeRef: RefObject<HTMLButtonElement | null>;
}

export function Navigation({ isOpen, onClose, closeRef }: Props): ReactNode {
  const closeAfterLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) onClose();
  };
  return (
    // What is clicked are the links in it, by keyboard too.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <section className="nav" id="navigation" aria-label="Menu" data-open={isOpen} onClick={closeAfterLink}>
      <div className="brand">
        <img src="/icon.svg" alt="" /> <span className="grow">svc</span>
        <Button ref={closeRef} className="menu-button" kind="quiet" isSmall onClick={onClose}>
          Close menu
        </Button>
      </div>
      <Places />
      <Account />
    </section>
  );
}

function Places(): ReactNode {
  const [path] = useLocation();
  const groups = Map.groupBy(usePlaces(), ({ group }) => group);
  const current = placeOf(path);
  return (
    <nav aria-label="Pages">
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
    </nav>
  );
}

function Account(): ReactNode {
  const { name, credential } = useOrganization();
  const theme = useTheme();
  const [path] = useLocation();
  return (
    <section className="account" aria-label="Account">
      <div>
        <strong>
          <Name text={name} />
        </strong>{' '}
        {credential.mode === 'test' && <Badge tone="warn">test</Badge>}
        <div className="muted">
          <Name text={credential.name} />
        </div>
      </div>
      <Link href="/welcome" aria-current={path === '/welcome' ? 'page' : undefined}>
        First steps
      </Link>
      <div className="account-row">
        <select className="input" aria-label="Theme" value={theme} onChange={(event) => saveTheme(event.target.value as Theme)}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
        <Button isSmall isBusy={useIsSigningOut()} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </section>
  );
}
