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
  /** Why the form cannot change it, in a sentence; `null`: it can. */
  readonly obstacle: (path: Path) => string | null;
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
  const obstacle = members.obstacle(path);
  const values = (schema?.enum ?? []).map(String);
  const isOther = own !== undefined && !(typeof own === 'string' && values.includes(own));
  return (
    <label className="field">
      <span>{label}</span>
      <select
        className="input"
        disabled={members.isDisabled || obstacle !== null}
        aria-invalid={isOther}
        value={isOther ? OTHER : typeof own === 'string' ? own : ''}
        onChange={(event) => members.set(path, event.target.value === '' ? undefined : event.target.value)}
      >
        <option value="">{usual === undefined ? 'default' : `${usual} (default)`}</option>
        {isOther && (
          <option value={OTHER} disabled>
            {shortOf(own)} (not allowed)
          </option>
        )}
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
      {obstacle !== null ? <small className="problem">{obstacle}</small> : help !== undefined && <small>{help}</small>}
    </label>
  );
}

/** What the text says where it says none of the values. No value is empty within quotes. */
const OTHER = '""';

/** What stands in the text and is not allowed there. */
function shortOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A number within the bounds of the schema. Empty: the default. */
interface NumberProps extends FieldProps {
  readonly step?: number;
  /** There is little room: that what is grey is the default is said elsewhere. */
  readonly isCompact?: boolean;
}

export function NumberField({ members, path, label, help, step = 1, isCompact = false }: NumberProps): ReactNode {
  const schema = schemaAt(path);
  const bounds = schema?.anyOf?.find(({ minimum }) => minimum !== undefined) ?? schema;
  const own = members.get(path);
  const shown = typeof own === 'number' ? String(own) : '';
  const [typed, setTyped] = useState(shown);
  // What is typed may be on its way to a number; what the text says counts once it says another.
  useEffect(() => setTyped((now) => (now !== '' && Number(now) === Number(shown) && shown !== '' ? now : shown)), [shown]);
  const usual = defaultAt(path);
  const obstacle = members.obstacle(path);
  const isOther = own !== undefined && typeof own !== 'number' && !(own === null && usual !== undefined);
  const fallback = usual === null ? 'never' : (textOf(usual) ?? '');
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        type="number"
        disabled={members.isDisabled || obstacle !== null}
        aria-invalid={isOther}
        min={bounds?.minimum}
        max={bounds?.maximum}
        step={step}
        placeholder={isOther ? shortOf(own) : own === null ? 'never' : isCompact ? fallback : `${fallback} (default)`}
        value={typed}
        onChange={(event) => {
          const { value } = event.target;
          setTyped(value);
          if (value.trim() === '') members.set(path, undefined);
          else if (Number.isFinite(Number(value))) members.set(path, Number(value));
        }}
      />
      {isOther && <small className="problem">The text says {shortOf(own)}, which is not allowed.</small>}
      {obstacle !== null ? <small className="problem">{obstacle}</small> : help !== undefined && <small>{help}</small>}
    </label>
  );
}

/** A switch. What is as by default is not written. */
export function CheckField({ members, path, label, help }: FieldProps): ReactNode {
  const usual = defaultAt(path) === true;
  const own = members.get(path);
  const obstacle = members.obstacle(path);
  const isOther = own !== undefined && typeof own !== 'boolean';
  return (
    <label className="check">
      <input
        type="checkbox"
        disabled={members.isDisabled || obstacle !== null}
        checked={typeof own === 'boolean' ? own : usual}
        onChange={({ target: { checked } }) => members.set(path, checked === usual ? undefined : checked)}
      />
      <span>{label}</span>
      {isOther && <small className="problem">The text says {shortOf(own)}, which is not allowed.</small>}
      {obstacle !== null ? <small className="problem">{obstacle}</small> : help !== undefined && <small>{help}</small>}
    </label>
  );
}
