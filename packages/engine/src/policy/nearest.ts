// Names that somebody may have meant.

const SUGGESTIONS_MAX = 3;
/** Names are compared up to here; the cost grows with the square. */
const NAME_CHARS_MAX = 64;

/** At most three of `known`, those that take the fewest edits from `name`, the nearest first. Those that hold it count as one edit away. */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const distance = (candidate: string): number => (candidate.includes(name) ? 1 : editDistance(name, candidate));
  return known
    .map((candidate) => ({ candidate, edits: distance(candidate) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ candidate }) => candidate);
}

/** Insertions, deletions and replacements that make `b` of `a` (Levenshtein), over the first 64 units of both. */
function editDistance(a: string, b: string): number {
  const [from, to] = [a.slice(0, NAME_CHARS_MAX), b.slice(0, NAME_CHARS_MAX)];
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
