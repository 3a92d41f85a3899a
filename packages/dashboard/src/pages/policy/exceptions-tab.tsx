// Findings that count for nothing until a date: what, why, whose, until when, and how often it came to that.

import type { PolicyException, PolicyExceptionState } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { LIVE_INTERVAL_MS, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { Editing } from './draft.ts';
import type { Lint } from './editor/lint.ts';
import { NewException } from './new-exception.tsx';

/** Who answers for it needs some days to decide whether it goes on. */
const SOON_MS = 14 * 86_400_000;

interface Props {
  readonly editing: Editing;
  readonly lint: Lint;
  readonly onSave: () => void;
}

export function ExceptionsTab({ editing, lint, onSave }: Props): ReactNode {
  const mayWrite = useMay('policy:write');
  const [isAdding, setAdding] = useState(false);
  const written = lint.reading.isReadable ? (lint.reading.policy.exceptions ?? []) : [];
  const inForce = editing.current.policy.exceptions ?? [];
  const added = written.filter(({ id }) => inForce.every((each) => each.id !== id));
  const remove = (id: string) => {
    const index = written.findIndex((each) => each.id === id);
    if (index >= 0 && editing.setMember(['exceptions', index], undefined)) onSave();
  };
  const add = mayWrite && (
    <Button kind="primary" disabled={!lint.reading.isReadable} onClick={() => setAdding(true)}>
      New exception
    </Button>
  );
  return (
    <>
      <div className="row">
        <p className="grow muted">
          An exception excuses findings: they stay in the trail, and count for nothing. There are none without an end.
        </p>
        {inForce.length > 0 && add}
      </div>
      {!lint.reading.isReadable && (
        <p className="notice warn">The edited document cannot be read as it is. Mend it before you change exceptions.</p>
      )}
      {added.length > 0 && (
        <p className="notice warn row">
          <span className="grow">Not saved yet: {added.map(({ id }) => id).join(', ')}.</span>
          {mayWrite && (
            <Button isSmall onClick={onSave}>
              Save …
            </Button>
          )}
        </p>
      )}
      <PagedTable
        label="Exceptions"
        queryKey={['policy', 'exceptions']}
        refetchIntervalMs={LIVE_INTERVAL_MS}
        read={async (cursor) => await svc.policy.listExceptions({ limit: 50, ...(cursor === null ? {} : { cursor }) })}
        columns={columnsOf(inForce, mayWrite ? { written, remove } : null)}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No exceptions">
            <p>
              Where a finding is right and yet no problem, such as an address of your own staff, an exception lets it pass until a
              date. Here you then see how often, and which ones are not needed any more.
            </p>
            {add}
          </Empty>
        }
      />
      {isAdding && (
        <NewException
          taken={written.map(({ id }) => id)}
          onClose={() => setAdding(false)}
          onAdd={(exception) => {
            const path = written.length === 0 ? ['exceptions'] : ['exceptions', written.length];
            if (!editing.setMember(path, written.length === 0 ? [exception] : exception)) return;
            setAdding(false);
            onSave();
          }}
        />
      )}
    </>
  );
}

interface Changing {
  readonly written: readonly PolicyException[];
  readonly remove: (id: string) => void;
}

function columnsOf(inForce: readonly PolicyException[], changing: Changing | null): Column<PolicyExceptionState>[] {
  return [
    {
      title: 'Exception',
      cell: ({ id }) => (
        <span className="name">
          <strong>
            <Name text={id} />
          </strong>
          <code className="muted">{matchText(inForce.find((each) => each.id === id)?.match)}</code>
        </span>
      ),
    },
    {
      title: 'Why',
      cell: ({ reason }) => (
        <span className="lead reason">
          <Name text={reason} />
        </span>
      ),
    },
    { title: 'Answers for it', cell: ({ owner }) => <Name text={owner} /> },
    {
      title: 'Until',
      cell: ({ expires_at: at, state }) => (
        <span className="row until">
          <Time at={at} />
          {state === 'expired' ? (
            <Badge tone="bad">expired</Badge>
          ) : (
            Date.parse(at) - Date.now() < SOON_MS && <Badge tone="warn">ends soon</Badge>
          )}
        </span>
      ),
    },
    { title: 'Excused', isNumber: true, cell: ({ hits }) => hits.toLocaleString('en') },
    { title: 'Last', cell: ({ last_hit_at: at }) => <Time at={at} /> },
    ...(changing === null
      ? []
      : [
          {
            title: 'Actions',
            cell: ({ id }: PolicyExceptionState) =>
              changing.written.some((each) => each.id === id) ? (
                <Button isSmall kind="danger" aria-label={`Remove ${id}`} onClick={() => changing.remove(id)}>
                  Remove
                </Button>
              ) : (
                <Badge tone="warn">removed, not saved</Badge>
              ),
          },
        ]),
  ];
}

/** `category: data.pii, value: *@example.com`. */
function matchText(match: PolicyException['match'] | undefined): string {
  return Object.entries(match ?? {})
    .map(
      ([name, value]) =>
        `${name}: ${
          typeof value === 'string'
            ? value
            : Object.entries(value)
                .map((each) => each.join(' '))
                .join(', ')
        }`,
    )
    .join(', ');
}
