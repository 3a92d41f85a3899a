import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assess } from '../../assess.ts';
import { compilePolicy } from '../../policy/compile.ts';
import { FOUND_AMONG_WORDS } from './detector.ts';
import { KINDS, type Kind } from './kinds.ts';
import { LABEL_COUNT, NAMES_MODEL, readNamesModel } from './names-model.ts';
import { Tagger } from './tagger.ts';

interface Expected {
  readonly text: string;
  /** Start, end, and the chance of each label in thousandths. */
  readonly tokens: readonly (readonly number[])[];
}

const MODEL = new URL('../../../models/pii-names/', import.meta.url);
const never = (): boolean => false;

function tokensOf(tagger: Tagger, text: string): number[][] {
  const found: number[][] = [];
  const tokens = tagger.read(text);
  tagger.eachRun(text, tokens, never, (start, end) => {
    for (let i = start; i < end; i++) {
      const chances = tagger.chances.subarray((i - start) * LABEL_COUNT, (i - start + 1) * LABEL_COUNT);
      found.push([tokens.starts[i]!, tokens.ends[i]!, ...Array.from(chances, (chance) => Math.round(chance * 1_000))]);
    }
  });
  return found;
}

test('sees the same tokens and the same chances as the training did', () => {
  const rows = JSON.parse(readFileSync(new URL('parity.json', MODEL), 'utf8')) as Expected[];
  const tagger = new Tagger(NAMES_MODEL);
  expect(rows.length).toBeGreaterThan(200);
  for (const { text, tokens } of rows) {
    const found = tokensOf(tagger, text);
    expect(
      found.map(([start, end]) => [start, end]),
      text,
    ).toEqual(tokens.map(([start, end]) => [start, end]));
    const furthest = found.flatMap((token, i) => token.map((value, j) => Math.abs(value - tokens[i]![j]!)));
    expect(Math.max(0, ...furthest), text).toBeLessThanOrEqual(1);
  }
});

test('says the same of a text whatever it has read before', () => {
  const used = new Tagger(NAMES_MODEL);
  for (const text of ['Ada Lovelace met Charles Babbage in London. '.repeat(2_000), '王小明在北京工作', '']) tokensOf(used, text);
  const text = 'Dear Mr Okafor, please call Siobhán at Nokia.';
  expect(tokensOf(used, text)).toEqual(tokensOf(new Tagger(NAMES_MODEL), text));
});

test('stops when it is late', () => {
  let asked = 0;
  const tagger = new Tagger(NAMES_MODEL);
  const text = 'Ada and then Bob or so. '.repeat(100);
  tagger.tag(
    text,
    tagger.read(text),
    () => {},
    () => ++asked > 2,
  );
  expect(asked).toBe(3);
});

test('refuses a model of another form', () => {
  const bytes = readFileSync(new URL('weights.bin', MODEL));
  expect(() => readNamesModel(bytes.subarray(0, 1_000))).toThrow(RangeError);
  expect(() => readNamesModel(new Uint8Array(64))).toThrow(RangeError);
});

test('where a policy ignores what stands among words, it is not looked for, and nothing else that is found changes', () => {
  const amongWords = new Set<string>(FOUND_AMONG_WORDS);
  const policyOf = (actionOf: (kind: string) => 'flag' | 'ignore') =>
    compilePolicy(
      { detectors: { pii: { entities: Object.fromEntries(Object.keys(KINDS).map((kind) => [kind as Kind, actionOf(kind)])) } } },
      0,
    );
  const [all, some] = [policyOf(() => 'flag'), policyOf((kind) => (amongWords.has(kind) ? 'ignore' : 'flag'))];
  const found = (text: string, policy: typeof all) =>
    assess({ input: text }, policy, { clock: () => 0, nowMs: 0 })
      .findings.filter(({ detector, type }) => detector.id === 'pii' && !amongWords.has(type))
      .map(({ type, location, score }) => [type, location.start, location.end, score]);
  const rows = JSON.parse(readFileSync(new URL('parity.json', MODEL), 'utf8')) as Expected[];
  for (const { text } of rows) expect(found(text, some), text).toEqual(found(text, all));
});
