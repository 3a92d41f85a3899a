// What stands around a URL: whether it is an image, and what a reader is shown in its place.

/** How a URL is used. */
export interface LinkUse {
  /** Loaded without a click: a Markdown image, or `src` in HTML. */
  readonly isImage: boolean;
  /** What the reader sees instead of the URL; `null` when the URL itself is seen. */
  readonly shown: string | null;
}

const SHOWN_CHARS_MAX = 256;
/** Behind a longer URL nobody looks for what is shown. */
const HREF_CHARS_MAX = 640;
const ATTRIBUTE_ENDS = new Set(Array.from('"\'=(', (char) => char.charCodeAt(0)));
const PLAIN: LinkUse = { isImage: false, shown: null };

/** Reads the markup around the URL at `[start, end)`. Looks at most 256 characters to each side. */
export function linkUseAt(text: string, start: number, end: number): LinkUse {
  if (text.startsWith('](', start - 2) || text.startsWith('](<', start - 3))
    return markdownUse(text, text.lastIndexOf(']', start));
  // Most URLs stand in running text: no attribute ends with the blank or letter before them.
  if (!ATTRIBUTE_ENDS.has(text.charCodeAt(start - 1))) return PLAIN;
  const before = text.slice(Math.max(0, start - 16), start);
  if (/\b(?:src|srcset|background|poster)\s*=\s*["']?$/i.test(before) || /\burl\(\s*["']?$/i.test(before))
    return { isImage: true, shown: null };
  if (/\bhref\s*=\s*["']?$/i.test(before))
    return { isImage: false, shown: end - start > HREF_CHARS_MAX ? null : anchorText(text, end) };
  return PLAIN;
}

/** `close` is the offset of the `]` before `(`. */
function markdownUse(text: string, close: number): LinkUse {
  const open = matchingBracket(text, close);
  if (open < 0) return PLAIN;
  const shown = text.slice(open + 1, close);
  return text[open - 1] === '!' ? { isImage: true, shown: null } : { isImage: false, shown };
}

function matchingBracket(text: string, close: number): number {
  let depth = 0;
  for (let i = close; i >= 0 && close - i < SHOWN_CHARS_MAX; i--) {
    if (text[i] === ']') depth++;
    else if (text[i] === '[' && --depth === 0) return i;
  }
  return -1;
}

/** The text between `>` and `</a>` after an `href`. */
function anchorText(text: string, from: number): string | null {
  const tail = text.slice(from, from + SHOWN_CHARS_MAX);
  return /^[^<>]*>([^<]*)<\/a/i.exec(tail)?.[1]?.trim() ?? null;
}
