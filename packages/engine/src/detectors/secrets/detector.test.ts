// Promises of the secrets detector that single cases cannot show: coverage, bounds, checksums, what is kept from view.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { compileAnchors } from '../../text/anchors.ts';
import { viewsOf } from '../../text/views.ts';
import type { Candidate } from '../../types.ts';
import { runnerOf } from '../run.ts';
import { bodyEndsWithCrc, crcBase62, endsWithCrc } from './checksum.ts';
import { detector } from './detector.ts';
import { RULES } from './rules.ts';
import { VENDORS } from './vendors.ts';

const run = runnerOf(detector);
const automaton = compileAnchors([detector.anchors]);
const TEXT_LENGTH = 20_000;
/** Patterns an anchor may try: ties, the readings of a value, and what the model asks of it. */
const STEPS = 40;

afterEach(() => vi.restoreAllMocks());

describe('coverage', () => {
  const cases = parse(readFileSync(join(import.meta.dirname, 'cases.yaml'), 'utf8')) as { expect: { type: string }[] }[];
  const covered = new Set(cases.flatMap((entry) => entry.expect.map(({ type }) => type)));
  const types = new Set([...RULES, ...Object.values(VENDORS).flat()].map(({ type }) => type));

  test('knows at least 150 kinds of credential', () => expect(types.size).toBeGreaterThanOrEqual(150));

  test.each([...types])('has a true case for %s', (type) => expect(covered).toContain(type));
});

describe('checksums', () => {
  const published = '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';

  test('accepts the token of which GitHub published the checksum', () => expect(bodyEndsWithCrc(published)).toBe(true));

  test('pads the checksum to six characters', () => expect(crcBase62('')).toBe('000000'));

  test('knows a key of svc by its checksum, and any changed character breaks it', () => {
    const body = 'svc_live_7Qm2xLz0vK9wTbR1nYcP8sD3fHjXeWu4';
    const key = body + crcBase62(body);
    expect(endsWithCrc(key)).toBe(true);
    fc.assert(
      fc.property(fc.integer({ min: 9, max: key.length - 1 }), fc.constantFrom(...'abcXYZ019'), (at, char) => {
        fc.pre(key[at] !== char);
        expect(endsWithCrc(key.slice(0, at) + char + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  test('is surer of a token whose checksum holds', () => {
    const [right] = run(published);
    const [wrong] = run(published.replace('zQWB', 'zQWC'));
    expect(right).toMatchObject({ score: 0.99, method: 'pattern+checksum' });
    expect(wrong).toMatchObject({ score: 0.75, method: 'pattern' });
  });
});

describe('what is kept from view', () => {
  const cases = parse(readFileSync(join(import.meta.dirname, 'cases.yaml'), 'utf8')) as { text: string }[];

  test('shows the public prefix at most, and explains without the matched text', () => {
    const prefixes = new Set([...RULES.map(({ prefix }) => `${prefix}…`), '-----BEGIN…']);
    for (const { text } of cases) {
      for (const found of run(text)) {
        if (found.preview !== null) expect(prefixes).toContain(found.preview);
        expect(found.explanation).not.toContain(text.slice(found.start, found.end));
      }
    }
  });
});

describe('keys that are still being written', () => {
  const noise = (length: number) => {
    let seed = 7;
    const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
    return Array.from({ length }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[next() >> 25]!).join(
      '',
    );
  };
  const lines = (body: string) => body.replaceAll(/.{64}/g, '$&\n');
  const pem = `-----BEGIN RSA PRIVATE KEY-----\n${lines(noise(1_600))}\n-----END RSA PRIVATE KEY-----`;
  const putty = `PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: k\nPublic-Lines: 6\n${lines(noise(372))}\nPrivate-Lines: 14\n${lines(noise(832))}Private-MAC: ${'0123456789abcdef'.repeat(2)}01234567`;
  const jwt = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${noise(1_500).replaceAll(/[+/]/g, '_')}.${noise(43).replaceAll(/[+/]/g, '-')}`;

  test.each([
    ['private key', pem],
    ['PuTTY key file', putty],
    ['private key in base64', Buffer.from(pem).toString('base64')],
    ['JSON Web Token', jwt],
  ])('a %s is known from its start on after 960 characters, and covered up to its end', (_name, key) => {
    for (let known = 960; known <= key.length; known += 37) {
      const [found] = run(key.slice(0, known));
      expect(found!.start).toBe(0);
      expect(known - found!.end).toBeLessThan(66);
    }
    expect(run(`${key}\nand more`)[0]).toMatchObject({ start: 0, end: key.length });
  });
});

describe('bounds', () => {
  test.each(RULES.map((rule) => [rule.type, rule.pattern.source] as const))(
    '%s has a pattern without open-ended repetition',
    (_type, source) => {
      const bare = source.replaceAll(/\\./g, '').replaceAll(/\[[^\]]*\]/g, '');
      expect(bare).not.toMatch(/[*+]|,\}/);
    },
  );

  // Each of these asks for work at every anchor; quadratic reading would multiply it by the length of the text.
  const adversarial = [
    'password=',
    'password="',
    'pass=\'pass="',
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----BEGIN',
    'A',
    '"',
    '://a:',
    'bearer ',
    'eyJ.',
    'sk-',
    'ghp_',
  ];

  test.each(adversarial)('tries a fixed number of patterns an anchor on %j again and again', (unit) => {
    const view = viewsOf(unit.repeat(TEXT_LENGTH / unit.length), automaton)[0]!;
    const exec = vi.spyOn(RegExp.prototype, 'exec');
    detector.detect(view, view.survey.hits[0]!, {
      part: partOf(view.text),
      flagAt: 0,
      isWanted: () => true,
      report() {},
      expired: () => false,
      truncated() {},
    });
    expect(exec.mock.calls.length).toBeLessThanOrEqual(view.survey.hits[0]!.ends.length * STEPS);
  });

  test.each(['', ' ', '=', '1 ', '_'])('tries a fixed number of patterns an anchor on every anchor followed by %j', (tail) => {
    const exec = vi.spyOn(RegExp.prototype, 'exec');
    for (const anchor of detector.anchors) {
      const view = viewsOf(`${anchor}${tail}`.repeat(100), automaton)[0]!;
      exec.mockClear();
      detector.detect(view, view.survey.hits[0]!, {
        part: partOf(view.text),
        flagAt: 0,
        isWanted: () => true,
        report() {},
        expired: () => false,
        truncated() {},
      });
      expect(exec.mock.calls.length, anchor).toBeLessThanOrEqual(view.survey.hits[0]!.ends.length * STEPS);
    }
  });

  test('asks for the deadline at least every 100 anchors, and stops when it has passed', () => {
    const view = viewsOf('password=x8Kq2Lm0vZ '.repeat(1000), automaton)[0]!;
    const found: Candidate[] = [];
    let asked = 0;
    const expired = () => ++asked > 3;
    detector.detect(view, view.survey.hits[0]!, {
      part: partOf(view.text),
      flagAt: 0,
      isWanted: () => true,
      report: (candidate) => found.push(candidate),
      expired,
      truncated: () => {},
    });
    expect(asked).toBe(4);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(300);
  });

  test('reports disjoint spans inside the text, with scores from 0.2 to 1, whatever the text', () => {
    const pieces = fc.oneof(
      fc.constantFrom(...detector.anchors),
      fc.string(),
      fc.base64String({ minLength: 8 }),
      fc.constantFrom(' ', '=', ': "', '"', '\n'),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        let before = 0;
        for (const { start, end, score } of run(text)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(score).toBeGreaterThanOrEqual(0.2);
          expect(score).toBeLessThanOrEqual(1);
          before = end;
        }
      }),
    );
  });
});

function partOf(text: string) {
  return { pointer: '/input', text, target: 'input', role: null } as const;
}
