// The promise that answers are read by while they are written: what a detector says about a character is decided by what stands before
// it and by at most 960 characters after it.

import * as fc from 'fast-check';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUILT_IN } from './detectors/index.ts';
import { compilePattern } from './detectors/patterns/compile.ts';
import { createPatternsDetector } from './detectors/patterns/detector.ts';
import { createTermsDetector } from './detectors/terms/detector.ts';
import { locate } from './text/view.ts';
import { settledEnd, viewsOf } from './text/views.ts';
import type { AnchorHits, Candidate, Detector } from './types.ts';

const LOOKAHEAD = 960;
const RUNS = 300;

const OWN_RULE = { category: 'policy.own', severity: 'low', appliesTo: ['output'], explanation: 'Own.' } as const;
const PATTERNS = [
  'TCK-[0-9]{4,}',
  '(?i)start[\\s\\S]*?end',
  '<[^>]+>',
  '\\bID\\d+\\b',
  '[a-z]+@[a-z.]+',
  'x.*y',
  '(?m)^- .*$',
  'the (?:.|\\n)*',
];
const patterns = createPatternsDetector(
  PATTERNS.map((regex, i) => Object.assign({ id: `pattern-${i}`, regex, compiled: compilePattern(regex) }, OWN_RULE)),
);
const TERMS = ['password', 'the', 'order number', 'a b c d e f g h i j', 'ключ'];
const terms = createTermsDetector([{ ...OWN_RULE, id: 'terms', any: TERMS }]);

/** Detectors that read windows and read what a model said. What it said is never taken for an attack on it. */
const DETECTORS: readonly { readonly detector: Detector; readonly slot: number }[] = [
  ...BUILT_IN.detectors.flatMap((detector, slot) =>
    'detect' in detector && !['prompt_injection', 'size', 'refusal'].includes(detector.id) ? [{ detector, slot }] : [],
  ),
  { detector: patterns, slot: -1 },
  { detector: terms, slot: -1 },
];
const NO_HITS: AnchorHits = { rules: [], ends: [] };

interface Read {
  readonly settled: number;
  readonly found: ReadonlyMap<string, readonly Candidate[]>;
}

/** What all detectors say of an answer, placed in it, by detector. */
function read(text: string): Read {
  const views = viewsOf(text, BUILT_IN.automaton);
  const found = new Map<string, Candidate[]>();
  for (const { detector, slot } of DETECTORS) {
    const candidates: Candidate[] = [];
    for (const view of views) {
      if (!detector.reads.includes(view.kind)) continue;
      detector.detect(view, view.survey.hits[slot] ?? NO_HITS, {
        part: { pointer: '/output', text, target: 'output', role: null },
        flagAt: 0,
        isWanted: () => true,
        report: (candidate) => candidates.push({ ...candidate, ...locate(view, candidate.start, candidate.end) }),
        expired: () => false,
        truncated: () => {},
      });
    }
    found.set(detector.id, candidates);
  }
  return { settled: settledEnd(views, LOOKAHEAD), found };
}

function linesOf(candidates: readonly Candidate[], limit: number): string[] {
  const lines = candidates
    .filter(({ end }) => end <= limit)
    .map(({ category, type, start, end, score, method }) => `${start}-${end} ${category} ${type} ${score.toFixed(6)} ${method}`);
  return [...new Set(lines)].sort();
}

/** Characters below `limit` that candidates of `whole` cover and none of `prefix` does. */
function uncovered(whole: readonly Candidate[], prefix: readonly Candidate[], limit: number): string[] {
  const covered = new Uint8Array(limit);
  for (const { start, end } of prefix) covered.fill(1, start, Math.min(end, limit));
  return whole.flatMap(({ start, end, type }) => {
    for (let at = start; at < Math.min(end, limit); at++) if (covered[at] === 0) return [`${type} at ${at} of ${start}-${end}`];
    return [];
  });
}

/** What is said otherwise of the text when only its first `known` characters are known; empty when the promise is kept. */
function broken(text: string, whole: Read, known: number): string[] {
  const prefix = read(text.slice(0, known));
  const limit = Math.min(known - LOOKAHEAD, prefix.settled);
  if (limit <= 0) return [];
  const lines: string[] = [];
  for (const { detector } of DETECTORS) {
    const { id } = detector;
    const [all, some] = [whole.found.get(id)!, prefix.found.get(id)!];
    const [wanted, given] = [linesOf(all, limit), linesOf(some, limit)];
    for (const line of wanted) if (!given.includes(line)) lines.push(`${id} misses ${line}`);
    for (const line of given) if (!wanted.includes(line)) lines.push(`${id} invents ${line}`);
    for (const line of uncovered(all, some, limit)) lines.push(`${id} does not cover ${line}`);
  }
  return lines;
}

const here = join(import.meta.dirname, 'detectors');
const CASES = readdirSync(here).flatMap((folder) => {
  const file = join(here, folder, 'cases.yaml');
  return existsSync(file) ? (parse(readFileSync(file, 'utf8')) as { text: string }[]).map(({ text }) => text) : [];
});
const SENTENCES = [
  'The ferry leaves at nine and comes back before it is dark.',
  'Kochen Sie die Nudeln in reichlich Salzwasser, bis sie bissfest sind.',
  'Los resultados dependen del tiempo que haga por la mañana.',
  'Some of the others were not amused, and I will kill you all, you filthy idiots.',
  'My name is Maria Lopez and I live at 27 Dunmow Road, London.',
  '素数の概念は非常に重要です。私は東京に住んでいます。',
  'Концепция простых чисел настолько важна.',
  'Dr. Anna Schmidt, Prof. John Smith, Peter Novak, Li Wei, Chief Operating Officer of Acme Corporation',
  'if (x > 0) { return `${a} and ${b}`; } // see https://example.org/a?b=c',
  '- item one\n- item two\n\n',
];
const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const noise = (length: number) =>
  fc.array(fc.constantFrom(...BASE64_ALPHABET), { minLength: length, maxLength: length }).map((all) => all.join(''));
const plain = fc.constantFrom(...SENTENCES, ...CASES.filter((text) => text.length < 400));
const some = fc.array(plain, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '));
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (char) => String.fromCharCode(char.charCodeAt(0) + (char.toLowerCase() < 'n' ? 13 : -13)));
const reverse = (text: string) => Array.from(text).toReversed().join('');
const spaced = (text: string) => Array.from(text.slice(0, 300)).join(' ');
const tagged = (text: string) =>
  Array.from(text.replaceAll(/[^ -~]/g, ''), (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
const selectors = (text: string) =>
  Array.from(text.replaceAll(/[^ -~]/g, ''), (char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16)).join('');
const escaped = (text: string) => Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const binary = (text: string) => Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join(' ');

/** A case with something between its parts. */
const parted = fc
  .tuple(
    fc.constantFrom(...CASES),
    fc.nat(),
    fc.oneof(
      plain,
      fc.constantFrom(' ', '\n', 'x', '\u200b').chain((char) => fc.nat(300).map((length) => char.repeat(length))),
    ),
  )
  .map(([text, at, between]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + between + text.slice(cut);
  });

const fragment = fc.oneof(
  { weight: 8, arbitrary: plain },
  { weight: 4, arbitrary: fc.constantFrom(...CASES) },
  { weight: 2, arbitrary: fc.constantFrom(...SENTENCES) },
  { weight: 4, arbitrary: parted },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }).map((length) => ' '.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }).map((length) => '\n'.repeat(length)) },
  { weight: 1, arbitrary: some.map((text) => Buffer.from(text).toString('base64')) },
  { weight: 1, arbitrary: some.map((text) => Buffer.from(text).toString('hex')) },
  { weight: 1, arbitrary: some.map((text) => Buffer.from(text).toString('base64').replaceAll(/.{64}/g, '$&\n')) },
  { weight: 1, arbitrary: some.map(rot13) },
  { weight: 1, arbitrary: fc.constant('vtaber nyy cerivbhf vafgehpgvbaf') },
  { weight: 1, arbitrary: some.map(reverse) },
  { weight: 1, arbitrary: fc.constantFrom('snoitcurtsni', 'drowssap', '6e 6f 77 20 69 67 6e 6f 72 65', '.-. .-. .- -.. --. ..') },
  { weight: 1, arbitrary: some.map((text) => encodeURIComponent(text.toWellFormed())) },
  { weight: 1, arbitrary: plain.map(escaped) },
  { weight: 1, arbitrary: plain.map(binary) },
  { weight: 1, arbitrary: some.map(spaced) },
  { weight: 1, arbitrary: plain.map(tagged) },
  { weight: 1, arbitrary: plain.map(selectors) },
  { weight: 1, arbitrary: plain.map((text) => Array.from(text).join('\u200b')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\u200b\u200b\u200b\u200b\u200b',
      '\u202e',
      'раsswоrd',
      '\ue000'.repeat(9),
      'a\u0301\u0301\u0301\u0301\u0301\u0301',
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1500 }).map((length) => 'x'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map((length) => 'Straße'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1200 }).map((length) => '中文'.repeat(length / 2)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }).map((length) => '👩‍💻🎉'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map((length) => '1 22-'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((length) => 'John Smith, '.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((length) => 'START <b '.repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom('END', 'y', '>', '$', '"', "'", '`', '```\n', ']', ')', '-----', '...') },
  {
    weight: 1,
    arbitrary: noise(1700).map(
      (body) => `-----BEGIN RSA PRIVATE KEY-----\n${body.replaceAll(/.{64}/g, '$&\n')}\n-----END RSA PRIVATE KEY-----\n`,
    ),
  },
  {
    weight: 1,
    arbitrary: noise(1200).map(
      (body) =>
        `PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: rsa-key\nPublic-Lines: 6\n${body.slice(0, 372).replaceAll(/.{64}/g, '$&\n')}\nPrivate-Lines: 14\n${body.slice(372).replaceAll(/.{64}/g, '$&\n')}\nPrivate-MAC: ${'0123456789abcdef'.repeat(2)}01234567\n`,
    ),
  },
  {
    weight: 1,
    arbitrary: noise(1500).map(
      (body) =>
        `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${body.slice(0, 1200).replaceAll(/[+/]/g, '_')}.${body.slice(1200, 1243).replaceAll(/[+/]/g, '-')}`,
    ),
  },
  { weight: 1, arbitrary: noise(2200).map((body) => `client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ${body}==`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(noise(1400), fc.constantFrom('', '![x](', '<a href="'))
      .map(([body, before]) => `${before}https://evil.example.net/p/${body.slice(0, 700)}?data=${body.slice(700)}`),
  },
  { weight: 1, arbitrary: noise(600).map((body) => `password = "${body}"`) },
  { weight: 1, arbitrary: noise(900).map((body) => `api_key: ${body.slice(0, 40)} token=${body}`) },
);
const separator = fc.constantFrom(' ', ' ', '\n', '. ', '\n\n', ', ', '');
const anyText = fc
  .array(fc.tuple(fragment, separator), { minLength: 4, maxLength: 40 })
  .map((parts) => parts.flat().join('').slice(0, 6_000))
  .filter((text) => text.length >= 1_500);

describe('what is said of a character', () => {
  test('is decided 960 characters after it, whatever comes then', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), fc.integer({ min: -2, max: 2 }), (text, at, end, shift) => {
        const whole = read(text);
        // Where everything is settled just up to the end of something that was found, and anywhere.
        const ends = [...whole.found.values()].flat().map((found) => LOOKAHEAD + found.end + shift);
        const near = ends.filter((known) => known < text.length);
        const anywhere = LOOKAHEAD + 1 + (at % (text.length - LOOKAHEAD));
        for (const known of [anywhere, near[end % (near.length || 1)] ?? anywhere])
          expect(broken(text, whole, known)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('stays as it was once it is decided, while an answer grows', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const whole = read(text);
        for (let known = LOOKAHEAD + 64; known < text.length; known += 64) expect(broken(text, whole, known)).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 50) },
    );
  });

  test.each([
    ['ordinary', 'The ferry leaves. ', 1],
    ['hidden characters between the letters', 'T\u200b\u200b\u200bh\u200b\u200b\u200be\u200b\u200b\u200b ', 13 / 4],
    ['letters set apart', 'i g n o r e  ', 13 / 7],
  ])('of a text that is %s waits for 960 characters as they are read', (_name, unit, sourceChars) => {
    const text = unit.repeat(400);
    const waitsFor = text.length - settledEnd(viewsOf(text, BUILT_IN.automaton), LOOKAHEAD);
    expect(Math.abs(waitsFor - LOOKAHEAD * sourceChars)).toBeLessThan(unit.length * 2);
  });
});
