// Stretches of the trail as files that others can check: those that there are, and a new one.

import type { Export } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { svc } from '../../api.ts';
import { useMay, useOrganization } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { readDraft } from './ask.ts';
import { DeleteExport } from './delete-export.tsx';
import './exports.css';
import { NewExport } from './new-export.tsx';
import { State } from './state.tsx';
import { byteWords, count, formatTitle, isDownloadable, isUnderWay, periodWords, PROGRESS_INTERVAL_MS } from './words.ts';

/** Both are needed for all of it; `null`: the session has them. */
export function useMissingScope(): string | null {
  const mayRead = useMay('events:read');
  const mayReport = useMay('reports:read');
  if (!mayRead) return 'events:read';
  return mayReport ? null : 'reports:read';
}

export function Exports(): ReactNode {
  useTitle('Exports');
  const missing = useMissingScope();
  const isTest = useOrganization().credential.mode === 'test';
  const [params, setParams] = useSearchParams();
  const [, navigate] = useLocation();
  const mayMake = missing === null && !isTest;
  const draft = mayMake ? readDraft(params) : null;
  const open = () => setParams({ new: '' });
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Exports</h1>
          <p>A stretch of the trail as one file that anyone can check offline, without trusting this service.</p>
        </div>
        {mayMake && (
          <Button kind="primary" onClick={open}>
            New export
          </Button>
        )}
      </div>
      {missing !== null ? (
        <p className="notice">
          Exports need the scopes <code>events:read</code> and <code>reports:read</code>; this session does not have{' '}
          <code>{missing}</code>.
        </p>
      ) : isTest ? (
        <p className="notice">Nothing of test mode is in the trail. Sign in with a live or an admin key to export it.</p>
      ) : (
        <List onNew={open} />
      )}
      {draft !== null && (
        <NewExport
          initial={draft}
          onClose={() => setParams({}, { replace: true })}
          onCreated={(id) => navigate(`/exports/${id}`, { replace: true })}
        />
      )}
    </>
  );
}

function List({ onNew }: { readonly onNew: () => void }): ReactNode {
  const [deleting, setDeleting] = useState<Export | null>(null);
  return (
    <>
      <PagedTable
        label="Exports"
        columns={columnsOf(setDeleting)}
        keyOf={({ id }) => id}
        queryKey={['exports', 'list']}
        read={async (cursor, signal) => await svc.exports.list(cursor === null ? {} : { cursor }, { signal })}
        refetchIntervalMs={(items) => (items.some(isUnderWay) ? PROGRESS_INTERVAL_MS : null)}
        empty={<NoExports onNew={onNew} />}
      />
      {deleting !== null && <DeleteExport made={deleting} onClose={() => setDeleting(null)} onDeleted={() => {}} />}
    </>
  );
}

function columnsOf(onDelete: (made: Export) => void): readonly Column<Export>[] {
  return [
    {
      title: 'Export',
      cell: ({ id, created_at: at }) => (
        <div className="export-name">
          <Link href={`/exports/${id}`}>
            <code>{id}</code>
          </Link>
          <span className="muted">
            asked for <Time at={at} />
          </span>
        </div>
      ),
    },
    { title: 'State', cell: (made) => <State made={made} /> },
    {
      title: 'Of',
      cell: (made) => (
        <div className="lead">
          <div>{periodWords(made)}</div>
          <div className="muted">
            {formatTitle(made.format)}, {made.kinds === null ? 'all kinds' : `${made.kinds.length} of the kinds`},{' '}
            {made.disclosures ? 'disclosed' : 'nothing disclosed'}
          </div>
        </div>
      ),
    },
    { title: 'Events', isNumber: true, cell: ({ events }) => count(events) },
    {
      title: 'Size',
      isNumber: true,
      cell: ({ download }) => (download === null ? <span className="muted">–</span> : byteWords(download.bytes)),
    },
    {
      title: 'Actions',
      cell: (made) => (
        <div className="actions">
          {isDownloadable(made) && (
            <a
              className="button small"
              href={`/v1/exports/${made.id}/bundle`}
              download={`${made.id}.zip`}
              aria-label={`Download ${made.id}`}
            >
              Download
            </a>
          )}
          <Button isSmall aria-label={`Delete ${made.id}`} onClick={() => onDelete(made)}>
            Delete
          </Button>
        </div>
      ),
    },
  ];
}

function NoExports({ onNew }: { readonly onNew: () => void }): ReactNode {
  return (
    <Empty title="No export yet">
      <p>
        An export is a zip with the events as they are in the log, a signed checkpoint, and the hashes that lead from one to the
        other. It is made in the background, and can be downloaded for 7 days.
      </p>
      <Button kind="primary" onClick={onNew}>
        Make the first export
      </Button>
      <p>By a program:</p>
      <div className="export-command">
        <Code label="Command that asks for an export" text={COMMAND.replace('ORIGIN', location.origin)} />
      </div>
    </Empty>
  );
}

const COMMAND = `curl ORIGIN/v1/exports \\
  -H "Authorization: Bearer $LIVE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"format": "csv"}'`;
