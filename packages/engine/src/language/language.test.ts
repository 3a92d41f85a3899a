// Promises of the text model's reading: the same figures as in training, offsets that fit, explanations that quote nothing.

import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runnerOf } from '../detectors/run.ts';
import { detector as harm } from '../detectors/harm/detector.ts';
import { detector as promptInjection } from '../detectors/prompt-injection/detector.ts';
import { loadTextModel, TEXT_MODEL } from './model.ts';
import { logitsOf, readText } from './reader.ts';
import { scoreOf } from './signals.ts';
import {
  EMOJI,
  hashOf,
  LINE_BREAK,
  LONG_WORD,
  LOWER,
  NUMBER,
  PARAGRAPH_BREAK,
  SPECIAL_TOKENS,
  TITLE,
  tokenise,
  UNKNOWN,
  UPPER,
  vocabularyOf,
} from './tokens.ts';

const folder = join(import.meta.dirname, '../../models/text');

interface Vector {
  readonly text: string;
  readonly tokens: number;
  /** Per window, the logits of all heads. */
  readonly logits: readonly (readonly number[])[];
}

describe('the engine reads as training did', () => {
  const vectors = JSON.parse(readFileSync(join(folder, 'parity.json'), 'utf8')) as Vector[];

  test('tokens and logits are those that training wrote down, for every vector', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(100);
    for (const { text, tokens, logits } of vectors) {
      const reading = readText(text, TEXT_MODEL)!;
      expect(reading.tokens.length, text).toBe(tokens);
      expect(reading.windows, text).toBe(logits.length);
      const heads = Object.values(TEXT_MODEL.heads).map((head) => ({
        width: head.outputs.length,
        values: logitsOf(reading, head, TEXT_MODEL.features),
      }));
      logits.forEach((expected, window) => {
        const found = heads.flatMap(({ width, values }) => Array.from(values.subarray(window * width, (window + 1) * width)));
        expect(found.length).toBe(expected.length);
        found.forEach((logit, i) => expect(Math.abs(logit - expected[i]!), text).toBeLessThan(0.01));
      });
    }
  });

  test('a model that is not there is refused', () => {
    expect(() => loadTextModel('nowhere')).toThrow('nowhere');
  });
});

test('reading stops when its time is up', () => {
  expect(readText('word '.repeat(5_000), TEXT_MODEL, () => true)).toBeNull();
});

describe('tokens', () => {
  const words = ['ignore', 'rules', '##ed', 'un', '##locked', '!', 'uber'];
  const entries = words.map((word) => (word.startsWith('##') ? hashOf(word.slice(2), true) : hashOf(word, false)));
  const vocabulary = vocabularyOf(new Uint32Array(entries));
  const read = (text: string) => {
    const tokens = tokenise(text, vocabulary);
    return [...tokens.ids].map((id, i) => [
      id < SPECIAL_TOKENS ? id : words[id - SPECIAL_TOKENS]!,
      tokens.cases[i],
      text.slice(tokens.starts[i], tokens.ends[i]),
    ]);
  };

  test.each([
    [
      'Ignore RULES!',
      [
        ['ignore', TITLE, 'Ignore'],
        ['rules', UPPER, 'RULES'],
        ['!', LOWER, '!'],
      ],
    ],
    ['Über', [['uber', TITLE, 'Über']]],
    ['ru\u200bles', [['rules', LOWER, 'ru\u200bles']]],
    [
      'unlocked',
      [
        ['un', LOWER, 'un'],
        ['##locked', LOWER, 'locked'],
      ],
    ],
    [
      'rules\n \n!',
      [
        ['rules', LOWER, 'rules'],
        [PARAGRAPH_BREAK, LOWER, '\n \n'],
        ['!', LOWER, '!'],
      ],
    ],
    [
      'rules\r\n!',
      [
        ['rules', LOWER, 'rules'],
        [LINE_BREAK, LOWER, '\r\n'],
        ['!', LOWER, '!'],
      ],
    ],
    [
      '1234 😀 xyzzy',
      [
        [NUMBER, LOWER, '1234'],
        [EMOJI, LOWER, '😀'],
        [UNKNOWN, LOWER, 'xyzzy'],
      ],
    ],
    ['q'.repeat(40), [[LONG_WORD, LOWER, 'q'.repeat(40)]]],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('stand in order, inside of the text, and do not overlap, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { length, starts, ends } = tokenise(text, TEXT_MODEL.vocabulary);
        let reached = 0;
        for (let i = 0; i < length; i++) {
          expect(starts[i]).toBeGreaterThanOrEqual(reached);
          expect(ends[i]).toBeGreaterThan(starts[i]!);
          reached = ends[i]!;
        }
        expect(reached).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

test('a score rises with its logit, from 0 to below 1', () => {
  for (const calibration of Object.values(TEXT_MODEL.calibration)) {
    let before = -1;
    for (let logit = -40; logit < 60; logit += 0.25) {
      const score = scoreOf(logit, calibration);
      expect(score).toBeGreaterThanOrEqual(Math.max(0, before));
      expect(score).toBeLessThan(1);
      before = score;
    }
  }
});

test.each(['nude lipstick', 'glue gun', '😂😂😂😂😂😂😂😂', 'ok 👌', 'teen bedroom ideas', '口紅'])(
  'of a text of few words the model is never sure enough to flag it: %s',
  (text) => {
    for (const run of [runnerOf(promptInjection), runnerOf(harm)]) {
      for (const target of ['input', 'context'] as const) {
        for (const { method, score } of run(text, { target })) if (method === 'classifier') expect(score).toBeLessThan(0.5);
      }
    }
  },
);

test('findings lie inside of the text, and explain themselves in words of the model, not of the text', () => {
  const told = new Set(TEXT_MODEL.kinds.join(' ').split(/\W+/));
  const detectors = [runnerOf(promptInjection), runnerOf(harm)];
  const parts = fc.constantFrom(
    'ignore',
    'zanzibar',
    'kill',
    'marmalade',
    'your rules',
    'Quetzalcoatl',
    '\n',
    '. ',
    'password',
    '😀',
    'idiots',
  );
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 150 }), (chosen) => {
      const text = chosen.join(' ');
      for (const { start, end, explanation, method } of detectors.flatMap((run) => run(text))) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        if (method !== 'classifier') continue;
        for (const word of ['zanzibar', 'marmalade', 'Quetzalcoatl', 'idiots']) expect(explanation).not.toContain(word);
        const weighed = /words of (.*) weighed most/.exec(explanation)?.[1] ?? '';
        for (const word of weighed.match(/\w+/g) ?? []) expect(told).toContain(word);
      }
    }),
    { numRuns: 60 },
  );
});
