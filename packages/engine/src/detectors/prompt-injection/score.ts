// From matched rules to findings: what stands together is weighed together.

import type { View } from '../../text/view.ts';
import type { Candidate, Category, Part } from '../../types.ts';
import type { Family, Rule } from './rule.ts';

/** A rule that matched in `[start, end)` of a view's text, with the weight that remained. */
export interface Match {
  readonly rule: Rule;
  readonly weight: number;
  readonly start: number;
  readonly end: number;
}

/** Neighbouring segments that hold matches. */
export interface Cluster {
  readonly start: number;
  end: number;
  readonly matches: Match[];
}

const GAP_MAX = 3; // Segments this close are neighbours: blanks between sentences.
const REST_SHARE = 0.35; // What signs elsewhere in the text add.
const HIDDEN_SHARE = 0.5; // Hiding an order halves the doubt about it.
const SCORE_MAX = 0.99;
const SCORE_MIN = 0.2; // Less is not worth a finding.

/** Joins matches of neighbouring segments. `segments` are in text order. */
export function clustersOf(segments: readonly { start: number; end: number; matches: Match[] }[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (const { start, end, matches } of segments) {
    const last = clusters.at(-1);
    if (last !== undefined && start - last.end <= GAP_MAX) {
      last.end = end;
      last.matches.push(...matches);
    } else clusters.push({ start, end, matches: [...matches] });
  }
  return clusters;
}

/** The candidates of a view's clusters, the surest first. */
export function candidatesOf(clusters: readonly Cluster[], view: View, part: Part): Candidate[] {
  const everywhere = strongest(clusters.flatMap(({ matches }) => matches));
  const found = clusters.map((cluster) => {
    const here = strongest(cluster.matches);
    let doubt = doubtOf([...here.values()]);
    for (const [id, match] of everywhere) if (!here.has(id)) doubt *= 1 - REST_SHARE * match.weight;
    return candidateOf(cluster, [...here.values()], 1 - doubt, view, part);
  });
  return found.filter(({ score }) => score >= SCORE_MIN).sort((a, b) => b.score - a.score);
}

/** The strongest match of each rule. */
function strongest(matches: readonly Match[]): Map<string, Match> {
  const best = new Map<string, Match>();
  for (const match of matches) {
    const known = best.get(match.rule.id);
    if (known === undefined || match.weight > known.weight) best.set(match.rule.id, match);
  }
  return best;
}

/** Noisy-or: the doubt that remains when each sign errs by itself. Two rules of one wording count as one sign and a half. */
function doubtOf(matches: readonly Match[]): number {
  const sorted = matches.toSorted((a, b) => b.weight - a.weight);
  const families = new Set<Family>();
  let doubt = 1;
  for (const { rule, weight } of sorted) {
    doubt *= 1 - (families.has(rule.family) && rule.family === 'instruction_override' ? weight / 2 : weight);
    families.add(rule.family);
  }
  return doubt;
}

function candidateOf(cluster: Cluster, matches: readonly Match[], certainty: number, view: View, part: Part): Candidate {
  const sorted = matches.toSorted((a, b) => b.weight - a.weight);
  const { family } = sorted[0]!.rule;
  const isHidden = view.kind === 'folded' || view.kind === 'decoded';
  const score = Math.min(SCORE_MAX, isHidden ? 1 - (1 - certainty) * HIDDEN_SHARE : certainty);
  return {
    category: categoryOf(family, part),
    type: family,
    start: cluster.start,
    end: cluster.end,
    score: Math.round(score * 100) / 100,
    severity: score >= 0.9 ? 'critical' : score >= 0.7 ? 'high' : score >= 0.5 ? 'medium' : 'low',
    method: 'heuristic',
    explanation: explain(sorted, isHidden ? view.layer : null),
    preview: null,
  };
}

function categoryOf(family: Family, part: Part): Category {
  if (part.target === 'context' || part.target === 'tool') return 'attack.indirect';
  return family === 'prompt_extraction' ? 'attack.extraction' : 'attack.injection';
}

function explain(matches: readonly Match[], layer: string | null): string {
  const signs = matches.slice(0, 3).map(({ rule }) => `${rule.explanation} (${rule.id})`);
  const hidden = layer === null ? '' : ` It was hidden by ${layer.replaceAll('_', ' ')}.`;
  return `The text ${signs.join('; ')}.${hidden}`;
}
