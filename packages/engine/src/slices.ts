// Long answers are read in slices, from their start on, so that one that is still being written is read exactly as it would be as a whole.
//
// A slice owns the findings that start in it. It is read with some text before it, and with what detectors may look ahead behind it. Where it
// ends is decided by what it holds: never inside of a finding. So the slices of a text follow from the text alone, however it arrives.

/** A detector that reads windows decides about a character by what stands before it and at most this many UTF-16 units after it. */
export const LOOKAHEAD = 960;

/** What a slice owns, unless a finding reaches over its end. Larger ones save overlap, smaller ones are cheaper to read again. */
const SLICE_CHARS = 4_096;
/** A finding that is longer is cut in two: nothing that people or models write is one finding of this length. */
const SLICE_CHARS_MAX = 16_384;
/** What is read before a slice: cues such as `password:` stand close to what they announce. */
const CONTEXT_CHARS = 512;

/** Where the next slice of a text begins. Plain JSON. */
export interface Place {
  /** Everything that starts before this offset is settled. */
  readonly from: number;
  /** How much the slice may own. */
  readonly size: number;
}

export const START: Place = { from: 0, size: SLICE_CHARS };

/** A stretch of a text to read. Offsets are UTF-16 units, end exclusive. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Anything found at a place. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The slice at a place of `text`; `null` when the text would have to be longer to tell it from the last one. */
export function sliceAt({ from, size }: Place, text: string): Slice | null {
  const end = from + size + LOOKAHEAD;
  if (text.length <= end) return null;
  return { start: contextStart(from, text), end: isHighSurrogate(text, end - 1) ? end - 1 : end };
}

/** The rest of `text` from a place on: its last slice, or what is known of the next. */
export function restAt({ from }: Place, text: string): Slice {
  return { start: contextStart(from, text), end: text.length };
}

/** From where on a text has to be remembered to read on at a place: one unit more than is read, to see half of a character. */
export function neededFrom({ from }: Place): number {
  return Math.max(0, from - CONTEXT_CHARS - 1);
}

function contextStart(from: number, text: string): number {
  const start = Math.max(0, from - CONTEXT_CHARS);
  return start > 0 && isHighSurrogate(text, start - 1) ? start - 1 : start;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}

/**
 * The place after the slice at `place`, given all that was found in it, and up to where that is settled; the same place, with more to read, when
 * one finding fills it, or when nothing in it is settled.
 */
export function placeAfter({ from, size }: Place, { hits, settledTo }: { hits: readonly Span[]; settledTo: number }): Place {
  const cut = holdBefore(Math.min(from + size, settledTo), ownedFrom(from, hits));
  if (cut > from) return { from: cut, size: SLICE_CHARS };
  if (size < SLICE_CHARS_MAX) return { from, size: size + SLICE_CHARS };
  return { from: from + size, size: SLICE_CHARS };
}

/** What a slice that begins at `from` owns of all that was found in it: what began before it counts from there on. */
export function ownedFrom<Found extends Span>(from: number, found: readonly Found[]): Found[] {
  return found.flatMap((one) => {
    if (one.start >= from) return [one];
    return one.end > from ? [{ ...one, start: from }] : [];
  });
}

/** `limit`, or where the spans that reach over it begin: those that overlap count as one. */
export function holdBefore(limit: number, spans: readonly Span[]): number {
  let hold = limit;
  // From the right: a span that reaches over what is held by now moves it to the left, where another may reach over it.
  for (const { start, end } of spans.toSorted((a, b) => b.end - a.end)) {
    if (end <= hold) break;
    hold = Math.min(hold, start);
  }
  return hold;
}
