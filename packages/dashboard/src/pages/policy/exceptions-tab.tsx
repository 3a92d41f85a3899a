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
import { ExtendException } from './extend-exception.tsx';
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
  // As it was before a removal that is not saved, so that its comments come back too.
  const [removed, setRemoved] = useState<Removed | null>(null);
  const [extended, setExtended] = useState<PolicyException | null>(null);
  const added = written.filter(({ id }) => inForce.every((each) => each.id !== id));
  const { text } = editing.draft;
  const [isRefused, setRefused] = useState(false);
  /** Then shows the difference. */
  const change = (path: readonly (string | number)[], value: unknown) => {
    const isDone = editing.setMember(path, value);
    setRefused(!isDone);
    if (isDone) onSave();
    return isDone;
  };
  const indexOf = (id: string) => written.findIndex((each) => each.id === id);
  const changing: Changing = {
    written,
    remove: (id) => {
      if (indexOf(id) >= 0 && change(['exceptions', indexOf(id)], undefined))
        setRemoved({ id, before: text, after: editing.textNow() });
    },
    extend: (id) => setExtended(written[indexOf(id)] ?? null),
    putBack: (id) => {
      const exception = inForce.find((each) => each.id === id)!;
      if (removed?.id === id && text === removed.after) editing.setText(removed.before);
      else setRefused(!editing.setMember(...appended(written, exception)));
      setRemoved(null);
    },
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
      {isRefused && (
        <p className="notice warn" role="alert">
          The text is written in a way that this page cannot change, such as with aliases. Change it in the document.
        </p>
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
        columns={columnsOf(inForce, mayWrite ? changing : null)}
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
      {extended !== null && (
        <ExtendException
          exception={extended}
          onClose={() => setExtended(null)}
          onExtend={(until) => {
            if (change(['exceptions', indexOf(extended.id), 'expires_at'], until)) setExtended(null);
          }}
        />
      )}
      {isAdding && (
        <NewException
          taken={written.map(({ id }) => id)}
          onClose={() => setAdding(false)}
          onAdd={(exception) => {
            if (change(...appended(written, exception))) setAdding(false);
          }}
        />
      )}
    </>
  );
}

interface Removed {
  readonly id: string;
  /** The document's text. */
  readonly before: string;
  readonly after: string;
}

/** Where in the document one more stands, and what. */
function appended(written: readonly PolicyException[], exception: PolicyException): [path: (string | number)[], value: unknown] {
  return written.length === 0 ? [['exceptions'], [exception]] : [['exceptions', written.length], exception];
}

interface Changing {
  readonly written: readonly PolicyException[];
  readonly remove: (id: string) => void;
  readonly extend: (id: string) => void;
  /** Undoes a removal that is not saved. */
  readonly putBack: (id: string) => void;
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
                <span className="actions">
                  <Button isSmall aria-label={`Extend ${id}`} onClick={() => changing.extend(id)}>
                    Extend …
                  </Button>
                  <Button isSmall kind="danger" aria-label={`Remove ${id}`} onClick={() => changing.remove(id)}>
                    Remove
                  </Button>
                </span>
              ) : (
                <span className="actions">
                  <Badge tone="warn">removed, not saved</Badge>
                  <Button isSmall aria-label={`Put ${id} back`} onClick={() => changing.putBack(id)}>
                    Put it back
                  </Button>
                </span>
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
