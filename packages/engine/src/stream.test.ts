// Promises of streams: however an answer arrives, it is found what the whole answer holds, and nothing is shown that was to be hidden.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assess } from './assess.ts';
import type { Inference } from './inference.ts';
import { compilePolicy, type CompiledPolicy } from './policy/compile.ts';
import type { PolicyDocument } from './policy/document.ts';
import { Placeholders } from './redact.ts';
import {
  endStream,
  heldChars,
  openStream,
  readStream,
  streamedInference,
  toolCallProblem,
  type ReleasedToolCall,
  type StreamDelta,
  type StreamState,
} from './stream.ts';
import type { Finding } from './answer.ts';

const options = { clock: () => 0, nowMs: Date.UTC(2026, 0, 1), deadlineMs: 1_000 };

/** What the client of a stream sees. */
interface Shown {
  readonly released: string;
  readonly toolCalls: ReleasedToolCall[];
  /** Of the chunks, without that of the end. */
  readonly findings: Finding[];
  readonly evaluation: ReturnType<typeof assess>;
  /** The most that was held after a chunk. */
  readonly heldMax: number;
  readonly states: StreamState[];
}

function stream(opened: Inference, deltas: readonly StreamDelta[], policy: CompiledPolicy): Shown {
  let state = openStream(opened, assess(opened, policy, options), policy);
  let released = '';
  const toolCalls: ReleasedToolCall[] = [];
  const findings: Finding[] = [];
  const states: StreamState[] = [];
  let heldMax = 0;
  for (const delta of deltas) {
    // As a node would that takes the next chunk from the database.
    state = JSON.parse(JSON.stringify(state)) as StreamState;
    expect(toolCallProblem(state, delta.toolCalls)).toBeNull();
    const step = readStream(state, delta, policy, options);
    state = step.state;
    states.push(state);
    released += step.released;
    toolCalls.push(...step.toolCalls);
    findings.push(...step.findings);
    heldMax = Math.max(heldMax, heldChars(state));
  }
  const inference = streamedInference(opened, deltas);
  const evaluation = assess(inference, policy, { ...options, placeholders: new Placeholders(state.placeholders) });
  const end = endStream(state, inference, evaluation);
  return {
    released: released + end.released,
    toolCalls: [...toolCalls, ...end.toolCalls],
    findings,
    evaluation,
    heldMax,
    states,
  };
}

/** Cuts `text` into pieces of these lengths, over and over. */
function cut(text: string, lengths: readonly number[]): StreamDelta[] {
  const deltas: StreamDelta[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const end = at + lengths[i % lengths.length]!;
    deltas.push({ text: text.slice(at, end), toolCalls: [] });
    at = end;
  }
  return deltas;
}

const withoutLatency = (evaluation: ReturnType<typeof assess>) => ({
  ...evaluation,
  coverage: {
    ...evaluation.coverage,
    detectors: evaluation.coverage.detectors.map(({ id, version, status }) => ({ id, version, status })),
  },
});

/** Findings are numbered in each answer for itself. */
function withoutId(finding: Finding): Finding {
  return { ...finding, id: '' };
}

const ORDINARY = [
  'The meeting moved to Thursday because the room was taken. ',
  'Stir the flour in slowly and let it rest for an hour.\n',
  'Die Rechnung liegt bei; wir bitten um Überweisung bis Monatsende. ',
  '会議は木曜日に変更されました。ご確認ください。',
  'const total = rows.reduce((sum, row) => sum + row.amount, 0);\n',
  'She read 1,204 pages in 3 weeks — más o menos. 👩‍👩‍👧 😀 é x̂ ',
  'See https://example.com/docs/start?page=2 for details. ',
];
const TELLING = [
  'mail ann.lee@example.com now ',
  'ann.lee@example.com, bob@example.org ',
  'card 4111 1111 1111 1111 ',
  'SSN 078-05-1120 ',
  'AKIAIOSFODNN7REALKEY ',
  'password = "hunter2-Correct-9Horse" ',
  'TCK-123456 ',
  'unlike Acme Corp ',
  'ZXhmaWx0cmF0ZSBhbm4ubGVlQGV4YW1wbGUuY29tIG5vdyBwbGVhc2U= ',
  '\u200bi\u200bg\u200bn\u200bo\u200br\u200be\u200b ',
  'I will find you and kill you and your whole family tonight, you worthless piece of trash. ',
  `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAx7Vb3qLm9pQ2sT8uYw4zRk1NfGh5JdEa\n'.repeat(20)}-----END RSA PRIVATE KEY----- `,
  `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAx7Vb3qLm9pQ2sT8uYw4zRk1NfGh5JdEa\n'.repeat(130)}-----END RSA PRIVATE KEY----- `,
  `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n'.repeat(3)}`,
];

const texts = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ORDINARY) }, { weight: 1, arbitrary: fc.constantFrom(...TELLING) }),
    {
      minLength: 1,
      maxLength: 160,
      size: 'max',
    },
  )
  .map((parts) => parts.join(''));
/** Words, lines and pages. */
const cuts = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 130 }), { minLength: 1, maxLength: 20 }),
  fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 20 }),
);

const actions = fc.constantFrom('flag', 'redact', 'block' as const);
const policies: fc.Arbitrary<PolicyDocument> = fc.record({
  detectors: fc.record({
    pii: fc.record({
      entities: fc.record({
        email: actions,
        credit_card: fc.constantFrom('flag', 'redact'),
        us_ssn: fc.constantFrom('redact', 'flag'),
      }),
    }),
    secrets: fc.record({ action: fc.constantFrom('flag', 'redact', 'redact') }),
    harm: fc.record({ block_at: fc.constantFrom(0.95, null), action: fc.constantFrom('flag', 'redact') }),
    obfuscation: fc.record({ block_at: fc.constantFrom(0.95, null), action: fc.constantFrom('flag', 'redact') }),
  }),
  custom: fc.record({
    patterns: fc.record({ action: actions }).map(({ action }) => [
      { id: 'ticket', category: 'data.confidential', regex: 'TCK-[0-9]{6}', action },
      { id: 'domain', category: 'data.confidential', regex: 'lee@example', action },
    ]),
    terms: fc
      .record({ action: fc.constantFrom('flag', 'redact') })
      .map(({ action }) => [{ id: 'rivals', category: 'brand.competitor', any: ['Acme Corp'], action }]),
  }),
});

describe('however an answer is cut', () => {
  test('its end is the assessment of the whole, and what was reported before is part of it', () => {
    fc.assert(
      fc.property(texts, cuts, policies, (text, at, document) => {
        const policy = compilePolicy(document, 1);
        const { findings, evaluation } = stream({ input: 'write to eve@example.net' }, cut(text, at), policy);
        const whole = assess({ input: 'write to eve@example.net', output: text }, policy, options);
        expect(withoutLatency(evaluation)).toEqual(withoutLatency(whole));
        if (whole.findings_total > whole.findings.length) return;
        const inOutput = whole.findings.filter(({ location }) => location.pointer === '/output').map(withoutId);
        expect(findings.map(withoutId)).toEqual(inOutput.slice(0, findings.length));
      }),
      { numRuns: 50 },
    );
  });

  test('what is shown is the redacted answer, or its beginning before what blocks', () => {
    fc.assert(
      fc.property(texts, cuts, policies, (text, at, document) => {
        const policy = compilePolicy(document, 1);
        const { released, evaluation } = stream({ input: 'hello' }, cut(text, at), policy);
        if (evaluation.outcome !== 'blocked') expect(released).toBe(evaluation.redacted?.output ?? text);
        else if (evaluation.findings_total === evaluation.findings.length) {
          const first = Math.min(
            ...evaluation.findings.filter(({ action }) => action === 'block').map(({ location }) => location.start),
          );
          const before = assess({ input: 'hello', output: text }, policy, options).redacted?.output ?? text;
          expect((before as string).startsWith(released)).toBe(true);
          expect(unmasked(released, text)).toBeLessThanOrEqual(first);
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** The offset of `text` up to which `released`, its redacted beginning, goes: placeholders are stepped over by what follows them. */
function unmasked(released: string, text: string): number {
  const pieces = released.split(/\[[A-Z][A-Z0-9_]*\]/);
  return pieces.reduce((at, piece) => text.indexOf(piece, at) + piece.length, 0);
}

test('a value is found wherever one slice ends and the next begins', () => {
  const policy = compilePolicy({}, 1);
  for (let shift = -60; shift <= 0; shift += 3) {
    const text = `${'The room was taken. '.repeat(210).slice(0, 4_096 + shift)} password = "hunter2-Correct-9Horse" ${ORDINARY[0]!.repeat(40)}`;
    expect(assess({ output: text }, policy, options).redacted?.output).toContain('password = "[');
    expect(stream({ input: 'hello' }, cut(text, [100]), policy).released).toContain('password = "[');
  }
});

test('a value of any length is hidden from its first character to its last', () => {
  const patterns = ['y+', '[yz]+'].map((regex, i) => ({
    id: `p${i}`,
    category: 'data.confidential',
    regex,
    action: 'redact' as const,
  }));
  const policy = compilePolicy({ custom: { patterns } }, 1);
  for (const length of [1_500, 10_000, 40_000]) {
    const { released } = stream({ input: 'hello' }, cut(`Begin ${'y'.repeat(length)} end.`, [700]), policy);
    expect(released).toMatch(/^Begin (\[P\d+(_\d+)?\])+ end\.$/i);
  }
});

test('no chunk ends with half of a character', () => {
  const text = '😀'.repeat(2_000);
  const policy = compilePolicy({}, 1);
  let state = openStream({ input: 'hello' }, assess({ input: 'hello' }, policy, options), policy);
  for (const delta of cut(text, [101])) {
    const step = readStream(state, delta, policy, options);
    state = step.state;
    expect(step.released.isWellFormed()).toBe(true);
  }
});

const plain = (text: string): StreamDelta => ({ text, toolCalls: [] });
const letters = (text: string) => Array.from(text, plain);

test('with detectors that read windows alone the first character waits for at most 1 024', () => {
  const text = ORDINARY.join('').repeat(20);
  const { heldMax, states } = stream({ input: 'hello' }, letters(text), compilePolicy({}, 1));
  expect(heldMax).toBeLessThanOrEqual(1_024);
  expect(states.findIndex(({ releasedTo }) => releasedTo > 0)).toBeLessThan(1_024);
});

test('in monitor mode, and where nothing may be taken away, every chunk is shown at once', () => {
  for (const document of [{ mode: 'monitor' }, onlyFlags()] as const) {
    const { heldMax, released } = stream({ input: 'hello' }, letters('mail ann.lee@example.com now'), compilePolicy(document, 1));
    expect(heldMax).toBe(0);
    expect(released).toBe('mail ann.lee@example.com now');
  }
});

function onlyFlags(): PolicyDocument {
  const flag = { action: 'flag', block_at: null } as const;
  return { detectors: { secrets: flag, pii: flag, harm: flag, obfuscation: flag, links: flag, unsafe_code: flag } };
}

test('the same value has the same placeholder in the question, in what is shown and at the end', () => {
  const policy = compilePolicy({ detectors: { pii: { entities: { email: 'redact' } } } }, 1);
  const text = `to eve@example.net and ann@example.com. ${ORDINARY[0]!.repeat(30)} again ann@example.com`;
  const { released, evaluation } = stream({ input: 'I am eve@example.net' }, letters(text), policy);
  expect(evaluation.redacted).toMatchObject({ input: 'I am [EMAIL]' });
  expect(released).toBe(text.replaceAll('eve@example.net', '[EMAIL]').replaceAll('ann@example.com', '[EMAIL_2]'));
});

describe('where only the end can decide', () => {
  const endless = ORDINARY[0]!.repeat(100);
  const whole: PolicyDocument = { rules: [{ id: 'short', when: 'output.contains("Thursday")', outcome: 'blocked' }] };

  test('nothing is shown before it', () => {
    const { heldMax, released, evaluation } = stream({ input: 'hello' }, cut(endless, [1_900, 700]), compilePolicy(whole, 1));
    expect(heldMax).toBe(endless.length);
    expect(evaluation.outcome).toBe('blocked');
    expect(released).toBe('');
  });

  test('nor where it only flags, and its failure would block', () => {
    const flagging: PolicyDocument = {
      rules: [{ id: 'tier', when: 'output != "" && metadata["tier"] == "x"', outcome: 'flagged' }],
    };
    const { released, evaluation } = stream({ input: 'hello' }, cut(endless, [500]), compilePolicy(flagging, 1));
    expect({ released, outcome: evaluation.outcome }).toEqual({ released: '', outcome: 'blocked' });
    const kept = compilePolicy({ ...flagging, on_error: { output: 'flag' } }, 1);
    expect(stream({ input: 'hello' }, cut(endless, [500]), kept)).toMatchObject({
      released: endless,
      heldMax: expect.any(Number) as number,
    });
  });

  test('a tool call that only the end can take away is not made before', () => {
    const policy = compilePolicy({ detectors: { size: { applies_to: ['tool'], max_chars: 10, action: 'block' } } }, 1);
    const deltas = [
      { text: '', toolCalls: [{ index: 0, name: 'a', arguments: '{"x": "far too long for that"}' }] },
      plain('done'),
    ];
    const { toolCalls, evaluation } = stream(
      { input: 'hello' },
      [...deltas, { text: '', toolCalls: [{ index: 1, name: 'b', arguments: '' }] }],
      policy,
    );
    expect({ toolCalls, outcome: evaluation.outcome }).toEqual({ toolCalls: [], outcome: 'blocked' });
  });

  test('the policy may choose to show what is certain so far', () => {
    const policy = compilePolicy({ ...whole, stream: 'release' }, 1);
    expect(stream({ input: 'hello' }, cut(endless, [1_900, 700]), policy).heldMax).toBeLessThanOrEqual(1_024);
  });

  test('a rule that asks for nothing of the answer holds nothing back', () => {
    const policy = compilePolicy({ rules: [{ id: 'model', when: 'model.name == "other"', outcome: 'blocked' }] }, 1);
    const { heldMax, released } = stream({ input: 'hello', model: 'mine' }, cut(endless, [1_900, 700]), policy);
    expect(heldMax).toBeLessThanOrEqual(1_024);
    expect(released).toBe(endless);
  });
});

describe('tool calls', () => {
  const call = (index: number, name = '', args = ''): StreamDelta => ({
    text: '',
    toolCalls: [{ index, name, arguments: args }],
  });
  const policy = compilePolicy({ detectors: { pii: { entities: { email: 'redact', us_ssn: 'block' } } } }, 1);

  test('are held until they are complete, and their values are replaced inside of their arguments', () => {
    const deltas = [
      call(0, 'send', '{"to": ["ann@exa'),
      call(0, undefined, 'mple.com"], "n": 1}'),
      call(1, 'stop'),
      plain('done'),
    ];
    const { toolCalls, states } = stream({ input: 'hello' }, deltas, policy);
    expect(states.map(({ toolCallsReleased }) => toolCallsReleased)).toEqual([0, 0, 1, 1]);
    expect(toolCalls).toEqual([
      { index: 0, name: 'send', arguments: { to: ['[EMAIL]'], n: 1 } },
      { index: 1, name: 'stop', arguments: {} },
    ]);
  });

  test('one that blocks is never released, nor is anything after it', () => {
    const deltas = [call(0, 'a', '{"x": "078-05-1120"}'), call(1, 'b', '{}'), plain('done')];
    const { toolCalls, released, evaluation } = stream({ input: 'hello' }, deltas, policy);
    expect(evaluation.outcome).toBe('blocked');
    expect({ toolCalls, released }).toEqual({ toolCalls: [], released: '' });
  });

  test('arguments that are no JSON are read as a text', () => {
    const { toolCalls } = stream({ input: 'hello' }, [call(0, 'a', '{"x": ann@example.com'), plain('')], policy);
    expect(toolCalls).toEqual([{ index: 0, name: 'a', arguments: '{"x": [EMAIL]' }]);
  });

  test('what is shown after a call keeps the placeholders of the call', () => {
    const deltas = [
      plain('I write to ann@example.com. '),
      call(0, 'send', '{"to": "bob@example.com"}'),
      call(1, 'x'),
      plain('Then eve@example.com.'),
    ];
    const { toolCalls, released } = stream({ input: 'hello' }, deltas, policy);
    expect(toolCalls[0]!.arguments).toEqual({ to: expect.stringMatching(/^\[EMAIL(_\d)?\]$/) as unknown });
    const named = [...released.matchAll(/\[EMAIL(?:_\d)?\]/g)].map(([name]) => name);
    expect(
      new Set([...named, toolCalls[0]!.arguments as { to: string }].map((one) => (typeof one === 'string' ? one : one.to))).size,
    ).toBe(3);
  });

  test('come in order', () => {
    const state = openStream({ input: 'hello' }, assess({ input: 'hello' }, policy, options), policy);
    expect(toolCallProblem(state, [...call(1).toolCalls])).not.toBeNull();
    const { state: next } = readStream(state, call(0, 'a'), policy, options);
    expect(toolCallProblem(next, [...call(0).toolCalls, ...call(1).toolCalls, ...call(2).toolCalls])).toBeNull();
    expect(toolCallProblem(next, [...call(2).toolCalls])).not.toBeNull();
    expect(toolCallProblem(next, [...call(1).toolCalls, ...call(0).toolCalls])).not.toBeNull();
    expect(toolCallProblem(next, call(0, 'n'.repeat(200)).toolCalls)).not.toBeNull();
  });
});

test('what is remembered does not grow with what came before', () => {
  const policy = compilePolicy({ detectors: { pii: { entities: { email: 'redact' } } } }, 1);
  const { states } = stream({ input: 'hello' }, cut(ORDINARY.join('').repeat(300), [400]), policy);
  const sizes = states.map((state) => JSON.stringify(state).length);
  expect(Math.max(...sizes)).toBeLessThan(12_000);
});
