// Runs one detector over every view of a text, as the engine does. For tests and for measuring a detector alone.

import { compileAnchors } from '../text/anchors.ts';
import { locate } from '../text/view.ts';
import { viewsOf } from '../text/views.ts';
import type { Candidate, Detector, Part } from '../types.ts';

/** Makes a function from text to candidates, their offsets those of the text. `part` overrides where the text stands. */
export function runnerOf(detector: Detector): (text: string, part?: Partial<Part>) => Candidate[] {
  const automaton = compileAnchors([detector.anchors]);
  return (text, part = {}) => {
    const found: Candidate[] = [];
    for (const view of viewsOf(text, automaton)) {
      if (!detector.reads.includes(view.kind)) continue;
      detector.detect(view, view.survey.hits[0]!, {
        part: { pointer: '/input', target: 'input', role: null, ...part, text },
        flagAt: 0,
        isWanted: () => true,
        report: (candidate) => found.push({ ...candidate, ...locate(view, candidate.start, candidate.end) }),
        expired: () => false,
        truncated: () => {},
      });
    }
    return found.sort((a, b) => a.start - b.start || b.end - a.end);
  };
}
