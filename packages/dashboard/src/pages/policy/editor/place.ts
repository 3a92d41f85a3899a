// Where in a policy somebody is typing: also while the text around it is not whole yet.

import type { Format } from './document.ts';

export interface Place {
  /** Of what holds the name (`isKey`), or of the value itself. */
  readonly path: readonly (string | number)[];
  /** A name of a member is typed here, and no value. */
  readonly isKey: boolean;
  /** Where what is typed begins. */
  readonly from: number;
  /** Columns before the name. */
  readonly indent: number;
}

/** `null`: in a comment, or where nothing can be proposed. `at`: UTF-16 offset of the cursor. */
export function placeAt(text: string, at: number, format: Format): Place | null {
  return format === 'json' ? placeInJson(text, at) : placeInYaml(text, at);
}

/** What a line of block YAML says: how many entries of lists begin on it, and its name. */
const LINE = /^( *)((?:- +)*)(?:("[^"]*"|'[^']*'|[^\s#"'[{:-][^\s:]*)(:(?: |$)))?/;

interface Line {
  readonly dashes: readonly number[];
  readonly key: { readonly column: number; readonly name: string } | null;
  /** Where what follows them begins. */
  readonly end: number;
}

function lineOf(text: string): Line {
  const [all, indent, dashes, name] = LINE.exec(text)!;
  const columns = [...dashes!.matchAll(/-/g)].map(({ index }) => indent!.length + index);
  const column = indent!.length + dashes!.length;
  return {
    dashes: columns,
    key: name === undefined ? null : { column, name: name.replace(/^["']|["']$/g, '') },
    end: all.length,
  };
}

function placeInYaml(text: string, at: number): Place | null {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(start, at);
  if (/(?:^|\s)#/.test(before)) return null;
  const line = lineOf(before);
  const { dashes, key } = line;
  const typed = before.slice(line.end).trimStart();
  if (/[[{]/.test(typed)) return null;
  const from = at - typed.length;
  const above = text.slice(0, start).split('\n');
  const column = key?.column ?? from - start;
  const outer = pathAbove(dashes.toReversed(), column, above);
  if (key !== null) return { path: [...outer, key.name], isKey: false, from, indent: column };
  return { path: outer, isKey: true, from, indent: column };
}

/** The names and entries around something that stands at `column`, outermost first. `dashes`: those before it on its own line, inmost first. */
function pathAbove(dashes: readonly number[], column: number, above: readonly string[]): (string | number)[] {
  const path: (string | number)[] = [];
  let isEntry = false;
  for (const dash of dashes) {
    path.push(0);
    column = dash;
    isEntry = true;
  }
  for (let i = above.length - 1; i >= 0 && (column > 0 || isEntry); i--) {
    const text = above[i]!;
    if (/^\s*(?:#|$)/.test(text)) continue;
    const line = lineOf(text);
    // The entries of a list may stand right under its name.
    if (line.key !== null && (line.key.column < column || (isEntry && line.key.column === column && line.dashes.length === 0))) {
      path.push(line.key.name);
      column = line.key.column;
      isEntry = false;
    }
    for (const dash of line.dashes.toReversed()) {
      if (dash >= column) continue;
      path.push(0);
      column = dash;
      isEntry = true;
    }
  }
  return path.toReversed();
}

interface Level {
  readonly isList: boolean;
  key: string | null;
  isAtKey: boolean;
}

function placeInJson(text: string, at: number): Place | null {
  const levels: Level[] = [];
  let from = at;
  let i = 0;
  while (i < at) {
    const char = text[i]!;
    const level = levels.at(-1);
    from = at;
    if (char === '"') {
      const end = endOfString(text, i);
      if (end > at || text[end - 1] !== '"') {
        from = i;
        break;
      }
      if (level?.isAtKey === true) level.key = text.slice(i + 1, end - 1);
      i = end;
      continue;
    }
    if (char === '{' || char === '[') levels.push({ isList: char === '[', key: null, isAtKey: char === '{' });
    else if (char === '}' || char === ']') levels.pop();
    else if (char === ':' && level !== undefined) level.isAtKey = false;
    else if (char === ',' && level !== undefined) level.isAtKey = !level.isList;
    else if (/[\w.-]/.test(char)) {
      const word = /^[\w.-]*/.exec(text.slice(i, at))![0].length;
      if (i + word === at) from = i;
      i += word;
      continue;
    }
    i++;
  }
  const inmost = levels.at(-1);
  if (inmost === undefined) return null;
  const path = levels.flatMap(({ isList, key }, n): (string | number)[] => {
    if (isList) return [0];
    return n === levels.length - 1 && inmost.isAtKey ? [] : [key ?? ''];
  });
  return { path, isKey: inmost.isAtKey, from, indent: 0 };
}

/** Just behind the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
    else if (text[i] === '\n') return i;
  }
  return text.length;
}
