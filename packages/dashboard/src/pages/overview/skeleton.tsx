import type { ReactNode } from 'react';
import { SkeletonCard } from '../../ui/empty.tsx';

/** Where the figures and charts will be, in their sizes, so that nothing moves when they come. */
export function SummarySkeleton(): ReactNode {
  return (
    <>
      <div className="figures" role="status" aria-label="Loading">
        {[0, 1, 2, 3].map((i) => (
          <SkeletonCard key={i} height={124} />
        ))}
      </div>
      <SkeletonCard height={290} />
      <div className="grid uneven">
        <SkeletonCard height={306} />
        <SkeletonCard height={306} />
      </div>
      <SkeletonCard height={110} />
    </>
  );
}
