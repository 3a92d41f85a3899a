// Two texts compared line by line: the shortest way from one to the other (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986).

export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** Beyond it texts have little in common, and all of one is shown in place of the other. */
const EDITS_MAX = 2_000;

export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ sign: ' ', text }));
  return [
    ...same(a.slice(0, start)),
    ...shortest(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function shortest(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace = reach(a, b);
  if (trace === null) {
    return [...a.map((text): DiffLine => ({ sign: '-', text })), ...b.map((text): DiffLine => ({ sign: '+', text }))];
  }
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const furthest = trace[d]!;
    const k = x - y;
    const isAdded = k === -d || (k !== d && furthest.get(k - 1)! < furthest.get(k + 1)!);
    const fromX = d === 0 ? 0 : furthest.get(isAdded ? k + 1 : k - 1)!;
    const fromY = d === 0 ? 0 : fromX - (isAdded ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      lines.push({ sign: ' ', text: a[x - 1]! });
      x--;
      y--;
    }
    if (d === 0) break;
    lines.push(isAdded ? { sign: '+', text: b[y - 1]! } : { sign: '-', text: a[x - 1]! });
    [x, y] = [fromX, fromY];
  }
  return lines.toReversed();
}

/** Of each number of edits, how far one came before it on each diagonal; `null`: too many are needed. */
function reach(a: readonly string[], b: readonly string[]): ReadonlyMap<number, number>[] | null {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: ReadonlyMap<number, number>[] = [];
  for (let d = 0; d <= Math.min(EDITS_MAX, a.length + b.length); d++) {
    // Only these diagonals are looked at again: of all, long texts would need too much room.
    trace.push(new Map([...furthest].filter(([k]) => Math.abs(k) <= d + 1)));
    for (let k = -d; k <= d; k += 2) {
      let x =
        k === -d || (k !== d && furthest.get(k - 1)! < furthest.get(k + 1)!) ? furthest.get(k + 1)! : furthest.get(k - 1)! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return null;
}
