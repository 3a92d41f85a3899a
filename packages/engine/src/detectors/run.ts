// Runs one detector over every view of a text, as the engine does. For tests and for measuring a detector alone.

import { compileAnchors } from '../text/anchors.ts';
import { locate } from '../text/view.ts';
import { viewsOf } from '../text/views.ts';
import type { AnyDetector, Candidate, Part } from '../types.ts';

/** Makes a function from text to candidates, their offsets those of the text. `part` overrides where the text stands. */
export function runnerOf(detector: AnyDetector): (text: string, part?: Partial<Part>) => Candidate[] {
  const automaton = compileAnchors(['anchors' in detector ? detector.anchors : []]);
  return (text, override = {}) => {
    const found: Candidate[] = [];
    const part: Part = { pointer: '/input', target: 'input', role: null, ...override, text };
    const always = { isWanted: () => true, isJudged: () => true, expired: () => false, truncated: () => {} };
    if ('compare' in detector) {
      detector.compare([part], { ...always, report: (_part, candidate) => found.push(candidate) });
    } else {
      for (const view of viewsOf(text, automaton)) {
        if (!detector.reads.includes(view.kind)) continue;
        const report = (candidate: Candidate): void => {
          found.push({ ...candidate, ...locate(view, candidate.start, candidate.end) });
        };
        detector.detect(view, view.survey.hits[0]!, { ...always, part, flagAt: 0, report });
      }
    }
    return found.sort((a, b) => a.start - b.start || b.end - a.end);
  };
}
