import type { PutSso, Sso } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { useOrganization } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ROLE_MEANINGS, ROLES, type Role } from './scopes.ts';
import {
  CLAIM_KINDS,
  claimRowsOf,
  newClaim,
  newRole,
  requireOf,
  roleRowsOf,
  rolesOf,
  type ClaimKind,
  type ClaimRow,
  type RoleRow,
} from './sso-rows.ts';

interface Props {
  /** As it is set up; `null`: not yet. */
  readonly sso: Sso | null;
  readonly save: (body: PutSso) => Promise<void>;
}

export function SsoForm({ sso, save }: Props): ReactNode {
  const { credential } = useOrganization();
  const [issuer, setIssuer] = useState(sso?.issuer ?? '');
  const [clientId, setClientId] = useState(sso?.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [isPublic, setPublic] = useState(sso !== null && !sso.has_client_secret);
  const [groupsClaim, setGroupsClaim] = useState(sso?.groups_claim ?? 'groups');
  const [roles, setRoles] = useState(() => roleRowsOf(sso));
  const [defaultRole, setDefaultRole] = useState<Role | ''>((sso?.default_role as Role | null | undefined) ?? '');
  const [claims, setClaims] = useState(() => claimRowsOf(sso));
  const action = useAction(save);
  // A secret is not sent to another provider than the one it was given for.
  const keepsSecret = sso?.has_client_secret === true && sso.issuer === issuer.trim() && sso.client_id === clientId.trim();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        action.run({
          issuer: issuer.trim(),
          client_id: clientId.trim(),
          ...(isPublic ? { client_secret: null } : secret === '' ? {} : { client_secret: secret }),
          groups_claim: groupsClaim.trim(),
          roles: rolesOf(roles),
          default_role: defaultRole === '' ? null : defaultRole,
          require: requireOf(claims),
        });
      }}
    >
      <Text label="Issuer" value={issuer} onChange={setIssuer} placeholder="https://login.example.com/tenant">
        Letter by letter as the provider writes it, a final slash included. It is read when you save.
      </Text>
      <Text label="Client id" value={clientId} onChange={setClientId}>
        Of the application that you registered.
      </Text>
      <label className="field">
        <span>Client secret</span>
        <input
          className="input mono"
          type="password"
          autoComplete="off"
          disabled={isPublic}
          required={!isPublic && !keepsSecret}
          placeholder={keepsSecret && !isPublic ? 'A secret is stored: leave empty to keep it' : ''}
          value={isPublic ? '' : secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        <small>Kept encrypted and never shown. With another issuer or client it has to be given again.</small>
      </label>
      <label className="row">
        <input type="checkbox" checked={isPublic} onChange={(event) => setPublic(event.target.checked)} />A public client: it has
        no secret
      </label>
      <Text label="Groups claim" value={groupsClaim} onChange={setGroupsClaim}>
        The claim of the ID token that lists a person’s groups.
      </Text>
      <Roles rows={roles} onChange={setRoles} />
      <Claims rows={claims} onChange={setClaims} />
      <label className="field">
        <span>Role of everyone else</span>
        <select className="input" value={defaultRole} onChange={(event) => setDefaultRole(event.target.value as Role | '')}>
          <option value="">None: who is in none of the groups is refused</option>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {nameOf(role)}: {ROLE_MEANINGS[role]}
            </option>
          ))}
        </select>
        <small>Needs a required claim: without one, everyone at the provider could sign in.</small>
      </label>
      {sso !== null && (
        <p className="notice warn">
          Saving a change of anything but the secret ends the sessions of all users, who sign in again.
          {credential.type === 'user' && ' Yours is one of them.'}
        </p>
      )}
      {action.error !== null && <Problem error={action.error} />}
      <div className="dialog-actions">
        <Button kind="primary" type="submit" isBusy={action.isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly children: ReactNode;
}

function Text({ label, value, onChange, placeholder, children }: TextProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input mono"
        required
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <small>{children}</small>
    </label>
  );
}

function Roles({
  rows,
  onChange,
}: {
  readonly rows: readonly RoleRow[];
  readonly onChange: (rows: RoleRow[]) => void;
}): ReactNode {
  const set = (changed: RoleRow) => onChange(rows.map((row) => (row.id === changed.id ? changed : row)));
  return (
    <fieldset className="stack">
      <legend>Roles by group</legend>
      {rows.map((row, i) => (
        <div key={row.id} className="pair">
          <input
            className="input mono"
            aria-label={`Group ${i + 1}`}
            placeholder="governance"
            maxLength={300}
            value={row.group}
            onChange={(event) => set({ ...row, group: event.target.value })}
          />
          <select
            className="input"
            aria-label={`Role of group ${i + 1}`}
            value={row.role}
            onChange={(event) => set({ ...row, role: event.target.value as Role })}
          >
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {nameOf(role)}
              </option>
            ))}
          </select>
          <Button isSmall aria-label={`Remove group ${i + 1}`} onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}>
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button isSmall onClick={() => onChange([...rows, newRole()])}>
          Add a group
        </Button>
      </div>
      <small className="muted">
        {ROLES.map((role) => `${nameOf(role)} ${ROLE_MEANINGS[role]}`).join('; ')}. Who is in several groups has the highest role.
      </small>
    </fieldset>
  );
}

function Claims({
  rows,
  onChange,
}: {
  readonly rows: readonly ClaimRow[];
  readonly onChange: (rows: ClaimRow[]) => void;
}): ReactNode {
  const set = (changed: ClaimRow) => onChange(rows.map((row) => (row.id === changed.id ? changed : row)));
  return (
    <fieldset className="stack">
      <legend>Required claims</legend>
      {rows.map((row, i) => (
        <div key={row.id} className="pair claim">
          <input
            className="input mono"
            aria-label={`Claim ${i + 1}`}
            placeholder="hd"
            maxLength={200}
            value={row.claim}
            onChange={(event) => set({ ...row, claim: event.target.value })}
          />
          <select
            className="input"
            aria-label={`Kind of claim ${i + 1}`}
            value={row.kind}
            onChange={(event) => set({ ...row, kind: event.target.value as ClaimKind })}
          >
            {(Object.keys(CLAIM_KINDS) as ClaimKind[]).map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
          <input
            className="input mono"
            aria-label={`Value of claim ${i + 1}`}
            placeholder={row.kind === 'text' ? 'example.com' : ''}
            type={row.kind === 'number' ? 'number' : 'text'}
            step="any"
            disabled={row.kind === 'true' || row.kind === 'false'}
            required={row.kind === 'number'}
            maxLength={500}
            value={row.kind === 'true' || row.kind === 'false' ? '' : row.value}
            onChange={(event) => set({ ...row, value: event.target.value })}
          />
          <Button isSmall aria-label={`Remove claim ${i + 1}`} onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}>
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button isSmall onClick={() => onChange([...rows, newClaim()])}>
          Add a claim
        </Button>
      </div>
      <small className="muted">
        A token must have each with exactly this value or, where the claim is a list, in it: <code>hd</code> is your domain at
        Google, <code>email_verified</code> is true.
      </small>
    </fieldset>
  );
}

function nameOf(role: Role): string {
  return role.replace('_', ' ');
}
