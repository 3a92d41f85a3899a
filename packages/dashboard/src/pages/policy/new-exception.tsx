import type { PolicyException } from '@svc/client';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CATEGORIES, DETECTORS, schemaAt, TYPES } from './editor/reference.ts';

export const DAY_MS = 86_400_000;
export const DAYS_DEFAULT = 90;
/** Members of `match` that are texts, in the order of use. */
const MATCHES = ['category', 'type', 'value', 'detector', 'rule_id', 'pointer'] as const;
const USUAL = new Set(['category', 'type', 'value']);
const MATCH_PATH = ['exceptions', 0, 'match'] as const;

interface Props {
  readonly taken: readonly string[];
  readonly onAdd: (exception: PolicyException) => void;
  readonly onClose: () => void;
}

export function NewException({ taken, onAdd, onClose }: Props): ReactNode {
  const [id, setId] = useState('');
  const [match, setMatch] = useState<Readonly<Record<string, string>>>({});
  const [target, setTarget] = useState('');
  const [reason, setReason] = useState('');
  const [owner, setOwner] = useState('');
  const [day, setDay] = useState(() => new Date(Date.now() + DAYS_DEFAULT * DAY_MS).toISOString().slice(0, 10));
  const said = Object.fromEntries(
    [...MATCHES.map((name) => [name, match[name]?.trim() ?? ''] as const), ['target', target] as const].filter(
      ([, value]) => value !== '',
    ),
  );
  const problem = taken.includes(id.trim())
    ? 'There is an exception of that name.'
    : Object.keys(said).length === 0
      ? 'Say what it excuses: at least one of the fields.'
      : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === null) {
      const exception = {
        id: id.trim(),
        match: said,
        reason: reason.trim(),
        owner: owner.trim(),
        expires_at: endOfDay(day),
      };
      onAdd(exception);
    }
  };
  const field = (name: (typeof MATCHES)[number]) => (
    <MatchField key={name} name={name} value={match[name] ?? ''} onChange={(value) => setMatch({ ...match, [name]: value })} />
  );
  return (
    <Dialog title="New exception" isWide onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>Name</span>
          <input
            className="input mono"
            required
            pattern="[A-Za-z0-9][A-Za-z0-9_.\-]{0,63}"
            spellCheck={false}
            placeholder="own-mail"
            value={id}
            onChange={(event) => setId(event.target.value)}
          />
          <small>Letters, digits, and _ . - in between. Findings that it excuses carry it.</small>
        </label>
        <fieldset className="stack">
          <legend>What it excuses: findings for which all of this holds</legend>
          <div className="policy-fields">{MATCHES.filter((name) => USUAL.has(name)).map(field)}</div>
          <details>
            <summary>More: detector, rule, place, kind of text</summary>
            <div className="policy-fields opened">
              {MATCHES.filter((name) => !USUAL.has(name)).map(field)}
              <label className="field">
                <span>target</span>
                <select className="input" value={target} onChange={(event) => setTarget(event.target.value)}>
                  <option value="">any</option>
                  {schemaAt([...MATCH_PATH, 'target'])?.enum?.map((value) => (
                    <option key={String(value)}>{String(value)}</option>
                  ))}
                </select>
                <small>{schemaAt([...MATCH_PATH, 'target'])?.description}</small>
              </label>
            </div>
          </details>
        </fieldset>
        <label className="field">
          <span>Why</span>
          <input className="input" required maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
          <small>{schemaAt(['exceptions', 0, 'reason'])?.description}</small>
        </label>
        <div className="policy-fields">
          <label className="field">
            <span>Who answers for it</span>
            <input
              className="input"
              required
              maxLength={200}
              placeholder="privacy@example.com"
              value={owner}
              onChange={(event) => setOwner(event.target.value)}
            />
          </label>
          <label className="field">
            <span>Last day, UTC</span>
            <input
              className="input"
              type="date"
              required
              min={new Date().toISOString().slice(0, 10)}
              value={day}
              onChange={(event) => setDay(event.target.value)}
            />
          </label>
        </div>
        {problem !== null && id !== '' && <p className="problem">{problem}</p>}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={problem !== null}>
            Add, and look at the difference
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** In UTC, as the API takes it. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59Z`;
}

interface MatchFieldProps {
  readonly name: (typeof MATCHES)[number];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function MatchField({ name, value, onChange }: MatchFieldProps): ReactNode {
  const list = useId();
  const schema = schemaAt([...MATCH_PATH, name]);
  const known = knownOf(name);
  return (
    <label className="field">
      <span>{name}</span>
      <input
        className="input mono"
        spellCheck={false}
        list={known.length === 0 ? undefined : list}
        placeholder={exampleOf(schema?.examples?.[0])}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {known.length > 0 && (
        <datalist id={list}>
          {known.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </datalist>
      )}
      <small>{schema?.description}</small>
    </label>
  );
}

function knownOf(name: string): string[] {
  if (name === 'category') return Object.keys(CATEGORIES);
  if (name === 'detector') return Object.keys(DETECTORS);
  return name === 'type' ? [...new Set(Object.values(TYPES).flatMap((types) => Object.keys(types)))] : [];
}

function exampleOf(example: unknown): string {
  return typeof example === 'string' ? example : '';
}
