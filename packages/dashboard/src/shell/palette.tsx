// Go anywhere, and do what concerns every page, by typing a part of its name.

import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../ui/dialog.tsx';
import { pageOfId } from './actions.ts';
import { useActions, useParts, usePlaces } from './use-places.ts';

interface Entry {
  readonly title: string;
  /** What kind of thing it is. */
  readonly note: string;
  readonly words: string;
  readonly run: () => void;
}

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const found = useEntries(text.trim().toLowerCase());
  const chosen = Math.min(at, found.length - 1);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const choose = (i: number) => {
    setAt(i);
    document.querySelector(`#${CSS.escape(`${listId}-${i}`)}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') choose(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') run(found[chosen]);
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
        aria-label="Page, action or id"
        placeholder="A page, an action, or an id"
        autoFocus
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul id={listId} role="listbox" aria-label="Pages and actions" className="palette">
        {found.map((entry, i) => (
          <li
            key={`${entry.note} ${entry.title}`}
            id={`${listId}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => run(entry)}
            onKeyDown={onKey}
          >
            {entry.title} <span className="muted">{entry.note}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="muted">No page or action is called that.</p>}
    </Dialog>
  );
}

function useEntries(wanted: string): readonly Entry[] {
  const places = usePlaces();
  const parts = useParts();
  const actions = useActions();
  const [, navigate] = useLocation();
  const page = pageOfId(wanted);
  if (page !== null) return [{ title: wanted, note: 'Open', words: '', run: () => navigate(page) }];
  const all = [
    ...places.map(({ title, group, words, path }): Entry => ({ title, note: group, words, run: () => navigate(path) })),
    ...parts.map(({ title, of, words, path }): Entry => ({ title, note: of, words, run: () => navigate(path) })),
    ...actions.map(({ title, words, run }): Entry => ({ title, note: 'Action', words, run })),
  ];
  if (wanted === '') return all;
  return all
    .map((entry) => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
}

/** Every word of what is wanted, in any order; what is called so stands before what is about it. 0: not found. */
function rankOf({ title, note, words }: Entry, wanted: string): number {
  const name = title.toLowerCase();
  const about = `${name} ${note} ${words}`.toLowerCase();
  const asked = wanted.split(/[\s-]+/).filter((word) => word !== '' && !FILLERS.has(word));
  if (!asked.every((word) => about.includes(word))) return 0;
  if (name === wanted) return 5;
  if (name.startsWith(wanted)) return 4;
  if (name.includes(wanted)) return 3;
  return asked.every((word) => name.includes(word)) ? 2 : 1;
}

/** Said, and meaning nothing: `create a key`. */
const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'my', 'of', 'to', 'for']);
