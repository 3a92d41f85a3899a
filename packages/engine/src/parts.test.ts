// Promises of the walk over an inference: every text once, with its pointer and its target.

import { expect, test } from 'vitest';
import type { Inference } from './inference.ts';
import { inferenceChars, partsOf } from './parts.ts';

test.each([
  { promise: 'a text', inference: { input: 'a' }, parts: ['/input input null a'] },
  {
    promise: 'input before output, whatever their order',
    inference: { output: 'b', input: 'a' },
    parts: ['/input input null a', '/output output null b'],
  },
  {
    promise: 'messages by role',
    inference: {
      input: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
        { role: 'tool', content: 't' },
      ],
    },
    parts: ['/input/0/content input system s', '/input/1/content input user u', '/input/2/content tool tool t'],
  },
  {
    promise: 'messages of the output',
    inference: { output: [{ role: 'assistant', content: 'a' }] },
    parts: ['/output/0/content output assistant a'],
  },
  {
    promise: 'text parts, by what they hold',
    inference: {
      input: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'input_text', text: 'b' }] }],
    },
    parts: ['/input/0/content/0/text input user a', '/input/0/content/2/text input user b'],
    unread: 1,
  },
  { promise: 'no part for content of null', inference: { input: [{ role: 'assistant', content: null }] }, parts: [] },
  {
    promise: 'context by source',
    inference: {
      context: [
        { content: 'r', source: 'retrieval' },
        { content: 'm', source: 'memory' },
        { content: 't', source: 'tool' },
        { content: 'n' },
      ],
    },
    parts: [
      '/context/0/content context null r',
      '/context/1/content context null m',
      '/context/2/content tool null t',
      '/context/3/content context null n',
    ],
  },
  {
    promise: 'every string of the arguments, with names escaped',
    inference: { tool_calls: [{ name: 'f', arguments: { 'a/b': { '~': ['x', 1, true, null, { '': 'y' }] } } }] },
    parts: ['/tool_calls/0/arguments/a~1b/~0/0 tool null x', '/tool_calls/0/arguments/a~1b/~0/4/ tool null y'],
  },
] satisfies { promise: string; inference: Inference; parts: string[]; unread?: number }[])(
  'gives $promise',
  ({ inference, parts, unread }) => {
    const found = partsOf(inference);
    expect(found.texts.map(({ pointer, target, role, text }) => `${pointer} ${target} ${role} ${text}`)).toEqual(parts);
    expect(found.unread).toBe(unread ?? 0);
  },
);

test('arguments nested beyond all bounds are counted as unread instead of exhausting the stack', () => {
  let value: unknown = 'deep';
  for (let i = 0; i < 100_000; i++) value = [value];
  const { texts, unread } = partsOf({ tool_calls: [{ name: 'f', arguments: { value } }] });
  expect(texts).toEqual([]);
  expect(unread).toBe(1);
});

test('counts the UTF-16 units of all texts', () => {
  expect(inferenceChars({ input: 'a😀', output: [{ role: 'assistant', content: 'é' }], context: [{ content: '' }] })).toBe(4);
});
