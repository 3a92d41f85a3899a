// Promises of the inference's schema and of what it cannot say.

import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { inferenceProblems, InferenceSchema, type Inference } from './inference.ts';

const validator = Compile(InferenceSchema);
const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
const message = { role: 'user', content: 'x' };

describe('takes', () => {
  test.each([
    ['a text', { input: 'x' }],
    ['an empty text', { input: '' }],
    ['a text with NUL and a lone surrogate', { input: '\u0000\ud800' }],
    [
      'messages of every role',
      { input: ['system', 'developer', 'user', 'assistant', 'tool'].map((role) => ({ role, content: null })) },
    ],
    ['parts that are no text', { output: [{ role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }],
    ['an output that is not there yet', { input: 'x', output: null }],
    ['any arguments', { input: 'x', tool_calls: [{ name: 'f', arguments: { a: [1, null, { b: true }] } }, { name: 'g' }] }],
    ['a model by name', { input: 'x', model: 'gpt-x' }],
    ['a model in parts', { input: 'x', model: { provider: 'p', name: 'n', version: 'v' } }],
    ['200 messages', { input: many(200, message) }],
    ['50 pairs', { input: 'x', metadata: pairs(50) }],
    ['letters of any script', { input: 'x', external_id: 'заказ-订单-😀' }],
  ])('%s', (_name, body) => {
    expect(validator.Check(body)).toBe(true);
    expect(inferenceProblems(body as Inference)).toEqual([]);
  });
});

describe('refuses', () => {
  test.each([
    ['unknown members', { input: 'x', foo: 1 }],
    ['unknown members of a message', { input: [{ ...message, name: 'x' }] }],
    ['unknown members of a context item', { input: 'x', context: [{ content: 'x', foo: 1 }] }],
    ['unknown members of a tool call', { input: 'x', tool_calls: [{ name: 'f', id: '1' }] }],
    ['unknown members of model and subject', { input: 'x', model: { foo: 'x' }, subject: { foo: 'x' } }],
    ['an unknown role', { input: [{ role: 'root', content: 'x' }] }],
    ['an input of null', { input: null }],
    ['201 messages', { input: many(201, message) }],
    ['101 context items', { input: 'x', context: many(101, { content: 'x' }) }],
    ['101 tool calls', { input: 'x', tool_calls: many(101, { name: 'f' }) }],
    ['51 pairs', { input: 'x', metadata: pairs(51) }],
    ['a value of 501 characters', { input: 'x', metadata: { k: 'x'.repeat(501) } }],
    ['a value that is no text', { input: 'x', metadata: { k: 1 } }],
    ['an external id of 201 characters', { input: 'x', external_id: 'x'.repeat(201) }],
    ['a deadline of 0', { input: 'x', deadline_ms: 0 }],
    ['a deadline of 30 001', { input: 'x', deadline_ms: 30_001 }],
    ['a deadline that is no integer', { input: 'x', deadline_ms: 1.5 }],
    ['arguments that are no object', { input: 'x', tool_calls: [{ name: 'f', arguments: '{}' }] }],
    ...['\u0000', '\n', '\u007f', '\u009f'].flatMap((char): [string, object][] => [
      [`${JSON.stringify(char)} in external_id`, { input: 'x', external_id: `a${char}` }],
      [`${JSON.stringify(char)} in model`, { input: 'x', model: `a${char}` }],
      [`${JSON.stringify(char)} in subject`, { input: 'x', subject: { user: `a${char}` } }],
      [`${JSON.stringify(char)} in a value`, { input: 'x', metadata: { k: `a${char}` } }],
      [`${JSON.stringify(char)} in a key`, { input: 'x', metadata: { [`a${char}`]: 'x' } }],
      [`${JSON.stringify(char)} in a tool's name`, { input: 'x', tool_calls: [{ name: `a${char}` }] }],
    ]),
  ])('%s', (_name, body) => {
    expect(validator.Check(body)).toBe(false);
  });
});

describe('names what the schema cannot say', () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
  const calls = (levels: number) => [{ name: 'f', arguments: nested(levels) as Record<string, unknown> }];

  test.each([
    ['neither input nor output', {}, ['']],
    ['only an output of null', { output: null }, ['']],
    ['an output alone', { output: 'x' }, []],
    ['arguments of 32 levels', { input: 'x', tool_calls: calls(32) }, []],
    ['arguments of 33 levels', { input: 'x', tool_calls: calls(33) }, ['/tool_calls/0/arguments']],
    [
      '5 001 values in arguments',
      { input: 'x', tool_calls: [{ name: 'a', arguments: { x: Array.from({ length: 5_001 }, () => 1) } }] },
      ['/tool_calls'],
    ],
    ['a time', { input: 'x', occurred_at: '2026-02-28T23:59:59.123Z' }, []],
    ['a time with an offset', { input: 'x', occurred_at: '2026-02-28T23:59:59+05:30' }, []],
    ['a time without an offset', { input: 'x', occurred_at: '2026-02-28T23:59:59' }, ['/occurred_at']],
    ['a day that is not', { input: 'x', occurred_at: '2026-02-30T00:00:00Z' }, ['/occurred_at']],
    ['a number for a time', { input: 'x', occurred_at: '1' }, ['/occurred_at']],
    ['a text part without its text', { input: [{ role: 'user', content: [{ type: 'text' }] }] }, ['/input/0/content/0']],
  ] satisfies [string, Inference, string[]][])('%s', (_name, inference, pointers) => {
    expect(inferenceProblems(inference).map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
