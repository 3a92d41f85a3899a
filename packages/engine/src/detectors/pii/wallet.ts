// Addresses of crypto wallets: Bitcoin in base58check and bech32, Ethereum.

import { hash } from 'node:crypto';
import type { AnchorHits } from '../../types.ts';
import { isAlphanumeric } from './chars.ts';
import { cuesNear, isCued } from './cues.ts';
import type { Find } from './finds.ts';

/** Judges the word `[start, end)` of letters and digits. */
export function findWallet(text: string, start: number, end: number, hits: AnchorHits): Find | null {
  const length = end - start;
  if (length < 26 || length > 62) return null;
  const first = text[start]!;
  if (first === '0' && length === 42) return ethereumAt(text, start, end, hits);
  const word = text.slice(start, end);
  const found = { kind: 'crypto_wallet', start, end, score: 0.97, method: 'pattern+checksum', note: 'Bitcoin' } as const;
  if (/^(?:bc1|tb1)/i.test(word)) return isBech32(word) ? found : named(text, found, hits);
  if ((first !== '1' && first !== '3') || length > 35 || !/[A-Z]/.test(word)) return null;
  return isBase58Check(word) ? found : named(text, found, hits);
}

/** A wrong checksum, but a word of crypto currencies beside it: an address with a typing error, or of another network. */
function named(text: string, found: Find, hits: AnchorHits): Find | null {
  const isShaped = /^(?:(?:bc1|tb1)[02-9ac-hj-np-z]{20,59}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/.test(
    text.slice(found.start, found.end),
  );
  const isNamed = isShaped && isCued(cuesNear(text, hits, found.start, found.end), 'wallet');
  return isNamed ? { ...found, score: 0.7, method: 'pattern+context' } : null;
}

/** Forty hexadecimal digits are also what hashes and storage keys look like: a word that says so wins. */
function ethereumAt(text: string, start: number, end: number, hits: AnchorHits): Find | null {
  if (!/^0x[\da-f]{40}$/i.test(text.slice(start, end))) return null;
  if (/^0x0{30}/.test(text.slice(start, end))) return null;
  const near = cuesNear(text, hits, start, end);
  const isNamed = isCued(near, 'wallet');
  if (!isNamed && isCued(near, 'noise')) return null;
  return {
    kind: 'crypto_wallet',
    start,
    end,
    score: isNamed ? 0.95 : 0.8,
    method: isNamed ? 'pattern+context' : 'pattern',
    note: 'Ethereum',
  };
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Version byte, 20 bytes of hash, and the first four bytes of their double SHA-256. */
function isBase58Check(word: string): boolean {
  const bytes = new Uint8Array(25);
  for (let i = 0; i < word.length; i++) {
    let carry = BASE58.indexOf(word[i]!);
    if (carry < 0) return false;
    for (let b = 24; b >= 0; b--) {
      carry += bytes[b]! * 58;
      bytes[b] = carry & 255;
      carry >>= 8;
    }
    if (carry !== 0) return false;
  }
  const digest = sha256(sha256(bytes.subarray(0, 21)));
  return digest.subarray(0, 4).equals(bytes.subarray(21));
}

function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** What the checksum of bech32 (BIP 173) and of bech32m (BIP 350) must come to. */
const CONSTANTS = new Set([1, 0x2bc830a3]);

function isBech32(word: string): boolean {
  const lower = word.toLowerCase();
  if (word !== lower && word !== word.toUpperCase()) return false;
  const prefix = lower.slice(0, 2);
  const values = [prefix.charCodeAt(0) >> 5, prefix.charCodeAt(1) >> 5, 0, prefix.charCodeAt(0) & 31, prefix.charCodeAt(1) & 31];
  for (const char of lower.slice(3)) values.push(BECH32.indexOf(char));
  return !values.includes(-1) && CONSTANTS.has(polymod(values));
}

function polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (let i = 0; i < 5; i++) if (((top >> i) & 1) === 1) check ^= GENERATOR[i]!;
  }
  return check;
}

/** Calls `visit` for each maximal word of letters and digits in `[start, end)`. */
export function eachWord(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  let from = -1;
  for (let at = start; at <= end; at++) {
    const isPart = at < end && isAlphanumeric(text.charCodeAt(at));
    if (isPart && from < 0) from = at;
    if (!isPart && from >= 0) {
      visit(from, at);
      from = -1;
    }
  }
}
