// Scopes: to choose from, and to read.

import type { ReactNode } from 'react';
import { isSameScopes, KEY_TYPES, SCOPE_MEANINGS, type KeyType, type Scope } from './scopes.ts';

interface PickerProps {
  readonly legend: string;
  readonly offered: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: Scope[]) => void;
}

export function PermissionPicker({ legend, offered, chosen, onChange }: PickerProps): ReactNode {
  const holdsAll = chosen.includes('admin:*');
  const set = (scope: Scope, isOn: boolean) =>
    onChange(offered.filter((each) => (each === scope ? isOn : chosen.includes(each))));
  return (
    <fieldset className="stack">
      <legend>{legend}</legend>
      <div className="permissions">
        {offered.map((scope) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              checked={holdsAll || chosen.includes(scope)}
              disabled={holdsAll && scope !== 'admin:*'}
              onChange={(event) => set(scope, event.target.checked)}
            />
            <code>{scope}</code>
            <small>{SCOPE_MEANINGS[scope]}</small>
          </label>
        ))}
      </div>
      {chosen.length === 0 && <p className="problem">Choose at least one.</p>}
    </fieldset>
  );
}

interface ScopesProps {
  readonly scopes: readonly string[];
  /** Of the key, whose usual scopes need not be named one by one. */
  readonly type?: string;
}

export function Scopes({ scopes, type }: ScopesProps): ReactNode {
  const usual = KEY_TYPES[type as KeyType]?.holds;
  if (usual !== undefined && usual.length > 1 && isSameScopes(usual, scopes))
    return <span title={scopes.join(', ')}>all that a {type} key holds</span>;
  return (
    <span className="scopes">
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  );
}
