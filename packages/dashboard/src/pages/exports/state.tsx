import type { Export } from '@svc/client';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { count, isDownloadable, isUnderWay, reasonOf, stateOf } from './words.ts';

/** In words, with how far it is, or why it is not to be had. */
export function State({ made }: { readonly made: Export }): ReactNode {
  const { tone, title } = stateOf(made);
  const reason = reasonOf(made);
  return (
    <div className="export-state">
      <Badge tone={tone}>{title}</Badge>
      {isUnderWay(made) && <Progress made={made} />}
      {isDownloadable(made) && (
        <div className="muted">
          expires <Time at={made.expires_at} />
        </div>
      )}
      {reason !== null && <div className="muted">{reason}</div>}
    </div>
  );
}

/** How many leaves are written, as a bar and in words. */
export function Progress({ made: { id, progress } }: { readonly made: Export }): ReactNode {
  const { done, total, percent } = progress;
  return (
    <div>
      <progress max={100} value={percent} aria-label={`Progress of ${id}`} />
      <div className="muted">{total === null ? 'not begun yet' : `${count(done)} of ${count(total)} leaves, ${percent} %`}</div>
    </div>
  );
}
