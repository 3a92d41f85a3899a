// Finds the parts of a URL in a text without trusting it to be well-formed.

/** A URL as it stands in a text. Offsets are UTF-16 units of that text, ends exclusive. Of a long one the parts are those of its beginning. */
export interface UrlSpan {
  readonly start: number;
  readonly end: number;
  readonly scheme: string;
  /** Before the last `@` of the authority; `null` when there is none. */
  readonly userinfo: string | null;
  /** Lower case, without port and brackets. */
  readonly host: string;
  readonly path: string;
  /** Without `?`; '' when there is none. */
  readonly query: string;
  /** True when it goes on beyond what is judged. */
  readonly isCut: boolean;
}

/** What is longer is cut here: browsers and proxies commonly stop near 2 000 characters, some at 8 000. */
export const URL_CHARS_MAX = 8_192;
/** What a URL is, is decided by as much of it: an answer is judged while it is written. */
const JUDGED_CHARS = 832;
const SCHEME_CHARS_MAX = 10;
/** Where a URL ends in running text, Markdown and HTML. */
const STOPS = new Uint8Array(128);
for (const char of ' \t\r\n"<>`\\^|') STOPS[char.charCodeAt(0)] = 1;
/** Punctuation that belongs to the sentence when it comes last. */
const TRAILING = /[.,;:!?'*_\])}»”’。、]+$/;

/** Reads the URL whose `://` starts at `colon`; `null` when there is none. */
export function urlAt(text: string, colon: number): UrlSpan | null {
  const start = schemeStart(text, colon);
  if (start === colon) return null;
  const authorityStart = colon + '://'.length;
  // Before the search for the end: `a:///` over and over must not be read to its end each time.
  if ('/?#'.includes(text[authorityStart] ?? '/')) return null;
  const end = urlEnd(text, start, authorityStart);
  const rest = text.slice(authorityStart, Math.min(end, authorityStart + JUDGED_CHARS));
  const authority = /^[^/?#]*/.exec(rest)![0];
  const at = authority.lastIndexOf('@');
  const host = hostOf(authority.slice(at + 1));
  if (host === '') return null;
  const afterAuthority = rest.slice(authority.length);
  const hash = afterAuthority.indexOf('#');
  const target = hash < 0 ? afterAuthority : afterAuthority.slice(0, hash);
  const mark = target.indexOf('?');
  return {
    start,
    end,
    scheme: text.slice(start, colon).toLowerCase(),
    userinfo: at < 0 ? null : authority.slice(0, at),
    host,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    isCut: end - authorityStart > JUDGED_CHARS,
  };
}

function schemeStart(text: string, colon: number): number {
  let start = colon;
  while (start > 0 && colon - start < SCHEME_CHARS_MAX && isLetter(text.charCodeAt(start - 1))) start--;
  return start;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

const OPEN = '('.charCodeAt(0);
const CLOSE = ')'.charCodeAt(0);
const OPEN_BRACKET = '['.charCodeAt(0);
const CLOSE_BRACKET = ']'.charCodeAt(0);
const QUOTE = "'".charCodeAt(0);

function urlEnd(text: string, start: number, from: number): number {
  const limit = Math.min(text.length, from + URL_CHARS_MAX);
  const isQuoted = start > 0 && text.charCodeAt(start - 1) === QUOTE;
  // In `[url](url)` and `(url)` what closes ends it, unless the URL opened one itself, as IPv6 hosts do.
  let open = 0;
  let openBrackets = 0;
  let end = from;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (STOPS[code] === 1 || (isQuoted && code === QUOTE)) break;
    if (code === OPEN) open++;
    else if (code === CLOSE && open-- === 0) break;
    else if (code === OPEN_BRACKET) openBrackets++;
    else if (code === CLOSE_BRACKET && openBrackets-- === 0) break;
  }
  if (text.charCodeAt(end) === CLOSE) return end;
  const trailing = TRAILING.exec(text.slice(Math.max(from, end - 16), end));
  return trailing === null ? end : end - trailing[0].length;
}

function hostOf(hostAndPort: string): string {
  if (hostAndPort.startsWith('[')) return hostAndPort.slice(1).replace(/\].*$/, '').toLowerCase();
  return hostAndPort.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}

/** True when `host` is one of `hosts` or a subdomain of one. */
export function isHostIn(host: string, hosts: readonly string[]): boolean {
  return hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

/** Second levels under which countries register names, as in `example.co.uk`. */
const COMMON_SECOND_LEVELS = new Set(['ac', 'co', 'com', 'edu', 'gov', 'gob', 'net', 'or', 'org', 'ne', 'go']);

/**
 * The part of a host that somebody registered, roughly: two labels, three under second levels such as `co.uk`. The Public
 * Suffix List would be exact, and ten thousand lines.
 */
export function registeredDomain(host: string): string {
  const labels = host.split('.');
  const underSecondLevel = labels.length > 2 && labels.at(-1)!.length === 2 && COMMON_SECOND_LEVELS.has(labels.at(-2)!);
  return labels.slice(underSecondLevel ? -3 : -2).join('.');
}
