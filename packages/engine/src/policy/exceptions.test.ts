// Promises of exceptions: what they excuse counts for nothing, all else counts as if there were none, and at their date they end.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FINDINGS_MAX, type Evaluation } from '../answer.ts';
import { assess } from '../assess.ts';
import { createRegistry } from '../detectors/index.ts';
import type { Inference } from '../inference.ts';
import type { Candidate, Detector } from '../types.ts';
import { compilePolicy } from './compile.ts';
import type { ExceptionDocument, PolicyDocument } from './document.ts';
import { compileGlob } from './exceptions.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const STILL = { clock: () => 0, nowMs: NOW };
const CARD = '5500 0000 0000 0004';

const exception = (match: ExceptionDocument['match'], over: Partial<ExceptionDocument> = {}): ExceptionDocument => ({
  id: 'own',
  match,
  reason: 'Ours.',
  owner: 'privacy',
  expires_at: '2027-01-01T00:00:00Z',
  ...over,
});

function run(inference: Inference, document: PolicyDocument): Evaluation {
  return assess(inference, compilePolicy(document, 1), STILL);
}

describe('a pattern of a value', () => {
  /** The definition, at any cost. */
  const matches = (glob: string, text: string): boolean => {
    if (glob === '') return text === '';
    if (glob[0] === '*') return matches(glob.slice(1), text) || (text !== '' && matches(glob, text.slice(1)));
    return text !== '' && (glob[0] === '?' || glob[0] === text[0]) && matches(glob.slice(1), text.slice(1));
  };
  const globs = fc.array(fc.constantFrom('a', 'b', '*', '?', 'ab'), { maxLength: 7 }).map((list) => list.join(''));
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 }).map((list) => list.join(''));

  test('is the whole of it, * being anything and ? one character', () => {
    fc.assert(
      fc.property(globs, texts, (glob, text) => {
        expect(compileGlob(glob)(text)).toBe(matches(glob, text));
      }),
      { numRuns: 5_000 },
    );
  });

  test('of a hundred stars is decided without trying all that they could stand for', () => {
    expect(compileGlob(`${'*a'.repeat(99)}*b`)('a'.repeat(1_000))).toBe(false);
  });
});

describe('an exception', () => {
  const inference: Inference = {
    input: [{ role: 'user', content: 'Ask Ann@Example.com or bob@other.org.' }],
    context: [{ content: 'Written by ann@example.com.' }],
    subject: { user: 'u1', session: 's1', agent: 'support' },
  };
  const document = (match: ExceptionDocument['match'], over: Partial<ExceptionDocument> = {}): PolicyDocument => ({
    detectors: { pii: { entities: { email: 'redact' } } },
    exceptions: [exception(match, over)],
  });
  const excusedBy = (match: ExceptionDocument['match'], over: Partial<ExceptionDocument> = {}) =>
    run(inference, document(match, over)).findings.map(({ exception_id: id }) => id !== null);

  test.each([
    ['a category', { category: 'data.pii' }, [true, true, true]],
    ['a family', { category: 'data' }, [true, true, true]],
    ['another category', { category: 'data.secret' }, [false, false, false]],
    ['what only begins like a family', { category: 'dat' }, [false, false, false]],
    ['a type', { type: 'email' }, [true, true, true]],
    ['another type', { type: 'iban' }, [false, false, false]],
    ['a value, whatever its case', { value: 'ann@EXAMPLE.com' }, [true, false, true]],
    ['values by a pattern', { value: '*@example.com' }, [true, false, true]],
    ['a part of a value', { value: 'example.com' }, [false, false, false]],
    ['a detector', { detector: 'pii' }, [true, true, true]],
    ['another detector', { detector: 'secrets' }, [false, false, false]],
    ['a rule', { rule_id: 'pii' }, [false, false, false]],
    ['a target', { target: 'context' }, [false, false, true]],
    ['a pointer', { pointer: '/input/*' }, [true, true, false]],
    ['a subject', { subject: { agent: 'support', user: 'u1' } }, [true, true, true]],
    ['a subject of which one name is another', { subject: { agent: 'support', user: 'u2' } }, [false, false, false]],
    ['all of several', { category: 'data.pii', value: '*@example.com', target: 'input' }, [true, false, false]],
  ] satisfies [string, ExceptionDocument['match'], boolean[]][])('by %s excuses what that names', (_name, match, excused) => {
    expect(excusedBy(match)).toEqual(excused);
  });

  test('shows on what it excused, which is allowed, stays as it was sent and counts for nothing', () => {
    const evaluation = run({ input: 'Ask ann@example.com.' }, document({ value: '*@example.com' }));
    expect(evaluation).toMatchObject({ outcome: 'allowed', score: 0, severity: 'none', redacted: null, findings_total: 1 });
    expect(evaluation.enforcement).toEqual({ mode: 'enforce', action: 'none', would: null, message: null });
    expect(evaluation.findings).toMatchObject([
      { id: 'fnd_1', type: 'email', outcome: 'allowed', action: 'ignore', exception_id: 'own' },
    ]);
  });

  test('ends at its date, to the millisecond', () => {
    const at = (expires_at: string) => excusedBy({ category: 'data' }, { expires_at })[0];
    expect([at('2026-06-01T00:00:00.001Z'), at('2026-06-01T00:00:00Z'), at('2026-06-01T02:00:00.001+02:00')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('that comes first is the one named', () => {
    const exceptions = [
      exception({ type: 'iban' }, { id: 'a' }),
      exception({ type: 'email' }, { id: 'b' }),
      exception({ category: 'data' }, { id: 'c' }),
    ];
    const { findings } = run(inference, { ...document({}), exceptions });
    expect(new Set(findings.map(({ exception_id: id }) => id))).toEqual(new Set(['b']));
  });

  test('does not excuse that a text was not read', () => {
    const broken: Detector = {
      id: 'pii',
      version: '1.0.0',
      anchors: [],
      reads: ['visible'],
      detect: () => {
        throw new Error('broken');
      },
    };
    const policy = compilePolicy({ exceptions: [exception({ detector: 'pii' })] }, 1, createRegistry([broken]));
    const { outcome, findings } = assess({ output: 'a text' }, policy, STILL);
    expect({ outcome, ids: findings.map(({ exception_id: id }) => id) }).toEqual({ outcome: 'blocked', ids: [null] });
  });

  test('does not excuse that a rule could not be decided', () => {
    const rules: PolicyDocument['rules'] = [{ id: 'team', when: 'metadata.team == "x"', outcome: 'blocked' }];
    const { outcome, findings } = run({ input: 'x' }, { rules, exceptions: [exception({ rule_id: 'team' })] });
    expect({ outcome, ids: findings.map(({ exception_id: id }) => id) }).toEqual({ outcome: 'flagged', ids: [null] });
  });

  test('excuses what the policy says by rules of its own', () => {
    const rules: PolicyDocument['rules'] = [{ id: 'models', when: 'model.name == "x"', outcome: 'blocked' }];
    const custom: PolicyDocument['custom'] = { terms: [{ id: 'rivals', category: 'brand.competitor', any: ['Acme'] }] };
    for (const rule_id of ['models', 'rivals']) {
      const { findings } = run({ input: 'Acme', model: 'x' }, { rules, custom, exceptions: [exception({ rule_id })] });
      expect(findings.map((finding) => [finding.rule_id, finding.outcome, finding.exception_id])).toEqual([
        ['rivals', rule_id === 'rivals' ? 'allowed' : 'flagged', rule_id === 'rivals' ? 'own' : null],
        ['models', rule_id === 'models' ? 'allowed' : 'blocked', rule_id === 'models' ? 'own' : null],
      ]);
    }
  });

  test('of a value inside of a longer one that is redacted leaves that one whole', () => {
    const custom: PolicyDocument['custom'] = {
      patterns: [{ id: 'line', category: 'data.confidential', regex: 'card [0-9 ]{19}', action: 'redact' }],
    };
    const { redacted } = run({ input: `my card ${CARD}.` }, { custom, exceptions: [exception({ value: CARD })] });
    expect(redacted).toEqual({ input: 'my [LINE].' });
  });

  test('of one of several that overlap in one category leaves the others', () => {
    const custom: PolicyDocument['custom'] = {
      patterns: [
        { id: 'short', category: 'data.x', regex: 'TCK-[0-9]+', action: 'block' },
        { id: 'long', category: 'data.x', regex: 'see TCK-[0-9]+', action: 'redact' },
      ],
    };
    const evaluation = run({ input: 'see TCK-1' }, { custom, exceptions: [exception({ type: 'short' })] });
    expect(evaluation.outcome).toBe('flagged');
    expect(evaluation.redacted).toEqual({ input: '[LONG]' });
    expect(evaluation.findings.map(({ type, action }) => `${type} ${action}`)).toEqual(['long redact', 'short ignore']);
  });

  test('takes no room in the list from what counts', () => {
    const custom: PolicyDocument['custom'] = {
      terms: [
        { id: 'own', category: 'brand.own', any: ['Acme'] },
        { id: 'other', category: 'brand.other', any: ['Globex'] },
      ],
    };
    const evaluation = run(
      { input: 'Acme '.repeat(300) + 'Globex '.repeat(150) },
      { custom, exceptions: [exception({ type: 'own' })] },
    );
    expect(evaluation.findings).toHaveLength(FINDINGS_MAX);
    expect(evaluation.findings_total).toBe(450);
    expect(evaluation.findings.filter(({ type }) => type === 'other')).toHaveLength(150);
  });
});

describe('of any findings', () => {
  const TEXT = 'abcdefghijklmnop';
  const TYPES = ['email', 'iban', 'phone', 'person'] as const;
  const spans = fc
    .tuple(fc.nat(TEXT.length), fc.nat(TEXT.length))
    .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
  const candidates: fc.Arbitrary<Candidate> = fc
    .record({
      span: spans,
      type: fc.constantFrom(...TYPES),
      category: fc.constantFrom<Candidate['category'][]>('data.pii', 'data.secret'),
      score: fc.constantFrom(0.6, 0.8, 1),
      severity: fc.constantFrom<Candidate['severity'][]>('low', 'critical'),
    })
    .map(({ span, type, category, score, severity }) => ({
      start: span.start,
      end: span.end,
      type,
      category,
      score,
      severity,
      method: 'pattern',
      explanation: '',
      preview: null,
    }));
  const actions = fc.record({
    email: fc.constantFrom('flag', 'redact', 'block'),
    iban: fc.constantFrom('flag', 'redact', 'block'),
    phone: fc.constantFrom('flag', 'redact', 'block'),
    person: fc.constantFrom('flag', 'redact', 'block'),
  });
  const matches: fc.Arbitrary<ExceptionDocument['match']> = fc.oneof(
    fc.record({ type: fc.constantFrom(...TYPES) }),
    fc.record({ category: fc.constantFrom('data.pii', 'data.secret') }),
    fc.record({ type: fc.constantFrom(...TYPES), value: fc.constantFrom('a*', '*p', 'b*e', '?b*', 'abc', '*') }),
  );

  function evaluate(found: readonly Candidate[], document: PolicyDocument): Evaluation {
    const reporting: Detector = {
      id: 'pii',
      version: '1.0.0',
      anchors: [],
      reads: ['visible'],
      detect: (_view, _hits, ctx) => found.forEach((candidate) => ctx.report(candidate)),
    };
    return assess({ input: TEXT }, compilePolicy(document, 1, createRegistry([reporting])), STILL);
  }

  /** All that counts of an evaluation: the numbers of its findings do not. */
  const counting = (evaluation: Evaluation) => ({
    ...evaluation,
    findings: evaluation.findings.filter(({ exception_id: id }) => id === null).map(({ id: _number, ...finding }) => finding),
    findings_total: null,
  });
  const cases = [fc.array(candidates, { maxLength: 8 }), actions, matches] as const;

  test('what is excused changes nothing but itself: all else is as if it had not been found', () => {
    fc.assert(
      fc.property(...cases, fc.constantFrom('enforce', 'monitor'), (found, entities, match, mode) => {
        const document: PolicyDocument = { mode, detectors: { pii: { entities } } };
        const isExcused = ({ type, category, start, end }: Candidate) =>
          (match.type ?? type) === type &&
          (match.category ?? category) === category &&
          (match.value === undefined ||
            (start < end &&
              new RegExp(`^${match.value.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(TEXT.slice(start, end))));
        const evaluation = evaluate(found, { ...document, exceptions: [exception(match)] });
        const without = evaluate(
          found.filter((candidate) => !isExcused(candidate)),
          document,
        );
        expect(counting(evaluation)).toEqual(counting(without));
        const excused = evaluation.findings.filter(({ exception_id: id }) => id !== null);
        expect(excused.length > 0).toBe(found.some(isExcused));
        expect(excused.every(({ outcome, action }) => outcome === 'allowed' && action === 'ignore')).toBe(true);
        expect(evaluation.findings_total).toBe(without.findings_total + excused.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test('an exception that has expired excuses nothing', () => {
    fc.assert(
      fc.property(...cases, fc.integer({ min: 0, max: 10 ** 12 }), (found, entities, match, agoMs) => {
        const document: PolicyDocument = { detectors: { pii: { entities } } };
        const expired = exception(match, { expires_at: new Date(NOW - agoMs).toISOString() });
        expect(evaluate(found, { ...document, exceptions: [expired] })).toEqual(evaluate(found, document));
      }),
    );
  });
});
