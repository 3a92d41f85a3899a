// Finds attempts to take over a model: overridden instructions, fake turns, jailbreak personas, extraction of hidden instructions,
// and orders inside documents and tool results. Rules read the sentences in which telling words occur together; the text model
// reads everything, and finds what is said in words of its own.

import { locate, type View } from '../../text/view.ts';
import type { AnchorHits, Candidate, DetectContext, Detector, Part } from '../../types.ts';
import { ANCHORS, CONCEPT_BITS, maskOf } from './concepts.ts';
import { remainder } from './mitigations.ts';
import { modelCandidates, together } from './model-candidates.ts';
import type { Rule } from './rule.ts';
import { ENGLISH_RULES } from './rules-english.ts';
import { LANGUAGE_RULES } from './rules-languages.ts';
import { candidatesOf, clustersOf, type Match } from './score.ts';
import { type Segment, segmentsOf } from './segments.ts';

/** Segments read in one view: 500, and one for every 200 characters of a longer text. */
const SEGMENTS_MIN = 500;
const CHARS_PER_SEGMENT = 200;

const RULES = [...ENGLISH_RULES, ...LANGUAGE_RULES].map((rule) => ({ rule, needs: maskOf(rule.needs) }));

const READS = ['visible', 'folded', 'decoded'] as const;

/** Finds prompt injection by rules and by the text model. What both find is one finding, surer than either. */
export const detector: Detector = {
  id: 'prompt_injection',
  version: '2.1.0',
  anchors: ANCHORS,
  reads: READS,
  detect(view, hits, ctx) {
    if (isTrusted(ctx.part)) return;
    const byRules = candidatesByRules(view, hits, ctx);
    const byModel = ctx.expired() ? [] : modelCandidates(view, ctx, byRules.length > 0 ? 0 : ctx.flagAt);
    for (const candidate of together(byRules, byModel)) ctx.report(candidate);
  },
};

/** The rules alone, for their tests. */
export const rules: Detector = {
  ...detector,
  detect(view, hits, ctx) {
    if (!isTrusted(ctx.part)) for (const candidate of candidatesByRules(view, hits, ctx)) ctx.report(candidate);
  },
};

function candidatesByRules(view: View, hits: AnchorHits, ctx: DetectContext): Candidate[] {
  if (hits.ends.length === 0) return [];
  const isDocument = ctx.part.target === 'context' || ctx.part.target === 'tool';
  const read: { start: number; end: number; matches: Match[] }[] = [];
  const segments = segmentsOf(view.text, hits.ends, (hit) => CONCEPT_BITS[hits.rules[hit]!]!);
  const telling = segments.filter(({ concepts }) => RULES.some(({ needs }) => (concepts & needs) === needs));
  const segmentsMax = Math.max(SEGMENTS_MIN, Math.ceil(view.text.length / CHARS_PER_SEGMENT));
  if (telling.length > segmentsMax) ctx.truncated();
  for (const segment of mostTelling(telling, segmentsMax)) {
    if (ctx.expired()) return [];
    const matches = matchesOf(view, segment, ctx.part, isDocument);
    if (matches.length > 0) read.push({ start: segment.start, end: segment.end, matches });
  }
  return read.length === 0 ? [] : candidatesOf(clustersOf(read), view, ctx.part);
}

/** Operators may instruct their model, and what the model said is judged by other detectors. */
function isTrusted({ target, role }: Part): boolean {
  return target === 'output' || (target === 'input' && (role === 'system' || role === 'developer' || role === 'assistant'));
}

/** Of the segments in which some rule may match at most `segmentsMax`, those with the most kinds of words, in text order. */
function mostTelling(telling: readonly Segment[], segmentsMax: number): readonly Segment[] {
  if (telling.length <= segmentsMax) return telling;
  return telling
    .toSorted((a, b) => bitsOf(b.concepts) - bitsOf(a.concepts))
    .slice(0, segmentsMax)
    .sort((a, b) => a.start - b.start);
}

function bitsOf(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

function matchesOf(view: View, segment: Segment, part: Part, isDocument: boolean): Match[] {
  const slice = view.text.slice(segment.start, segment.end);
  const matches: Match[] = [];
  for (const { rule, needs } of RULES) {
    if ((segment.concepts & needs) !== needs) continue;
    const found = rule.pattern.exec(slice);
    if (found === null) continue;
    const start = segment.start + found.index;
    const end = start + found[0].length;
    if (isInTheOpen(view, part, start, end)) continue;
    const weight = weightOf(rule, slice, found.index, found.index + found[0].length, isDocument);
    matches.push({ rule, weight, start, end });
  }
  return matches;
}

/** True when a folded or decoded view only repeats what the text says undisguised: the visible view has reported that. */
function isInTheOpen(view: View, part: Part, start: number, end: number): boolean {
  if (view.kind === 'visible') return false;
  const place = locate(view, start, end);
  return part.text.slice(place.start, place.end) === view.text.slice(start, end);
}

function weightOf(rule: Rule, slice: string, start: number, end: number, isDocument: boolean): number {
  const weight = isDocument ? (rule.contextWeight ?? rule.weight) : rule.weight;
  return rule.isWording ? weight * remainder(slice, start, end) : weight;
}
