// A view is one reading of a text: as a person sees it, with look-alikes folded, or decoded. Offsets lead back to the original.

import type { Survey } from './survey.ts';

/**
 * - `raw`: the text as it came; made only where it differs from the visible view.
 * - `visible`: compatibility forms composed (NFKC), invisible characters dropped; plain ASCII text is its own visible view.
 * - `folded`: look-alike letters, digits for letters and spaced-out letters undone; for reading words only.
 * - `decoded`: what an encoding inside the text says.
 */
export type ViewKind = 'raw' | 'visible' | 'folded' | 'decoded';

/** A reading of a text and the way back from its offsets. */
export interface View {
  readonly kind: ViewKind;
  /** What was undone to come to it, e.g. `base64`; `null` for raw and visible views. */
  readonly layer: string | null;
  readonly text: string;
  /**
   * `null`: offsets are those of the original. Otherwise `origins[2 * i]` and `origins[2 * i + 1]` are start and end, in the
   * original, of what view character `i` came from.
   */
  readonly origins: Int32Array | null;
  readonly survey: Survey;
}

/** A view before it is surveyed: what normalising and decoding make. */
export type Reading = Omit<View, 'survey'>;

/** Where `[start, end)` of a view stands in the original text. An empty span maps to an empty span. */
export function locate(view: Reading, start: number, end: number): { start: number; end: number } {
  const { origins } = view;
  if (origins === null) return { start, end };
  if (start >= end) {
    const at = start * 2 < origins.length ? origins[start * 2]! : (origins.at(-1) ?? 0);
    return { start: at, end: at };
  }
  let first = origins[start * 2]!;
  let last = origins[end * 2 - 1]!;
  // A decoded view maps every character to its whole source, and composed characters may reorder: take the hull.
  for (let i = start; i < end; i++) {
    if (origins[i * 2]! < first) first = origins[i * 2]!;
    if (origins[i * 2 + 1]! > last) last = origins[i * 2 + 1]!;
  }
  return { start: first, end: last };
}
