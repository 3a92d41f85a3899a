import type { ReactNode } from 'react';

/** A place where nothing is yet: what will be here, and how it comes. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="card empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A card of the size that it will have, so that nothing moves when it comes. */
export function SkeletonCard({ height }: { readonly height: number }): ReactNode {
  return (
    <div className="card" style={{ height }}>
      <span className="skeleton" style={{ width: '45%' }} />
    </div>
  );
}

/** Lines where text will be. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }): ReactNode {
  return (
    <div className="stack" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className="skeleton" style={{ width: `${90 - ((i * 23) % 45)}%` }} />
      ))}
    </div>
  );
}
