import type { ReactNode } from 'react';

/** As the API takes it. */
const NOTE_MAX = 500;

interface Props {
  readonly hint: string;
  readonly value: string;
  readonly onChange: (note: string) => void;
}

/** Why, for the trail. */
export function NoteField({ hint, value, onChange }: Props): ReactNode {
  return (
    <label className="field">
      <span>Note</span>
      <input
        className="input"
        maxLength={NOTE_MAX}
        autoComplete="off"
        placeholder={hint}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <small>Why; it stands in the trail, with who and when.</small>
    </label>
  );
}

/** What is sent. */
export function noteOf(note: string): { readonly note?: string } {
  return note.trim() === '' ? {} : { note: note.trim() };
}
