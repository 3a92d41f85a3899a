// What changed from one policy document to another, in steps that a person can read.

import { canonicalJson } from '../json/canonical.ts';
import { pointerTo } from '../json/pointer.ts';

/**
 * One change. `path`: a JSON Pointer; into a list it names the place in the newer document, of what was removed the place in the older one.
 * `id`: where that is an entry of a list of named things (rules, exceptions, judges), its name.
 */
export interface PolicyChange {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly id?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * The changes that make `to` of `from`, in the order of their places. Members are compared by name, lists of things with an `id` or `judge_id` by
 * that, and the items of other lists by value. What stands at another place among its neighbours is removed and added: in some lists order decides.
 */
export function diffPolicies(from: unknown, to: unknown): PolicyChange[] {
  return compare(from, to, '');
}

type JsonObject = Readonly<Record<string, unknown>>;

function compare(from: unknown, to: unknown, path: string): PolicyChange[] {
  if (isObject(from) && isObject(to)) return compareObjects(from, to, path);
  if (canonicalJson(from) === canonicalJson(to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return compareLists(from, to, path);
  return [{ op: 'replace', path, from, to }];
}

function compareObjects(from: JsonObject, to: JsonObject, path: string): PolicyChange[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  return names.flatMap((name): PolicyChange[] => {
    const place = pointerTo(path, name);
    if (!Object.hasOwn(to, name)) return [{ op: 'remove', path: place, from: from[name] }];
    if (!Object.hasOwn(from, name)) return [{ op: 'add', path: place, to: to[name] }];
    return compare(from[name], to[name], place);
  });
}

function compareLists(from: readonly unknown[], to: readonly unknown[], path: string): PolicyChange[] {
  const keysOf = from.every(isNamed) && to.every(isNamed) && !hasTwins(from) && !hasTwins(to) ? namesIn : valuesIn;
  const [before, after] = [keysOf(from), keysOf(to)];
  const kept = keptOrder(before, after);
  const removed = from.flatMap((item, i): PolicyChange[] =>
    kept.has(before[i]!) ? [] : [{ op: 'remove', path: pointerTo(path, i), ...idOf(item), from: item }],
  );
  const earlier = new Map(before.map((key, i) => [key, from[i]]));
  const rest = to.flatMap((item, i): PolicyChange[] => {
    const place = pointerTo(path, i);
    if (!kept.has(after[i]!)) return [{ op: 'add', path: place, ...idOf(item), to: item }];
    return compare(earlier.get(after[i]!), item, place).map((change) =>
      Object.assign({ op: change.op, path: change.path }, idOf(item), change),
    );
  });
  return [...removed, ...rest];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string | undefined {
  const { id, judge_id: judgeId } = isObject(value) ? value : {};
  return [id, judgeId].find((name) => typeof name === 'string');
}

function isNamed(value: unknown): boolean {
  return nameOf(value) !== undefined;
}

function idOf(value: unknown): { id?: string } {
  const id = nameOf(value);
  return id === undefined ? {} : { id };
}

function hasTwins(list: readonly unknown[]): boolean {
  return new Set(list.map(nameOf)).size < list.length;
}

function namesIn(list: readonly unknown[]): string[] {
  return list.map((item) => nameOf(item)!);
}

/** Values, those that come again with how often they have: no two are alike. */
function valuesIn(list: readonly unknown[]): string[] {
  const seen = new Map<string, number>();
  return list.map((item) => {
    const value = canonicalJson(item);
    const times = seen.get(value) ?? 0;
    seen.set(value, times + 1);
    return `${times} ${value}`;
  });
}

/** The most of what both hold that stands in the same order in both: a longest increasing run of places (patience sorting). */
function keptOrder(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((key, i) => [key, i]));
  const common = after.filter((key) => places.has(key));
  /** `tops[n]`: index of the lowest place that ends a run of n + 1; `under[i]`: what stands before it in its run. */
  const tops: number[] = [];
  const under: number[] = [];
  common.forEach((key, i) => {
    const run = firstAtLeast(tops, (top) => places.get(common[top]!)! >= places.get(key)!);
    under[i] = tops[run - 1] ?? -1;
    tops[run] = i;
  });
  const kept = new Set<string>();
  for (let i = tops.at(-1) ?? -1; i >= 0; i = under[i]!) kept.add(common[i]!);
  return kept;
}

/** Index of the first of `sorted` that is enough, or its length. */
function firstAtLeast(sorted: readonly number[], isEnough: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isEnough(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
