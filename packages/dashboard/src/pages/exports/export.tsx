// One export: how far it is, the file, and how to check it.

import type { Export } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { queryClient, svc } from '../../api.ts';
import { Actor } from '../../ui/actor.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy, Id } from '../../ui/copy.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { againPath } from './ask.ts';
import { CheckIt } from './check-it.tsx';
import { DeleteExport } from './delete-export.tsx';
import './exports.css';
import { useMissingScope } from './exports.tsx';
import { Progress } from './state.tsx';
import {
  byteWords,
  count,
  formatTitle,
  isDownloadable,
  isUnderWay,
  periodWords,
  PROGRESS_INTERVAL_MS,
  reasonOf,
  stateOf,
} from './words.ts';

export function ExportPage(): ReactNode {
  useTitle('Export');
  const { id } = useParams<{ id: string }>();
  const missing = useMissingScope();
  return (
    <>
      <nav aria-label="Back">
        <Link href="/exports">Exports</Link>
      </nav>
      {missing === null ? (
        <Read key={id} id={id} />
      ) : (
        <>
          <h1>Export</h1>
          <p className="notice">
            Exports need the scopes <code>events:read</code> and <code>reports:read</code>; this session does not have{' '}
            <code>{missing}</code>.
          </p>
        </>
      )}
    </>
  );
}

function Read({ id }: { readonly id: string }): ReactNode {
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { data: made, ...query } = useQuery({
    queryKey: ['exports', 'one', id],
    queryFn: ({ signal }) => svc.exports.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? PROGRESS_INTERVAL_MS : false),
  });
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Export</h1>
          <Id id={id} />
        </div>
        {made !== undefined && (
          <div className="row">
            {isDownloadable(made) && (
              <a className="button primary" href={`/v1/exports/${id}/bundle`} download={`${id}.zip`}>
                Download {made.download !== null && byteWords(made.download.bytes)}
              </a>
            )}
            <Button kind="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </div>
        )}
      </div>
      {query.error !== null && <Problem error={query.error} onRetry={() => query.refetch()} />}
      {made === undefined ? query.isPending && <Skeleton lines={8} /> : <Shown made={made} />}
      {isDeleting && made !== undefined && (
        <DeleteExport
          made={made}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            navigate('/exports');
            queryClient.removeQueries({ queryKey: ['exports', 'one', id] });
          }}
        />
      )}
    </>
  );
}

function Shown({ made }: { readonly made: Export }): ReactNode {
  const reason = reasonOf(made);
  const { tone, title } = stateOf(made);
  return (
    <>
      {reason !== null && (
        <div className={`notice stack ${title === 'failed' ? 'bad' : 'warn'}`}>
          <p>
            <strong>{title === 'failed' ? 'It failed.' : 'It has expired.'}</strong> {reason}
          </p>
          <div>
            <Link className="button small" href={againPath(made)}>
              Ask for the same again
            </Link>
          </div>
        </div>
      )}
      <div className="grid top">
        <section className="card stack top" aria-labelledby="bundle-title">
          <div className="row">
            <h2 id="bundle-title">Bundle</h2>
            <span role="status">
              <Badge tone={tone}>{title}</Badge>
            </span>
          </div>
          {isUnderWay(made) && <Progress made={made} />}
          <Facts made={made} />
        </section>
        <section className="card" aria-labelledby="asked-title">
          <h2 id="asked-title">Asked for</h2>
          <Asked made={made} />
        </section>
      </div>
      {isDownloadable(made) && <CheckIt made={made} />}
    </>
  );
}

function Facts({ made }: { readonly made: Export }): ReactNode {
  const { events, tree_size: size, download, expires_at: expiresAt } = made;
  return (
    <dl className="facts">
      <dt>Events</dt>
      <dd>{count(events)}</dd>
      <dt>Checkpoint</dt>
      <dd>{size === null ? <span className="muted">not chosen yet</span> : `of ${count(size)} events`}</dd>
      {download !== null && isDownloadable(made) && (
        <>
          <dt>Size</dt>
          <dd title={`${count(download.bytes)} bytes`}>{byteWords(download.bytes)}</dd>
          <dt>SHA-256</dt>
          <dd>
            <code>{download.sha256}</code> <Copy text={download.sha256} />
          </dd>
          <dt>Expires</dt>
          <dd>
            <Time at={expiresAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Asked({ made }: { readonly made: Export }): ReactNode {
  return (
    <dl className="facts">
      <dt>Recorded</dt>
      <dd>{periodWords(made)}</dd>
      <dt>Kinds</dt>
      <dd>{made.kinds === null ? 'all' : made.kinds.join(', ')}</dd>
      <dt>Format</dt>
      <dd>{formatTitle(made.format)}</dd>
      <dt>Disclosed</dt>
      <dd>{made.disclosures ? 'subjects, addresses, users, metadata, previews and data' : 'nothing'}</dd>
      <dt>Held checkpoint</dt>
      <dd>{made.held_size === null ? <span className="muted">none</span> : `of ${count(made.held_size)} events`}</dd>
      <dt>When</dt>
      <dd>
        <Time at={made.created_at} />
      </dd>
      <dt>By</dt>
      <dd>
        <Actor id={made.created_by} canCopy />
      </dd>
    </dl>
  );
}
