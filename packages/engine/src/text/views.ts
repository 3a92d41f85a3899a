// All readings of one text that detectors should see, surveyed.

import type { Automaton } from './anchors.ts';
import { decode, decodeBudget, type DecodeBudget } from './decode.ts';
import { fold } from './fold.ts';
import { normalise } from './normalise.ts';
import { survey } from './survey.ts';
import type { Reading, View } from './view.ts';

const NESTING_MAX = 2; // Base64 of base64 is read, a third layer is not.

/** The views of `text`, the visible one first. An ASCII text without disguise or encoding has only that one. Never throws. */
export function viewsOf(text: string, automaton: Automaton): View[] {
  const first = survey(text, automaton);
  const plain: View = { kind: 'visible', layer: null, text, origins: null, survey: first };
  const { visible, hidden } = first.nonAscii ? normalise(text) : { visible: null, hidden: [] };
  const views = visible === null ? [plain] : [surveyed(visible, automaton), { ...plain, kind: 'raw' as const }];
  const folded = first.mayBeDisguised ? fold(views[0]!) : null;
  if (folded !== null) views.push(surveyed(folded, automaton));
  const budget = decodeBudget();
  for (const reading of hidden) {
    const view = surveyed(reading, automaton);
    views.push(view, ...decodedViews(view, automaton, budget, NESTING_MAX - 1));
  }
  views.push(...decodedViews(views[0]!, automaton, budget, NESTING_MAX));
  return views;
}

function surveyed(reading: Reading, automaton: Automaton): View {
  return { ...reading, survey: survey(reading.text, automaton) };
}

function decodedViews(view: View, automaton: Automaton, budget: DecodeBudget, nesting: number): View[] {
  const views: View[] = [];
  if (view.survey.tokens.length === 0 && view.survey.hints.rules.length === 0) return views;
  for (const reading of decode(view, view.survey, budget)) {
    const found = surveyed(reading, automaton);
    views.push(found);
    if (nesting > 1) views.push(...decodedViews(found, automaton, budget, nesting - 1));
  }
  return views;
}
