import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { OpenDrifts } from '../drift/open-drifts.tsx';

/** What has changed and stays changed. */
export function DriftCard(): ReactNode {
  return (
    <section className="card stack top">
      <div className="row">
        <h2>Drift</h2>
        <span className="grow" />
        <Link href="/drift">All that is watched</Link>
      </div>
      <OpenDrifts />
    </section>
  );
}
