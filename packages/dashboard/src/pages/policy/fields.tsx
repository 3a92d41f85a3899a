// Fields of the form: each shows a member of the document, and the default where the document says nothing.

import { useEffect, useState, type ReactNode } from 'react';
import { defaultAt, schemaAt } from './editor/reference.ts';

type Path = readonly (string | number)[];

/** The document, as the fields see it. */
export interface Members {
  readonly get: (path: Path) => unknown;
  /** `undefined` takes it out: the default holds. */
  readonly set: (path: Path, value: unknown) => void;
  readonly isDisabled: boolean;
}

interface FieldProps {
  readonly members: Members;
  readonly path: Path;
  readonly label: string;
  /** What it means, where the schema does not say it well here. */
  readonly help?: ReactNode;
}

/** One of the values that the schema names. */
export function ChoiceField({ members, path, label, help, fallback }: FieldProps & { readonly fallback?: string }): ReactNode {
  const schema = schemaAt(path);
  const own = members.get(path);
  const usual = fallback ?? textOf(defaultAt(path));
  return (
    <label className="field">
      <span>{label}</span>
      <select
        className="input"
        disabled={members.isDisabled}
        value={typeof own === 'string' ? own : ''}
        onChange={(event) => members.set(path, event.target.value === '' ? undefined : event.target.value)}
      >
        <option value="">{usual === undefined ? 'default' : `${usual} (default)`}</option>
        {(schema?.enum ?? []).map((value) => (
          <option key={String(value)} value={String(value)}>
            {String(value)}
          </option>
        ))}
      </select>
      {help !== undefined && <small>{help}</small>}
    </label>
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A number within the bounds of the schema. Empty: the default. */
export function NumberField({ members, path, label, help, step = 1 }: FieldProps & { readonly step?: number }): ReactNode {
  const schema = schemaAt(path);
  const bounds = schema?.anyOf?.find(({ minimum }) => minimum !== undefined) ?? schema;
  const own = members.get(path);
  const shown = typeof own === 'number' ? String(own) : '';
  const [typed, setTyped] = useState(shown);
  // What is typed may be on its way to a number; what the text says counts once it says another.
  useEffect(() => setTyped((now) => (now !== '' && Number(now) === Number(shown) && shown !== '' ? now : shown)), [shown]);
  const usual = defaultAt(path);
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        type="number"
        disabled={members.isDisabled}
        min={bounds?.minimum}
        max={bounds?.maximum}
        step={step}
        placeholder={own === null ? 'never' : usual === null ? 'never (default)' : `${textOf(usual) ?? ''} (default)`}
        value={typed}
        onChange={(event) => {
          const { value } = event.target;
          setTyped(value);
          if (value.trim() === '') members.set(path, undefined);
          else if (Number.isFinite(Number(value))) members.set(path, Number(value));
        }}
      />
      {help !== undefined && <small>{help}</small>}
    </label>
  );
}

/** A switch. What is as by default is not written. */
export function CheckField({ members, path, label, help }: FieldProps): ReactNode {
  const usual = defaultAt(path) === true;
  const own = members.get(path);
  return (
    <label className="check">
      <input
        type="checkbox"
        disabled={members.isDisabled}
        checked={typeof own === 'boolean' ? own : usual}
        onChange={({ target: { checked } }) => members.set(path, checked === usual ? undefined : checked)}
      />
      <span>{label}</span>
      {help !== undefined && <small>{help}</small>}
    </label>
  );
}
