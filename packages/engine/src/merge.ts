// Makes one finding of several that say the same: seen in several views, or by several rules of one category.

import type { Hit } from './scan.ts';
import { severityRank } from './taxonomy.ts';
import type { Action } from './types.ts';

const STRENGTH: Readonly<Record<Action, number>> = { ignore: 0, flag: 1, redact: 2, block: 3 };

/**
 * Merges hits of one category that overlap in one text, and sorts the rest in document order. The strongest action stays, then
 * the best score, the worst severity, the widest span. Where merged hits are redacted, the finding grows to cover those it touches, and the
 * others stay findings of their own, so that exactly what was to be redacted is.
 */
export function mergeHits(hits: readonly Hit[]): Hit[] {
  if (hits.length < 2) return [...hits];
  const sorted = hits.toSorted(
    (a, b) => a.order - b.order || compareText(a.candidate.category, b.candidate.category) || a.start - b.start || a.end - b.end,
  );
  const merged: Hit[] = [];
  let cluster: Hit[] = [];
  let clusterEnd = 0;
  for (const hit of sorted) {
    const last = cluster[0];
    const joins =
      last !== undefined &&
      last.order === hit.order &&
      last.candidate.category === hit.candidate.category &&
      hit.start < clusterEnd;
    if (!joins && cluster.length > 0) merged.push(...mergeCluster(cluster));
    if (!joins) cluster = [];
    clusterEnd = joins ? Math.max(clusterEnd, hit.end) : hit.end;
    cluster.push(hit);
  }
  merged.push(...mergeCluster(cluster));
  return merged.sort(compareInDocument);
}

/** `cluster`: in the order of where they start. */
function mergeCluster(cluster: readonly Hit[]): Hit[] {
  if (cluster.length === 1) return [...cluster];
  const best = cluster.reduce((a, b) => (isBetter(b, a) ? b : a));
  const hidden = cluster.filter((hit) => hit !== best && hit.action === 'redact');
  if (hidden.length === 0) return [best];
  const { start, end } = grown(best, hidden);
  const apart = hidden.filter((hit) => hit.end <= start || hit.start >= end);
  return [{ ...best, start, end }, ...mergeHits(apart)];
}

/** The span of `hit` with all that overlap it, or what overlaps it, taken in. `others`: in the order of where they start. */
function grown(hit: Hit, others: readonly Hit[]): { start: number; end: number } {
  let { start, end } = hit;
  for (const other of others) if (other.end > start && other.start < end) end = Math.max(end, other.end);
  for (const other of others.toSorted((a, b) => b.end - a.end))
    if (other.end > start && other.start < end) start = Math.min(start, other.start);
  return { start, end };
}

function isBetter(a: Hit, b: Hit): boolean {
  return compareWorst(a, b) < 0 || (compareWorst(a, b) === 0 && a.end - a.start > b.end - b.start);
}

/** Orders hits from the strongest action, best score and worst severity down. */
export function compareWorst(a: Hit, b: Hit): number {
  return (
    STRENGTH[b.action] - STRENGTH[a.action] ||
    b.candidate.score - a.candidate.score ||
    severityRank(b.candidate.severity) - severityRank(a.candidate.severity)
  );
}

/** Orders hits as they stand in the inference. */
export function compareInDocument(a: Hit, b: Hit): number {
  return (
    a.order - b.order ||
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.candidate.category, b.candidate.category) ||
    compareText(a.candidate.type, b.candidate.type)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
