// Names of hosts, `www.example.org`, in running text and in URLs.

import { isAlphanumeric } from './chars.ts';
import type { Find } from './finds.ts';
import { KIND, type Tokens } from './tokens.ts';

/** Top-level domains that hardly end anything else. */
const TOP_LEVEL = new Set(
  (
    'com org net edu gov mil int info biz io app dev online shop site store cloud tech blog uk de fr es nl pl ch se dk fi pt ru jp cn br au ca eu ie nz za ' +
    'kr tr gr cz hu ro ua il mx ar cl co sk bg hr si lt lv ee lu tv museum agency email live xyz club'
  ).split(' '),
);
/** Those that are also words, endings of files or members in code: only after `www.` or `//`. */
const AMBIGUOUS = new Set(
  'it in is to me no at so my be us id am pl rs py md sh ai cc name pro one info app dev live email store online blog site club co tv'.split(
    ' ',
  ),
);
const LABELS_MAX = 6;
const DOMAIN_MAX = 128;

/** Judges the dot of token `i` as the last of a domain: what follows it is a top-level one. */
export function findDomain(text: string, tokens: Tokens, i: number): Find | null {
  const dot = tokens.starts[i]!;
  if (tokens.kinds[i] !== KIND.stop || tokens.starts[i + 1] !== dot + 1 || !isAlphanumeric(text.charCodeAt(dot - 1))) return null;
  const end = tokens.ends[i + 1]!;
  const top = text.slice(dot + 1, Math.min(end, dot + 12)).toLowerCase();
  if (!TOP_LEVEL.has(top) || !isEnd(text, end)) return null;
  const start = hostStart(text, dot);
  const host = text.slice(start, dot);
  const isNamed = /^www\d?\./i.test(host) || text.slice(Math.max(0, start - 3), start) === '://';
  if (text[start - 1] === '@' || host.length < 2 || /^[\d.]+$|\.\.|^[.-]/.test(host)) return null;
  if (!isNamed && (AMBIGUOUS.has(top) || !isWrittenAsDomain(text.slice(start, end)) || text[end] === '(')) return null;
  return { kind: 'domain', start, end, score: isNamed ? 0.85 : 0.7, method: 'pattern' };
}

/** No further label follows: `.com.au` is judged at its last dot, `example.com.` ends a sentence. */
function isEnd(text: string, end: number): boolean {
  const next = text[end] ?? ' ';
  if (next === '.') return !isAlphanumeric(text.charCodeAt(end + 1));
  return next !== '-' && next !== '_' && next !== '@';
}

function hostStart(text: string, dot: number): number {
  let start = dot;
  let labels = 0;
  while (start > 0 && dot - start < DOMAIN_MAX && labels < LABELS_MAX) {
    const code = text.charCodeAt(start - 1);
    if (code === 46) labels++;
    else if (!isAlphanumeric(code) && code !== 45) break;
    start--;
  }
  return start;
}

/** `ASP.NET` and `end.Com` are none: of one case, and not all capitals unless long. */
function isWrittenAsDomain(domain: string): boolean {
  return (
    domain === domain.toLowerCase() ||
    (domain === domain.toUpperCase() && domain.length > 8) ||
    /^[A-Z][a-z0-9-]+\.[a-z.]+$/.test(domain)
  );
}
