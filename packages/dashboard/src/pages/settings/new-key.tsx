// A new API key: what it is for, what it may do, how long it lasts; then the key itself, once.

import type { CreateApiKey, CreatedApiKey } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ExpiryField, expiresAtOf, NEVER } from './expiry.tsx';
import { KeySecret } from './key-secret.tsx';
import { PermissionPicker } from './permissions.tsx';
import { isSameScopes, KEY_TYPES, type KeyType, type Scope } from './scopes.ts';

export const API_KEYS = ['api-keys'];

interface Props {
  readonly type?: KeyType;
  readonly name?: string;
  /** Called when the key is there, before it is shown. */
  readonly onCreated?: (created: CreatedApiKey) => void;
  readonly onClose: () => void;
}

export function NewKey({ type = 'live', name = '', onCreated, onClose }: Props): ReactNode {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  if (created !== null) return <KeySecret created={created} onClose={onClose} />;
  return (
    <Dialog title="New key" onClose={onClose}>
      <NewKeyForm
        type={type}
        name={name}
        onClose={onClose}
        create={async (body) => {
          const answer = await svc.apiKeys.create(body);
          setCreated(answer);
          onCreated?.(answer);
          await queryClient.invalidateQueries({ queryKey: API_KEYS });
        }}
      />
    </Dialog>
  );
}

interface FormProps {
  readonly type: KeyType;
  readonly name: string;
  readonly create: (body: CreateApiKey) => Promise<void>;
  readonly onClose: () => void;
}

function NewKeyForm({ type: firstType, name: firstName, create, onClose }: FormProps): ReactNode {
  const [type, setType] = useState(firstType);
  const [name, setName] = useState(firstName);
  const [description, setDescription] = useState('');
  const [expiry, setExpiry] = useState(NEVER);
  const [scopes, setScopes] = useState<readonly Scope[]>(KEY_TYPES[firstType].holds);
  const action = useAction(create);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.run({
      name: name.trim(),
      type,
      description: description.trim() === '' ? null : description.trim(),
      expires_at: expiresAtOf(expiry),
      ...(isSameScopes(scopes, KEY_TYPES[type].holds) ? {} : { permissions: [...scopes] }),
    });
  };
  const choose = (chosen: KeyType) => {
    setType(chosen);
    setScopes(KEY_TYPES[chosen].holds);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span>Name</span>
        <input
          className="input"
          required
          maxLength={200}
          autoComplete="off"
          placeholder="Checkout, production"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <small>What the key is for, and where it will be.</small>
      </label>
      <TypeChoice type={type} onChange={choose} />
      <ExpiryField value={expiry} onChange={setExpiry} />
      <label className="field">
        <span>
          Description <span className="muted">(optional)</span>
        </span>
        <input className="input" maxLength={1_000} value={description} onChange={(event) => setDescription(event.target.value)} />
      </label>
      <details>
        <summary>
          Permissions:{' '}
          {isSameScopes(scopes, KEY_TYPES[type].holds) ? `all that ${typeOf(type)} holds` : `${scopes.length} chosen`}
        </summary>
        <PermissionPicker legend="What it may do" offered={KEY_TYPES[type].grantable} chosen={scopes} onChange={setScopes} />
      </details>
      {action.error !== null && <Problem error={action.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={action.isBusy} disabled={scopes.length === 0}>
          Make the key
        </Button>
      </div>
    </form>
  );
}

function TypeChoice({ type, onChange }: { readonly type: KeyType; readonly onChange: (type: KeyType) => void }): ReactNode {
  return (
    <fieldset className="stack">
      <legend>Type</legend>
      {(Object.keys(KEY_TYPES) as KeyType[]).map((each) => (
        <label key={each} className="check">
          <input type="radio" name="type" checked={each === type} onChange={() => onChange(each)} />
          <strong>{KEY_TYPES[each].title}</strong>
          <small>{KEY_TYPES[each].meaning}</small>
        </label>
      ))}
    </fieldset>
  );
}

function typeOf(type: KeyType): string {
  return `${type === 'admin' ? 'an' : 'a'} ${type} key`;
}
