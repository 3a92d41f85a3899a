// Promises about the protocols of judges: what they are sent, and how their answers are understood.

import { questionsFor, type Inference, type PolicyJudge } from '@svc/engine';
import { describe, expect, test } from 'vitest';
import { chat, gptOssSafeguard } from './json-verdict.ts';
import { llamaGuard } from './llama-guard.ts';

const EVERYWHERE: PolicyJudge = {
  judgeId: 'jdg_01jd4t4ve9e0fs7m4c1ywz3qkd',
  appliesTo: { input: true, output: true, context: true, tool: true },
  flagAt: 0.5,
  blockAt: null,
};
const ask = (inference: Inference, direction: 'input' | 'output') =>
  questionsFor(inference, EVERYWHERE).find((question) => question.direction === direction)!;

const CONVERSATION: Inference = {
  input: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Good day' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And' },
        { type: 'text', text: 'now?' },
      ],
    },
  ],
  output: 'Now we part.',
  context: [{ content: 'A document' }],
};

describe('Llama Guard', () => {
  test('is sent turns of user and assistant, the user first, what is judged last', () => {
    expect(llamaGuard.messages(ask(CONVERSATION, 'input'), null)).toEqual([
      { role: 'user', content: 'A document\n\nBe kind.\n\nHello' },
      { role: 'assistant', content: 'Good day' },
      { role: 'user', content: 'And\n\nnow?' },
    ]);
    expect(llamaGuard.messages(ask(CONVERSATION, 'output'), null).at(-1)).toEqual({ role: 'assistant', content: 'Now we part.' });
    expect(llamaGuard.messages(ask({ output: 'Yes' }, 'output'), null)).toEqual([
      { role: 'user', content: '(not shown)' },
      { role: 'assistant', content: 'Yes' },
    ]);
  });

  test.each([
    ['safe', []],
    ['\n\nsafe\n', []],
    ['unsafe\nS1,S10', ['content.violence', 'content.hate']],
    ['\n\nunsafe\nS4', ['content.minors']],
    ['unsafe\nS1, S1', ['content.violence']],
    ['unsafe', ['policy.violation']],
    ['unsafe\nS15,S16', ['policy.violation']],
  ])('that answers %j is understood', (answer, categories) => {
    expect(llamaGuard.read(answer, null)?.map(({ category }) => category)).toEqual(categories);
  });

  test('knows all fourteen hazards', () => {
    const codes = Array.from({ length: 14 }, (_, i) => `S${i + 1}`);
    const verdicts = llamaGuard.read(`unsafe\n${codes.join(',')}`, null)!;
    expect(verdicts).toHaveLength(14);
    expect(verdicts.every(({ category, type }) => `${category}/${type}` !== 'policy.violation/unsafe')).toBe(true);
  });

  test.each([
    '',
    'unsafe S1 because',
    'I cannot help with that.',
    'safe\nunsafe',
    'unsafe\nS1\nsafe',
    `unsafe${'\n'.repeat(60_000)}x`,
  ])('that answers %j is not understood', (answer) => {
    const startedAt = performance.now();
    expect(llamaGuard.read(answer, null)).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

describe.each([
  ['a chat model', chat],
  ['gpt-oss-safeguard', gptOssSafeguard],
] as const)('%s', (_name, protocol) => {
  test('is sent the rules apart from the texts, which are marked as data', () => {
    const [system, user, ...rest] = protocol.messages(ask(CONVERSATION, 'output'), 'RULES: no goodbyes.');
    expect(rest).toEqual([]);
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('RULES: no goodbyes.') });
    expect(system!.content).not.toContain('Now we part.');
    const texts = JSON.parse(user!.content) as { from: string; judge: boolean; text: string }[];
    expect(texts.filter(({ judge }) => judge)).toEqual([{ from: 'assistant', judge: true, text: 'Now we part.' }]);
    expect(texts.map(({ from }) => from)).toEqual(['system', 'user', 'assistant', 'user', 'user', 'document', 'assistant']);
  });

  test('is sent rules also where the organization gives none', () => {
    expect(protocol.messages(ask({ input: 'Hi' }, 'input'), null)[0]!.content).toContain('content.self_harm');
  });

  test.each([
    ['{"violation": 0}', []],
    ['{"violation": false, "category": null, "confidence": 0.99}', []],
    ['{"violation":1,"category":"content.hate","confidence":0.87654}', [['content.hate', 'hate', 0.877]]],
    [
      '```json\n{"violation": 1, "category": "content.violence", "confidence": "high"}\n```',
      [['content.violence', 'violence', 0.9]],
    ],
    ['Here you are:\n```\n{"violation": "1", "confidence": 1}\n```\nBe careful.', [['policy.violation', 'violation', 1]]],
    ['<think>Is {this} bad?</think>\n{"violation": 1, "rationale": "It is."}', [['policy.violation', 'violation', 0.9]]],
    ['{"violation":1,"policy_category":"FRAUD.2","confidence":"low"}', [['policy.violation', 'fraud_2', 0.5]]],
    ['{"violation":1,"category":"fraud"}', [['policy.violation', 'fraud', 0.9]]],
    ['{"violation":1,"category":"Fra"}', [['policy.violation', 'violation', 0.9]]],
    ['{"violation":1,"category":"card 4111 1111 1111 1111"}', [['policy.violation', 'violation', 0.9]]],
    ['{"violation":1,"category":"__proto__"}', [['policy.violation', 'violation', 0.9]]],
  ])('that answers %j is understood, and nothing of its own words is kept', (answer, found) => {
    const verdicts = protocol.read(answer, 'FRAUD.2: no schemes to get rich.');
    expect(verdicts?.map(({ category, type, score }) => [category, type, score])).toEqual(found);
  });

  test.each([
    '',
    'No violation.',
    '{}',
    '[]',
    'null',
    '{"violation": 2}',
    '{"violation": "maybe"}',
    '{"violation": 1, "confidence": 7}',
    '{"violation": 1, "confidence": "sure"}',
    '{"violation": 1',
    'They wrote {"violation": 0}. My answer: {"violation": 1}',
    `<think>${'{'.repeat(50_000)}`,
  ])('that answers %j is not understood', (answer) => {
    const startedAt = performance.now();
    expect(protocol.read(answer, null)).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

test('gpt-oss-safeguard may answer a bare digit, which a chat model may not', () => {
  expect(gptOssSafeguard.read(' 0\n', null)).toEqual([]);
  expect(gptOssSafeguard.read('1', null)).toMatchObject([{ category: 'policy.violation', score: 0.9 }]);
  expect(chat.read('1', null)).toBeNull();
});
