// Go anywhere by typing a part of its name.

import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../ui/dialog.tsx';
import { PLACES } from './places.ts';

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [, navigate] = useLocation();
  const listId = useId();
  const wanted = text.trim().toLowerCase();
  const found = PLACES.filter(({ title, words }) => `${title} ${words}`.toLowerCase().includes(wanted));
  const chosen = Math.min(at, found.length - 1);
  const go = (path: string | undefined) => {
    if (path === undefined) return;
    navigate(path);
    onClose();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') go(found[chosen]?.path);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[chosen] === undefined ? undefined : `${listId}-${chosen}`}
        aria-label="Page"
        placeholder="A page, such as webhooks"
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      <ul id={listId} role="listbox" aria-label="Pages" className="palette">
        {found.map(({ path, title, group }, i) => (
          <li
            key={path}
            id={`${listId}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => go(path)}
            onKeyDown={onKey}
          >
            {title} <span className="muted">{group}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="muted">No page is called that.</p>}
    </Dialog>
  );
}
