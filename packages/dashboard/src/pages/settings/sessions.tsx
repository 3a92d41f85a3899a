// Who is signed in, from where, until when.

import type { Session } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { LIVE_INTERVAL_MS, queryClient, svc } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { pageOf, readShown } from './list.ts';
import { AdminPage } from './page.tsx';

const SESSIONS = ['sessions'];
const refresh = () => queryClient.invalidateQueries({ queryKey: SESSIONS });

export function Sessions(): ReactNode {
  const { sessionId } = useSession();
  const [search, setSearch] = useSearchParams();
  const [ending, setEnding] = useState<Session | 'all' | null>(null);
  const withEnded = search.get('ended') === 'true';
  return (
    <AdminPage
      title="Sessions"
      about="People who are signed in. A session lasts twelve hours at most; API keys are not among them."
      actions={
        <Button kind="danger" onClick={() => setEnding('all')}>
          End all sessions
        </Button>
      }
    >
      <label className="row">
        <input
          type="checkbox"
          checked={withEnded}
          onChange={(event) => setSearch(event.target.checked ? { ended: 'true' } : {}, { replace: true })}
        />
        Ended ones of the last month too
      </label>
      <PagedTable
        label="Sessions"
        queryKey={[...SESSIONS, withEnded]}
        read={(cursor) =>
          readShown(
            (at) => svc.sessions.list(pageOf(at)),
            cursor,
            (session) => withEnded || isOpen(session),
          )
        }
        refetchIntervalMs={LIVE_INTERVAL_MS * 3}
        columns={columnsOf(sessionId, setEnding)}
        keyOf={({ id }) => id}
        empty={<Empty title="Nobody is signed in" />}
      />
      {ending === 'all' && <EndAll onClose={() => setEnding(null)} />}
      {ending !== null && ending !== 'all' && (
        <EndOne session={ending} isOwn={ending.id === sessionId} onClose={() => setEnding(null)} />
      )}
    </AdminPage>
  );
}

function columnsOf(ownId: string, onEnd: (session: Session) => void): Column<Session>[] {
  return [
    {
      title: 'Who',
      cell: ({ id, name, subject }) => (
        <span className="name">
          <strong>
            <Name text={name} />
          </strong>
          <span className="row">
            <span className="muted">{subject === null ? 'by an admin key' : <Name text={subject} />}</span>
            <Copy text={id} label="Copy id" />
          </span>
          {id === ownId && (
            <span>
              <Badge tone="good">this session</Badge>
            </span>
          )}
        </span>
      ),
    },
    { title: 'Role', cell: ({ role, scopes }) => role?.replace('_', ' ') ?? <code>{scopes.join(' ')}</code> },
    { title: 'From', cell: ({ address }) => <code>{address}</code> },
    { title: 'Signed in', cell: ({ signed_in_at: at }) => <Time at={at} /> },
    { title: 'Ends', cell: (session) => <End session={session} /> },
    {
      title: 'Actions',
      cell: (session) =>
        isOpen(session) && (
          <Button isSmall kind="danger" onClick={() => onEnd(session)} aria-label={`End the session of ${session.name}`}>
            End
          </Button>
        ),
    },
  ];
}

function End({ session }: { readonly session: Session }): ReactNode {
  if (session.ended_at !== null)
    return (
      <>
        <Badge>ended</Badge> <Time at={session.ended_at} />
      </>
    );
  return (
    <>
      {!isOpen(session) && <Badge>expired</Badge>} <Time at={session.expires_at} />
    </>
  );
}

function EndOne(props: { readonly session: Session; readonly isOwn: boolean; readonly onClose: () => void }): ReactNode {
  const { session, isOwn, onClose } = props;
  return (
    <Confirm
      title={`End the session of ${session.name}`}
      deed="End the session"
      effect={
        <div className="stack">
          <p>
            Its cookie and its tokens are refused on every node within a second. Signing in again opens another, as long as the
            {session.subject === null
              ? ' key holds: revoke the key to prevent that.'
              : ' person has a role at the identity provider.'}
          </p>
          {isOwn && <p className="notice warn">This is the session that you use: you will have to sign in again.</p>}
        </div>
      }
      run={async () => {
        await svc.sessions.end(session.id);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

function EndAll({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Confirm
      title="End all sessions"
      deed="End all sessions"
      effect={
        <p>
          Everyone who is signed in has to sign in again, you too. What people were typing may be lost. API keys stay as they are,
          so programs go on.
        </p>
      }
      run={async () => {
        await svc.sessions.endAll();
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

function isOpen({ ended_at: endedAt, expires_at: expiresAt }: Session): boolean {
  return endedAt === null && Date.parse(expiresAt) > Date.now();
}
