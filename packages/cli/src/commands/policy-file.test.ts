// Promises of policies as texts.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf, policyYaml, readPolicyText } from './policy-file.ts';

const YAML = `# Ours.
mode: enforced
detectors:
  pii:
    entities:
      credit_card: blok
  piii: {}
exceptions:
  - id: x
    match: { category: data.pii }
  - id: y
`;

test.each([
  ['a value', '/mode', 2, 7],
  ['a value further down', '/detectors/pii/entities/credit_card', 6, 20],
  ['a member that is no word, by its key', '/detectors/piii', 7, 3],
  ['an entry of a list', '/exceptions/1', 11, 5],
  ['something that is missing, by what should have it', '/exceptions/1/owner', 11, 5],
  ['the whole', '', 2, 1],
])('finds the place of %s', (_, pointer, line, column) => {
  expect(readPolicyText('policy.yaml', YAML).placeOf(pointer)).toEqual({ line, column });
});

test('finds places in JSON as well, and through escaped names', () => {
  const file = readPolicyText('policy.json', '{\n  "mode": "x",\n  "detectors": {\n    "a/b~c": 1\n  }\n}\n');
  expect(file.value).toEqual({ mode: 'x', detectors: { 'a/b~c': 1 } });
  expect(file.placeOf('/detectors/a~1b~0c')).toEqual({ line: 4, column: 14 });
});

test.each([
  ['a text that is no YAML', 'mode: [enforce\ndetectors: {}\n', 2],
  ['a key that is there twice', 'mode: enforce\nmode: monitor\n', 2],
  ['a list', '- mode\n', 1],
  ['nothing', '', 1],
])('says where %s is wrong', (_, text, line) => {
  const file = readPolicyText('policy.yaml', text);
  expect(file.value).toBeNull();
  expect(file.faults[0]).toMatchObject({ line, message: expect.stringMatching(/^\S.*[.!?]$/) });
});

test('writes YAML that reads as the same document', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (policy) => {
      const plain = JSON.parse(JSON.stringify(policy)) as object;
      expect(readPolicyText('policy.yaml', policyYaml(plain)).value).toEqual(plain);
    }),
  );
});

test('tells the difference of documents, entries of lists by their ids', () => {
  const from = {
    mode: 'enforce',
    deadline_ms: 250,
    rules: [
      { id: 'a', when: '1' },
      { id: 'b', when: '2' },
    ],
    stream: 'hold',
  };
  const to = {
    mode: 'monitor',
    rules: [
      { id: 'b', when: '3' },
      { id: 'c', when: '4' },
    ],
    stream: 'hold',
  };
  expect(differenceOf(from, to)).toEqual([
    { op: 'remove', path: '/deadline_ms', from: 250 },
    { op: 'replace', path: '/mode', from: 'enforce', to: 'monitor' },
    { op: 'remove', path: '/rules/0', id: 'a', from: { id: 'a', when: '1' } },
    { op: 'replace', path: '/rules/0/when', from: '2', to: '3' },
    { op: 'add', path: '/rules/1', id: 'c', to: { id: 'c', when: '4' } },
  ]);
});

test('finds no difference where only the order of members is another, and one where the order of rules is', () => {
  expect(differenceOf({ a: [{ x: 1, y: 2 }], b: {} }, { b: {}, a: [{ y: 2, x: 1 }] })).toEqual([]);
  const swapped = differenceOf({ rules: [{ id: 'a' }, { id: 'b' }] }, { rules: [{ id: 'b' }, { id: 'a' }] });
  expect(swapped).toEqual([{ op: 'replace', path: '/rules (order)', from: ['a', 'b'], to: ['b', 'a'] }]);
});
