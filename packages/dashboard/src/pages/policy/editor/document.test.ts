// Promises of the policy's text: it is read as it is sent, whatever stands in it, and a change of a member touches the lines of that member alone.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLines } from '../lines.ts';
import { read, type Format } from './document.ts';
import { edit, obstacleAt, type Path } from './edit.ts';

const marksOf = (text: string, format: Format = 'yaml') => {
  const reading = read(text, format);
  return reading.isReadable ? [] : reading.marks.map(({ from, to, message }) => [text.slice(from, to), message] as const);
};
const policyOf = (text: string, format: Format = 'yaml') => {
  const reading = read(text, format);
  if (!reading.isReadable) throw new Error(JSON.stringify(reading.marks));
  return reading.policy;
};

describe('a text', () => {
  test.each(['.nan', '.inf', '-.INF', '1e400'])('with the number %s is not taken, and the number is marked', (number) => {
    expect(marksOf(`detectors:\n  secrets:\n    block_at: ${number}\n`)).toEqual([
      [number, expect.stringContaining('cannot be sent')],
    ]);
  });

  test('with a number in JSON that has no end is not taken', () => {
    expect(marksOf('{"deadline_ms": 1e400}', 'json')).toEqual([['1e400', expect.stringContaining('cannot be sent')]]);
  });

  test.each([
    ['an alias within what it stands for', 'mode: monitor\nx: &x\n  b: *x\n', '*x'],
    ['a value of another type', 'mode: !!binary aGk=\n', 'aGk='],
    ['a name twice', 'mode: monitor\nmode: enforce\n', 'mo'],
    ['a second document', 'mode: monitor\n---\nmode: enforce\n', '---'],
  ])('with %s is marked there', (_what, text, marked) => {
    expect(marksOf(text)).toEqual([
      [expect.stringContaining(marked.slice(0, 1)), expect.not.stringMatching(/YAML\.|circular structure/)],
    ]);
  });

  test('of whatever characters never throws', () => {
    const tokens = [
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '*x',
      '&x ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '#',
      '!!set ',
      '|',
      '>',
      '? ',
      '<<',
      '\t',
      '%YAML 1.1\n---\n',
      '.nan',
      '\r',
      '😀',
      '\uFEFF',
      '---\n',
      ',',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...tokens), { maxLength: 24 }),
        fc.constantFrom<Format>('yaml', 'json'),
        (parts, format) => {
          const text = parts.join('');
          const reading = read(text, format);
          edit(text, format, ['detectors', 'pii', 'enabled'], false);
          return reading.isReadable || reading.marks.length > 0;
        },
      ),
      { numRuns: 1_500 },
    );
    for (const text of ['['.repeat(20_000), '{"a":'.repeat(20_000), '- '.repeat(20_000)]) {
      expect(read(text, 'yaml').isReadable).toBe(false);
      expect(read(text, 'json').isReadable).toBe(false);
    }
  });

  test.each([
    ['{\n  "mode": monitor,\n  "stream": "hold"\n}', 'monitor', 'A text stands in double quotes.'],
    ['{"mode": "monitor",}', ',', 'nothing follows'],
    ['{"mode": "monitor" "stream": "hold"}', '"', 'A comma is missing'],
    ["{'mode': 1}", "'", 'double quotes'],
    ['{"mode": 1 // x\n}', '/', 'no comments'],
    ['{"mode": 01}', '01', 'number'],
    ['{"mode": "x', '"x', 'not closed'],
    ['{"a": [1, 2', '[', 'not closed'],
    ['{"a" 1}', '1', 'colon'],
    ['{"a": 1, "a": 2}', '"', 'second time'],
  ])('%s is marked where JSON ends, in plain words', (text, marked, said) => {
    expect(marksOf(text, 'json')[0]).toEqual([marked, expect.stringContaining(said)]);
  });

  test('in JSON with a byte order mark, tabs and escapes is read as JSON reads it', () => {
    expect(policyOf('\uFEFF{\n\t"a": [\n\t\t1,\n\t\t"\\ud83d\\ude00 \\/"\n\t]\n}', 'json')).toEqual({ a: [1, '😀 /'] });
  });
});

describe('a change of a member', () => {
  test.each<[text: string, path: Path, value: unknown, after: string]>([
    ['', ['mode'], 'monitor', 'mode: monitor\n'],
    ['# mine\n', ['mode'], 'monitor', '# mine\nmode: monitor\n'],
    ['mode:   enforce   # why\n\n\nx: 1', ['mode'], 'monitor', 'mode:   monitor   # why\n\n\nx: 1'],
    ['x: 1', ['data', 'store'], 'full', 'x: 1\ndata:\n  store: full'],
    ['{}\n', ['mode'], 'monitor', 'mode: monitor\n'],
    ['detectors: {} # none\n', ['detectors', 'pii', 'flag_at'], 0.3, 'detectors: # none\n  pii:\n    flag_at: 0.3\n'],
    [
      'detectors: # none\n  # yet\n',
      ['detectors', 'pii', 'flag_at'],
      0.3,
      'detectors: # none\n  pii:\n    flag_at: 0.3\n  # yet\n',
    ],
    [
      'detectors:\n    pii: {flag_at: 0.50, action: flag}\n',
      ['detectors', 'pii', 'block_at'],
      null,
      'detectors:\n    pii: {flag_at: 0.50, action: flag, block_at: null}\n',
    ],
    [
      'a:\n    pii:\n        x: 1 # c\n    # next\n    b: 1\n',
      ['a', 'pii', 'y', 'z'],
      2,
      'a:\n    pii:\n        x: 1 # c\n        y:\n            z: 2\n    # next\n    b: 1\n',
    ],
    [
      'detectors:\n  # asked by the DPO\n  pii:\n    enabled: false\n  secrets:\n    enabled: true\n',
      ['detectors', 'pii', 'enabled'],
      undefined,
      'detectors:\n  # asked by the DPO\n  secrets:\n    enabled: true\n',
    ],
    [
      'detectors:\n  pii: # DPO\n    # off since May\n    enabled: false\n',
      ['detectors', 'pii', 'enabled'],
      undefined,
      'detectors:\n  pii: {} # DPO\n    # off since May\n',
    ],
    [
      'mode: monitor\r\nstream: hold\r\n',
      ['data', 'store'],
      'full',
      'mode: monitor\r\nstream: hold\r\ndata:\r\n  store: full\r\n',
    ],
    ['exceptions:\n- id: a\n  # mine\n  reason: x\n- id: b\n', ['exceptions', 0], undefined, 'exceptions:\n- id: b\n'],
    ['exceptions:\n- id: a\n', ['exceptions', 0], undefined, ''],
    [
      'exceptions: []\nmode: monitor\n',
      ['exceptions'],
      [{ id: 'a', match: { type: 'email' } }],
      'exceptions:\n  - id: a\n    match:\n      type: email\nmode: monitor\n',
    ],
    [
      'exceptions:\n- id: a\n# end\n',
      ['exceptions', 1],
      { id: 'b', reason: 'x: y' },
      'exceptions:\n- id: a\n- id: b\n  reason: "x: y"\n# end\n',
    ],
    [
      'exceptions:\n- id: a\n  expires_at: "2027-01-01T00:00:00Z" # soon\n',
      ['exceptions', 0, 'expires_at'],
      '2028-01-01T00:00:00Z',
      'exceptions:\n- id: a\n  expires_at: 2028-01-01T00:00:00Z # soon\n',
    ],
  ])('of %j at %j to %j touches nothing else', (text, path, value, after) => {
    expect(edit(text, 'yaml', path, value)).toBe(after);
  });

  test.each<[text: string, path: Path, value: unknown, after: string]>([
    ['', ['mode'], 'monitor', '{\n  "mode": "monitor"\n}\n'],
    ['{}\n', ['mode'], 'monitor', '{\n  "mode": "monitor"\n}\n'],
    ['{\n\t"mode":"monitor",\n\t"deadline_ms": 1.0\n}', ['mode'], 'enforce', '{\n\t"mode":"enforce",\n\t"deadline_ms": 1.0\n}'],
    ['{\n    "a":   1.0\n}\n', ['b', 'c'], 2, '{\n    "a":   1.0,\n    "b": {\n        "c": 2\n    }\n}\n'],
    ['{"a": 1, "b": 2}', ['a'], undefined, '{"b": 2}'],
    ['{"a": 1, "b": 2}', ['b'], undefined, '{"a": 1}'],
    ['{\n  "a": 1,\n  "b": 2\n}\n', ['b'], undefined, '{\n  "a": 1\n}\n'],
    ['{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n', ['b', 'c'], undefined, '{\n  "a": 1\n}\n'],
    ['{"a": {"x": []}}', ['a', 'x'], [{ id: 'b' }], '{"a": {"x": [\n  {\n    "id": "b"\n  }\n]}}'],
  ])('of the JSON %j at %j to %j touches nothing else', (text, path, value, after) => {
    expect(edit(text, 'json', path, value)).toBe(after);
  });

  test.each<[text: string, path: Path, why: string]>([
    ['detectors:\n  pii: &d {enabled: true}\n  secrets: *d\n', ['detectors', 'secrets', 'flag_at'], 'the alias *d'],
    ['detectors:\n  pii: &d {enabled: true}\n  secrets: *d\n', ['detectors', 'pii', 'flag_at'], 'the anchor &d'],
    ['detectors: foo\n', ['detectors', 'pii', 'flag_at'], 'detectors has another shape'],
    ['- a\n', ['mode'], 'The document has another shape'],
    ['mode: {a: 1}\n', ['mode'], 'mode has another shape'],
  ])('that the text does not allow is refused with the reason: %j', (text, path, why) => {
    const reading = read(text, 'yaml');
    expect(reading.isReadable && obstacleAt(reading, path)).toContain(why);
    expect(edit(text, 'yaml', path, 0.3)).toBeNull();
  });

  test('keeps every other line byte for byte, whatever the document, its comments and its layout', () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.constantFrom<unknown>(undefined, 'flag', 0.25, true, null), (text, seed, value) => {
        const leaves = pathsOf(policyOf(text));
        const path = leaves.at(seed % Math.max(1, leaves.length)) ?? ['m0'];
        const after = edit(text, 'yaml', path, value);
        if (after === '') return;
        if (after === null) throw new Error(`refused at ${path.join('/')}`);
        const touched = diffLines(text, after).filter(({ sign }) => sign === '-');
        const own = new Set(path.map(String));
        for (const line of touched) {
          const name = /^\s*(?:- )?"?([\w]+)"?:/.exec(line.text)?.[1];
          const isOwn = line.text.trim() === '' || (name !== undefined && own.has(name)) || /^\s*(?:-|text$)/.test(line.text);
          if (!isOwn) throw new Error(`touched ${JSON.stringify(line.text)}`);
        }
        expect(commentsOf(after)).toEqual(commentsOf(text).filter((comment) => commentsOf(after).includes(comment)));
        expect(commentLinesOf(after)).toEqual(commentLinesOf(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

const commentsOf = (text: string) => text.match(/#c\d+/g) ?? [];
const commentLinesOf = (text: string) => text.match(/^[ \t]*#c\d+$/gm) ?? [];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, Array.isArray(value) ? Number(name) : name]));
}

/** Texts of block YAML with comments and blank lines at every place where they may stand. */
const documents = fc
  .record({
    step: fc.integer({ min: 1, max: 4 }),
    seed: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 60, maxLength: 60 }),
    ends: fc.boolean(),
  })
  .map(({ step, seed, ends }) => {
    let at = 0;
    let named = 0;
    let comments = 0;
    const next = (n: number) => (seed.at(at++ % seed.length) ?? 0) % n;
    const comment = () => `#c${comments++}`;
    const beside = () => (next(4) === 0 ? `  ${comment()}` : '');
    const around = (indent: number) => [
      ...(next(4) === 0 ? [' '.repeat(indent) + comment()] : []),
      ...(next(7) === 0 ? [''] : []),
    ];
    const scalar = () =>
      ['monitor', '"a b"', "'it''s'", '0.50', 'true', '[x, {y: 1}]', '{ k: 1,  l: "z" }', 'a'].at(next(8)) ?? 'a';
    const map = (indent: number, depth: number): string[] => {
      const lines: string[] = [];
      for (let i = next(3) + 1; i > 0; i--) {
        const key = ' '.repeat(indent) + (next(6) === 0 ? `"k${named++}"` : `k${named++}`);
        lines.push(...around(indent));
        const kind = depth > 2 ? 0 : next(4);
        if (kind === 1) lines.push(`${key}:${beside()}`, ...map(indent + step, depth + 1));
        else if (kind === 2) {
          const items = Array.from({ length: next(2) + 1 }, () => [
            ...around(indent),
            `${' '.repeat(indent)}- ${scalar()}${beside()}`,
          ]);
          lines.push(`${key}:${beside()}`, ...items.flat());
        } else if (next(8) === 0) lines.push(`${key}: |`, `${' '.repeat(indent + step)}text`);
        else lines.push(`${key}: ${scalar()}${beside()}`);
      }
      return lines;
    };
    return map(0, 0).join('\n') + (ends ? '\n' : '');
  });
