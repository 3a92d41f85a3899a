// E-mail addresses, from the at-signs of the survey.

import { isAlphanumeric, isAsciiLetter, isDigit, isLetter } from './chars.ts';
import type { Find } from './finds.ts';

/** RFC 5321, 4.5.3.1.1. */
const LOCAL_MAX = 64;
/** RFC 5321 admits 255; nobody's address is that long, and every look stays bounded. */
const DOMAIN_MAX = 128;

/** Judges the at-sign at `at`. */
export function findEmail(text: string, at: number): Find | null {
  const start = localStart(text, at);
  const end = domainEnd(text, at + 1);
  if (start === at || end < 0 || isPartOfUrl(text, start) || isRemoteRepository(text, end)) return null;
  return { kind: 'email', start, end, score: 0.97, method: 'pattern' };
}

/** Where the local part before `at` begins; `at` itself when there is none. */
function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= LOCAL_MAX && isLocal(text.charCodeAt(start - 1))) start--;
  if (at - start > LOCAL_MAX || text[at - 1] === '.') return at;
  while (start < at && !isLetter(text.charCodeAt(start)) && !isDigit(text.charCodeAt(start)) && text[start] !== '_') start++;
  return start;
}

/** Signs that local parts hold, of the many RFC 5322 admits. */
const LOCAL_SIGNS = new Uint8Array(128);
for (const sign of "._%+-'&~") LOCAL_SIGNS[sign.charCodeAt(0)] = 1;

function isLocal(code: number): boolean {
  return isAlphanumeric(code) || LOCAL_SIGNS[code] === 1 || isLetter(code);
}

/** Where the domain that begins at `start` ends; −1 when it is none. */
function domainEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && end - start < DOMAIN_MAX && isDomain(text.charCodeAt(end))) end++;
  while (end > start && (text[end - 1] === '.' || text[end - 1] === '-')) end--;
  const domain = text.slice(start, end);
  const stop = domain.lastIndexOf('.');
  if (stop < 1 || !isTopLevel(domain.slice(stop + 1))) return -1;
  return /^[.-]|\.[.-]|-\./.test(domain) ? -1 : end;
}

function isDomain(code: number): boolean {
  return isAlphanumeric(code) || code === 46 || code === 45 || (code > 127 && isLetter(code));
}

/** Endings of file names that follow an at-sign, as in `icon@2x.png`; none of them is a top-level domain in use for mail. */
const FILE_ENDINGS = new Set(
  'png jpg jpeg gif svg webp pdf js mjs cjs ts tsx jsx css html json xml yml yaml txt csv exe dll tgz'.split(' '),
);

function isTopLevel(label: string): boolean {
  if (label.length < 2 || label.length > 24 || FILE_ENDINGS.has(label.toLowerCase())) return false;
  if (label.startsWith('xn--')) return true;
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    if (!isAsciiLetter(code) && (code < 128 || !isLetter(code))) return false;
  }
  return true;
}

/** `https://user:password@host.example`: what stands before the at-sign is a credential of a URL. */
function isPartOfUrl(text: string, start: number): boolean {
  if (!':/'.includes(text[start - 1] ?? ' ')) return false;
  return /:\/\/\S*$/.test(text.slice(Math.max(0, start - LOCAL_MAX), start));
}

/** `git@host.example:owner/name`. */
function isRemoteRepository(text: string, end: number): boolean {
  return text[end] === ':' && /^[\w.~-]+\//.test(text.slice(end + 1, end + 41));
}
