// Cuts a text into the sentences that hold anchors.

/** A sentence or a part of a long one. `start`, `end`: UTF-16 offsets, end exclusive. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  /** Bits of the concepts found in it. */
  concepts: number;
  /** How many anchors were found in it. */
  hits: number;
}

const LENGTH_MAX = 400;
const BACK_MAX = 200; // A cut sentence starts anew this far before the next anchor, so that parts overlap.

/** The segments of `text` around the offsets `ends` (ascending); `conceptsOf[i]` are the bits of hit `i`. Linear. */
export function segmentsOf(text: string, ends: readonly number[], conceptsOf: (hit: number) => number): Segment[] {
  const segments: Segment[] = [];
  let current: Segment | undefined;
  for (let hit = 0; hit < ends.length; hit++) {
    const at = ends[hit]! - 1;
    if (current === undefined || at >= current.end) {
      current = segmentAt(text, at, current?.end ?? 0);
      segments.push(current);
      // What stands in the part it shares with the one before counts in both.
      for (let shared = hit - 1; shared >= 0 && ends[shared]! > current.start; shared--) current.concepts |= conceptsOf(shared);
    }
    current.concepts |= conceptsOf(hit);
    current.hits++;
  }
  return segments;
}

function segmentAt(text: string, at: number, previousEnd: number): Segment {
  const start = startOf(text, at, previousEnd);
  const endMax = Math.min(text.length, start + LENGTH_MAX);
  let end = at + 1;
  while (end < endMax && !isBreak(text, end - 1)) end++;
  return { start, end, concepts: 0, hits: 0 };
}

function startOf(text: string, at: number, previousEnd: number): number {
  const isCut = previousEnd > 0 && previousEnd < text.length && !isBreak(text, previousEnd - 1);
  const first = Math.max(0, at - BACK_MAX, isCut ? previousEnd - BACK_MAX / 2 : previousEnd);
  let start = at;
  while (start > first && !isBreak(text, start - 1)) start--;
  return start;
}

/** True when a sentence ends with the character at `index`. Single line ends inside a sentence do not end it: text is often wrapped. */
function isBreak(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  switch (code) {
    case 0x2e: // .
    case 0x21: // !
    case 0x3f: // ?
      return isSpace(text.charCodeAt(index + 1));
    case 0x0a:
      return isLineStart(text, index + 1) || isSpace(text.charCodeAt(index - 1));
    case 0x3002: // 。
    case 0xff01: // ！
    case 0xff1f: // ？
    case 0x0964: // ।
    case 0x061f: // ؟
      return true;
    default:
      return false;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** A new line that starts with a blank, a capital, a bullet or a bracket starts a sentence; a small letter goes on with one. */
function isLineStart(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return !((code >= 0x61 && code <= 0x7a) || code > 0x7f);
}
