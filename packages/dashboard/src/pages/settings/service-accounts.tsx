// Service accounts: one for each automated system.

import type { CreatedApiKey, CreatedServiceAccount, ServiceAccount } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useNew } from '../../ui/new.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AccountForm } from './account-form.tsx';
import { ExpiryField, expiresAtOf, NEVER } from './expiry.tsx';
import { KeySecret } from './key-secret.tsx';
import { pageOf } from './list.ts';
import { API_KEYS } from './new-key.tsx';
import { AdminPage } from './page.tsx';
import { Scopes } from './permissions.tsx';

const ACCOUNTS = ['service-accounts'];
const refresh = () => Promise.all([ACCOUNTS, API_KEYS].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

type Open = { readonly dialog: 'edit' | 'key' | 'delete'; readonly account: ServiceAccount } | null;

export function ServiceAccounts(): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const [isMaking, setMaking] = useNew();
  const close = () => setOpen(null);
  const create = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      New service account
    </Button>
  );
  return (
    <AdminPage
      title="Service accounts"
      about="One for each automated system. Its keys have its permissions, work from its addresses alone, and appear in the trail under its id."
      actions={create}
    >
      <PagedTable
        label="Service accounts"
        queryKey={ACCOUNTS}
        read={async (cursor) => await svc.serviceAccounts.list(pageOf(cursor))}
        columns={columnsOf(setOpen)}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No service accounts">
            <p>Make one for each system that calls by itself, with the least that it needs and the range that it calls from.</p>
            {create}
          </Empty>
        }
      />
      {isMaking && <NewAccount onClose={() => setMaking(false)} />}
      {open?.dialog === 'edit' && <EditAccount account={open.account} onClose={close} />}
      {open?.dialog === 'key' && <NewAccountKey account={open.account} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteAccount account={open.account} onClose={close} />}
    </AdminPage>
  );
}

function columnsOf(onOpen: (open: Open) => void): Column<ServiceAccount>[] {
  return [
    {
      title: 'Account',
      cell: ({ id, name }) => (
        <span className="name">
          <strong>
            <Name text={name} />
          </strong>
          <span className="row">
            <Link href={`/settings/keys?q=${id}`}>Its keys</Link>
            <Copy text={id} label="Copy id" />
          </span>
        </span>
      ),
    },
    { title: 'Type', cell: ({ type }) => type },
    { title: 'Permissions', cell: ({ permissions }) => <Scopes scopes={permissions} /> },
    {
      title: 'From',
      cell: ({ ip_allowlist: ranges }) =>
        ranges.length === 0 ? <span className="muted">anywhere</span> : <Scopes scopes={ranges} />,
    },
    { title: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
    {
      title: 'Actions',
      cell: (account) => (
        <span className="actions">
          <Button isSmall onClick={() => onOpen({ dialog: 'edit', account })} aria-label={`Edit ${account.name}`}>
            Edit
          </Button>
          <Button isSmall onClick={() => onOpen({ dialog: 'key', account })} aria-label={`New key of ${account.name}`}>
            New key
          </Button>
          <Button
            isSmall
            kind="danger"
            onClick={() => onOpen({ dialog: 'delete', account })}
            aria-label={`Delete ${account.name}`}
          >
            Delete
          </Button>
        </span>
      ),
    },
  ];
}

function NewAccount({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [created, setCreated] = useState<CreatedServiceAccount | null>(null);
  if (created !== null) return <KeySecret title="The account and its first key are there" created={created} onClose={onClose} />;
  return (
    <Dialog title="New service account" onClose={onClose}>
      <AccountForm
        account={null}
        onClose={onClose}
        save={async (body) => {
          setCreated(await svc.serviceAccounts.create(body));
          await refresh();
        }}
      />
    </Dialog>
  );
}

interface Props {
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}

function EditAccount({ account, onClose }: Props): ReactNode {
  return (
    <Dialog title={`Edit ${account.name}`} onClose={onClose}>
      <p className="muted">All its keys follow, on every node within a second.</p>
      <AccountForm
        account={account}
        onClose={onClose}
        save={async ({ name, permissions, ip_allowlist = [] }) => {
          await svc.serviceAccounts.update(account.id, { name, permissions, ip_allowlist });
          await refresh();
          onClose();
        }}
      />
    </Dialog>
  );
}

function NewAccountKey({ account, onClose }: Props): ReactNode {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [expiry, setExpiry] = useState(NEVER);
  const make = useAction(async () => {
    setCreated(await svc.serviceAccounts.createKey(account.id, { expires_at: expiresAtOf(expiry) }));
    await refresh();
  });
  if (created !== null) return <KeySecret created={created} onClose={onClose} />;
  return (
    <Dialog title={`New key of ${account.name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <p>
          It has the account’s permissions and allowlist. To replace one that is in use, rotate that one: it stays good meanwhile.
        </p>
        <ExpiryField value={expiry} onChange={setExpiry} />
        {make.error !== null && <Problem error={make.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={make.isBusy}>
            Make the key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteAccount({ account, onClose }: Props): ReactNode {
  return (
    <Confirm
      title={`Delete ${account.name}`}
      deed="Delete the account"
      effect={
        <p>
          All its keys are revoked, and every request with one of them is refused from now on. Neither can be brought back. What
          it did stays in the trail under <code>{account.id}</code>.
        </p>
      }
      run={async () => {
        await svc.serviceAccounts.delete(account.id);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}
