// Judges: models that are asked about inferences, where a policy names them.

import type { Judge } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { queryClient, svc } from '../../api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { useNew } from '../../ui/new.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { JudgeForm } from './judge-form.tsx';
import { pageOf } from './list.ts';
import { AdminPage } from './page.tsx';

const JUDGES = ['judges'];
const refresh = () => queryClient.invalidateQueries({ queryKey: JUDGES });

type Open = { readonly dialog: 'edit' | 'delete'; readonly judge: Judge } | null;

export function Judges(): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const [isMaking, setMaking] = useNew();
  const close = () => setOpen(null);
  const create = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      New judge
    </Button>
  );
  return (
    <AdminPage
      title="Judges"
      about="Models that are asked about inferences. One is sent nothing until the policy names it."
      actions={create}
    >
      <PagedTable
        label="Judges"
        queryKey={JUDGES}
        read={async (cursor) => await svc.judges.list(pageOf(cursor))}
        columns={columnsOf(setOpen)}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No judges">
            <p>
              Detectors find what has a form; a judge reads for meaning. Make one of a model behind an OpenAI-compatible API, then
              name it in the <Link href="/policy">policy</Link>.
            </p>
            {create}
          </Empty>
        }
      />
      {isMaking && (
        <Dialog title="New judge" onClose={() => setMaking(false)}>
          <JudgeForm
            judge={null}
            onClose={() => setMaking(false)}
            save={async (body) => {
              await svc.judges.create(body);
              await refresh();
              setMaking(false);
            }}
          />
        </Dialog>
      )}
      {open?.dialog === 'edit' && <EditJudge judge={open.judge} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteJudge judge={open.judge} onClose={close} />}
    </AdminPage>
  );
}

function columnsOf(onOpen: (open: Open) => void): Column<Judge>[] {
  return [
    {
      title: 'Judge',
      cell: ({ id, name }) => (
        <span className="name">
          <strong>
            <Name text={name} />
          </strong>
          <span>
            <Copy text={id} label="Copy id" />
          </span>
        </span>
      ),
    },
    {
      title: 'Model',
      cell: ({ kind, model, url }) => (
        <span className="name">
          <code>{model}</code>
          <span className="muted">{kind}</span>
          <code className="muted">{url}</code>
        </span>
      ),
    },
    {
      title: 'Key',
      cell: ({ has_api_key: hasKey }) => (hasKey ? <Badge tone="good">stored</Badge> : <span className="muted">none</span>),
    },
    { title: 'Timeout', isNumber: true, cell: ({ timeout_ms: ms }) => `${ms} ms` },
    { title: 'Version', isNumber: true, cell: ({ version }) => version },
    { title: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
    {
      title: 'Actions',
      cell: (judge) => (
        <span className="actions">
          <Button isSmall onClick={() => onOpen({ dialog: 'edit', judge })} aria-label={`Edit ${judge.name}`}>
            Edit
          </Button>
          <Button isSmall kind="danger" onClick={() => onOpen({ dialog: 'delete', judge })} aria-label={`Delete ${judge.name}`}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
}

interface Props {
  readonly judge: Judge;
  readonly onClose: () => void;
}

function EditJudge({ judge, onClose }: Props): ReactNode {
  return (
    <Dialog title={`Edit ${judge.name}`} onClose={onClose}>
      <p className="muted">
        A change makes version {judge.version + 1}, in force on every node within a second. Policies that name the judge follow.
      </p>
      <JudgeForm
        judge={judge}
        onClose={onClose}
        save={async (body) => {
          await svc.judges.update(judge.id, body);
          await refresh();
          onClose();
        }}
      />
    </Dialog>
  );
}

function DeleteJudge({ judge, onClose }: Props): ReactNode {
  return (
    <Confirm
      title={`Delete ${judge.name}`}
      deed="Delete the judge"
      effect={
        <p>
          It is asked no more, and its key is deleted with it. Its versions stay in the trail. While the policy in force names it,
          deleting is refused: take it out there first.
        </p>
      }
      run={async () => {
        await svc.judges.delete(judge.id);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}
