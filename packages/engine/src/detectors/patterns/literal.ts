// Finds a literal that every match of a regular expression must hold, so that texts without it are never searched.

const QUANTIFIER_THAT_MAY_DROP = /[?*{]/;

/**
 * The longest run of plain characters at the top level of `regex` that no match can lack; '' when none is certain.
 * Cautious: groups, classes and escapes end a run, an alternation at the top level leaves nothing.
 */
export function requiredLiteral(regex: string): string {
  let best = '';
  let run = '';
  const endRun = () => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let i = 0; i < regex.length;) {
    const char = regex[i]!;
    if (char === '|') return '';
    const end = atomEnd(regex, i);
    const literal = literalOf(regex.slice(i, end));
    const next = regex[end] ?? '';
    if (literal === '' || QUANTIFIER_THAT_MAY_DROP.test(next)) endRun();
    else run += literal;
    i = quantifierEnd(regex, end);
    if (i > end) endRun();
  }
  endRun();
  return best;
}

/** Offset just after the atom that starts at `start`: an escape, a class, a group or one character. */
function atomEnd(regex: string, start: number): number {
  const char = regex[start];
  if (char === '\\') return escapeEnd(regex, start);
  if (char === '[') return classEnd(regex, start);
  if (char === '(') return groupEnd(regex, start);
  return start + (regex.codePointAt(start)! > 0xff_ff ? 2 : 1);
}

function escapeEnd(regex: string, start: number): number {
  const kind = regex[start + 1];
  if (kind === 'Q') return regex.length; // Quoting is rare: give up on the rest.
  const braces = kind === 'x' || kind === 'p' || kind === 'P' || kind === 'k' ? /[{<]/.test(regex[start + 2] ?? '') : false;
  if (braces) return regex.slice(start).search(/[}>]/) + start + 1;
  if (kind === 'x') return start + 4;
  if (kind === 'p' || kind === 'P') return start + 3;
  return /[0-7]/.test(kind ?? '') ? start + 1 + /^[0-7]{1,3}/.exec(regex.slice(start + 1))![0].length : start + 2;
}

function classEnd(regex: string, start: number): number {
  let i = start + 1;
  if (regex[i] === '^') i++;
  if (regex[i] === ']') i++; // A bracket that comes first stands for itself.
  while (i < regex.length && regex[i] !== ']') {
    if (regex[i] === '\\') i += 2;
    else if (regex.startsWith('[:', i)) i = regex.indexOf(':]', i) + 2;
    else i++;
  }
  return i + 1;
}

function groupEnd(regex: string, start: number): number {
  let i = start + 1;
  while (i < regex.length && regex[i] !== ')') {
    const char = regex[i];
    i = char === '\\' || char === '[' || char === '(' ? atomEnd(regex, i) : i + 1;
  }
  return i + 1;
}

function quantifierEnd(regex: string, at: number): number {
  const quantifier = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(regex.slice(at, at + 16));
  return at + (quantifier?.[0].length ?? 0);
}

/** What the atom stands for when that is one certain character, else ''. */
function literalOf(atom: string): string {
  if (atom.length === 2 && atom[0] === '\\') return /[^A-Za-z0-9]/.test(atom[1]!) ? atom[1]! : '';
  return /^[^\\[(.^$]/.test(atom) ? atom : '';
}
