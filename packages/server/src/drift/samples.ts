// How an observation is found again: by its place in the trail, which is short, and the same whoever reads it.

import type { SampleRow } from './store.ts';

/** Of an assessment: the sequence of its event. Of what a probe reported: that of its batch, and the place in it. */
export function sampleIdOf(sequence: number, position: number | null): string {
  return position === null ? String(sequence) : `${sequence}:${position}`;
}

/** What `sampleIdOf` wrote. */
export function sampleRowOf(id: string): SampleRow {
  const [sequence, position] = id.split(':');
  return { sequence: Number(sequence), position: position === undefined ? null : Number(position) };
}
