// What each UTF-16 unit is to the search for terms: part of a word, a word alone, a blank, or something else.

export const OTHER = 0;
/** Part of a word: terms start and end only where such characters do not go on. */
export const WORD = 1;
export const SPACE = 2;
/** A character of a script that writes words without spaces: terms may start and end beside it. */
const STANDALONE = 3;

export interface CharacterTable {
  readonly kinds: Uint8Array;
  /** UTF-16 unit -> its lower-case form where that is one unit, else itself. */
  readonly folded: Uint16Array;
}

const STANDALONE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let table: CharacterTable | null = null;

/** The table, built at first use: policies without terms need not pay the few milliseconds. */
export function characterTable(): CharacterTable {
  return (table ??= buildTable());
}

function buildTable(): CharacterTable {
  const kinds = new Uint8Array(65_536);
  const folded = new Uint16Array(65_536);
  for (let code = 0; code < 65_536; code++) {
    const char = String.fromCharCode(code);
    kinds[code] = kindOf(char);
    const lower = char.toLowerCase();
    folded[code] = lower.length === 1 ? lower.charCodeAt(0) : code;
  }
  folded[0x3c2] = 0x3c3; // The final sigma of a word is the same letter.
  return { kinds, folded };
}

function kindOf(char: string): number {
  if (STANDALONE_SCRIPT.test(char)) return STANDALONE;
  if (/[\p{L}\p{M}\p{N}_]/u.test(char)) return WORD;
  return /\s/.test(char) ? SPACE : OTHER;
}
