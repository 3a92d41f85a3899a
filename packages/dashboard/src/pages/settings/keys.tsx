// API keys: which there are, and what becomes of them.

import type { ApiKey } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { queryClient, svc } from '../../api.ts';
import { useOrganization } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { useNew } from '../../ui/new.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { keyHint, stateOf } from './key-state.ts';
import { pageOf, readShown } from './list.ts';
import { API_KEYS, NewKey } from './new-key.tsx';
import { AdminPage } from './page.tsx';
import { Scopes } from './permissions.tsx';
import { RotateKey } from './rotate-key.tsx';

type Open = { readonly dialog: 'rotate' | 'revoke'; readonly key: ApiKey } | null;

export function ApiKeys(): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const [isMaking, setMaking] = useNew();
  const close = () => setOpen(null);
  return (
    <AdminPage
      title="API keys"
      about="What programs call the service with. Give each its own, with no more than it needs, and a new one every 90 days."
      actions={
        <Button kind="primary" onClick={() => setMaking(true)}>
          New key
        </Button>
      }
    >
      <Keys onOpen={setOpen} onNew={() => setMaking(true)} />
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
      {open?.dialog === 'rotate' && <RotateKey old={open.key} onClose={close} />}
      {open?.dialog === 'revoke' && <Revoke apiKey={open.key} onClose={close} />}
    </AdminPage>
  );
}

interface KeysProps {
  readonly onOpen: (open: Open) => void;
  readonly onNew: () => void;
}

function Keys({ onOpen, onNew }: KeysProps): ReactNode {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('q') ?? '';
  const withEnded = search.get('ended') === 'true';
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const isShown = (key: ApiKey) => (withEnded || isInForce(key)) && isFound(key, wanted.trim().toLowerCase());
  return (
    <>
      <div className="row">
        <input
          className="input search"
          type="search"
          aria-label="Search keys"
          placeholder="Name, last characters, id or account"
          value={wanted}
          onChange={(event) => set('q', event.target.value)}
        />
        <label className="row">
          <input type="checkbox" checked={withEnded} onChange={(event) => set('ended', event.target.checked ? 'true' : '')} />
          Revoked and expired ones too
        </label>
      </div>
      <PagedTable
        label="API keys"
        queryKey={[...API_KEYS, wanted, withEnded]}
        read={(cursor) => readShown((at) => svc.apiKeys.list(pageOf(at)), cursor, isShown)}
        columns={columnsOf(onOpen)}
        keyOf={({ id }) => id}
        empty={
          wanted === '' ? (
            <Empty title="No keys are in force">
              <p>Programs send one with each request. Make the first, and give it to your application.</p>
              <Button kind="primary" onClick={onNew}>
                New key
              </Button>
            </Empty>
          ) : (
            <Empty title="No key is found">
              <p>Names, the last four characters, ids and service accounts are searched.</p>
              <Button onClick={() => set('q', '')}>Clear the search</Button>
            </Empty>
          )
        }
      />
    </>
  );
}

function columnsOf(onOpen: (open: Open) => void): Column<ApiKey>[] {
  return [
    { title: 'Key', cell: (key) => <KeyName apiKey={key} /> },
    { title: 'Type', cell: ({ type }) => type },
    { title: 'Permissions', cell: ({ permissions, type }) => <Scopes scopes={permissions} type={type} /> },
    { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
    { title: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} /> },
    { title: 'Expires', cell: ({ expires_at: at }) => <Time at={at} /> },
    {
      title: 'Actions',
      cell: (key) =>
        isInForce(key) && (
          <span className="actions">
            <Button isSmall onClick={() => onOpen({ dialog: 'rotate', key })} aria-label={`Rotate ${key.name}`}>
              Rotate
            </Button>
            <Button isSmall kind="danger" onClick={() => onOpen({ dialog: 'revoke', key })} aria-label={`Revoke ${key.name}`}>
              Revoke
            </Button>
          </span>
        ),
    },
  ];
}

function KeyName({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const { credential } = useOrganization();
  const state = stateOf(apiKey);
  return (
    <span className="name">
      <strong>
        <Name text={apiKey.name} />
      </strong>
      <span className="row">
        <code>{keyHint(apiKey)}</code>
        <Copy text={apiKey.id} label="Copy id" />
      </span>
      {apiKey.description !== null && apiKey.description !== '' && (
        <span className="muted">
          <Name text={apiKey.description} />
        </span>
      )}
      {apiKey.service_account_id !== null && <span className="muted">of a service account</span>}
      <span className="row">
        {state !== null && <Badge tone={state.tone}>{state.text}</Badge>}
        {credential.id === apiKey.id && <Badge>signed in with</Badge>}
      </span>
    </span>
  );
}

function Revoke({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }): ReactNode {
  const { credential } = useOrganization();
  return (
    <Confirm
      title={`Revoke ${apiKey.name}`}
      deed="Revoke the key"
      effect={
        <div className="stack">
          <p>
            <code>{keyHint(apiKey)}</code> was last used: <Time at={apiKey.last_used_at} />.
          </p>
          <p>
            Every request with it is refused from now on, and sessions that were opened with it end. It cannot be brought back. To
            replace a key that is in use, rotate it instead.
          </p>
          {credential.id === apiKey.id && (
            <p className="notice warn">You are signed in with this key. Revoking it ends this session.</p>
          )}
        </div>
      }
      run={async () => {
        await svc.apiKeys.revoke(apiKey.id);
        await queryClient.invalidateQueries({ queryKey: API_KEYS });
      }}
      onClose={onClose}
    />
  );
}

function isInForce({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function isFound({ name, id, last4, service_account_id: account }: ApiKey, wanted: string): boolean {
  return wanted === '' || [name, id, last4, account ?? ''].some((text) => text.toLowerCase().includes(wanted));
}
