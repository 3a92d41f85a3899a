// A filter by a name, which is asked when one has typed it.

import { useEffect, useId, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';

const NONE: readonly string[] = [];

interface Props {
  readonly label: string;
  /** The name that is asked for; empty: any. */
  readonly value: string;
  /** Names that there are. */
  readonly known?: readonly string[];
  /** Whether `/` goes here. */
  readonly isSearch?: boolean;
  readonly onChange: (value: string) => void;
}

/** On Enter, and when one of the known names was chosen. */
export function NameFilter({ label, value, known = NONE, isSearch = false, onChange }: Props): ReactNode {
  const [typed, setTyped] = useState(value);
  const listId = useId();
  useEffect(() => setTyped(value), [value]);
  const type = (text: string) => {
    setTyped(text);
    if (text === '' || known.includes(text)) onChange(text);
  };
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim());
      }}
    >
      <input
        className="input fit"
        type={isSearch ? 'search' : 'text'}
        aria-label={label}
        placeholder={`${label}: full name`}
        maxLength={200}
        autoComplete="off"
        list={known.length === 0 ? undefined : listId}
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      {known.length > 0 && (
        <datalist id={listId}>
          {known.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      )}
      {typed.trim() !== value && (
        <Button type="submit" isSmall>
          Filter
        </Button>
      )}
    </form>
  );
}
