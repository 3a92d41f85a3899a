// Promises of the difference between two policies: it is all that changed, and no more than that.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../json/canonical.ts';
import { diffPolicies, type PolicyChange } from './diff.ts';

type Json = unknown;

/** A change with what is left of its path. */
interface Step {
  readonly tokens: readonly string[];
  readonly change: PolicyChange;
}

/** Makes the newer document of the older one. Removals in a list name places before, all else places after. */
function apply(from: Json, changes: readonly PolicyChange[]): Json {
  const steps = changes.map((change) => ({ tokens: change.path.split('/').slice(1).map(unescape), change }));
  return applySteps(from, steps);
}

const unescape = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

function applySteps(value: Json, steps: readonly Step[]): Json {
  if (steps.length === 0) return value;
  const whole = steps.find(({ tokens }) => tokens.length === 0);
  if (whole !== undefined) return whole.change.to;
  const own = steps.filter(({ tokens }) => tokens.length === 1);
  const inner = Map.groupBy(
    steps.filter(({ tokens, change }) => tokens.length > 1 || change.op === 'replace'),
    ({ tokens }) => tokens[0]!,
  );
  const inside = (name: string, member: Json) =>
    applySteps(
      member,
      (inner.get(name) ?? []).map(({ tokens, change }) => ({ tokens: tokens.slice(1), change })),
    );
  if (Array.isArray(value)) {
    const removed = new Set(own.filter(({ change }) => change.op === 'remove').map(({ tokens }) => Number(tokens[0])));
    const list: Json[] = value.filter((_item, i) => !removed.has(i));
    for (const { tokens, change } of own) if (change.op === 'add') list.splice(Number(tokens[0]), 0, change.to);
    return list.map((item, i) => inside(String(i), item));
  }
  const members = new Map(Object.entries((value ?? {}) as Record<string, Json>));
  for (const { tokens, change } of own) {
    if (change.op === 'remove') members.delete(tokens[0]!);
    if (change.op === 'add') members.set(tokens[0]!, change.to);
  }
  return Object.fromEntries([...members].map(([name, member]) => [name, inside(name, member)]));
}

const scalar = fc.oneof(fc.boolean(), fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', '', 'a/b~c'), fc.constant(null));
const id = fc.constantFrom('one', 'two', 'three', 'four', 'five');
const thing = fc.record(
  { id, when: fc.constantFrom('x', 'y'), any: fc.array(fc.constantFrom('p', 'q', 'r'), { maxLength: 4 }) },
  { requiredKeys: ['id'] },
);
const judge = fc.record({ judge_id: id, flag_at: fc.constantFrom(0.5, 0.6) }, { requiredKeys: ['judge_id'] });
/** Shaped like policies, and at times like nothing in particular: a list of things without names, names that come twice. */
const documents = fc.dictionary(
  fc.constantFrom('mode', 'rules', 'judges', 'lists', 'a/b', '~', '__proto__'),
  fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 5 }),
    fc.array(thing, { maxLength: 5 }),
    fc.uniqueArray(thing, { maxLength: 5, selector: (one) => one.id }),
    fc.uniqueArray(judge, { maxLength: 5, selector: (one) => one.judge_id }),
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))),
  ),
  { maxKeys: 6 },
);

test('the changes make the newer document of the older one', () => {
  fc.assert(
    fc.property(documents, documents, (from, to) => {
      expect(canonicalJson(apply(from, diffPolicies(from, to)))).toBe(canonicalJson(to));
    }),
    { numRuns: 2_000 },
  );
});

test('there are none exactly where the documents are the same', () => {
  fc.assert(
    fc.property(documents, documents, (from, to) => {
      expect(diffPolicies(from, from)).toEqual([]);
      expect(diffPolicies(from, to).length === 0).toBe(canonicalJson(from) === canonicalJson(to));
    }),
  );
});

test('a change names the place in the newer document, or of what was removed in the older one, and the thing by its id', () => {
  const from = { rules: [{ id: 'old' }, { id: 'kept', when: 'a' }], mode: 'enforce', deadline_ms: 5 };
  const to = { rules: [{ id: 'new' }, { id: 'newer' }, { id: 'kept', when: 'b' }], mode: 'monitor', stream: 'hold' };
  expect(diffPolicies(from, to)).toEqual([
    { op: 'remove', path: '/deadline_ms', from: 5 },
    { op: 'replace', path: '/mode', from: 'enforce', to: 'monitor' },
    { op: 'remove', path: '/rules/0', id: 'old', from: { id: 'old' } },
    { op: 'add', path: '/rules/0', id: 'new', to: { id: 'new' } },
    { op: 'add', path: '/rules/1', id: 'newer', to: { id: 'newer' } },
    { op: 'replace', path: '/rules/2/when', id: 'kept', from: 'a', to: 'b' },
    { op: 'add', path: '/stream', to: 'hold' },
  ]);
});

test('one more word at the head of ten thousand is one change', () => {
  const words = Array.from({ length: 10_000 }, (_, i) => `word ${i}`);
  expect(diffPolicies({ any: words }, { any: ['first', ...words] })).toEqual([{ op: 'add', path: '/any/0', to: 'first' }]);
});

test('what moves among its neighbours is removed and added, and nothing else', () => {
  const list = (...ids: string[]) => ({ exceptions: ids.map((name) => ({ id: name })) });
  expect(diffPolicies(list('a', 'b', 'c', 'd'), list('d', 'a', 'b', 'c'))).toEqual([
    { op: 'remove', path: '/exceptions/3', id: 'd', from: { id: 'd' } },
    { op: 'add', path: '/exceptions/0', id: 'd', to: { id: 'd' } },
  ]);
});
