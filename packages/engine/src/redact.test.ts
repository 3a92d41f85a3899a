// Promises of redaction: what is to go goes, everything else stays as it was.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Inference } from './inference.ts';
import { redactInference, type Redactable } from './redact.ts';

const span = (pointer: string, start: number, end: number, type = 'email', action = 'redact'): Redactable => ({
  type,
  action,
  location: { pointer, start, end },
});

/** Content in a vendor's own shape. */
const IMAGE = Object.assign({ type: 'image_url' }, { image_url: { url: 'u' } });

test.each([
  {
    promise: 'replaces a value by its type',
    inference: { output: 'key is K!' },
    spans: [span('/output', 7, 8, 'aws_access_key_id')],
    redacted: { output: 'key is [AWS_ACCESS_KEY_ID]!' },
  },
  {
    promise: 'gives null when nothing is to redact',
    inference: { output: 'x' },
    spans: [span('/output', 0, 1, 'email', 'flag')],
    redacted: null,
  },
  {
    promise: 'holds only members that changed',
    inference: { input: 'a', output: 'b' },
    spans: [span('/input', 0, 1)],
    redacted: { input: '[EMAIL]' },
  },
  {
    promise: 'names the same value alike',
    inference: { input: 'a b a' },
    spans: [span('/input', 0, 1), span('/input', 4, 5)],
    redacted: { input: '[EMAIL] b [EMAIL]' },
  },
  {
    promise: 'numbers different values of a type across the whole inference',
    inference: { input: 'a b', output: 'b c' },
    spans: [span('/output', 2, 3), span('/output', 0, 1), span('/input', 2, 3), span('/input', 0, 1)],
    redacted: { input: '[EMAIL] [EMAIL_2]', output: '[EMAIL_2] [EMAIL_3]' },
  },
  {
    promise: 'numbers each type apart',
    inference: { input: 'a b c' },
    spans: [span('/input', 0, 1), span('/input', 2, 3, 'iban'), span('/input', 4, 5)],
    redacted: { input: '[EMAIL] [IBAN] [EMAIL_2]' },
  },
  {
    promise: 'numbers what is known before the model speaks first, so that what it says changes no placeholder',
    inference: { output: 'a b', context: [{ content: 'b' }] },
    spans: [span('/output', 0, 1), span('/output', 2, 3), span('/context/0/content', 0, 1)],
    redacted: { output: '[EMAIL_2] [EMAIL]', context: [{ content: '[EMAIL]' }] },
  },
  {
    promise: 'merges overlapping spans under the name of the widest',
    inference: { input: '0123456789' },
    spans: [span('/input', 1, 4), span('/input', 3, 8, 'iban')],
    redacted: { input: '0[IBAN]89' },
  },
  {
    promise: 'keeps touching spans apart',
    inference: { input: 'ab' },
    spans: [span('/input', 0, 1), span('/input', 1, 2, 'iban')],
    redacted: { input: '[EMAIL][IBAN]' },
  },
  {
    promise: 'counts UTF-16 units',
    inference: { input: '😀 x 😀' },
    spans: [span('/input', 3, 4)],
    redacted: { input: '😀 [EMAIL] 😀' },
  },
  {
    promise: 'spells ids of own rules in capitals',
    inference: { input: 'x' },
    spans: [span('/input', 0, 1, 'our-ticket.id')],
    redacted: { input: '[OUR_TICKET_ID]' },
  },
  {
    promise: 'keeps messages, roles, parts and other content',
    inference: {
      input: [
        { role: 'user', content: [{ type: 'text', text: 'mail a' }, IMAGE] },
        { role: 'assistant', content: null },
      ],
    },
    spans: [span('/input/0/content/0/text', 5, 6)],
    redacted: {
      input: [
        { role: 'user', content: [{ type: 'text', text: 'mail [EMAIL]' }, IMAGE] },
        { role: 'assistant', content: null },
      ],
    },
  },
  {
    promise: 'keeps the structure of arguments',
    inference: { tool_calls: [{ name: 'f', arguments: { 'a/b': ['x', 1, null, { '~': 'y' }] } }, { name: 'g' }] },
    spans: [span('/tool_calls/0/arguments/a~1b/3/~0', 0, 1)],
    redacted: { tool_calls: [{ name: 'f', arguments: { 'a/b': ['x', 1, null, { '~': '[EMAIL]' }] } }, { name: 'g' }] },
  },
  {
    promise: 'passes over spans of texts that are not there',
    inference: { input: 'x' },
    spans: [span('/output', 0, 1), span('/input', 0, 1)],
    redacted: { input: '[EMAIL]' },
  },
] satisfies { promise: string; inference: Inference; spans: Redactable[]; redacted: object | null }[])(
  '$promise',
  ({ inference, spans, redacted }) => {
    expect(redactInference(inference, spans)).toEqual(redacted);
  },
);

test('a member named __proto__ stays a member', () => {
  const args = JSON.parse('{"__proto__": {"x": "secret"}, "y": "a"}') as Record<string, unknown>;
  const redacted = redactInference({ tool_calls: [{ name: 'f', arguments: args }] }, [span('/tool_calls/0/arguments/y', 0, 1)]);
  expect(JSON.stringify(redacted)).toBe('{"tool_calls":[{"name":"f","arguments":{"__proto__":{"x":"secret"},"y":"[EMAIL]"}}]}');
});

describe('of any text and spans', () => {
  const cases = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).chain((text) =>
    fc.record({
      text: fc.constant(text),
      spans: fc.array(
        fc
          .tuple(fc.nat(text.length), fc.nat(text.length), fc.constantFrom('email', 'iban'))
          .map(([a, b, type]) => span('/input', Math.min(a, b), Math.max(a, b), type)),
        { maxLength: 8 },
      ),
    }),
  );

  test('every unit outside of them stays, in order, and every unit inside goes', () => {
    fc.assert(
      fc.property(cases, ({ text, spans }) => {
        const input = (redactInference({ input: text }, spans)?.['input'] ?? text) as string;
        // Placeholders become one character that the text cannot hold, and so do the merged spans of the oracle.
        const marked = spans.length === 0 ? input : input.replaceAll(/\[(?:EMAIL|IBAN)(?:_\d+)?\]/g, '\uffff');
        expect(marked).toBe(oracle(text, spans));
      }),
      { numRuns: 1_000 },
    );
  });

  test('the input is left alone', () => {
    fc.assert(
      fc.property(cases, ({ text, spans }) => {
        const inference: Inference = { input: [{ role: 'user', content: text }] };
        const before = structuredClone(inference);
        redactInference(
          inference,
          spans.map((one) => ({ ...one, location: { ...one.location, pointer: '/input/0/content' } })),
        );
        expect(inference).toEqual(before);
      }),
    );
  });

  /** Unit by unit: covered units disappear, and a mark stands where each run of overlapping spans began. */
  function oracle(text: string, spans: readonly Redactable[]): string {
    const real = spans.map(({ location }) => location).filter(({ start, end }) => start < end);
    let marked = '';
    for (let i = 0; i < text.length; i++) {
      const isCovered = real.some(({ start, end }) => start <= i && i < end);
      const continues = real.some(({ start, end }) => start < i && i < end);
      if (!isCovered) marked += text[i];
      else if (!continues) marked += '\uffff';
    }
    return marked;
  }
});
