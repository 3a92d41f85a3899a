// All readings of one text that detectors should see, surveyed.

import type { Automaton } from './anchors.ts';
import { decode, decodeBudget, type DecodeBudget } from './decode.ts';
import { fold } from './fold.ts';
import { normalise } from './normalise.ts';
import { survey } from './survey.ts';
import type { Reading, View } from './view.ts';

/** What a person sees, what was hidden from them and each piece that is decoded are read again for encodings: base64 of base64 is, a third layer is not. */
const NESTING_MAX = 2;

/**
 * The views of `text`, the visible one first. An ASCII text without disguise or encoding has only that one. Never throws.
 * Decoded views are of pieces of the text of at most 896 characters; the others are of all of it.
 */
export function viewsOf(text: string, automaton: Automaton): View[] {
  const first = survey(text, automaton);
  const plain: View = { kind: 'visible', layer: null, text, origins: null, survey: first };
  const { visible, hidden } = first.nonAscii ? normalise(text) : { visible: null, hidden: [] };
  const views = visible === null ? [plain] : [surveyed(visible, automaton), { ...plain, kind: 'raw' as const }];
  const folded = first.mayBeDisguised ? fold(views[0]!) : null;
  if (folded !== null) views.push(surveyed(folded, automaton));
  const budgets = budgetsOf(NESTING_MAX - 1);
  for (const reading of hidden) {
    const view = surveyed(reading, automaton);
    views.push(view, ...decodedViews(view, automaton, budgets));
  }
  views.push(...decodedViews(views[0]!, automaton, budgetsOf(NESTING_MAX)));
  return views;
}

function surveyed(reading: Reading, automaton: Automaton): View {
  return { ...reading, survey: survey(reading.text, automaton) };
}

/** One for each layer of nesting: what a late piece costs must not be missing for what an early one holds. */
function budgetsOf(nesting: number): DecodeBudget[] {
  return Array.from({ length: nesting }, decodeBudget);
}

function decodedViews(view: View, automaton: Automaton, [budget, ...deeper]: readonly DecodeBudget[]): View[] {
  const views: View[] = [];
  if (budget === undefined || (view.survey.tokens.length === 0 && view.survey.hints.rules.length === 0)) return views;
  for (const reading of decode(view, view.survey, budget)) {
    const found = surveyed(reading, automaton);
    views.push(found, ...decodedViews(found, automaton, deeper));
  }
  return views;
}

/**
 * Up to where a text of which more may follow is settled: all that is said of what stands before is decided. Of an ordinary text all but the
 * last `lookahead` characters; where characters are not visible or are set apart, so many that are read.
 */
export function settledEnd(views: readonly View[], lookahead: number): number {
  let end = Infinity;
  for (const { kind, text, origins } of views) {
    if (kind === 'decoded') continue;
    const at = text.length - lookahead;
    end = Math.min(end, at <= 0 ? 0 : origins === null ? at : origins[2 * at]!);
  }
  return end;
}
