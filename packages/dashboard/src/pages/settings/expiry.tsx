// When a key stops working: in so many days, on a date, or never.

import { useId, type ReactNode } from 'react';

const DAY_MS = 86_400_000;
/** As far ahead as the API takes it. */
const YEARS_MAX = 10;

const PRESETS = [
  ['never', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['date', 'On a date …'],
] as const;

interface Expiry {
  readonly preset: (typeof PRESETS)[number][0];
  /** `2027-03-01`; empty until one is chosen. */
  readonly date: string;
}
export const NEVER: Expiry = { preset: 'never', date: '' };

/** As the API takes it. A date lasts until its end, in UTC. */
export function expiresAtOf({ preset, date }: Expiry, nowMs: number = Date.now()): string | null {
  if (preset === 'never') return null;
  return preset === 'date' ? `${date}T23:59:59.999Z` : new Date(nowMs + Number(preset) * DAY_MS).toISOString();
}

interface Props {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
}

export function ExpiryField({ value, onChange }: Props): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Expires</label>
      <select
        id={id}
        className="input"
        value={value.preset}
        onChange={(event) => onChange({ ...value, preset: event.target.value as Expiry['preset'] })}
      >
        {PRESETS.map(([preset, title]) => (
          <option key={preset} value={preset}>
            {title}
          </option>
        ))}
      </select>
      {value.preset === 'date' && (
        <input
          className="input"
          type="date"
          aria-label="Last day, UTC"
          required
          min={dayIn(0)}
          max={dayIn(YEARS_MAX * 365)}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.target.value })}
        />
      )}
      <small>
        {value.preset === 'date'
          ? 'It works until the end of this day, UTC.'
          : 'A key that expires is refused from then on. One that does not should be rotated every 90 days.'}
      </small>
    </div>
  );
}

function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
