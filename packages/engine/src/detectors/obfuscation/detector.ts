// Finds text that is hidden from people or disguised from filters: invisible characters, tags, overrides, look-alike letters.
// Ordinary uses stay silent: emoji families and flags, joiners in Persian and Hindi, marks of direction in Arabic and Hebrew.

import type { View } from '../../text/view.ts';
import type { AnchorHits, Candidate, DetectContext, Detector } from '../../types.ts';
import { findMixedWords, findStretches, type Sign, type Stretch } from './signs.ts';

/** Of words and stretches together; one finding a word of 100 000 characters fits. */
const FINDINGS_MAX = 20_000;

const EXPLANATIONS: Record<Sign, string> = {
  invisible_text: 'Invisible characters stand between visible ones.',
  tag_characters: 'Unicode tag characters spell a text that is not displayed.',
  bidi_override: 'A direction override displays the text in another order than it is read.',
  combining_flood: 'Far more combining marks than any script uses are stacked on letters.',
  private_use: 'A run of private-use characters has no agreed meaning.',
  mixed_script: 'Look-alike letters of another script stand inside Latin words.',
};

/** The detector of hidden and disguised text. */
export const detector: Detector = {
  id: 'obfuscation',
  version: '1.1.0',
  anchors: [],
  reads: ['raw', 'visible'],
  detect,
};

function detect(view: View, _hits: AnchorHits, ctx: DetectContext): void {
  // A visible view with origins has a raw one beside it; without, it is the raw text itself.
  if (!view.survey.nonAscii || view.origins !== null) return;
  const found = findStretches(view.text).flatMap((stretch) => {
    const score = scoreOf(stretch);
    return score === 0 ? [] : [candidate(stretch.sign, stretch.start, stretch.end, score)];
  });
  found.push(...mixedWords(view.text));
  found.sort((a, b) => a.start - b.start);
  if (found.length > FINDINGS_MAX) ctx.truncated();
  for (const one of found.slice(0, FINDINGS_MAX)) ctx.report(one);
}

/** 0: an ordinary use. */
function scoreOf({ sign, count, longest, insideWords }: Stretch): number {
  switch (sign) {
    case 'invisible_text':
      if (longest >= 16) return 0.95;
      if (longest >= 4 || insideWords >= 3) return 0.7;
      return insideWords > 0 ? 0.3 : 0;
    case 'tag_characters':
      return count >= 3 ? 0.95 : 0.6;
    case 'bidi_override':
      return count >= 3 ? 0.8 : 0.6;
    case 'combining_flood':
      return count >= 10 ? 0.8 : 0.4;
    case 'private_use':
      return longest >= 8 ? 0.5 : 0; // Fewer are icons of a font.
    case 'mixed_script':
      return 0.5;
  }
}

/** So far behind a mixed word others count with it; those before it all do. */
const COUNTED_CHARS = 480;

function mixedWords(text: string): Candidate[] {
  const spans = findMixedWords(text);
  const found: Candidate[] = [];
  let words = 0;
  for (let i = 0; i < spans.length; i += 2) {
    while (2 * words < spans.length && spans[2 * words + 1]! <= spans[i]! + COUNTED_CHARS) words++;
    const score = words >= 4 ? 0.8 : words >= 2 ? 0.6 : 0.4; // One may be a slip of the keyboard layout.
    found.push(candidate('mixed_script', spans[i]!, spans[i + 1]!, score));
  }
  return found;
}

function candidate(sign: Sign, start: number, end: number, score: number): Candidate {
  const severity = score >= 0.9 ? 'high' : score >= 0.5 ? 'medium' : 'low';
  return {
    category: 'attack.obfuscation',
    type: sign,
    start,
    end,
    score,
    severity,
    method: 'heuristic',
    explanation: EXPLANATIONS[sign],
    preview: null,
  };
}
