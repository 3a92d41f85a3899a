import type { ReactNode } from 'react';
import type { Field, Values, Vendor } from './vendors.ts';

interface Props {
  readonly vendor: Vendor;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  /** What is stored already: its secrets may stay as they are. */
  readonly stored: Readonly<Record<string, unknown>> | null;
}

/** The fields of one vendor's config. */
export function VendorFields({ vendor, values, onChange, stored }: Props): ReactNode {
  const set = (name: string, value: string | boolean) => onChange({ ...values, [name]: value });
  return vendor.fields.map((field) => (
    <VendorField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      stored={stored}
      onChange={(value) => set(field.name, value)}
    />
  ));
}

interface FieldProps {
  readonly field: Field;
  readonly value: string | boolean;
  readonly stored: Props['stored'];
  readonly onChange: (value: string | boolean) => void;
}

function VendorField({ field, value, stored, onChange }: FieldProps): ReactNode {
  const { label, hint } = field;
  if (field.type === 'check')
    return (
      <label className="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        <span>{label}</span>
        <small>{hint}</small>
      </label>
    );
  if (field.type === 'choice')
    return (
      <label className="field">
        <span>{label}</span>
        <select className="input" value={String(value)} onChange={(event) => onChange(event.target.value)}>
          {field.choices.map(([choice, title]) => (
            <option key={choice} value={choice}>
              {title}
            </option>
          ))}
        </select>
        <small>{hint}</small>
      </label>
    );
  if (field.type === 'tags')
    return (
      <label className="field">
        <span>{label}</span>
        <input className="input" maxLength={4_000} value={String(value)} onChange={(event) => onChange(event.target.value)} />
        <small>{hint}</small>
      </label>
    );
  const isKept = stored !== null && field.isSecret === true;
  // A change leaves what it does not name as it is, so what was set cannot be emptied.
  const wasSet = stored !== null && stored[field.name] !== undefined;
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input mono"
        type={field.isSecret === true ? 'password' : 'text'}
        autoComplete="off"
        spellCheck={false}
        required={wasSet || (field.isRequired === true && !isKept)}
        maxLength={field.charsMax}
        pattern={field.pattern}
        placeholder={isKept ? 'Stays as it is' : field.placeholder}
        value={String(value)}
        onChange={(event) => onChange(event.target.value)}
      />
      <small>
        {hint}
        {field.isSecret === true && ' Kept encrypted and never shown again.'}
        {wasSet && field.isRequired !== true && ' It can be changed, but not taken away.'}
      </small>
    </label>
  );
}
