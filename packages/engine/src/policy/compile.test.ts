// Promises of compiled policies: defaults, and which action wins.

import { describe, expect, test } from 'vitest';
import type { Candidate } from '../types.ts';
import { actionFor, compilePolicy } from './compile.ts';
import { DEFAULT_POLICY } from './default.ts';
import { policyDigest } from './digest.ts';
import type { PolicyDocument } from './document.ts';

const candidate = (type: string, score: number): Candidate => ({
  category: 'data.pii',
  type,
  start: 0,
  end: 1,
  score,
  severity: 'low',
  method: 'pattern',
  explanation: '',
  preview: null,
});

type Pii = NonNullable<NonNullable<PolicyDocument['detectors']>['pii']>;

const detectorOf = (document: PolicyDocument, id: string) =>
  compilePolicy(document, 1).detectors.find(({ detector }) => detector.id === id)!;

test('an empty document decides as the default policy does', () => {
  const strip = (document: PolicyDocument) => {
    const { mode, onError, deadlineMs, detectors } = compilePolicy(document, 1);
    return {
      mode,
      onError,
      deadlineMs,
      detectors: detectors.map(({ detector, enabled, appliesTo, flagAt, blockAt, action }) => ({
        id: detector.id,
        enabled,
        appliesTo,
        flagAt,
        blockAt,
        action,
      })),
    };
  };
  expect(strip({})).toEqual(strip(DEFAULT_POLICY));
});

test('the digest names the document as stored, whatever the order of its members', () => {
  expect(compilePolicy({ mode: 'enforce', deadline_ms: 9 }, 1).digest).toBe(policyDigest({ deadline_ms: 9, mode: 'enforce' }));
  expect(policyDigest({})).toBe('sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  expect(compilePolicy({}, 1).digest).not.toBe(compilePolicy(DEFAULT_POLICY, 1).digest);
});

test('a document that lint refuses is not compiled', () => {
  expect(() => compilePolicy({ deadline_ms: 0 }, 1)).toThrow('policy refused: /deadline_ms must be at least 1');
});

describe('the action', () => {
  test.each([
    {
      promise: 'below flag_at is to ignore',
      pii: { flag_at: 0.6, action: 'block' },
      type: 'email',
      score: 0.59,
      action: 'ignore',
    },
    { promise: 'at flag_at is the usual one', pii: { flag_at: 0.6, action: 'flag' }, type: 'email', score: 0.6, action: 'flag' },
    { promise: 'at block_at is to block', pii: { action: 'flag', block_at: 0.9 }, type: 'email', score: 0.9, action: 'block' },
    {
      promise: 'of a type the document names wins over block_at',
      pii: { block_at: 0.9, entities: { email: 'redact' } },
      type: 'email',
      score: 1,
      action: 'redact',
    },
    {
      promise: 'of a type the document ignores is to ignore',
      pii: { block_at: 0.9, entities: { credit_card: 'ignore' } },
      type: 'credit_card',
      score: 1,
      action: 'ignore',
    },
    {
      promise: 'of a type ignored by default stays so above block_at',
      pii: { block_at: 0.9 },
      type: 'email',
      score: 1,
      action: 'ignore',
    },
    {
      promise: 'of a type redacted by default becomes block above block_at',
      pii: { block_at: 0.9 },
      type: 'iban',
      score: 1,
      action: 'block',
    },
    {
      promise: 'of all types follows the action of the document',
      pii: { action: 'redact' },
      type: 'email',
      score: 1,
      action: 'redact',
    },
    {
      promise: 'of other types keeps its default beside a named one',
      pii: { entities: { email: 'flag' } },
      type: 'credit_card',
      score: 1,
      action: 'redact',
    },
  ] satisfies { promise: string; pii: Pii; type: string; score: number; action: string }[])(
    '$promise',
    ({ pii, type, score, action }) => {
      expect(actionFor(detectorOf({ detectors: { pii } }, 'pii'), candidate(type, score))).toBe(action);
    },
  );

  test('of a credential is the one of its type, when the document names it', () => {
    const secrets = detectorOf({ detectors: { secrets: { types: { jwt: 'flag', private_key: 'block' } } } }, 'secrets');
    expect(['jwt', 'private_key', 'other'].map((type) => actionFor(secrets, candidate(type, 0.9)))).toEqual([
      'flag',
      'block',
      'redact',
    ]);
  });

  test("of a policy's own rule is the rule's", () => {
    const rule = { id: 'r', category: 'data.x', regex: 'x', action: 'block' } as const;
    const patterns = detectorOf({ custom: { patterns: [rule] } }, 'patterns');
    expect(actionFor(patterns, { ...candidate('r', 1), ruleId: 'r' })).toBe('block');
  });
});
