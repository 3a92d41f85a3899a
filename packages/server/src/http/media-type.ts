// What a client wants to be answered with (RFC 9110 §12.5.1).

/**
 * Which of `types` an Accept header likes best, of equals the first; `null`: it refuses them all. Without a header anything is liked. The most
 * specific range speaks for a type; parameters other than `q` are left unread.
 */
export function acceptedType(accept: string | undefined, types: readonly string[]): string | null {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === types[0]) return types[0]!;
  const ranges = accept.split(',').map(rangeOf);
  let best: string | null = null;
  let bestQuality = 0;
  for (const type of types) {
    const quality = qualityOf(type, ranges);
    if (quality <= bestQuality) continue;
    best = type;
    bestQuality = quality;
  }
  return best;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function rangeOf(text: string): MediaRange {
  const [type, ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => /^q *=/.test(parameter))?.replace(/^q *= */, '');
  const quality = Number(q ?? 1);
  return { type: type!, quality: Number.isNaN(quality) ? 1 : quality };
}

function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const bare = type.split(';', 1)[0]!;
  const spoken = [bare, `${bare.split('/', 1)[0]}/*`, '*/*'].map((name) => ranges.find((range) => range.type === name));
  return spoken.find((range) => range !== undefined)?.quality ?? 0;
}
