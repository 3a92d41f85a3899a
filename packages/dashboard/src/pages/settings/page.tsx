// What every page of the settings begins with.

import type { ReactNode } from 'react';
import { useMay } from '../../session.tsx';
import { useTitle } from '../../ui/title.ts';

interface Props {
  readonly title: string;
  /** One sentence. */
  readonly about: ReactNode;
  /** The page's own deeds. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Only for sessions with `admin:*`: others are told so. */
export function AdminPage({ title, about, actions, children }: Props): ReactNode {
  const isAdmin = useMay('admin:*');
  useTitle(title);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          <p>{about}</p>
        </div>
        {isAdmin && actions !== undefined && <div className="row">{actions}</div>}
      </div>
      {isAdmin ? (
        children
      ) : (
        <p className="notice">
          This page needs the scope <code>admin:*</code>, which this session does not have. Sign in with an admin key, or with an
          account whose role is <code>admin</code>.
        </p>
      )}
    </>
  );
}
