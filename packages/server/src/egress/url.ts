// What can be said of a URL before its name is resolved.

import { UrlError } from './error.ts';

const LENGTH_MAX = 2_048; // What receivers' own software commonly takes.
// A parser drops tabs and line breaks and turns backslashes, so that the eye and the socket may read different hosts.
const MISREAD = /[\s\\\p{Cc}]/u;
const USER_INFORMATION = /^https?:\/\/[^/?#]*@/i;

/** The parsed URL, or throws `invalid_url`: only http and https, no user information, no fragment, at most 2 048 characters. */
export function parseUrl(text: string): URL {
  const fault = faultOf(text);
  if (fault !== null) throw new UrlError('invalid_url', fault);
  const url = URL.parse(text);
  if (url === null) throw new UrlError('invalid_url', 'is not a valid URL');
  return url;
}

/** The host as resolvers and sockets want it: no brackets around IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function faultOf(text: string): string | null {
  if (text.length > LENGTH_MAX) return `has more than ${LENGTH_MAX} characters`;
  if (MISREAD.test(text)) return 'has spaces, backslashes or control characters';
  if (!/^https?:\/\//i.test(text)) return 'does not begin with https://';
  if (/^https?:\/\/(?:[/?#]|$)/i.test(text)) return 'names no host'; // a parser would skip slashes
  if (USER_INFORMATION.test(text)) return 'has user information (name@)';
  if (text.includes('#')) return 'has a fragment (#)';
  return null;
}
