import * as fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { InferenceSchema } from '../inference.ts';
import { createSchemaChecker } from './schema-check.ts';

const checkInference = createSchemaChecker(InferenceSchema);

const many = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const names = (count: number): Record<string, number> => Object.fromEntries(many(count, 0).map((_, i) => [`k${i}`, i]));

/** An array that counts how often an item of it is looked at. */
function counted(items: readonly unknown[]): { readonly array: readonly unknown[]; visits: () => number } {
  let visits = 0;
  const array = new Proxy(items, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) visits++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { array, visits: () => visits };
}

describe('a document that is wrong in very many places is looked at in few of them', () => {
  test.each([
    ['parts of content', 200, {}, (array: unknown) => ({ input: [{ role: 'user', content: array }] })],
    ['messages', 200, {}, (array: unknown) => ({ input: array })],
    ['messages of an output', 200, {}, (array: unknown) => ({ output: array })],
    ['items of context', 100, {}, (array: unknown) => ({ context: array })],
    ['calls of tools', 100, {}, (array: unknown) => ({ tool_calls: array })],
  ])('%s', (_name, most, item, documentOf) => {
    const { array, visits } = counted(many(100_000, item));
    expect(checkInference(documentOf(array)).length).toBeGreaterThan(most === 200 ? 100 : 99);
    // Once to find that something is wrong, and no more than a few times each that is within the bound.
    expect(visits()).toBeLessThan(5 * most);
  });

  test('an array without a bound of items that may be anything, where something else is wrong', () => {
    const { array, visits } = counted(many(100_000, {}));
    const check = createSchemaChecker(
      Type.Object({ items: Type.Array(Type.Unknown(), { minItems: 1 }) }, { additionalProperties: false }),
    );
    expect(check({ items: array, x: 1 })).toEqual([{ pointer: '/x', message: "unknown member 'x'; known: items" }]);
    expect(visits()).toBeLessThan(10);
  });

  test('items that are right are looked at once or twice, not told of', () => {
    const check = createSchemaChecker(Type.Object({ a: Type.Array(Type.Object({ b: Type.String() }), { maxItems: 1_000 }) }));
    let reads = 0;
    const item = {
      get b() {
        reads++;
        return 'x';
      },
    };
    expect(check({ a: [...many(998, item), { b: 1 }] })).toEqual([{ pointer: '/a/998/b', message: 'must be a string' }]);
    expect(reads).toBeLessThan(3 * 998);
  });
});

describe('what is too much is told', () => {
  test('of items that are right', () => {
    const content = many(5_000, { type: 'image_url' });
    expect(checkInference({ input: [{ role: 'user', content }] })).toContainEqual({
      pointer: '/input/0/content',
      message: 'must be a string or null or must hold at most 200',
    });
    expect(checkInference({ context: many(101, { content: '' }) })).toEqual([
      { pointer: '/context', message: 'must hold at most 100' },
    ]);
  });

  test('of pairs that are right', () => {
    const metadata = Object.fromEntries(many(51, 0).map((_, i) => [`k${i}`, 'v']));
    expect(checkInference({ metadata })).toEqual([{ pointer: '/metadata', message: 'must hold at most 50' }]);
  });

  test('no more than 200 places', () => {
    const check = createSchemaChecker(Type.Array(Type.Object({}, { additionalProperties: false }), { maxItems: 1_000 }));
    expect(check(many(1_000, { a: 1, b: 2 })).length).toBeLessThanOrEqual(200);
    expect(check(many(1_000, names(1_000))).length).toBeLessThanOrEqual(200);
  });
});

describe('a document with nothing but unknown members is not taken for one that fits', () => {
  test.each([1, 20, 99, 100, 199, 200, 201, 5_000])('%i of them', (count) => {
    const [first] = checkInference({ input: 'x', ...names(count) });
    expect(first).toEqual({ pointer: '/k0', message: expect.stringMatching(/^unknown member 'k0'; known: input, /) });
    expect(checkInference({ input: 'x', context: [{ content: 5, ...names(count) }] })).toContainEqual({
      pointer: '/context/0/k0',
      message: expect.stringMatching(/^unknown member 'k0'/),
    });
  });

  test('nor does it hide what is missing or wrong beside them', () => {
    expect(checkInference({ deadline_ms: 'soon', ...names(500) })).toContainEqual({
      pointer: '/deadline_ms',
      message: 'must be an integer',
    });
  });
});

test('where thousands of items are wrong, the first are told, after what is wrong before them', () => {
  const Item = Type.Object({ of: Type.Array(Type.Object({ n: Type.Number() }), { maxItems: 200 }) });
  const check = createSchemaChecker(
    Type.Object({
      a: Type.String(),
      items: Type.Array(Item, { maxItems: 200 }),
      z: Type.Array(Type.Object({ n: Type.Number() })),
    }),
  );
  const items = many(200, { of: many(200, {}) });
  const places = check({ a: 1, items, z: [{}] }).map(({ pointer }) => pointer);
  expect(places).toHaveLength(200);
  expect(places.slice(0, 2)).toEqual(['/a', '/items/0/of/0/n']);
  expect(check({ a: '', items: [], z: many(3_000, {}) }).map(({ pointer }) => pointer)).toEqual(
    many(200, 0).map((_, i) => `/z/${i}/n`),
  );
});

test('a member named __proto__ is one that the schema does not name', () => {
  expect(checkInference(JSON.parse('{"input":"x","__proto__":{"deadline_ms":1}}'))).toEqual([
    { pointer: '/__proto__', message: expect.stringMatching(/^unknown member '__proto__'/) },
  ]);
});

test('each item that is wrong is told of at its own place, wherever it stands', () => {
  const Item = Type.Object({
    n: Type.Optional(Type.Number()),
    of: Type.Optional(Type.Array(Type.Union([Type.Number(), Type.Null()]))),
  });
  const check = createSchemaChecker(Type.Object({ items: Type.Union([Type.String(), Type.Array(Item, { maxItems: 20 })]) }));
  const item = fc.constantFrom({}, { n: 1 }, { n: '' }, { of: [1, null] }, { of: [1, '', 2] });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 20 }), (items) => {
      const wrong = items.flatMap((each, i) => {
        if ('n' in each && each.n === '') return [`/items/${i}/n`];
        return 'of' in each && each.of[1] === '' ? [`/items/${i}/of/1`] : [];
      });
      const told = check({ items }).map(({ pointer }) => pointer);
      expect(told).toEqual(wrong.length === 0 ? [] : ['/items', ...wrong]);
    }),
  );
});
