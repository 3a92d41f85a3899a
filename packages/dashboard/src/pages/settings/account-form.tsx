// What a service account is: its name, what it may do, and from where.

import type { CreateServiceAccount, ServiceAccount } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { faultOfCidr } from './cidr.ts';
import { PermissionPicker } from './permissions.tsx';
import { KEY_TYPES, SCOPES, type Scope } from './scopes.ts';

type AccountType = 'live' | 'test';

interface Props {
  /** The account as it is; `null`: a new one. */
  readonly account: ServiceAccount | null;
  readonly save: (body: CreateServiceAccount) => Promise<void>;
  readonly onClose: () => void;
}

export function AccountForm({ account, save, onClose }: Props): ReactNode {
  const [name, setName] = useState(account?.name ?? '');
  const [type, setType] = useState<AccountType>((account?.type as AccountType | undefined) ?? 'live');
  const [scopes, setScopes] = useState<readonly Scope[]>((account?.permissions as Scope[] | undefined) ?? ['assess:create']);
  const [ranges, setRanges] = useState((account?.ip_allowlist ?? []).join('\n'));
  const action = useAction(save);
  const offered = offeredTo(type, account);
  const allowlist = linesOf(ranges);
  const hasFault = allowlist.some((line) => faultOfCidr(line) !== null);
  const chosen = scopes.filter((scope) => offered.includes(scope));
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        action.run({ name: name.trim(), type, permissions: chosen, ip_allowlist: allowlist });
      }}
    >
      <label className="field">
        <span>Name</span>
        <input
          className="input"
          required
          maxLength={200}
          autoComplete="off"
          placeholder="Checkout"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <small>The system that it stands for. One account for each.</small>
      </label>
      {account === null && <TypeField type={type} onChange={setType} />}
      <PermissionPicker legend="What it may do" offered={offered} chosen={chosen} onChange={setScopes} />
      <Allowlist text={ranges} lines={allowlist} onChange={setRanges} />
      {action.error !== null && <Problem error={action.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={action.isBusy} disabled={hasFault || chosen.length === 0}>
          {account === null ? 'Make the account' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

function TypeField({
  type,
  onChange,
}: {
  readonly type: AccountType;
  readonly onChange: (type: AccountType) => void;
}): ReactNode {
  return (
    <label className="field">
      <span>Type of its keys</span>
      <select className="input" value={type} onChange={(event) => onChange(event.target.value as AccountType)}>
        <option value="live">Live</option>
        <option value="test">Test</option>
      </select>
      <small>
        {type === 'live'
          ? 'For production. With policy:write or admin:* its keys are admin keys. The type cannot be changed later.'
          : 'For CI and development: what it assesses stays out of the trail. The type cannot be changed later.'}
      </small>
    </label>
  );
}

function Allowlist(props: {
  readonly text: string;
  readonly lines: readonly string[];
  readonly onChange: (text: string) => void;
}) {
  const { text, lines, onChange } = props;
  const faults = lines.flatMap((line) => {
    const fault = faultOfCidr(line);
    return fault === null ? [] : [{ line, fault }];
  });
  return (
    <label className="field">
      <span>IP allowlist</span>
      <textarea
        className="input mono"
        rows={3}
        spellCheck={false}
        placeholder={'203.0.113.0/24\n2001:db8::/32'}
        aria-invalid={faults.length > 0}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      <small>
        {lines.length === 0
          ? 'One range in CIDR notation a line. Empty: its keys work from anywhere.'
          : 'Its keys work from these ranges alone. One a line.'}
      </small>
      <span role="status">
        {faults.map(({ line, fault }) => (
          <small key={line} className="problem">
            <code>{line}</code> {fault}
          </small>
        ))}
      </span>
    </label>
  );
}

function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((line) => line !== ''))];
}

/** The prefix of an account's keys is fixed when it is made: one without admin keys cannot be given what needs them. */
function offeredTo(type: AccountType, account: ServiceAccount | null): readonly Scope[] {
  if (type === 'test') return KEY_TYPES.test.grantable;
  const hasAdminKeys = account?.permissions.some((scope) => scope === 'admin:*' || scope === 'policy:write') ?? true;
  return hasAdminKeys ? SCOPES : KEY_TYPES.live.grantable;
}
