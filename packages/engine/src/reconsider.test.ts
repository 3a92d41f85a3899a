// What is said of a kept assessment without its text is what the text would say.

import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { assess } from './assess.ts';
import type { Evaluation } from './answer.ts';
import type { Inference } from './inference.ts';
import { compilePolicy } from './policy/compile.ts';
import type { PolicyDocument } from './policy/document.ts';
import { lintPolicy } from './policy/lint.ts';
import { reconsider, type KeptAssessment } from './reconsider.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const LATER = '2027-01-01T00:00:00Z';
const options = { clock: () => 0, nowMs: NOW };

const texts = ['prompt-injection', 'secrets', 'pii', 'obfuscation', 'links', 'unsafe-code', 'refusal'].flatMap((folder) => {
  const cases = parse(readFileSync(join(import.meta.dirname, 'detectors', folder, 'cases.yaml'), 'utf8')) as { text: string }[];
  return cases.map(({ text }) => text).filter((text) => text.length < 600);
});
const OWN = [
  'See TCK-123456.',
  'Acme is a rival.',
  'Mail ann@example.com or bob@example.org.',
  'I will kill you, you idiot.',
  'Hello there.',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...texts), fc.constantFrom(...OWN)), { minLength: 1, maxLength: 3 })
  .map((some) => some.join('\n'));

/** As an assessment is kept: without its text. */
function keep(inference: Inference, { redacted: _redacted, ...evaluation }: Evaluation): KeptAssessment {
  const model = typeof inference.model === 'string' ? { name: inference.model } : (inference.model ?? null);
  return {
    ...evaluation,
    created_at: new Date(NOW - 1_000).toISOString(),
    model: model === null ? null : { provider: null, name: null, version: null, ...model },
    subject: inference.subject === undefined ? null : { user: null, session: null, agent: null, ...inference.subject },
    metadata: inference.metadata ?? {},
  };
}

const inference: fc.Arbitrary<Inference> = fc.record(
  {
    input: fc.oneof(
      text,
      fc.array(fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content: text }), { minLength: 1, maxLength: 3 }),
    ),
    output: text,
    context: fc.array(fc.record({ id: fc.constant('d'), content: text, source: fc.constantFrom('retrieval', 'tool') }), {
      maxLength: 2,
    }),
    tool_calls: fc.array(fc.record({ name: fc.constant('send'), arguments: fc.record({ body: text }) }), { maxLength: 1 }),
    model: fc.constantFrom('alpha', 'beta'),
    subject: fc.record({ user: fc.constantFrom('ann', 'bob') }, { requiredKeys: [] }),
    metadata: fc.constantFrom({}, { tier: 'free' }),
  },
  { requiredKeys: ['input'] },
);

const action = fc.constantFrom('ignore', 'flag', 'redact', 'block');
const score = fc.constantFrom(0.3, 0.5, 0.6, 0.8, 0.9, 0.95);
const targets = fc.uniqueArray(fc.constantFrom('input', 'output', 'context', 'tool'), { minLength: 1 });
const settings = {
  enabled: fc.boolean(),
  applies_to: targets,
  flag_at: score,
  block_at: fc.option(score),
  action,
};
const detector = (more: Record<string, fc.Arbitrary<unknown>> = {}) => fc.record({ ...settings, ...more }, { requiredKeys: [] });
const some = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), action, { maxKeys: 3 });
const owned = { action: fc.constantFrom('flag', 'redact', 'block'), severity: fc.constantFrom('low', 'critical') };

const RULES = [
  { id: 'models', when: 'model.name != "alpha"', outcome: 'flagged' },
  { id: 'who', when: 'subject.user == "bob"', outcome: 'blocked' },
  { id: 'many', when: 'findings.size() > 2', outcome: 'flagged' },
  { id: 'data', when: 'findings.exists(f, f.category.startsWith("data.") && f.outcome != "allowed")', outcome: 'blocked' },
  { id: 'mail', when: 'findings.exists(f, f.type == "email")', outcome: 'flagged' },
  { id: 'target', when: 'findings.exists(f, f.target == "tool")', outcome: 'flagged' },
  { id: 'tier', when: 'metadata.tier == "free"', outcome: 'flagged' },
  { id: 'text', when: 'input.contains("Hello")', outcome: 'flagged' },
  { id: 'sure', when: 'score > 0.9', outcome: 'flagged' },
] as const;
const MATCHES = [
  { category: 'data.pii' },
  { category: 'data', target: 'output' },
  { type: 'email' },
  { type: 'credit_card', subject: { user: 'ann' } },
  { detector: 'prompt_injection' },
  { value: '*@example.com' },
  { pointer: '/context/*' },
  { rule_id: 'ticket' },
  { category: 'content', subject: { user: 'bob' } },
];

const policy: fc.Arbitrary<PolicyDocument> = fc
  .record(
    {
      mode: fc.constantFrom('enforce', 'monitor'),
      on_error: fc.record({ input: fc.constantFrom('allow', 'flag', 'block') }, { requiredKeys: [] }),
      detectors: fc.record(
        {
          prompt_injection: detector(),
          obfuscation: detector(),
          secrets: detector({ types: some(['aws_access_key_id', 'private_key']) }),
          pii: detector({ entities: some(['email', 'credit_card', 'phone', 'person', 'iban', 'us_ssn']) }),
          harm: detector({ categories: some(['violence', 'harassment', 'profanity']) }),
          refusal: detector(),
          unsafe_code: detector(),
          links: detector({ allow_hosts: fc.constantFrom([], ['example.com']) }),
        },
        { requiredKeys: [] },
      ),
      custom: fc.record(
        {
          patterns: fc.array(
            fc.record({
              id: fc.constant('ticket'),
              category: fc.constantFrom('data.pii', 'data.confidential'),
              regex: fc.constantFrom('TCK-[0-9]{6}', 'TCK-[0-9]+'),
              ...owned,
            }),
            { maxLength: 1 },
          ),
          terms: fc.array(
            fc.record({ id: fc.constant('rivals'), category: fc.constant('brand.rival'), any: fc.constant(['Acme']), ...owned }),
            { maxLength: 1 },
          ),
        },
        { requiredKeys: [] },
      ),
      rules: fc.uniqueArray(fc.constantFrom(...RULES), { maxLength: 3 }),
      exceptions: fc.array(fc.constantFrom(...MATCHES), { maxLength: 2 }).map((matches) =>
        matches.map((match, i) => ({
          id: `exception-${i}`,
          match,
          reason: 'r',
          owner: 'o',
          expires_at: i === 0 ? LATER : '2026-01-01T00:00:00Z',
        })),
      ),
    },
    { requiredKeys: [] },
  )
  .map((document) => document as unknown as PolicyDocument)
  .filter((document) => lintPolicy(document).errors.length === 0);

function strongest({ enforcement }: Evaluation): string {
  return enforcement.would ?? enforcement.action;
}

test('without open questions outcome and action are those of the text, whatever the two policies', () => {
  let certain = 0;
  const check = fc.property(inference, policy, policy, (sent, then, candidate) => {
    const [before, now] = [compilePolicy(then, 1), compilePolicy(candidate, 2)];
    const said = reconsider(keep(sent, assess(sent, before, options)), before, now, NOW);
    if (said.open.length > 0) return;
    certain++;
    const truth = assess(sent, now, options);
    expect({ outcome: said.outcome, action: said.action }).toEqual({ outcome: truth.outcome, action: strongest(truth) });
  });
  fc.assert(check, { numRuns: 400 });
  // Else it would promise nothing.
  expect(certain).toBeGreaterThan(40);
});

/** Changes that findings alone can answer. */
const answerable: fc.Arbitrary<PolicyDocument> = fc.record(
  {
    mode: fc.constantFrom('enforce', 'monitor'),
    detectors: fc.record(
      {
        prompt_injection: fc.record({ flag_at: fc.constantFrom(0.5, 0.7, 0.9), block_at: fc.constantFrom(null, 0.92, 1) }),
        secrets: fc.record({ action: fc.constantFrom('ignore', 'flag', 'redact', 'block') }),
        obfuscation: fc.record({ enabled: fc.boolean() }),
        unsafe_code: fc.record({ applies_to: fc.constantFrom(['output'], ['tool']), action: fc.constantFrom('flag', 'block') }),
        links: fc.record({ block_at: fc.constantFrom(null, 0.7) }),
      },
      { requiredKeys: [] },
    ),
    rules: fc.uniqueArray(fc.constantFrom(...RULES.filter(({ id }) => !['text', 'target'].includes(id))), { maxLength: 3 }),
    exceptions: fc
      .uniqueArray(fc.constantFrom(...MATCHES.filter((match) => 'category' in match || 'pointer' in match)), { maxLength: 2 })
      .map((matches) => matches.map((match, i) => ({ id: `e-${i}`, match, reason: 'r', owner: 'o', expires_at: LATER }))),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<PolicyDocument>;

test('thresholds, actions, modes, detectors that go, rules over findings and exceptions without a value leave nothing open', () => {
  // Two detectors report extraction; where one gives way, what it hid of the other is not known.
  const alone = { protected_prompt: { enabled: false } };
  const before = compilePolicy({ detectors: alone }, 1);
  const sent = fc.record({
    input: text,
    output: text,
    model: fc.constantFrom('alpha', 'beta'),
    subject: fc.constantFrom({ user: 'ann' }, { user: 'bob' }),
  });
  fc.assert(
    fc.property(sent, answerable, (one, candidate) => {
      const now = compilePolicy({ ...candidate, detectors: { ...candidate.detectors, ...alone } }, 2);
      const said = reconsider(keep(one, assess(one, before, options)), before, now, NOW);
      const truth = assess(one, now, options);
      expect({ open: said.open, outcome: said.outcome, action: said.action }).toEqual({
        open: [],
        outcome: truth.outcome,
        action: strongest(truth),
      });
    }),
    { numRuns: 300 },
  );
});

const SENT: Inference = { input: 'My card is 4111 1111 1111 1111. Mail ann@example.com.' };
const excusing = (match: object) => ({ exceptions: [{ id: 'e', match, reason: 'r', owner: 'o', expires_at: LATER }] });

test.each<[string, PolicyDocument, PolicyDocument, Inference?]>([
  ['detector_added', { detectors: { harm: { enabled: false } } }, {}],
  ['setting_changed', {}, { detectors: { size: { max_chars: 10 } } }],
  ['texts_added', { detectors: { prompt_injection: { applies_to: ['context'] } } }, {}],
  ['threshold_lowered', {}, { detectors: { prompt_injection: { flag_at: 0.3 } } }],
  ['type_unignored', {}, { detectors: { pii: { entities: { email: 'flag' } } } }],
  ['custom_pattern', {}, { custom: { patterns: [{ id: 'p', category: 'data.confidential', regex: 'TCK-[0-9]{6}' }] } }],
  ['custom_term', {}, { custom: { terms: [{ id: 't', category: 'brand.rival', any: ['Acme'] }] } }],
  ['judge_added', {}, { judges: [{ judge_id: `jdg_${'0'.repeat(26)}` }] }],
  ['exception_by_value', {}, excusing({ value: '4111*' })],
  ['rule_reads_text', {}, { rules: [{ id: 'r', when: 'input.contains("a")', outcome: 'flagged' }] }],
  ['rule_reads_text', {}, { rules: [{ id: 'r', when: 'findings.exists(f, f.tool == "a")', outcome: 'flagged' }] }],
  [
    'finding_hidden',
    { detectors: { pii: { entities: { person: 'flag' } } } },
    { detectors: { pii: { entities: { person: 'flag', credit_card: 'ignore' } } } },
  ],
  [
    'text_role',
    {},
    { detectors: { pii: { applies_to: ['input'] } } },
    { input: [{ role: 'user', content: 'My card is 4111 1111 1111 1111.' }] },
  ],
])('%s is asked where it matters, and alone', (question, then, candidate, sent = SENT) => {
  const [before, now] = [compilePolicy(then, 1), compilePolicy(candidate, 2)];
  const said = reconsider(keep(sent, assess(sent, before, options)), before, now, NOW);
  expect(said.open.map((one) => one.question)).toEqual([question]);
  expect(said.open[0]!.explanation).toMatch(/\S/);
});

describe('what the assessment itself leaves open', () => {
  const policyNow = compilePolicy({ mode: 'enforce' }, 2);
  const kept = keep(SENT, assess(SENT, policyNow, options));
  const questionsOf = (changes: Partial<KeptAssessment>, then: typeof policyNow | null = policyNow) =>
    reconsider({ ...kept, ...changes }, then, policyNow, NOW).open.map(({ question }) => question);

  test('is asked: a detector of another version, findings that were cut, a policy that cannot be read', () => {
    expect(questionsOf({})).toEqual([]);
    const detectors = kept.coverage.detectors.map((run) => (run.id === 'pii' ? { ...run, version: '0.0.1' } : run));
    expect(questionsOf({ coverage: { ...kept.coverage, detectors } })).toEqual(['detector_version_changed']);
    expect(questionsOf({ findings_total: 300 })).toEqual(['findings_cut']);
    expect(questionsOf({}, null)).toEqual(['policy_unreadable']);
  });

  test('is not asked of a detector that had nothing to read', () => {
    const then = compilePolicy({ detectors: { links: { flag_at: 0.9 } } }, 1);
    expect(reconsider(keep(SENT, assess(SENT, then, options)), then, policyNow, NOW).open).toEqual([]);
  });

  test('is not asked where the inference is blocked for certain', () => {
    const blocking = compilePolicy({ detectors: { pii: { entities: { credit_card: 'block', email: 'flag' } } } }, 3);
    expect(reconsider({ ...kept, findings_total: 300 }, policyNow, blocking, NOW)).toMatchObject({
      outcome: 'blocked',
      open: [],
    });
  });

  test('a failure that came to nothing then is asked about where it would count now', () => {
    const then = compilePolicy({ on_error: { input: 'allow' } }, 1);
    const asked = (status: 'error' | 'timed_out') => {
      const detectors = kept.coverage.detectors.map((run) => (run.id === 'pii' ? { ...run, status } : run));
      const failed = { ...keep(SENT, assess(SENT, then, options)), coverage: { ...kept.coverage, detectors } };
      return reconsider(failed, then, policyNow, NOW).open.map(({ question }) => question);
    };
    expect(asked('error')).toEqual(['failure_unplaced']);
    expect(asked('timed_out')).toEqual(['failure_unplaced', 'deadline']);
  });
});

test('a failure that was a finding is decided by the candidate’s on_error', () => {
  const then = compilePolicy({}, 1);
  const late = assess(SENT, then, { ...options, deadlineMs: -1 });
  expect(late.findings.map(({ category }) => category)).toContain('system.coverage');
  const outcomeBy = (input: 'allow' | 'flag' | 'block') =>
    reconsider(keep(SENT, late), then, compilePolicy({ on_error: { input } }, 2), NOW).outcome;
  expect([outcomeBy('allow'), outcomeBy('flag'), outcomeBy('block')]).toEqual(['allowed', 'flagged', 'blocked']);
});

test('the same policy comes to the same where time ran out, and asks what would be found in time', () => {
  let hasRunOut = false;
  fc.assert(
    fc.property(inference, fc.integer({ min: 1, max: 60 }), fc.constantFrom('allow', 'flag', 'block'), (one, stepMs, onError) => {
      let nowMs = 0;
      const policy = compilePolicy({ on_error: { input: onError, output: onError } }, 1);
      const then = assess(one, policy, { clock: () => (nowMs += stepMs), nowMs: NOW });
      const said = reconsider(keep(one, then), policy, policy, NOW);
      const isLate = then.coverage.detectors.some(({ status }) => status === 'timed_out');
      const questions = said.open.map(({ question }) => question);
      hasRunOut ||= isLate;
      expect(said.outcome).toBe(then.outcome);
      // What was found to be blocked would be found again; what was blocked for want of time would not.
      const isFound = then.findings.some(({ category, outcome }) => category !== 'system.coverage' && outcome === 'blocked');
      expect(questions.includes('deadline')).toBe(isLate && !isFound);
    }),
  );
  expect(hasRunOut).toBe(true);
});

test('a shorter deadline leaves open what would be found in time, whatever was found', () => {
  const [before, now] = [compilePolicy({}, 1), compilePolicy({ deadline_ms: 100 }, 2)];
  fc.assert(
    fc.property(inference, (one) => {
      const kept = keep(one, assess(one, before, options));
      expect(reconsider(kept, before, now, NOW).open.map(({ question }) => question)).toContain('deadline');
      expect(reconsider(kept, now, before, NOW).open.map(({ question }) => question)).not.toContain('deadline');
    }),
  );
});
