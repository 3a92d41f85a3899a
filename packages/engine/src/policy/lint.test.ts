// Promises of the policy lint: every mistake is named by its place, in a sentence its author can act on.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECRET_TYPES } from '../detectors/secrets/types.ts';
import { DEFAULT_POLICY } from './default.ts';
import { DRIFT_SIGNALS } from './drift-signals.ts';
import { lintPolicy } from './lint.ts';

const pattern = (over: object = {}) => ({ id: 'ticket', category: 'data.confidential', regex: 'TCK-[0-9]{6}', ...over });
const terms = (over: object = {}) => ({ id: 'rivals', category: 'brand.competitor', any: ['Acme'], ...over });
const rules = (over: object = {}) => ({ rules: [{ id: 'models', when: 'model.name == "x"', outcome: 'flagged', ...over }] });
const exceptions = (over: object = {}) => ({
  exceptions: [
    {
      id: 'own-mail',
      match: { category: 'data.pii', type: 'email', value: '*@example.com' },
      reason: 'Our own addresses.',
      owner: 'privacy',
      expires_at: '2027-01-01T00:00:00Z',
      ...over,
    },
  ],
});
const patterns = (...list: object[]) => ({ custom: { patterns: list } });

describe('refuses', () => {
  test.each([
    ['', [], /must be an object/],
    ['', null, /must be an object/],
    ['/mode', { mode: 'off' }, /must be one of: enforce, monitor/],
    ['/drifts', { drifts: {} }, /unknown member 'drifts'; known: mode, on_error, /],
    ['/drift/season', { drift: { season: 'month' } }, /must be one of: none, day, week/],
    ['/drift/false_alarms_per_year', { drift: { false_alarms_per_year: 0 } }, /must be at least 0.01/],
    ['/drift/false_alarms_per_year', { drift: { false_alarms_per_year: 366 } }, /must be at most 365/],
    ['/drift/auto_rebaseline_days', { drift: { auto_rebaseline_days: 6 } }, /must/],
    [
      '/drift/signals/latency',
      { drift: { signals: { latency: {} } } },
      /unknown member 'latency'; known: flagged_rate, blocked_rate, error_rate, /,
    ],
    ['/drift/signals/score/tolerance', { drift: { signals: { score: { tolerance: -0.1 } } } }, /must be at least 0/],
    ['/drift/signals/score/enabled', { drift: { signals: { score: { enabled: 1 } } } }, /must be a boolean/],
    ['/stream', { stream: 'trail' }, /must be one of: hold, release/],
    ['/rules/0/when', rules({ when: 'model.name ==' }), /is not CEL that fits its variables at character \d+: Unexpected token/],
    ['/rules/0/when', rules({ when: 'x'.repeat(2_001) }), /at most 2000/],
    ['/rules/0/outcome', rules({ outcome: 'allowed' }), /must be one of: flagged, blocked/],
    ['/rules/0/category', rules({ category: 'data.pii' }), /must be policy\., brand\., usage\. or agency\./],
    ['/rules/0/category', rules({ category: 'policy.' }), /must be policy\./],
    ['/rules/1/id', { rules: [...rules().rules, ...rules().rules] }, /'models' is the id of an earlier rule/],
    ['/rules/0/id', { ...patterns(pattern({ id: 'models' })), ...rules() }, /'models' is the id of an earlier rule/],
    ['/rules', { rules: Array.from({ length: 257 }, (_, i) => rules({ id: `r${i}` }).rules[0]) }, /at most 256/],
    [
      '/rules',
      { rules: Array.from({ length: 70 }, (_, i) => rules({ when: 'size(input) > 1', id: `r${i}` }).rules[0]) },
      /may take \d+ steps together on the largest inference, at most 1000000 are allowed/,
    ],
    ['/exceptions/0/match', exceptions({ match: {} }), /must not have fewer than 1/],
    ['/exceptions/0/match/subject', exceptions({ match: { subject: {} } }), /must not have fewer than 1/],
    ['/exceptions/0/match/email', exceptions({ match: { email: 'x' } }), /unknown member 'email'/],
    ['/exceptions/0/match/category', exceptions({ match: { category: 'data.' } }), /must match/],
    ['/exceptions/0/match/category', exceptions({ match: { category: 'system.coverage' } }), /cannot be excused/],
    ['/exceptions/0/match/category', exceptions({ match: { category: 'system' } }), /cannot be excused/],
    ['/exceptions/0/reason', exceptions({ reason: '' }), /must/],
    ['/exceptions/0/owner', exceptions({ owner: undefined }), /must be a string/],
    ['/exceptions/0/expires_at', JSON.parse(JSON.stringify(exceptions({ expires_at: undefined }))) as object, /is required/],
    ['/exceptions/0/expires_at', exceptions({ expires_at: null }), /must be a string/],
    ['/exceptions/0/expires_at', exceptions({ expires_at: '2027-01-01' }), /must be an ISO 8601 time with an offset/],
    ['/exceptions/0/expires_at', exceptions({ expires_at: '2027-02-30T00:00:00Z' }), /must be an ISO 8601 time/],
    [
      '/exceptions/1/id',
      { exceptions: [...exceptions().exceptions, ...exceptions().exceptions] },
      /'own-mail' is the id of an earlier exception/,
    ],
    [
      '/exceptions',
      { exceptions: Array.from({ length: 1_001 }, (_, i) => exceptions({ id: `e${i}` }).exceptions[0]) },
      /at most 1000/,
    ],
    ['/on_error/input', { on_error: { input: 'ignore' } }, /must be one of: allow, flag, block/],
    ['/deadline_ms', { deadline_ms: 0 }, /must be at least 1/],
    ['/deadline_ms', { deadline_ms: '250' }, /must be an integer/],
    [
      '/detectors/foo',
      { detectors: { foo: {} } },
      /unknown detector 'foo'; known: prompt_injection, protected_prompt, obfuscation, secrets, pii, harm, groundedness, refusal, unsafe_code, links, size/,
    ],
    ['/detectors/links/flags_at', { detectors: { links: { flags_at: 1 } } }, /unknown member 'flags_at'/],
    ['/detectors/pii/applies_to', { detectors: { pii: { applies_to: [] } } }, /must not be empty/],
    [
      '/detectors/pii/applies_to/0',
      { detectors: { pii: { applies_to: ['inputs'] } } },
      /must be one of: input, output, context, tool/,
    ],
    ['/detectors/pii/flag_at', { detectors: { pii: { flag_at: 1.1 } } }, /must be at most 1/],
    [
      '/detectors/pii/block_at',
      { detectors: { pii: { flag_at: 0.8, block_at: 0.5 } } },
      /block_at \(0.5\) must not be below flag_at \(0.8\)/,
    ],
    [
      '/detectors/prompt_injection/block_at',
      { detectors: { prompt_injection: { block_at: 0.2 } } },
      /must not be below flag_at \(0.5\)/,
    ],
    [
      '/detectors/prompt_injection/flag_at',
      { detectors: { prompt_injection: { flag_at: 0.95 } } },
      /block_at \(0.9\) must not be below flag_at/,
    ],
    [
      '/detectors/pii/entities/e-mail',
      { detectors: { pii: { entities: { 'e-mail': 'redact' } } } },
      /unknown type of personal data 'e-mail'; known: .*email/,
    ],
    [
      '/detectors/pii/entities/email',
      { detectors: { pii: { entities: { email: 'mask' } } } },
      /must be one of: ignore, flag, redact, block/,
    ],
    ['/detectors/secrets/types/jwt', { detectors: { secrets: { types: { jwt: 'mask' } } } }, /must be one of/],
    ['/detectors/size/action', { detectors: { size: { action: 'redact' } } }, /size cannot redact/],
    ['/detectors/size/max_chars', { detectors: { size: { max_chars: 0 } } }, /must be at least 1/],
    ['/detectors/links/allow_hosts/0', { detectors: { links: { allow_hosts: ['https://x.example/'] } } }, /must be a host name/],
    [
      '/detectors/links/allow_hosts/1',
      { detectors: { links: { allow_hosts: ['x.example', '*.x.example'] } } },
      /must be a host name/,
    ],
    ['/custom/patterns/0/regex', patterns({ id: 'x', category: 'data.x' }), /is required/],
    ['/custom/patterns/0/id', patterns(pattern({ id: 'has space' })), /must match/],
    ['/custom/patterns/1/id', patterns(pattern(), pattern()), /'ticket' is the id of an earlier rule/],
    [
      '/custom/terms/0/id',
      { custom: { patterns: [pattern()], terms: [terms({ id: 'ticket' })] } },
      /is the id of an earlier rule/,
    ],
    [
      '/custom/patterns/0/category',
      patterns(pattern({ category: 'attack.injection' })),
      /must be data\., brand\., policy\. or content\./,
    ],
    ['/custom/patterns/0/category', patterns(pattern({ category: 'data.' })), /must be data\./],
    ['/custom/patterns/0/category', patterns(pattern({ category: 'system.coverage' })), /must be data\./],
    ['/custom/patterns/0/regex', patterns(pattern({ regex: '(' })), /does not compile as RE2 syntax: missing closing/],
    ['/custom/patterns/0/regex', patterns(pattern({ regex: 'x*' })), /matches the empty text/],
    ['/custom/patterns/0/regex', patterns(pattern({ regex: '[a-z]{501}' })), /at most 500 are allowed/],
    ['/custom/patterns/0/regex', patterns(pattern({ regex: '[a-z].{0,100}[A-Z]' })), /above 60 it must hold a fixed text/],
    ['/custom/patterns', patterns(...Array.from({ length: 257 }, (_, i) => pattern({ id: `p${i}` }))), /at most 256/],
    ['/custom/patterns/0/action', patterns(pattern({ action: 'ignore' })), /must be one of: flag, redact, block/],
    ['/custom/terms/0/any', { custom: { terms: [terms({ any: [] })] } }, /must not be empty/],
    ['/custom/terms/0/any/1', { custom: { terms: [terms({ any: ['ok', '+++'] })] } }, /must hold a letter or a digit/],
    [
      '/custom/terms',
      { custom: { terms: [terms({ any: Array(6_000).fill('a1') }), terms({ id: 'b', any: Array(4_001).fill('b1') })] } },
      /holds 10001 terms; at most 10000/,
    ],
    ['/data/store', { data: { store: 'texts' } }, /must be one of: metadata, full/],
    ['/data/retention_days', { data: { retention_days: 182 } }, /must be at least 183/],
    ['/data/retention_days', { data: { retention_days: 3651 } }, /must be at most 3650/],
    ['/custom/terms/0/any/0', { custom: { terms: [terms({ any: ['a\ud800'] })] } }, /lone surrogates/],
    ['/\ufffd', { '\ud800': 1 }, /lone surrogates/],
    ['/custom/terms/0/any/0', { custom: { terms: [terms({ any: ['a\0'] })] } }, /no NUL/],
    ['/\ufffd', { '\0': 1 }, /no NUL/],
    [
      '/detectors/secrets/types/github_pat',
      { detectors: { secrets: { types: { github_pat: 'block', jwt: 'flag' } } } },
      /unknown type of credential 'github_pat'; nearest: .*github/,
    ],
    [
      '',
      { custom: { terms: [terms({ any: Array.from({ length: 9_000 }, (_, i) => `${i}`.padEnd(150, 'x')) })] } },
      /at most 1048576 bytes/,
    ],
  ])('%s: %j', (pointer, document, message) => {
    const { errors } = lintPolicy(document);
    expect(errors).toContainEqual({ pointer, message: expect.stringMatching(message) });
    expect(new Set(errors.map((error) => error.pointer)).size).toBe(errors.length);
  });

  test('every mistake at once, beyond the eight that the validator stops at', () => {
    const document = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`member${i}`, 1]));
    expect(lintPolicy(document).errors).toHaveLength(20);
  });

  test('a document nested beyond all bounds, without exhausting the stack', () => {
    let value: unknown = 1;
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(lintPolicy({ custom: value }).errors).toHaveLength(1);
  });
});

describe('accepts', () => {
  test.each([
    ['nothing at all', {}],
    ['the default policy', DEFAULT_POLICY],
    ['block_at of null', { detectors: { prompt_injection: { block_at: null } } }],
    ['the most rules', { rules: Array.from({ length: 256 }, (_, i) => rules({ id: `r${i}` }).rules[0]) }],
    ['the most exceptions', { exceptions: Array.from({ length: 1_000 }, (_, i) => exceptions({ id: `e${i}` }).exceptions[0]) }],
    [
      'rules in every family of theirs',
      {
        rules: ['policy.x', 'brand.x', 'usage.x', 'agency.x'].map((category, i) => rules({ category, id: `r${i}` }).rules[0]),
      },
    ],
    ['a drift section without members', { drift: {} }],
    [
      'all that can be said of drift',
      {
        drift: {
          enabled: true,
          false_alarms_per_year: 0.5,
          season: 'week',
          signals: { latency_ms: { enabled: false }, score: { tolerance: 0 }, category_mix: { enabled: true, tolerance: 0.3 } },
          auto_rebaseline_days: 30,
        },
      },
    ],
    ['an exception with another offset', exceptions({ expires_at: '2027-01-01T00:00:00.5+02:00' })],
    ['a block_at equal to flag_at', { detectors: { links: { flag_at: 0.7, block_at: 0.7 } } }],
    ['the most patterns', patterns(...Array.from({ length: 256 }, (_, i) => pattern({ id: `p${i}` })))],
    ['the most terms', { custom: { terms: [terms({ any: Array.from({ length: 10_000 }, (_, i) => `term ${i}`) })] } }],
    [
      'every family of categories',
      patterns(...['data.x', 'brand.x', 'policy.x', 'content.x'].map((category, i) => pattern({ category, id: `p${i}` }))),
    ],
  ])('%s', (_name, document) => {
    expect(lintPolicy(document).errors).toEqual([]);
  });
});

describe('warns about', () => {
  test.each([
    ['/mode', { mode: 'monitor' }],
    ['/stream', { stream: 'release' }],
    ['/data/store', { data: { store: 'full' } }],
    ['/exceptions/0/match/category', exceptions({ match: { category: 'data.pi' } })],
    ['/exceptions/0/match/category', exceptions({ match: { category: 'dat' } })],
    ['/exceptions/0/match/type', exceptions({ match: { category: 'data.pii', type: 'e-mail' } })],
    ['/exceptions/0/match/detector', exceptions({ match: { detector: 'pi' } })],
    ['/exceptions/0/match/rule_id', exceptions({ match: { rule_id: 'ticket' } })],
    ['/exceptions/0/match/value', exceptions({ match: { category: 'data.pii', value: '*' } })],
    ['/exceptions/0/expires_at', exceptions({ expires_at: '2026-01-01T00:00:00Z' })],
    ['/on_error/output', { on_error: { output: 'allow' } }],
    ['/detectors/secrets/enabled', { detectors: { secrets: { enabled: false } } }],
    ['/detectors/links/flag_at', { detectors: { links: { flag_at: 0 } } }],
    ['/custom/terms/0/any/0', { custom: { terms: [terms({ any: ['a', 'long enough', '猫'] })] } }],
    ['/drift/enabled', { drift: { enabled: false } }],
    [
      '/drift/signals',
      { drift: { signals: Object.fromEntries(Object.keys(DRIFT_SIGNALS).map((id) => [id, { enabled: false }])) } },
    ],
    ['/drift/false_alarms_per_year', { drift: { false_alarms_per_year: 100 } }],
    ['/drift/auto_rebaseline_days', { drift: { auto_rebaseline_days: 7 } }],
  ])('%s', (pointer, document) => {
    const { errors, warnings } = lintPolicy(document, Date.parse('2026-01-01T00:00:00Z'));
    expect(errors).toEqual([]);
    expect(warnings.map((warning) => warning.pointer)).toEqual([pointer]);
  });

  test('no exception that names what the policy finds by rules of its own', () => {
    const own = { ...patterns(pattern()), ...rules({ category: 'agency.tools' }) };
    for (const match of [
      { rule_id: 'ticket' },
      { rule_id: 'models' },
      { category: 'agency.tools' },
      { category: 'agency' },
      { category: 'data.confidential', type: 'ticket' },
      { detector: 'rules' },
    ])
      expect(lintPolicy({ ...own, ...exceptions({ match }) }, 0)).toEqual({ errors: [], warnings: [] });
  });

  test('no exception as expired to who does not say what time it is', () => {
    expect(lintPolicy(exceptions({ expires_at: '2001-01-01T00:00:00Z' })).warnings).toEqual([]);
  });

  test('nothing in the default policy', () => {
    expect(lintPolicy(DEFAULT_POLICY).warnings).toEqual([]);
  });
});

test.each([32, 3_000, 100_000])('a document nested %i levels deep is refused by its place, without an exception', (levels) => {
  let document: unknown = {};
  for (let i = 0; i < levels; i++) document = { a: document };
  expect(lintPolicy(document)).toEqual({
    errors: [{ pointer: '/a'.repeat(32), message: expect.stringMatching(/nested too deep/) as string }],
    warnings: [],
  });
});

test('every type of credential that the cases of the detector name may be chosen', () => {
  const cases = readFileSync(join(import.meta.dirname, '../detectors/secrets/cases.yaml'), 'utf8');
  const types = new Set([...cases.matchAll(/\btype: ([a-z0-9_]+)/g)].map(([, type]) => type!));
  expect(types.size).toBeGreaterThan(50);
  expect(SECRET_TYPES).toEqual(expect.arrayContaining([...types]));
});
