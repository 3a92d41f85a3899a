// Promises of the groundedness detector: what it holds against an answer and what not, offsets, bounds.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detector } from './detector.ts';
import { evidenceOf } from './evidence.ts';
import { FEATURES, featuresOf, type Feature } from './features.ts';
import { judge } from './judge.ts';
import { quantityAt } from './numbers.ts';
import { tokensOf } from './tokens.ts';

const LEASE =
  'The tenant pays a deposit of two months of rent. The landlord returns it within 30 days after the flat has been handed over. ' +
  'Pets are not allowed. Ms Karlsen from the office in Bergen answers questions on weekdays between 9:00 and 16:30.';

function featuresFor(answer: string, evidence = LEASE): Record<Feature, number> {
  const tokens = tokensOf([answer], 1_000);
  return featuresOf(tokens, tokens.sentences[0]!, evidenceOf([evidence]), null);
}

describe('judges', () => {
  test.each([
    ['a sentence of the evidence', 'The landlord returns it within 30 days after the flat has been handed over.'],
    ['a part of one', 'Ms Karlsen answers questions on weekdays.'],
    ['a number in digits for one in words', 'The tenant pays a deposit of 2 months of rent.'],
    ['thanks', 'Thank you, I hope this helps!'],
    ['an offer of help', 'Let me know if you have more questions.'],
  ])('%s as supported', (_name, answer) => {
    expect(judge(answer, [LEASE]).score).toBeLessThan(0.5);
  });

  test.each([
    ['another subject', 'Volcanic ash can stop jet engines because it melts and clogs the turbines.'],
    ['what nobody said', 'The heating was replaced last winter by a company from Trondheim.'],
    ['other numbers', 'The deposit is 4,500 crowns and comes back within 90 days.'],
  ])('%s as not supported', (_name, answer) => {
    expect(judge(answer, [LEASE]).score).toBeGreaterThanOrEqual(0.5);
  });

  test.each([
    ['a number', 'The landlord returns it within 30 days.', 'The landlord returns it within 45 days.'],
    ['a name', 'The office in Bergen answers questions.', 'The office in Stavanger answers questions.'],
    ['a denial', 'Pets are not allowed.', 'Pets are allowed, and they are never a problem.'],
    [
      'an opposite',
      'The landlord returns the deposit after the flat has been handed over.',
      'The landlord keeps the deposit before the flat has been handed over.',
    ],
  ])('a sentence with %s changed as less supported than the true one', (_name, truth, change) => {
    expect(judge(change, [LEASE]).score).toBeGreaterThan(judge(truth, [LEASE]).score);
  });

  test.each([
    ['German', 'Der Zug hält in Kassel und Fulda.', 'Der Koch brät die Zwiebeln in Butter.'],
    ['Russian', 'Поезд останавливается в Твери и Клину.', 'Повар жарит лук на сливочном масле.'],
    ['Arabic', 'يتوقف القطار في المدينة القديمة.', 'يقلي الطباخ البصل في الزبدة الطازجة.'],
    ['Hindi', 'यह रेलगाड़ी कानपुर और आगरा में रुकती है।', 'रसोइया मक्खन में प्याज भूनता है।'],
    ['Chinese', '列车在苏州和无锡停车。', '厨师用黄油煎洋葱。'],
    ['Japanese', '列車は京都と大津に停まります。', '料理人は玉ねぎをバターで炒めます。'],
    ['Thai', 'รถไฟจอดที่อยุธยาและลพบุรี', 'พ่อครัวผัดหัวหอมกับเนย'],
  ])('in %s, too', (_name, evidence, other) => {
    expect(judge(evidence, [evidence]).score).toBeLessThan(0.5);
    expect(judge(other, [evidence]).score).toBeGreaterThanOrEqual(0.5);
  });

  test('an answer to the question as more supported than one to another', () => {
    const asked = 'Who answers questions on weekdays?';
    expect(judge('Ms Karlsen', [LEASE], asked).score).toBeLessThan(judge('the tenant', [LEASE], asked).score);
  });

  test('an answer by its least supported sentence', () => {
    const { score, segments } = judge('Pets are not allowed. Dinosaurs ruled the swamps of Montana.', [LEASE]);
    expect(score).toBe(Math.max(...segments.map((segment) => segment.score)));
    expect(segments.map((segment) => segment.score >= 0.5)).toEqual([false, true]);
    expect(segments[1]!.reasons).toContain('words_not_in_evidence');
  });

  test('by all evidence together', () => {
    expect(judge('Pets are not allowed.', ['The rent is due on Mondays.', LEASE]).score).toBeLessThan(0.5);
  });
});

describe('says nothing', () => {
  test.each([
    ['without evidence', 'The moon is made of cheese.', []],
    ['with blank evidence', 'The moon is made of cheese.', [' \n', '']],
    ['with evidence without a word', 'The moon is made of cheese.', ['— … —']],
    ['about an empty answer', '', [LEASE]],
    ['about an answer without a word', '!?', [LEASE]],
  ])('%s', (_name, answer, evidence) => {
    expect(judge(answer, evidence)).toEqual({ score: 0, segments: [], isTruncated: false });
  });
});

describe('features', () => {
  test.each([
    ['number_missing', 'The landlord returns it within 45 days.', 'The landlord returns it within 30 days.'],
    ['number_word_missing', 'A deposit of three months of rent.', 'A deposit of two months of rent.'],
    ['unit_mismatch', 'A deposit of two weeks of rent.', 'A deposit of two months of rent.'],
    ['name_missing', 'Questions go to Ms Halvorsen in Bergen.', 'Questions go to Ms Karlsen in Bergen.'],
    ['negation_flip', 'Pets are allowed.', 'Pets are not allowed.'],
    ['claims_nothing', 'Sure, happy to help!', 'The tenant pays.'],
    ['asks', 'Are pets allowed?', 'Pets are not allowed.'],
    ['self', 'I told my landlord.', 'The landlord returns it.'],
  ] as const)('%s is there in %j and not in %j', (feature, there, not) => {
    expect(featuresFor(there)[feature]).toBeGreaterThan(0);
    expect(featuresFor(not)[feature]).toBe(0);
  });

  test('a word of the opposite meaning counts where the evidence says the other', () => {
    const evidence = 'Sales increased sharply in the northern region.';
    expect(featuresFor('Sales decreased sharply in the northern region.', evidence).opposite).toBeGreaterThan(0);
    expect(featuresFor('Sales rose sharply in the northern region.', evidence).opposite).toBe(0);
  });

  test.each([
    ['1.65 billion', 1.65e9],
    ['1,650,000', 1.65e6],
    ['1.650.000,5', 1.6500005e6],
    ['3,5', 3.5],
    ['twelve', 12],
    ['٤٢', 42],
    ['５０', 50],
    ['4 hundred', 400],
  ])('%s is %d', (text, value) => {
    expect(quantityAt(tokensOf([text], 10), 0)?.scaled).toBe(value);
  });

  test.each([
    ['$1.7 billion', 'The sum was $1,653 million.', 0],
    ['about 20 people', 'They counted 19.8 on average.', 0],
    ['in 1996', 'It happened in 1995.', 1],
  ])('%j against %j: rounding is no error, another year is', (answer, evidence, missing) => {
    expect(featuresFor(answer, evidence).number_missing > 0 ? 1 : 0).toBe(missing);
  });
});

describe('any texts', () => {
  const pieces = fc.constantFrom(
    'The house ',
    'is not ',
    'big',
    '. ',
    '? ',
    'Q: who\nA: ',
    '3.5% ',
    '1,000 ',
    'Dr. ',
    '我们',
    '。',
    'لا ',
    'é',
    '\ud83d',
    '👍',
    "don't ",
    '\n',
    '- ',
    'Ω',
    '\u200b',
  );
  const text = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

  test('scores are probabilities, segments lie in the answer, in order and without overlap', () => {
    fc.assert(
      fc.property(text, text, fc.option(text, { nil: undefined }), (answer, evidence, question) => {
        const { score, segments } = judge(answer, [evidence], question);
        expect(score >= 0 && score <= 1).toBe(true);
        let end = 0;
        for (const segment of segments) {
          expect(segment.start >= end && segment.end > segment.start && segment.end <= answer.length).toBe(true);
          expect(segment.score >= 0 && segment.score <= 1).toBe(true);
          ({ end } = segment);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('features are finite and known to the model', () => {
    fc.assert(
      fc.property(text, text, (answer, evidence) => {
        for (const sentence of tokensOf([answer], 1_000).sentences) {
          const features = featuresOf(tokensOf([answer], 1_000), sentence, evidenceOf([`${evidence} word`]), null);
          expect(Object.keys(features).toSorted()).toEqual([...FEATURES].toSorted());
          expect(Object.values(features).every((value) => value >= 0 && value <= 2)).toBe(true);
        }
      }),
    );
  });

  test.each([
    ['one word', 'house ', 'house '],
    ['one letter', 'a ', 'a '],
    ['one sentence', 'The house is big. ', 'The house is not big. '],
    ['pairs of characters', '我们没有办公室。', '我们没有办公室。'],
    ['numbers', '10000. ', '10001 9999 '],
    ['marks', 'a\u0301\u0301', 'a\u0301'],
  ])('100 000 characters of %s are judged in a few seconds at most', (_name, answer, evidence) => {
    const long = (piece: string) => piece.repeat(Math.ceil(100_000 / piece.length));
    const startedAt = performance.now();
    judge(long(answer), [long(evidence)], 'How many of the 10000 houses are big?');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('what lies beyond the bounds is told', () => {
    expect(judge('word '.repeat(40_000), [LEASE]).isTruncated).toBe(true);
    expect(judge('word', [LEASE]).isTruncated).toBe(false);
  });
});

test('has an id and a version for coverage and findings', () => {
  expect(detector).toMatchObject({ id: 'groundedness', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});
