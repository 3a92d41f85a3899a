// One version: its document, what it changed, and the way back to it.

import type { PolicyVersion } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Id } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { Changes, versionQuery } from './comparison.tsx';
import { DiffView } from './diff-view.tsx';
import { tagOf, tookForce } from './draft.ts';
import { write, type Format } from './editor/document.ts';

interface Props {
  readonly number: number;
  readonly current: PolicyVersion;
}

export function VersionDetail({ number, current }: Props): ReactNode {
  const version = useQuery(versionQuery(number));
  return (
    <section className="card stack" aria-label={`Version ${number}`}>
      <div className="row">
        <h2>Version {number}</h2>
        {number === current.version && <Badge tone="good">in force</Badge>}
        <span className="grow" />
        <Link href="/policy?tab=versions">Close</Link>
      </div>
      {version.isPending ? (
        <Skeleton lines={6} />
      ) : version.data === undefined ? (
        <Problem error={version.error} onRetry={() => version.refetch()} />
      ) : (
        <Shown version={version.data} current={current} />
      )}
    </section>
  );
}

function Shown({ version, current }: { readonly version: PolicyVersion; readonly current: PolicyVersion }): ReactNode {
  const mayWrite = useMay('policy:write');
  const [format, setFormat] = useState<Format>('yaml');
  const [isRestoring, setRestoring] = useState(false);
  const text = write(version.policy, format);
  return (
    <>
      <dl className="facts">
        <dt>Stored</dt>
        <dd>
          <Time at={version.updated_at} /> by <Actor id={version.updated_by} canCopy />
        </dd>
        <dt>Digest</dt>
        <dd>
          <Id id={version.digest} />
        </dd>
      </dl>
      <div className="row">
        {(['yaml', 'json'] as const).map((each) => (
          <Button key={each} isSmall aria-pressed={each === format} onClick={() => setFormat(each)}>
            {each.toUpperCase()}
          </Button>
        ))}
        <span className="grow" />
        {mayWrite && version.version !== current.version && (
          <Button kind="danger" onClick={() => setRestoring(true)}>
            Restore version {version.version}
          </Button>
        )}
      </div>
      {text === '' ? (
        <p className="muted">The empty document: every member has its default.</p>
      ) : (
        <Code text={text} label={`Document of version ${version.version}`} />
      )}
      {version.version > 1 && (
        <details>
          <summary>What changed since version {version.version - 1}</summary>
          <div className="opened">
            <Changes from={version.version - 1} to={version.version} />
          </div>
        </details>
      )}
      {isRestoring && <Restore version={version} current={current} onClose={() => setRestoring(false)} />}
    </>
  );
}

interface RestoreProps {
  readonly version: PolicyVersion;
  readonly current: PolicyVersion;
  readonly onClose: () => void;
}

function Restore({ version, current, onClose }: RestoreProps): ReactNode {
  return (
    <Confirm
      title={`Restore version ${version.version}`}
      deed="Restore and put in force"
      effect={
        <div className="stack">
          <p>
            Its document becomes version {current.version + 1} and is in force at once. Version {current.version} stays, and can
            be restored too. What changes:
          </p>
          <DiffView
            label={`From version ${current.version} to ${current.version + 1}`}
            before={write(current.policy, 'yaml')}
            after={write(version.policy, 'yaml')}
            same="Nothing: the documents say the same."
          />
        </div>
      }
      run={async () =>
        tookForce(await svc.policy.restoreVersion(String(version.version), { headers: { 'if-match': tagOf(current) } }))
      }
      onClose={onClose}
    />
  );
}
