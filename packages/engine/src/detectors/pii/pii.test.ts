import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { compileAnchors } from '../../text/anchors.ts';
import type { View } from '../../text/view.ts';
import { viewsOf } from '../../text/views.ts';
import type { Candidate, DetectContext } from '../../types.ts';
import { runnerOf } from '../run.ts';
import { detector } from './detector.ts';
import { FINDS_PER_KIND_MAX, SCORE_MIN } from './finds.ts';
import { KINDS } from './kinds.ts';
import { NAMES_MODEL } from './names-model.ts';
import { Tagger } from './tagger.ts';

const run = runnerOf(detector);
const automaton = compileAnchors([detector.anchors]);

/** Runs over one view with a clock of the caller's; answers the findings and how often the clock was asked. */
function watched(
  text: string,
  expired: (asked: number) => boolean,
): { found: Candidate[]; asked: number; isCut: boolean; view: View } {
  const found: Candidate[] = [];
  let asked = 0;
  let isCut = false;
  const ctx: DetectContext = {
    part: { pointer: '/input', text, target: 'input', role: null },
    flagAt: 0,
    isWanted: () => true,
    report: (candidate) => found.push(candidate),
    expired: () => expired(++asked),
    truncated: () => {
      isCut = true;
    },
  };
  const view = viewsOf(text, automaton)[0]!;
  detector.detect(view, view.survey.hits[0]!, ctx);
  return { found, asked, isCut, view };
}

/** Pieces that tempt the recognisers, to be strung together at random. */
const PIECES = [
  'a@b.co',
  '@',
  '@@',
  '4111 1111 1111 1111',
  '378282246310005',
  '078-05-1120',
  'DE89 3704 0044 0532 0130 00',
  '+44 20 7946 0958',

  '203.0.113.9',
  '2001:db8::1:2',
  '00:1B:44:11:3A:B7',
  'DOB 1984-02-29',
  'born',
  '3. Mai 1980',
  'Musterstraße 12',
  '221B Baker Street, London',

  'passport',
  'L01234567',
  'account',
  'MRN',
  '12345678Z',
  'RSSMRA85T10A562S',
  '48.85837, 2.29448',
  'Dear Mrs. Okafor',
  'my name is Ada Lovelace',

  '1',
  '12',
  '1-',
  ':',
  '::',
  '-',
  '.',
  ',',
  ' ',
  '\n',
  '(',
  ')',
  '😀',
  'é',
  'ß',
  '\u0301',
  '年',
  'x'.repeat(70),
  '9'.repeat(40),
  '١٢٣٤',
];
const tempting = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .chain((pieces) => fc.constantFrom('', ' ').map((gap) => pieces.join(gap)));

test('findings lie within the text, in order, and never overlap', () => {
  fc.assert(
    fc.property(tempting, (text) => {
      let end = 0;
      for (const found of run(text)) {
        expect(found.start).toBeGreaterThanOrEqual(end);
        expect(found.end).toBeGreaterThan(found.start);
        end = found.end;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 500 },
  );
});

test('a finding gives away at most its first character, of cards and accounts the last four', () => {
  fc.assert(
    fc.property(tempting, (text) => {
      for (const { type, start, end, preview, explanation, score } of run(text)) {
        const value = text.slice(start, end);
        const shown = preview!.replaceAll('…', '').replace('@', '');
        expect([...shown].length).toBeLessThanOrEqual(type === 'credit_card' || type === 'iban' ? 4 : 1);
        expect(explanation).not.toContain(value.length > 2 ? value : '\0');
        expect(score).toBeGreaterThanOrEqual(SCORE_MIN);
        expect(score).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('every finding is of a described type with its severity', () => {
  for (const found of run('4111 1111 1111 1111, a@b.co, 203.0.113.9, DOB 1984-02-29')) {
    expect(KINDS).toHaveProperty(found.type, expect.objectContaining({ severity: found.severity }));
    expect(found.category).toBe('data.pii');
  }
});

test('a flood of one type hides no other', () => {
  const { found, isCut } = watched(`${'a@b.co '.repeat(FINDS_PER_KIND_MAX + 1)} 203.0.113.9 078-05-1120`, () => false);
  const count = (type: string): number => found.filter((candidate) => candidate.type === type).length;
  expect(count('email')).toBe(FINDS_PER_KIND_MAX);
  expect([count('ip_address'), count('us_ssn')]).toEqual([1, 1]);
  expect(isCut, 'what is beyond the bound is told').toBe(true);
});

test.each([
  '078-05-1120 ',
  'ada@b.co ',
  '4111 1111 1111 1111, ',
  '+44 20 7946 0958\n',
  'DOB 1984-02-29\n',
  '12 Main Street\n',
  'Dear Mrs. Okafor,\n',
  'passport L01234567\n',
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2 ',
])('finds every value of 64 000 characters of %j', (piece) => {
  const pieces = Math.ceil(64_000 / piece.length);
  const { found, isCut } = watched(piece.repeat(pieces), () => false);
  expect(found.length).toBeGreaterThanOrEqual(pieces - 1); // The last one may lack what stands behind it.
  expect(isCut).toBe(false);
});

const FLOODS = [
  '@',
  '1',
  '1-',
  'a@a.a@a.',
  'street street ',
  ':',
  'ab:',
  '4111 1111 1111 1112 ',
  'my name is ',
  'dob 1 ',
  'DE89 3704 ',
  '12:',
  'é@',
];

test.each(FLOODS)('looks at a flood of %j once, a bounded number of steps for each place', (piece) => {
  const text = piece.repeat(20_000 / piece.length);
  const { asked, view } = watched(text, () => false);
  const { ats, digitRuns, tokens, hits } = view.survey;
  const digits = text.replace(/\D+/g, ' ').trim().split(' ').length;
  const words = new Tagger(NAMES_MODEL).read(text).count;
  const places = 2 * words + ats.length + digitRuns.length / 2 + digits + tokens.length / 2 + hits[0]!.ends.length;
  expect(asked).toBeLessThanOrEqual(places / 64 + 1);
});

test.each(['', ' ', '=', '1 '])('tries a fixed number of patterns an anchor on every anchor followed by %j', (tail) => {
  const exec = vi.spyOn(RegExp.prototype, 'exec');
  for (const anchor of detector.anchors) {
    const text = `${anchor}${tail}`.repeat(100);
    exec.mockClear();
    const { view } = watched(text, () => false);
    const { hits, digitRuns } = view.survey;
    expect(exec.mock.calls.length, anchor).toBeLessThanOrEqual((hits[0]!.ends.length + digitRuns.length) * 24);
  }
  exec.mockRestore();
});

test('stops at the deadline and keeps what it found before', () => {
  const text = '203.0.113.9 and '.repeat(2_000);
  const { found, asked } = watched(text, (times) => times > 1);
  expect(asked).toBe(2);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(64);
});

test('a card is never also a phone number, and a longer value wins over what lies in it', () => {
  const types = (text: string): string[] => run(text).map((found) => found.type);
  expect(types('call me, card 4111 1111 1111 1111')).toEqual(['credit_card']);
  expect(types('phone: 5555555555554444')).not.toContain('national_id');
  expect(types('IBAN DE89 3704 0044 0532 0130 00')).toEqual(['iban']);
});

test('letters with accents and of other scripts are letters at the edge of a value', () => {
  expect(run('é4111111111111111')).toEqual([]);
  expect(run('я203.0.113.9')).toEqual([]);
  expect(run('078-05-1120é')).toEqual([]);
});

test('offsets are UTF-16 units, also after emoji', () => {
  const text = '😀😀 203.0.113.9';
  expect(run(text).map(({ start, end }) => text.slice(start, end))).toEqual(['203.0.113.9']);
});
